"""Drawing cases again with replacement: all ways where they can be counted, else seeded ones."""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate, combinations_with_replacement
from random import Random  # noqa: TID251 - for a type; the caller seeds it
from typing import TypeAlias, TypedDict

from fairtrial.stats.grid import coefficients, on_grid
from fairtrial.stats.inputs import need_between, need_numbers, need_pairs, need_within

Sums: TypeAlias = list[tuple[float, int]]
"""Possible sums of what is drawn, low to high, each with the number of ways to it."""

_BITS = 12_000_000  # of the whole number that holds all counts: beyond it counting takes too long
_WAYS = 400_000  # multisets that are still listed one by one
_TIE = 1e-12  # a share that is this near to what is asked has reached it


class IdealBootstrap(TypedDict):
    """What `ideal_bootstrap_mean` gives."""

    se: float
    q025: float
    q975: float


class Bootstrap(TypedDict):
    """What the seeded bootstraps give."""

    estimate: float
    se: float
    interval: tuple[float, float]


def ideal_bootstrap_mean(values: Sequence[float]) -> IdealBootstrap:
    """Give what a bootstrap of the mean comes to after all N^N ways of drawing N cases again.

    Source: Efron (1979). The error is the population sd over sqrt(N); the quantiles are the
    smallest means that 2.5 % and 97.5 % of the ways stay at or under. Where the values are
    multiples of a unit, as pass rates are, the ways are the coefficients of the N-th power of a
    polynomial.

    Returns:
        In the values' unit.

    Raises:
        ValueError: There is no value, one is no number, or the ways are too many to count: then
            use `bootstrap_mean`.

    >>> ideal = ideal_bootstrap_mean([1.0, 0.6, 0.2, 0.0, 1.0, 0.4])
    >>> round(ideal["se"], 6), round(ideal["q025"], 6), round(ideal["q975"], 6)
    (0.15396, 0.233333, 0.833333)
    """
    if not values:
        raise ValueError("a bootstrap needs one value, got 0")
    need_numbers("values", values)
    size = len(values)
    mean = math.fsum(values) / size
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values)) / size
    sums = _sums_on_units(values)
    if sums is None:
        sums = _sums_listed(values)
    all_ways = size**size
    low, high = (_reaching(sums, share, all_ways) / size for share in (0.025, 0.975))
    return IdealBootstrap(se=error, q025=low, q975=high)


def bootstrap_mean(
    values: Sequence[float], *, draw: Random, draws: int = 10_000, alpha: float = 0.05
) -> Bootstrap:
    """Bound the mean over cases by drawing the cases again, all trials of a case together.

    Source: Efron (1979), percentiles of the resampled means; they are too near to each other for
    fewer than some 50 cases, and for rates near 0 and 1: prefer `wilson_effective_n` there.

    Args:
        values: One value a case, such as its pass rate.
        draw: A seeded source; the same seed gives the same bounds.
        draws: How many times the cases are drawn.
        alpha: The chance of a miss that is put up with.

    Raises:
        ValueError: There is no value, one is no number, `draws` is below 1, or `alpha` does not
            lie between 0 and 1.

    >>> bound = bootstrap_mean([1.0, 0.6, 0.2, 0.0, 1.0, 0.4], draw=Random(7), draws=2000)
    >>> abs(bound["se"] - 0.154) < 0.01
    True
    """
    if not values:
        raise ValueError("a bootstrap needs one value, got 0")
    need_numbers("values", values)
    size = len(values)

    def resampled() -> float:
        return math.fsum(draw.choices(values, k=size)) / size

    return _percentiles(math.fsum(values) / size, resampled, draws, alpha)


