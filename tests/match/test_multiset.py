"""Elements in any order: a maximum pairing decides, and the nearest leftovers explain."""

import time
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.match import compile_matcher
from fairtrial.records import Json

RANGES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=4)


@given(RANGES, st.lists(st.integers(0, 3), max_size=4))
def test_all_orders_are_tried(ranges: list[tuple[int, int]], numbers: list[int]) -> None:
    spec = [{"min": low, "max": high} for low, high in ranges]
    fits = any(
        all(low <= number <= high for (low, high), number in zip(ranges, order, strict=False))
        for order in permutations(numbers, len(ranges))
    )
    assert compile_matcher({"includes": spec}).matches(numbers) is fits
    exactly = fits and len(ranges) == len(numbers)
    assert compile_matcher({"unordered": spec}).matches(numbers) is exactly


def told(spec: Json, value: Json) -> list[str]:
    return [str(found) for found in compile_matcher(spec, tables=True).mismatches(value, "rows")]


def test_rows_are_compared_with_those_that_are_most_alike() -> None:
    spec = [{"id": 1, "fee": 0}, {"id": 2, "fee": 0}]
    assert told(spec, [{"id": 2, "fee": 40}, {"id": 1, "fee": 0}]) == [
        "rows[0].fee: wanted 0, got 40"
    ]
    assert told(spec, [{"id": 2, "fee": 4}, {"id": 1, "fee": 5}]) == [
        "rows[0].fee: wanted 0, got 4",
        "rows[1].fee: wanted 0, got 5",
    ]


def test_missing_and_further_rows_are_told() -> None:
    spec = [{"id": 1}, {"id": 2}]
    assert told(spec, [{"id": 1}]) == ["rows: wanted a row {id: 2}, got no such row"]
    assert told(spec, [{"id": 3}, {"id": 1}, {"id": 2}]) == [
        'rows[0]: wanted no other row, got {"id": 3}'
    ]
    assert told([], {"x": {"id": 3}}) == ['rows.x: wanted no other row, got {"id": 3}']
    assert told([], None) == ["rows: wanted no rows, got null"]


def test_elements_that_were_not_found_are_told() -> None:
    assert told({"includes": [1, {"min": 5}]}, [1, 2]) == [
        "rows: wanted an element that is at least 5, got [1, 2]"
    ]
    assert told({"unordered": [1, 1]}, [1]) == ["rows: wanted an element 1, got no such element"]


def test_tables_within_tables_take_no_exponential_time() -> None:
    spec: Json = {"n": 1, "m": 1}
    value: Json = {"n": 2, "m": 2}
    for _ in range(40):
        spec, value = {"t": [{"never": 1}, spec]}, {"t": [value, {}]}
    started = time.process_time()
    matcher = compile_matcher(spec, tables=True)
    assert not matcher.matches(value)
    assert matcher.mismatches(value)
    assert time.process_time() - started < 5


def test_long_tables_that_differ_everywhere_are_still_told() -> None:
    spec = [{"id": number} for number in range(100)]
    value = [{"id": -number} for number in range(1, 101)]
    assert len(told(spec, value)) == 50
