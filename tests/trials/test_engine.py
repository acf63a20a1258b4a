"""What holds for every run, whether its agent blocks or not."""

import asyncio
import gc
import os
import random
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import pytest

from fairtrial.errors import TrialOverError
from fairtrial.records import Task
from fairtrial.trials import Outcome, Retry

Target = Callable[[Task], Any]


def both(blocking: Target) -> pytest.MarkDecorator:
    """Run a test with the function as it is, and as a coroutine function."""

    async def in_loop(task: Task) -> object:
        return blocking(task)

    return pytest.mark.parametrize("target", [blocking, in_loop], ids=["blocking", "async"])


def number(task: Task) -> object:
    return task.trial


def broken(task: Task) -> object:
    raise LookupError(task.case)


@both(number)
def test_every_job_is_finished_once(rig: Any, target: Target) -> None:
    ended = rig.run(target, 300, concurrency=7)
    assert rig.returned == list(range(300))
    assert (ended.started, ended.finished, ended.stopped) == (300, 300, None)


@both(number)
def test_without_jobs_a_run_ends_at_once(rig: Any, target: Target) -> None:
    assert rig.run(target, 0).started == 0


@both(number)
def test_jobs_are_pulled_only_when_there_is_room(rig: Any, target: Target) -> None:
    ahead: list[int] = []

    def jobs() -> Iterator[int]:
        for job in range(50):
            ahead.append(job - len(rig.outcomes))
            yield job

    rig.run(target, jobs(), concurrency=3)
    assert max(ahead) < 3


@both(broken)
def test_what_an_agent_raises_is_its_outcome(rig: Any, target: Target) -> None:
    rig.run(target, 2)
    assert [repr(rig.outcomes[job].error) for job in (0, 1)] == [
        "LookupError('c0')",
        "LookupError('c1')",
    ]


@pytest.mark.parametrize(
    "error", [SystemExit(3), KeyboardInterrupt(), TrialOverError("over"), asyncio.CancelledError()]
)
def test_an_agent_that_raises_what_ends_threads_ends_none(rig: Any, error: BaseException) -> None:
    def blocking(task: Task) -> None:
        raise error

    async def in_loop(task: Task) -> None:
        raise error

    rig.run(blocking, 3, concurrency=1)
    assert [rig.outcomes[job].error for job in range(3)] == [error] * 3
    rig.outcomes.clear()
    rig.run(in_loop, 3, concurrency=1)
    assert [rig.outcomes[job].error for job in range(3)] == [error] * 3


@both(number)
def test_a_world_that_cannot_be_made_is_an_outcome_without_a_trial(
    rig: Any, target: Target
) -> None:
    made = rig.stage
    trials = []

    def stage(job: int) -> Any:
        return made(job) if job else 1 / 0

    def finish(job: int, trial: Any, outcome: Outcome) -> None:
        trials.append((trial is None, type(outcome.error)))

    rig.stage, rig.finish = stage, finish
    assert rig.run(target, 2, concurrency=1).finished == 2
    assert trials == [(True, ZeroDivisionError), (False, type(None))]


@both(number)
def test_what_finish_raises_ends_the_run_and_comes_out_of_it(rig: Any, target: Target) -> None:
    def finish(job: int, trial: Any, outcome: Outcome) -> None:
        raise LookupError(f"no room on the disk for {job}")

    rig.finish = finish
    with pytest.raises(LookupError, match="no room on the disk for 0"):
        rig.run(target, 50, concurrency=1)
    assert len(rig.staged) == 1


@both(number)
def test_what_the_jobs_raise_ends_the_run_and_comes_out_of_it(rig: Any, target: Target) -> None:
    def jobs() -> Iterator[int]:
        yield 0
        raise LookupError("no such case")

    with pytest.raises(LookupError, match="no such case"):
        rig.run(target, jobs())


def test_no_trial_at_once_is_a_mistake(rig: Any) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        rig.run(number, 3, concurrency=0)


WHOSE: ContextVar[str] = ContextVar("WHOSE", default="nobody's")


def mark(task: Task) -> str:
    before = WHOSE.get()
    WHOSE.set(task.case)
    return before


@both(mark)
def test_context_variables_begin_anew_in_every_trial(rig: Any, target: Target) -> None:
    token = WHOSE.set("the caller's")
    rig.run(target, 6, concurrency=1)
    WHOSE.reset(token)
    assert set(rig.returned) == {"the caller's"}


@both(broken)
def test_no_world_is_kept_when_its_trial_is_finished(rig: Any, target: Target) -> None:
    made, alive, most = rig.stage, weakref.WeakSet[Any](), 0

    def stage(job: int) -> Any:
        nonlocal most
        trial = made(job)
        rig.staged.clear()
        alive.add(trial)
        most = max(most, len(alive))
        return trial

    def finish(job: int, trial: Any, outcome: Outcome) -> None:
        del trial.task  # it holds the trial, and so would keep it

    rig.stage, rig.finish = stage, finish
    gc.disable()
    try:
        rig.run(target, 500, concurrency=4)
    finally:
        gc.enable()
    assert most <= 12


def interrupt(task: Task) -> object:
    if task.trial == 3:
        os.kill(os.getpid(), signal.SIGINT)
        task.world.closed.wait(10)
        task.world.allowance.call()
    return task.trial


