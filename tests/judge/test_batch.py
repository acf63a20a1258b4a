from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.judge import Batches, BatchPart, Missing, request_name, request_number
from fairtrial.records import Json

KEY = "0123456789abcdef" * 2


@given(st.integers(0, 100_000))
def test_the_name_of_a_request_tells_its_batch_and_its_place(number: int) -> None:
    name = request_name(KEY, number)
    assert len(name) <= 64
    assert set(name) <= set("0123456789abcdef-")
    assert request_number(KEY, name) == number
    assert request_number("f" * 32, name) is None


@pytest.mark.parametrize(
    "name", ["", "-1", "x", f"{KEY[:16]}-", f"{KEY[:16]}--1", f"{KEY[:16]}-²", f"{KEY}-1"]
)
def test_a_stranger_has_no_place(name: str) -> None:
    assert request_number(KEY, name) is None


def test_a_number_without_end_has_no_place() -> None:
    assert request_number(KEY, f"{KEY[:16]}-{'9' * 5000}") is None


class Small:
    """Takes two requests, or 500 bytes."""

    most_requests = 2
    most_bytes = 500


def parts(*bodies: Json) -> list[list[Json]]:
    api = cast("Batches", Small())
    found = [BatchPart(api)]
    for body in bodies:
        if not found[-1].add(cast("Missing", None), body):
            found.append(BatchPart(api))
            assert found[-1].add(cast("Missing", None), body)
    return [part.bodies for part in found]


def test_requests_are_shared_out_to_as_many_batches_as_are_needed() -> None:
    large: Any = "x" * 200
    assert parts(1, 2, 3) == [[1, 2], [3]]
    assert parts(large, large) == [[large], [large]]
    assert parts("y" * 9000) == [["y" * 9000]]  # the provider says what it thinks of it
