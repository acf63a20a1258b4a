"""Newton's method: tops that are known, and ways up that never end."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.likelihood import Slopes, cholesky, maximise, solve, standard_errors

ENTRIES = st.lists(st.floats(-9, 9), min_size=16, max_size=16)


def coin(passes: int, fails: int) -> list[float] | None:
    """Find the log odds of a coin, whose likeliest chance is passes/(passes + fails)."""

    def slopes(point: list[float]) -> Slopes:
        p, q = (1 / (1 + math.exp(-sign * point[0])) for sign in (1, -1))
        value = passes * math.log(p) + fails * math.log(q)
        return Slopes(value, [passes * q - fails * p], [[(passes + fails) * p * q]])

    top = maximise([0.0], slopes)
    return top and top.point


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_the_top_is_where_it_must_be(passes: int, fails: int) -> None:
    assert coin(passes, fails) == pytest.approx([math.log(passes / fails)], abs=1e-9)


def test_a_likelihood_that_rises_for_ever_has_no_top() -> None:
    assert coin(5, 0) is None
    assert coin(0, 1) is None


def test_a_flat_direction_has_no_top() -> None:
    assert maximise([0.0, 0.0], lambda _: Slopes(0.0, [1.0, 1.0], [[1.0, 1.0], [1.0, 1.0]])) is None


def test_a_step_that_goes_down_is_halved() -> None:
    def slopes(point: list[float]) -> Slopes:  # -sqrt(1 + x^2): a full step from 2 ends at -8
        root = math.sqrt(1 + point[0] ** 2)
        return Slopes(-root, [-point[0] / root], [[root**-3]])

    top = maximise([2.0], slopes)
    assert top is not None
    assert top.point == pytest.approx([0.0], abs=1e-9)


@given(ENTRIES, st.lists(st.floats(-9, 9), min_size=4, max_size=4))
def test_a_system_is_solved(entries: list[float], wanted: list[float]) -> None:
    rows = [entries[at : at + 4] for at in range(0, 16, 4)]
    matrix = [
        [sum(a * b for a, b in zip(x, y, strict=True)) + (x is y) for y in rows] for x in rows
    ]
    right = [sum(a * b for a, b in zip(row, wanted, strict=True)) for row in matrix]
    lower = cholesky(matrix)
    assert lower is not None
    assert solve(lower, right) == pytest.approx(wanted, abs=1e-6)


def test_errors_are_the_roots_of_the_inverse() -> None:
    assert standard_errors([[2.0, 1.0], [1.0, 1.0]]) == pytest.approx([1.0, math.sqrt(2)])
    assert standard_errors([[0.0]]) is None