async def interrupt_in_loop(task: Task) -> object:
    if task.trial == 3:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(10)
    return task.trial


@pytest.mark.parametrize("target", [interrupt, interrupt_in_loop])
def test_ctrl_c_ends_the_run_and_abandons_what_is_under_way(rig: Any, target: Target) -> None:
    began = time.monotonic()
    ended = rig.run(target, 1000, concurrency=1)
    assert (ended.started, ended.finished, ended.stopped) == (4, 3, "interrupted")
    assert rig.agent.abandoned == [3]
    assert all(trial.closed.is_set() for trial in rig.staged)
    assert time.monotonic() - began < 3


def test_ctrl_c_waits_for_a_finish_that_is_under_way(rig: Any) -> None:
    done = []

    def finish(job: int, trial: Any, outcome: Outcome) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        rig.released.wait(0.3)
        done.append(job)

    rig.finish = finish
    ended = rig.run(number, 5, concurrency=1)
    assert done == [0]
    assert (ended.finished, ended.stopped) == (1, "interrupted")


@both(number)
def test_ctrl_c_once_ends_a_run_whose_finish_never_ends(rig: Any, target: Target) -> None:
    def finish(job: int, trial: Any, outcome: Outcome) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        rig.released.wait(20)

    rig.finish = finish
    began = time.monotonic()
    ended = rig.run(target, 5, concurrency=1)
    assert (ended.finished, ended.stopped) == (0, "interrupted")
    assert 1 <= time.monotonic() - began < 4


def hang(task: Task) -> object:
    task.world.closed.wait(20)
    return "too late"


async def hang_in_loop(task: Task) -> object:
    await asyncio.sleep(20)
    return "too late"


@pytest.mark.parametrize("target", [hang, hang_in_loop])
def test_somebody_looks_on_while_trials_run_and_never_during_a_finish(
    rig: Any, target: Target
) -> None:
    ticks = []

    def tick() -> None:
        assert rig._inside.acquire(blocking=False)
        ticks.append(1)
        rig._inside.release()

    rig.tick = tick
    rig.run(target, 2, timeout=0.5)
    assert len(ticks) >= 2


def test_what_tick_raises_comes_out_of_the_run(rig: Any) -> None:
    rig.tick = lambda: 1 / 0
    with pytest.raises(ZeroDivisionError):
        rig.run(hang, 2)
    assert sorted(rig.agent.abandoned) == [0, 1]


def chaos(rig: Any, task: Task, draw: random.Random) -> object:
    """Do one of many things that agents do."""
    kind = draw.choice(["answer", "answer", "raise", "exit", "provider", "hang"])
    if kind == "raise":
        raise ValueError(kind)
    if kind == "exit":
        sys.exit(1)
    if kind == "provider":
        raise ConnectionError
    return kind


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("blocking", [True, False])
def test_whatever_agents_do_every_job_is_finished_once(rig: Any, blocking: bool, seed: int) -> None:
    draw = random.Random(seed)

    def target(task: Task) -> object:
        did = chaos(rig, task, draw)
        return rig.released.wait(20) if did == "hang" else did

    async def in_loop(task: Task) -> object:
        did = chaos(rig, task, draw)
        await asyncio.sleep(20 if did == "hang" else 0)
        return did

    rig.retry = lambda outcome, staged: (
        Retry() if isinstance(outcome.error, ConnectionError) else None
    )
    ended = rig.run(target if blocking else in_loop, 80, concurrency=8, timeout=0.1, backoff=0.01)
    assert ended.finished == len(rig.outcomes) == 80


RIG = """
import asyncio, os, signal, threading, time
from fairtrial.trials import Bounds, run_trials

class Trial:
    def __init__(self, job): self.task = job
    def close(self): pass

class Agent:
    name = "agent"
    def __init__(self, target, blocking): self.target, self.blocking = target, blocking
    def __call__(self, task): return self.target(task)
    def abandon(self, task): pass
    def close(self): pass
"""

IMPATIENT = """
def finish(job, trial, outcome):
    for _ in range(100):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)

run_trials([1], Agent(str, True), Bounds(), stage=Trial, finish=finish, clock=time.monotonic)
"""


def run_python(code: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-Werror", "-c", RIG + code]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def test_a_second_ctrl_c_raises_at_once() -> None:
    began = time.monotonic()
    done = run_python(IMPATIENT)
    assert done.returncode == -signal.SIGINT
    assert time.monotonic() - began < 5


HUNG = """
never = threading.Event()
async def blocks_the_loop(task): never.wait()
async def blocks_a_thread(task): await asyncio.to_thread(never.wait)
async def obeys_nobody(task):
    while True:
        try: await asyncio.sleep(60)
        except asyncio.CancelledError: pass
def blocks(task): never.wait()
def gives_an_awaitable(task): return blocks_a_thread(task)

for target, blocking in [(blocks_the_loop, False), (blocks_a_thread, False), (obeys_nobody, False),
                         (blocks, True), (gives_an_awaitable, True)]:
    ended = run_trials([1], Agent(target, blocking), Bounds(timeout=0.1), stage=Trial,
                       finish=lambda job, trial, outcome: print(outcome.stop), clock=time.monotonic)
"""


def test_the_process_ends_though_agents_still_hang() -> None:
    done = run_python(HUNG)
    assert (done.stdout.split(), done.stderr, done.returncode) == (["timeout"] * 5, "", 0)
