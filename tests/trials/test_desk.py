"""The desk by itself: who may start, and what becomes of what ends."""

import math
import time
from collections.abc import Iterable
from typing import Any

from fairtrial.trials import Bounds, Outcome, Retry
from fairtrial.trials.attempt import Attempt
from fairtrial.trials.desk import Course, Desk


class Trial:
    task: Any = None

    def close(self) -> None:
        pass


def desk(jobs: Iterable[Any] = "abc", cost: float | None = None, **bounds: Any) -> Desk:
    course = Course(
        stage=lambda job: Trial(),
        finish=lambda job, trial, outcome: cost,
        retry=lambda outcome, staged: Retry(after=30.0) if outcome.error else None,
        clock=time.monotonic,
        draw=lambda: 0.0,
    )
    return Desk(jobs, Bounds(**bounds), course)


def taken(desk: Desk) -> Attempt:
    attempt = desk.take()
    assert isinstance(attempt, Attempt)
    desk.stage(attempt)
    return attempt


def settled(desk: Desk, attempt: Attempt, error: BaseException | None = None) -> Attempt | None:
    with desk.lock:
        assert desk.claim(attempt)
        return desk.settle(attempt, Outcome(error=error))


def test_an_attempt_is_claimed_once() -> None:
    place = desk()
    attempt = taken(place)
    assert [place.claim(attempt), place.claim(attempt)] == [True, False]


def test_a_run_is_done_when_its_last_trial_is_finished() -> None:
    place = desk("a")
    attempt = taken(place)
    assert place.take() is None
    assert not place.done
    settled(place, attempt)
    assert place.done


def test_under_a_cap_others_wait_for_the_first_to_end() -> None:
    place = desk(max_cost=1.0, cost=0.5)
    first = taken(place)
    assert place.take() == math.inf
    settled(place, first)
    taken(place)


def test_a_retry_and_all_others_wait_as_long_as_was_asked_for() -> None:
    place = desk()
    again = settled(place, taken(place), ConnectionError())
    assert again is not None
    assert 29 < (place.wait_for(again) or 0) <= 30
    wait = place.take()
    assert isinstance(wait, float)
    assert 29 < wait <= 30


def test_the_last_attempt_closes_the_door_for_others_all_the_same() -> None:
    place = desk(retries=0)
    assert settled(place, taken(place), ConnectionError()) is None
    assert isinstance(place.take(), float)


def test_an_attempt_that_begins_anew_keeps_its_place_in_the_wait() -> None:
    place = desk()
    again = settled(place, taken(place), ConnectionError())
    assert again is not None
    place.claim(again)
    moved = place.restart(again)
    assert (moved.due, moved.queued, moved.retries) == (again.due, again.queued, again.retries)
    assert moved in place.flying


def test_after_a_halt_nothing_starts_and_nothing_is_finished() -> None:
    place = desk()
    attempt = taken(place)
    with place.lock:
        assert place.halt() == [attempt]
    assert place.take() is None
    assert not place.claim(attempt)
    assert place.finished == 0


def test_a_world_that_is_ready_only_after_the_end_is_closed() -> None:
    place = desk()
    attempt = place.take()
    assert isinstance(attempt, Attempt)
    with place.lock:
        place.halt()
    assert place.stage(attempt) is None
