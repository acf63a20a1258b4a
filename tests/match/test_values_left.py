"""Sets of values, told by kind, number and size: what two leave together, and what either does."""

import pytest

from fairtrial.match.equality import MISSING
from fairtrial.match.values_left import (
    PRESENT,
    TYPES,
    Left,
    Range,
    equal_to,
    nothing,
    only,
)
from fairtrial.records import Json

INTEGER, NUMBER, STRING = TYPES["integer"], TYPES["number"], TYPES["string"]


def test_two_ranges_leave_what_lies_in_both_and_an_open_bound_stays_open() -> None:
    both = Range(low=1, high=5).meet(Range(low=1, high=9, open_low=True))
    assert both == Range(1, 5, open_low=True)
    assert [both.holds(value) for value in (1, 1.5, 5, 5.5)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("found", "empty", "whole"),
    [
        (Range(3, 3), False, True),
        (Range(3, 3, open_high=True), True, False),
        (Range(4, 3), True, False),
        (Range(3, 4, open_low=True, open_high=True), False, False),
        (Range(3.5, 3.6), False, False),
        (Range(3.5, 4), False, True),
        (Range(low=3), False, True),
        (Range(), False, True),
    ],
)
def test_a_range_knows_whether_a_number_or_a_whole_one_lies_in_it(
    found: Range, empty: bool, whole: bool
) -> None:
    assert (found.is_empty(), found.has_whole()) == (empty, whole)


def test_kinds_of_which_no_number_or_size_is_left_are_gone() -> None:
    numbers = Left(kinds=NUMBER, numbers=Range(3, 4, open_low=True, open_high=True))
    assert Left().meet(numbers).kinds == {"fraction"}
    sized = Left().meet(Left(kinds=STRING | TYPES["null"], sizes=Range(2, 1)))
    assert sized.kinds == TYPES["null"]


def test_values_known_one_by_one_are_left_only_where_all_parts_let_them_be() -> None:
    left = only("pear", 3, 7, None).meet(Left(kinds=NUMBER | STRING, numbers=Range(high=5)))
    assert left.listed == ("pear", 3)
    assert only("pear").meet(Left(sizes=Range(0, 3))).kinds == frozenset()


def test_what_either_leaves_is_listed_only_while_both_are_known() -> None:
    assert only(1).join(only("a")).listed == (1, "a")
    assert only(1).join(Left(kinds=STRING)).listed is None


def test_the_range_of_one_kind_does_not_widen_another() -> None:
    either = only("abc").join(Left(kinds=INTEGER, numbers=Range(5, 9)))
    assert (either.numbers, either.sizes) == (Range(5, 9), Range(3, 3))


def test_nothing_adds_nothing_and_keeps_its_culprit() -> None:
    assert nothing(("a",)).join(only(1)) == only(1)
    assert nothing(("a",)).meet(nothing(("b",))).culprit == ("a",)


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        (MISSING, {"missing"}),
        (None, {"null"}),
        (True, {"boolean"}),
        ("a", {"string"}),
        ([1], {"array"}),
        ({}, {"object"}),
        (1.5, {"fraction"}),
        (2, {"integer", "fraction"}),
        (2.0, {"integer", "fraction"}),
        (2**1100, {"integer"}),
    ],
)
def test_a_value_that_stands_for_itself_is_of_its_kind_and_numbers_of_both(
    value: Json, kinds: set[str]
) -> None:
    assert equal_to(value).kinds == kinds


def test_only_what_is_missing_is_not_there() -> None:
    assert PRESENT.meet(only(MISSING)).kinds == frozenset()
    assert PRESENT.may_be(None)
