"""The parameters under which what was seen is likeliest, by Newton's method with a brake."""

import math
from collections.abc import Callable, Sequence
from operator import mul
from typing import NamedTuple, TypeAlias

Matrix: TypeAlias = list[list[float]]

_STEPS = 100
_SINGULAR = 1e-11  # the share of a diagonal entry below which what is left of it is rounding


class Slopes(NamedTuple):
    """A log-likelihood at one point: its value, its gradient, and minus its second derivatives."""

    value: float
    gradient: list[float]
    information: Matrix


class Maximum(NamedTuple):
    """Where a log-likelihood is highest, and the information there."""

    point: list[float]
    information: Matrix


def maximise(start: Sequence[float], slopes: Callable[[list[float]], Slopes]) -> Maximum | None:
    """Climb a concave log-likelihood to its top.

    Source: Newton-Raphson; a step that goes down is halved.

    Args:
        start: Where to begin.
        slopes: The log-likelihood and its derivatives at a point, in units in which a step of 1
            is a large one.

    Returns:
        The top. None where there is none: the likelihood rises for ever, or is flat in some
        direction. Where it rises for ever the steps do not become short, which is how it is told.
    """
    point = list(start)
    here = slopes(point)
    for _ in range(_STEPS):
        lower = cholesky(here.information)
        if lower is None:
            return None
        step = solve(lower, here.gradient)
        wanted = max(map(abs, step))
        new = _moved(point, step)
        there = slopes(new)
        while there.value < here.value - 1e-9 * (1 + abs(here.value)):
            step = [by / 2 for by in step]
            new = _moved(point, step)
            there = slopes(new)
        point, here = new, there
        if wanted < 1e-10:
            return Maximum(point, here.information)
    return None


def _moved(point: Sequence[float], step: Sequence[float]) -> list[float]:
    return [old + by for old, by in zip(point, step, strict=True)]


def standard_errors(information: Matrix) -> list[float] | None:
    """Give the roots of the diagonal of the inverse; None where there is no inverse.

    >>> standard_errors([[4.0, 0.0], [0.0, 0.25]])
    [0.5, 2.0]
    """
    lower = cholesky(information)
    if lower is None:
        return None
    size = len(information)
    units = [[float(row == at) for row in range(size)] for at in range(size)]
    return [math.sqrt(solve(lower, unit)[at]) for at, unit in enumerate(units)]


def cholesky(matrix: Matrix) -> Matrix | None:
    """Give the lower triangle L with L times its transpose equal to the matrix.

    Returns:
        The rows of L up to the diagonal; None where the matrix is not positive definite, to what
        rounding leaves of it.

    >>> cholesky([[4.0, 2.0], [2.0, 5.0]])
    [[2.0], [1.0, 2.0]]
    """
    lower: Matrix = []
    for at, row in enumerate(matrix):
        new: list[float] = []
        for column in range(at):
            above = lower[column]
            done = math.fsum(map(mul, new, above[:column]))
            new.append((row[column] - done) / above[column])
        left = row[at] - math.fsum(value * value for value in new)
        if not left > _SINGULAR * row[at]:
            return None
        lower.append([*new, math.sqrt(left)])
    return lower


def solve(lower: Matrix, right: Sequence[float]) -> list[float]:
    """Give the x for which the matrix whose `cholesky` is `lower`, times x, is `right`.

    >>> solve([[2.0], [1.0, 2.0]], [8.0, 12.0])
    [1.0, 2.0]
    """
    half: list[float] = []
    for row, value in zip(lower, right, strict=True):
        half.append((value - math.fsum(map(mul, row[:-1], half))) / row[-1])
    for at in range(len(half) - 1, -1, -1):
        half[at] /= lower[at][at]
        for column in range(at):
            half[column] -= lower[at][column] * half[at]
    return half
