"""Refusals: in words, with the name and the value."""

import math

import pytest

from fairtrial.stats.inputs import (
    need_between,
    need_numbers,
    need_pairs,
    need_within,
    need_zeros_and_ones,
)


@pytest.mark.parametrize("value", [-1, 3, math.nan, math.inf])
def test_a_number_outside_its_range_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=f"x must be within 0 to 2, got {value}"):
        need_within("x", value, 0, 2)


@pytest.mark.parametrize("value", [0, math.nan, math.inf])
def test_a_number_below_its_least_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=f"n must be at least 1, got {value}"):
        need_within("n", value, 1)


@pytest.mark.parametrize("value", [0, 1, -1, math.nan])
def test_an_end_is_refused_where_only_the_inside_makes_sense(value: float) -> None:
    with pytest.raises(ValueError, match=f"alpha must lie between 0 and 1, got {value}"):
        need_between("alpha", value, 0, 1)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e101])
def test_the_place_of_what_is_no_number_is_said(value: float) -> None:
    with pytest.raises(ValueError, match=r"scores\[1\] must be a number up to 1e\+100, got"):
        need_numbers("scores", [1, value])


@pytest.mark.parametrize("value", [2, 0.5, -1, math.nan])
def test_the_place_of_what_is_neither_0_nor_1_is_said(value: float) -> None:
    with pytest.raises(ValueError, match=rf"human\[2\] must be 0 or 1, got {value}"):
        need_zeros_and_ones("human", [1, False, value])


def test_lists_of_different_lengths_and_empty_ones_are_refused() -> None:
    with pytest.raises(ValueError, match="got 1 in human, 2 in judge"):
        need_pairs(human=[1], judge=[1, 0])
    with pytest.raises(ValueError, match="got 0 in human, 0 in judge"):
        need_pairs(human=[], judge=[])