def bootstrap_ratio(
    baseline: Sequence[float],
    candidate: Sequence[float],
    *,
    draw: Random,
    draws: int = 10_000,
    alpha: float = 0.05,
) -> Bootstrap:
    """Bound the ratio of two sums over the same cases, such as the bill of a run to another's.

    Source: Efron (1979), percentiles of the ratio when whole cases are drawn again. Cost over
    passes gives the cost of a passed case.

    Args:
        baseline: What is divided by: one value a case, 0 and up, not all of them 0.
        candidate: What is divided, of the same cases in the same order.
        draw: A seeded source; the same seed gives the same bounds.
        draws: How many times the cases are drawn; a draw whose baseline is 0 is drawn anew.
        alpha: The chance of a miss that is put up with.

    Raises:
        ValueError: The lists differ in length or are empty, a value is below 0 or no number, the
            baseline is all 0, `draws` is below 1, or `alpha` does not lie between 0 and 1.

    >>> bill = bootstrap_ratio([1.0, 2.0, 3.0], [2.0, 4.0, 6.0], draw=Random(7), draws=99)
    >>> bill["estimate"], bill["interval"]
    (2.0, (2.0, 2.0))
    """
    need_pairs(baseline=baseline, candidate=candidate)
    need_numbers("baseline", baseline)
    need_numbers("candidate", candidate)
    if min(*baseline, *candidate) < 0 or not any(baseline):
        raise ValueError("values must be 0 and up, and the baseline not all 0")
    places = range(len(baseline))

    def resampled() -> float:
        while True:
            drawn = draw.choices(places, k=len(places))
            whole = math.fsum(map(baseline.__getitem__, drawn))
            if whole > 0:
                return math.fsum(map(candidate.__getitem__, drawn)) / whole

    ratio = math.fsum(candidate) / math.fsum(baseline)
    return _percentiles(ratio, resampled, draws, alpha)


def _percentiles(
    estimate: float, resampled: Callable[[], float], draws: int, alpha: float
) -> Bootstrap:
    need_within("draws", draws, 1)
    need_between("alpha", alpha, 0, 1)
    drawn = sorted(resampled() for _ in range(draws))
    mean = math.fsum(drawn) / draws
    spread = math.fsum((value - mean) ** 2 for value in drawn)
    at = min(max(math.ceil(alpha / 2 * draws - _TIE) - 1, 0), (draws - 1) // 2)
    return Bootstrap(
        estimate=estimate,
        se=math.sqrt(spread / max(1, draws - 1)),
        interval=(drawn[at], drawn[draws - 1 - at]),
    )


def _sums_on_units(values: Sequence[float]) -> Sums | None:
    """Give the possible sums of N draws, low to high, with their ways; None off any grid."""
    grid = on_grid(values)
    if grid is None:
        return None
    lowest, size = min(grid.counts), len(values)
    steps = [count - lowest for count in grid.counts]
    width = size * size.bit_length() // 8 + 1
    last = max(steps) * size
    if (last + 1) * width * 8 > _BITS:
        return None
    power = sum(1 << (8 * width * step) for step in steps) ** size
    ways = coefficients(power, last, width)
    return [((lowest * size + at) * grid.unit, count) for at, count in enumerate(ways) if count]


def _sums_listed(values: Sequence[float]) -> Sums:
    size = len(values)
    if math.comb(2 * size - 1, size) > _WAYS:
        raise ValueError(
            f"the ways of drawing {size} such values again are too many to count;"
            " use bootstrap_mean"
        )
    sums: Sums = []
    for drawn in combinations_with_replacement(range(size), size):
        ways, left = 1, size
        for at in set(drawn):
            times = drawn.count(at)
            ways *= math.comb(left, times)
            left -= times
        sums.append((math.fsum(values[at] for at in drawn), ways))
    return sorted(sums)


def _reaching(sums: Sums, share: float, all_ways: int) -> float:
    needed = share * (1 - _TIE)
    reached = accumulate(count for _, count in sums)
    ends = zip(sums, reached, strict=True)
    return next(value for (value, _), ways in ends if ways / all_ways >= needed)
