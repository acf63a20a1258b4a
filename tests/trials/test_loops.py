"""Async agents share a loop, and one that blocks it is found out."""

import asyncio
import logging
import sys
import threading
import time
from typing import Any

import pytest

from fairtrial.errors import TrialOverError
from fairtrial.records import Task
from fairtrial.trials import Retry


def test_as_many_trials_run_at_once_as_were_asked_for(rig: Any) -> None:
    there: list[asyncio.Event] = []

    async def target(task: Task) -> int:
        there.append(asyncio.Event())
        if len(there) == 5:
            for one in there:
                one.set()
        await there[task.trial].wait()
        return len(there)

    rig.run(target, 5, concurrency=5, timeout=10.0)
    assert rig.returned == [5] * 5


def test_no_thread_is_left_when_a_run_is_over(rig: Any) -> None:
    async def target(task: Task) -> None:
        await asyncio.to_thread(sum, [1])

    rig.run(target, 5)
    assert [thread for thread in threading.enumerate() if thread.name == "fairtrial-loop"] == []


def test_an_agent_that_blocks_the_loop_is_out_of_time_and_the_others_begin_anew(rig: Any) -> None:
    others_began = threading.Event()

    async def target(task: Task) -> int:
        if task.trial == 0:
            await asyncio.sleep(0.05)
            others_began.wait(10)
            rig.released.wait(20)
        others_began.set()
        await asyncio.sleep(0.15)
        return task.trial

    ended = rig.run(target, 4, concurrency=3, timeout=0.3)
    assert [rig.outcomes[job].stop for job in range(4)] == ["timeout", None, None, None]
    assert rig.returned[1:] == [1, 2, 3]
    assert [rig.outcomes[job].attempts for job in range(4)] == [1, 2, 2, 1]
    assert ended.longest_hold > 0.2


def test_the_worlds_of_those_who_begin_anew_are_closed(rig: Any) -> None:
    async def target(task: Task) -> None:
        await asyncio.sleep(0.01)
        if task.trial == 0:
            rig.released.wait(20)

    rig.run(target, 3, concurrency=3, timeout=0.2)
    assert all(trial.closed.is_set() for trial in rig.staged)


def test_an_endless_loop_is_found_out_too(rig: Any) -> None:
    async def target(task: Task) -> int:
        while task.trial == 1 and not rig.released.is_set():
            pass
        return task.trial

    rig.run(target, 3, concurrency=1, timeout=0.2)
    rig.released.set()
    assert [rig.outcomes[job].stop for job in range(3)] == [None, "timeout", None]


def test_every_agent_that_blocks_is_found_out_in_turn(rig: Any) -> None:
    async def target(task: Task) -> None:
        rig.released.wait(20)

    assert rig.run(target, 4, concurrency=4, timeout=0.1).finished == 4
    assert {rig.outcomes[job].stop for job in range(4)} == {"timeout"}


def test_one_that_blocks_in_a_task_of_its_own_is_told_from_the_others(rig: Any) -> None:
    async def block() -> None:
        rig.released.wait(20)

    async def target(task: Task) -> int:
        if task.trial == 1:
            async with asyncio.TaskGroup() as group:
                group.create_task(block())
        await asyncio.sleep(0.1)
        return task.trial

    rig.run(target, 3, concurrency=3, timeout=0.3)
    assert [rig.outcomes[job].stop for job in range(3)] == [None, "timeout", None]


def test_a_callback_that_blocks_ends_all_that_are_out_of_time(rig: Any) -> None:
    async def target(task: Task) -> None:
        if task.trial == 0:
            asyncio.get_running_loop().call_soon(rig.released.wait, 20)
            await asyncio.sleep(5)

    rig.run(target, 2, concurrency=1, timeout=0.2)
    assert [rig.outcomes[job].stop for job in range(2)] == ["timeout", None]


def test_a_finish_that_takes_long_is_nobodys_blocking(rig: Any) -> None:
    finish = rig.finish

    def slow(job: int, trial: Any, outcome: Any) -> None:
        if job == 0:
            rig.released.wait(0.6)
        finish(job, trial, outcome)

    async def target(task: Task) -> int:
        await asyncio.sleep(0)
        return task.trial

    rig.finish = slow
    ended = rig.run(target, 3, concurrency=1, timeout=0.2)
    assert rig.returned == [0, 1, 2]
    assert ended.longest_hold < 0.2


def test_an_agent_that_swallows_its_cancellation_is_given_up(rig: Any) -> None:
    async def target(task: Task) -> None:
        while task.trial == 0 and not rig.released.is_set():
            try:
                await asyncio.sleep(1)
            except asyncio.CancelledError:
                continue

    began = time.monotonic()
    rig.run(target, 2, concurrency=1, timeout=0.1)
    assert [rig.outcomes[job].stop for job in range(2)] == ["timeout", None]
    assert time.monotonic() - began < 5


def test_what_an_agent_hands_over_when_it_is_cancelled_is_kept(rig: Any) -> None:
    async def target(task: Task) -> str:
        try:
            await asyncio.sleep(20)
        except asyncio.CancelledError:
            return "so far"
        return "never"

    rig.run(target, 1, timeout=0.1)
    assert (rig.outcomes[0].returned, rig.outcomes[0].stop) == ("so far", "timeout")


