"""What bounds a run: retries, money and time, whether its agent blocks or not."""

import asyncio
import threading
import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from fairtrial.errors import PluginError
from fairtrial.records import Task
from fairtrial.trials import Retry

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


def unlucky_twice(task: Task) -> object:
    attempts = task.world.rig_attempts
    attempts.append(task.world)
    if len(attempts) < 3:
        raise ConnectionError("no route")
    return "at last"


def shares_attempts(rig: Any) -> list[Any]:
    made, attempts = rig.stage, list[Any]()

    def stage(job: int) -> Any:
        trial = made(job)
        trial.rig_attempts = attempts
        return trial

    rig.stage = stage
    return attempts


@both(unlucky_twice)
def test_a_failure_of_the_provider_is_tried_again_in_a_clean_world(
    rig: Any, target: Target
) -> None:
    attempts = shares_attempts(rig)
    rig.retry = lambda outcome, staged: Retry() if outcome.error else None
    rig.run(target, 1, backoff=0.02)
    outcome = rig.outcomes[0]
    assert (outcome.returned, outcome.attempts) == ("at last", 3)
    assert outcome.waited >= 0.03 > outcome.seconds
    assert len({id(trial) for trial in attempts}) == 3


@both(broken)
def test_retries_come_to_an_end(rig: Any, target: Target) -> None:
    rig.retry = lambda outcome, staged: Retry()
    rig.run(target, 3, backoff=0.001, retries=2)
    assert [rig.outcomes[job].attempts for job in range(3)] == [3, 3, 3]


@both(broken)
def test_who_decides_on_a_retry_is_told_of_the_trial_that_failed(rig: Any, target: Target) -> None:
    asked: list[object] = []
    rig.retry = lambda outcome, staged: asked.append(staged)
    rig.run(target, 1)
    assert asked == rig.staged


@both(broken)
def test_a_failure_of_the_agent_is_never_tried_again(rig: Any, target: Target) -> None:
    rig.retry = lambda outcome, staged: None
    rig.run(target, 3)
    assert len(rig.staged) == 3


def busy_then_fine(task: Task) -> object:
    starts = task.world.rig_attempts
    starts.append(time.monotonic())
    if len(starts) == 1:
        raise ConnectionError("429")
    return None


@both(busy_then_fine)
def test_nobody_starts_while_the_provider_asks_to_wait(rig: Any, target: Target) -> None:
    starts = shares_attempts(rig)
    rig.retry = lambda outcome, staged: Retry(after=0.2) if outcome.error else None
    rig.run(target, 4, concurrency=2)
    late = [start for start in starts if start - starts[0] >= 0.2]
    assert len(late) >= 3  # the other of the first two may have begun before it


@both(number)
def test_under_a_cap_the_first_trial_runs_alone_and_the_rest_within_it(
    rig: Any, target: Target
) -> None:
    rig.cost = lambda job: 0.3
    ended = rig.run(target, 20, concurrency=8, max_cost=1.0)
    assert (ended.finished, ended.stopped) == (3, "max cost")


@both(number)
def test_a_run_that_ends_just_within_its_cap_was_not_stopped(rig: Any, target: Target) -> None:
    rig.cost = lambda job: 0.25
    ended = rig.run(target, 4, max_cost=1.0)
    assert (ended.finished, ended.stopped) == (4, None)


@both(number)
def test_an_unknown_price_under_a_cap_stops_the_run(rig: Any, target: Target) -> None:
    ended = rig.run(target, 20, max_cost=1.0)
    assert (ended.finished, ended.stopped) == (1, "unknown price")


@both(number)
def test_without_a_cap_no_price_is_needed(rig: Any, target: Target) -> None:
    assert rig.run(target, 20).stopped is None


def hang(task: Task) -> object:
    task.world.closed.wait(20)
    return "too late"


async def hang_in_loop(task: Task) -> object:
    await asyncio.sleep(20)
    return "too late"


@pytest.mark.parametrize("target", [hang, hang_in_loop])
def test_when_the_runs_time_is_up_nothing_under_way_is_finished(rig: Any, target: Target) -> None:
    ended = rig.run(target, 9, concurrency=2, run_timeout=0.1)
    assert (ended.started, ended.finished, ended.stopped) == (2, 0, "run timeout")
    assert sorted(rig.agent.abandoned) == [0, 1]


@pytest.mark.parametrize("target", [hang, hang_in_loop])
def test_an_agent_that_is_out_of_time_is_finished_and_never_tried_again(
    rig: Any, target: Target
) -> None:
    rig.retry = lambda outcome, staged: Retry()
    ended = rig.run(target, 3, concurrency=2, timeout=0.1)
    assert ended.finished == 3
    assert {rig.outcomes[job].stop for job in range(3)} == {"timeout"}
    assert {rig.outcomes[job].error for job in range(3)} == {None}
    assert all(0.1 <= rig.outcomes[job].seconds < 1 for job in range(3))
    assert sorted(rig.agent.abandoned) == [0, 1, 2]


@both(number)
def test_a_finish_that_never_ends_ends_the_run_and_is_named(rig: Any, target: Target) -> None:
    finish = rig.finish

    def hung(job: int, trial: Any, outcome: Any) -> None:
        if job == 2:
            rig.released.wait(20)
        finish(job, trial, outcome)

    rig.finish, rig.tick = hung, lambda: None
    began = time.monotonic()
    with pytest.raises(PluginError, match=r"about 2 within 0\.2 s, and the run ended"):
        rig.run(target, 9, concurrency=1, timeout=0.1, finish_timeout=0.2)
    assert sorted(rig.outcomes) == [0, 1]
    assert time.monotonic() - began < 4


@both(number)
def test_no_finish_outlasts_the_runs_time_by_more_than_it_may_take(
    rig: Any, target: Target
) -> None:
    rig.finish = lambda job, trial, outcome: rig.released.wait(20)
    with pytest.raises(PluginError, match="a grader has not given its answer"):
        rig.run(target, 9, run_timeout=0.1, finish_timeout=0.5)


@both(number)
def test_no_finish_begins_after_one_that_was_left_behind(rig: Any, target: Target) -> None:
    begun, done = [], Event()

    def hung(job: int, trial: Any, outcome: Any) -> None:
        begun.append(job)
        rig.released.wait(20)
        done.set()

    rig.finish = hung
    with pytest.raises(PluginError):
        rig.run(target, 9, concurrency=3, finish_timeout=0.1)
    rig.released.set()
    assert done.wait(10)
    for thread in threading.enumerate():
        if thread.name in {"fairtrial-trial", "fairtrial-loop"}:
            thread.join(10)
            assert not thread.is_alive()
    assert len(begun) == 1
