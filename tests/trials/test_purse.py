"""Money is reserved before a trial starts."""

import math

import pytest

from fairtrial.trials.purse import Purse


def test_without_a_cap_there_is_always_room_and_no_price_is_asked_for() -> None:
    purse = Purse(None)
    purse.settle(None)
    assert purse.has_room(10**6)
    assert purse.price_known


def test_the_largest_cost_so_far_is_reserved_for_every_trial_under_way() -> None:
    purse = Purse(1.0)
    purse.settle(0.2)
    purse.settle(0.1)
    assert purse.has_room(2)
    assert not purse.has_room(3)


def test_with_a_cap_of_nothing_nothing_starts() -> None:
    assert not Purse(0.0).has_room(0)


def test_trials_that_cost_nothing_leave_all_the_room() -> None:
    purse = Purse(0.5)
    purse.settle(0.0)
    assert purse.has_room(1000)


@pytest.mark.parametrize("cost", [None, math.nan, math.inf, -1.0])
def test_what_is_no_amount_is_an_unknown_price(cost: float | None) -> None:
    purse = Purse(1.0)
    purse.settle(cost)
    assert not purse.price_known
