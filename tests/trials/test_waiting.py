"""Waits grow, are spread, and keep to what the provider asked for."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.trials.waiting import LONGEST_WAIT, Backoff


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def backoff(draw: float = 1.0, clock: Clock | None = None) -> Backoff:
    return Backoff(first=1.0, draw=lambda: draw, now=clock or Clock())


@given(st.integers(0, 10**6), st.floats(0, 1))
def test_an_own_wait_lies_between_half_and_all_of_its_doubling(retries: int, draw: float) -> None:
    whole = min(2.0 ** min(retries, 6), 60.0)
    assert whole / 2 <= (backoff(draw).seconds(retries, None) or 0) <= whole


@given(st.floats(0, LONGEST_WAIT, exclude_min=True), st.floats(0, 1))
def test_a_wait_that_was_asked_for_is_never_cut_short(asked: float, draw: float) -> None:
    assert asked <= (backoff(draw).seconds(0, asked) or 0) <= asked * 1.1 + 1e-9


@pytest.mark.parametrize("asked", [0.0, -5.0, math.nan])
def test_no_wait_that_makes_sense_leaves_it_to_us(asked: float) -> None:
    assert backoff().seconds(1, asked) == 2.0


@pytest.mark.parametrize("asked", [LONGEST_WAIT + 1, math.inf])
def test_a_wait_of_hours_is_no_retry_and_closes_nothing(asked: float) -> None:
    waits = backoff()
    assert waits.seconds(0, asked) is None
    assert waits.closed_for() == 0.0


def test_all_wait_while_the_provider_asks_for_it_and_the_longest_wait_counts() -> None:
    clock = Clock()
    waits = backoff(clock=clock)
    waits.seconds(0, 20.0)
    waits.seconds(0, 5.0)
    assert waits.closed_for() == 20.0
    clock.now += 21.0
    assert waits.closed_for() == 0.0