def test_a_timeout_of_the_agents_own_is_its_error(rig: Any) -> None:
    async def target(task: Task) -> None:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)

    rig.run(target, 2, concurrency=1)
    assert [type(rig.outcomes[job].error) for job in range(2)] == [TimeoutError] * 2
    assert rig.outcomes[0].stop is None


def test_an_agent_that_cancels_itself_harms_no_other(rig: Any) -> None:
    async def target(task: Task) -> int:
        current = asyncio.current_task()
        assert current is not None
        if task.trial == 0:
            current.cancel()
        return task.trial

    rig.run(target, 2, concurrency=1)
    assert rig.returned == [0, 1]


def cancel_the_others() -> None:
    for one in asyncio.all_tasks():
        if one is not asyncio.current_task():
            one.cancel()


def test_a_trial_that_another_cancels_before_its_first_step_is_run_all_the_same(rig: Any) -> None:
    async def target(task: Task) -> int:
        if task.trial == 0:
            await asyncio.sleep(0)
            cancel_the_others()
            await asyncio.sleep(0.1)
        return task.trial

    rig.run(target, 4, concurrency=2, timeout=2.0)
    assert rig.returned == [0, 1, 2, 3]
    assert [rig.outcomes[job].attempts for job in range(4)] == [1, 1, 1, 1]


def test_a_trial_that_others_always_cancel_is_its_own_failure(rig: Any) -> None:
    async def target(task: Task) -> int:
        while task.trial == 0:
            cancel_the_others()
            await asyncio.sleep(0)
        return task.trial

    rig.run(target, 3, concurrency=2, timeout=0.3)
    assert [rig.outcomes[job].stop for job in range(3)] == ["timeout", None, None]
    assert "twice before its first step" in str(rig.outcomes[1].error)
    assert rig.staged[1].closed.is_set()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_task_of_an_agents_own_that_exits_does_not_end_the_loop(rig: Any) -> None:
    async def leave() -> None:
        sys.exit(1)

    async def target(task: Task) -> int:
        left = asyncio.create_task(leave())
        await asyncio.wait([left])
        left.exception()
        return task.trial

    rig.run(target, 3, concurrency=1, timeout=5.0)
    assert rig.returned == [0, 1, 2]


def test_a_left_over_task_that_is_stopped_by_the_end_of_its_trial_is_no_news(
    rig: Any, caplog: pytest.LogCaptureFixture
) -> None:
    stopped = []

    async def go_on(task: Task) -> None:
        while True:
            await asyncio.sleep(0)
            try:
                task.world.allowance.call()
            except TrialOverError:
                stopped.append(task.trial)
                raise

    async def target(task: Task) -> None:
        if task.trial == 0:
            asyncio.create_task(go_on(task))  # noqa: RUF006 - left over on purpose
        await asyncio.sleep(0.02)

    with caplog.at_level(logging.DEBUG):
        rig.run(target, 4, concurrency=1)
    assert stopped == [0]
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_what_agents_leave_running_is_cancelled_at_the_end(rig: Any) -> None:
    cancelled = []

    async def linger() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(1)
            raise

    async def target(task: Task) -> None:
        task.world.kept = asyncio.create_task(linger())
        await asyncio.sleep(0)

    rig.run(target, 3)
    assert cancelled == [1, 1, 1]


def test_what_is_no_awaitable_is_the_agents_error(rig: Any) -> None:
    async def target(task: Task) -> None:
        """Stand for an agent that says it does not block, and gives a text."""

    def stage(job: int) -> Any:
        rig.agent.target = lambda task: "plain"
        return staged(job)

    staged, rig.stage = rig.stage, stage
    rig.run(target, 1)
    assert isinstance(rig.outcomes[0].error, TypeError)


def test_a_world_that_is_never_ready_is_cut_off_and_the_others_begin_anew(rig: Any) -> None:
    made, trials = rig.stage, {}

    def stage(job: int) -> Any:
        if job == 1:
            rig.released.wait(20)
        return made(job)

    def finish(job: int, trial: Any, outcome: Any) -> None:
        trials[job] = (trial is None, type(outcome.error), outcome.returned)

    async def target(task: Task) -> int:
        await asyncio.sleep(0.05)
        return task.trial

    rig.stage, rig.finish = stage, finish
    rig.run(target, 3, concurrency=2, timeout=0.2)
    assert trials == {
        0: (False, type(None), 0),
        1: (True, TimeoutError, None),
        2: (False, type(None), 2),
    }


def test_attempts_that_wait_to_be_tried_again_outlive_a_blocked_loop(rig: Any) -> None:
    tried: list[int] = []

    async def target(task: Task) -> int:
        tried.append(task.trial)
        if task.trial == 0 and tried.count(0) == 1:
            raise ConnectionError
        if task.trial == 1:
            rig.released.wait(20)
        return task.trial

    rig.retry = lambda outcome, staged: Retry() if outcome.error else None
    rig.run(target, 2, concurrency=2, timeout=0.1, backoff=0.4)
    assert [rig.outcomes[job].stop for job in (0, 1)] == [None, "timeout"]
    assert rig.outcomes[0].returned == 0
    assert rig.outcomes[0].waited > 0.1
