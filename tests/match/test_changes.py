"""A readable account of what became different."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.match import MISSING, difference, equal
from fairtrial.records import Json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.text(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ({"a": 1}, {"a": 1.0}, []),
        (1, True, ["changed from 1 (a number) to true (a boolean)"]),
        ({"a": 1, "b": 2}, {"b": 3, "c": None}, [
            "a: removed 1", "b: changed from 2 to 3", "c: added null",
        ]),
        ([1, 2], [2, 1], ["[0]: changed from 1 to 2", "[1]: changed from 2 to 1"]),
        ([1, 2], [1], ["[1]: removed 2"]),
        (MISSING, [1], ["added [1]"]),
        ({"x": 1}, MISSING, ['removed {"x": 1}']),
        (MISSING, MISSING, []),
        ({}, [], ["changed from {} to []"]),
        ([], [{"id": 1}], ['[0]: added {"id": 1}']),
        ([{"id": 1}, {"id": 2}], [{"id": 2}, {"id": 1}], []),
        ([{"id": 1}, {"id": 1}], [{"id": 1}], ['[1]: removed {"id": 1}']),
        ([{"id": 1, "n": 1}], [{"id": 0, "n": 0}], [
            '[0]: removed {"id": 1, "n": 1}', '[0]: added {"id": 0, "n": 0}',
        ]),
        ([{"id": 1, "n": 1}, {"id": 2, "n": 2}], [{"id": 2, "n": 9}, {"id": 1, "n": 1}], [
            "[0].n: changed from 2 to 9",
        ]),
        ([{"id": 1, "l": [{"k": 1}, {"k": 2}]}], [{"id": 1, "l": [{"k": 2}, {"k": 1}]}], []),
        ([{"l": [{"k": 1}, {"k": 2}]}], [{"l": [{"k": 2}, {"k": 1}]}], []),
        ([{"a": 1}], [{"a": True}], ['[0]: removed {"a": 1}', '[0]: added {"a": true}']),
    ],
)  # fmt: skip
def test_what_was_added_removed_and_changed_is_told(
    before: Json, after: Json, lines: list[str]
) -> None:
    assert difference(before, after) == lines


def test_lines_begin_with_the_path() -> None:
    before = {"H-204": {"state": "confirmed"}}
    after = {"H-204": {"state": "cancelled"}}
    assert difference(before, after, "bookings") == [
        'bookings.H-204.state: changed from "confirmed" to "cancelled"'
    ]


def test_many_differences_are_counted() -> None:
    lines = difference({}, {f"k{number}": number for number in range(100)})
    assert len(lines) == 21
    assert lines[-1] == "... and 80 more"
    assert (
        difference({}, {f"k{number}": 0 for number in range(20_000)})[-1] == "... and 10000 or more"
    )


@given(VALUES)
def test_nothing_differs_from_itself(value: Json) -> None:
    assert difference(value, value) == []


@given(VALUES, VALUES)
def test_equal_values_do_not_differ_and_what_differs_is_not_equal(left: Json, right: Json) -> None:
    found = difference(left, right)
    if equal(left, right):
        assert found == []
    if found:
        assert not equal(left, right)
    assert bool(found) is bool(difference(right, left))


@given(
    st.lists(st.dictionaries(st.sampled_from("ab"), VALUES, max_size=2), max_size=5),
    st.randoms(use_true_random=False),
)
def test_the_order_of_rows_is_no_difference(rows: list[Json], rng: random.Random) -> None:
    shuffled = rows.copy()
    rng.shuffle(shuffled)
    assert difference({"t": rows}, {"t": shuffled}) == []


def test_a_lost_duplicate_row_is_a_difference() -> None:
    rows = [{"a": 1}, {"a": 1}, {"a": 2}]
    assert difference(rows, rows[1:]) == ['[1]: removed {"a": 1}']
    assert difference(rows[1:], rows) == ['[1]: added {"a": 1}']


def test_deep_values_are_no_crash() -> None:
    left: Json = 1
    right: Json = 2
    for _ in range(3_000):
        left, right = {"k": left}, {"k": right}
    (line,) = difference(left, right)
    assert line.endswith("changed, too deep inside to show")
    assert difference([left], [left]) == difference(left, left) == []
    assert difference([left], [right])


def test_large_tables_are_compared_quickly() -> None:
    rows = [{"id": number, "n": number % 7} for number in range(20_000)]
    assert difference(rows, rows[::-1]) == []
