"""Blocking agents have threads, and hung ones are left behind."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Awaitable
from threading import Barrier
from typing import Any

from fairtrial.errors import TrialOverError
from fairtrial.records import Task
from fairtrial.trials.threads import run_to_end


def threads_of_trials() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "fairtrial-trial"]


def test_as_many_trials_run_at_once_as_were_asked_for(rig: Any) -> None:
    meeting = Barrier(5)
    rig.run(lambda task: meeting.wait(10), 10, concurrency=5)
    assert sorted(rig.returned) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_no_more_threads_are_made_than_there_is_work_for(rig: Any) -> None:
    seen = []
    rig.run(lambda task: seen.append(len(threads_of_trials())), 2, concurrency=200)
    assert max(seen) <= 3


def test_no_thread_is_left_when_a_run_is_over(rig: Any) -> None:
    rig.run(lambda task: None, 50)
    assert threads_of_trials() == []


def test_others_go_on_where_all_threads_hang(rig: Any) -> None:
    def target(task: Task) -> object:
        return rig.released.wait(20) if task.trial < 2 else task.trial

    rig.run(target, 6, concurrency=2, timeout=0.1)
    assert [rig.outcomes[job].stop for job in range(6)] == ["timeout"] * 2 + [None] * 4


def test_what_a_hung_agent_brings_after_its_time_is_dropped(rig: Any) -> None:
    def target(task: Task) -> object:
        if task.trial == 0:
            task.world.closed.wait(20)  # hung until it is given up
        return task.trial

    rig.run(target, 40, concurrency=2, timeout=0.1)
    assert (rig.outcomes[0].stop, rig.outcomes[0].returned) == ("timeout", None)
    assert rig.returned[1:] == list(range(1, 40))


def test_an_abandoned_agent_is_stopped_by_its_next_call(rig: Any) -> None:
    stopped = threading.Event()

    def target(task: Task) -> None:
        task.world.closed.wait(20)
        try:
            task.world.allowance.call()
        except TrialOverError:
            stopped.set()

    rig.run(target, 1, timeout=0.1)
    assert stopped.wait(10)


def test_a_world_that_is_never_ready_is_cut_off_and_said_to_be_the_fault(rig: Any) -> None:
    trials = []

    made = rig.stage

    def stage(job: int) -> Any:
        rig.released.wait(20)
        return made(job)

    def finish(job: int, trial: Any, outcome: Any) -> None:
        trials.append((trial, outcome.stop, str(outcome.error)))

    rig.stage, rig.finish = stage, finish
    rig.run(lambda task: None, 1, timeout=0.1)
    assert trials == [(None, "timeout", "its world was not ready within 0.1 s")]


def test_an_awaitable_from_a_plain_function_is_waited_for(rig: Any) -> None:
    async def answer(task: Task) -> int:
        await asyncio.sleep(0)
        return task.trial

    rig.run(lambda task: answer(task), 3)
    assert rig.returned == [0, 1, 2]


def test_an_awaitable_that_raises_is_an_outcome_too(rig: Any) -> None:
    async def answer(task: Task) -> None:
        raise LookupError

    rig.run(lambda task: answer(task), 1)
    assert isinstance(rig.outcomes[0].error, LookupError)


def test_an_agent_that_fails_to_let_go_harms_nobody(rig: Any) -> None:
    def target(task: Task) -> object:
        rig.agent.abandon = lambda task: 1 / 0
        return rig.released.wait(20)

    assert rig.run(target, 2, timeout=0.1).finished == 2


def test_anything_that_can_be_awaited_is_run_to_its_end() -> None:
    class Answer:
        def __await__(self) -> Any:
            yield from asyncio.sleep(0).__await__()
            return "done"

    answer: Awaitable[object] = Answer()
    assert run_to_end(answer) == "done"


def test_agents_that_block_need_no_asyncio() -> None:
    code = """
import sys, time
from fairtrial.trials import Bounds, run_trials
class Trial:
    def __init__(self, job): self.task = job
    def close(self): pass
class Agent:
    name, blocking = "plain", True
    def __call__(self, task): return task
    def abandon(self, task): pass
run_trials([1], Agent(), Bounds(), stage=Trial, finish=lambda *_: None, clock=time.monotonic)
assert "asyncio" not in sys.modules and "concurrent.futures" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
