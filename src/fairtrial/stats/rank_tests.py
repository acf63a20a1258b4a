"""Tests and estimates from the order of values alone: what a few enormous ones cannot move."""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from fairtrial.stats.grid import count_subsets
from fairtrial.stats.ranks import doubled_ranks
from fairtrial.stats.student import normal_above, normal_point

MOST_EXACT = 200
"""The most differences whose signed ranks are counted out; an expansion serves for more."""

_FEW = 8  # in the smaller arm: up to this many the rank sum is counted out
_LISTED = 4  # sums for each value that are sorted outright once the search has come that near
_SAME = 1e-12  # sizes this near to each other are tied: their difference is rounding


class RankSum(NamedTuple):
    """How often a value of one arm exceeds one of the other, ties half, and the chance of it."""

    wins: float
    p_greater: float


def rank_sum(baseline: Sequence[float], candidate: Sequence[float]) -> RankSum:
    """Test whether the candidate's values are the higher ones, from two independent arms.

    Source: Mann and Whitney (1947). Counted out where no value is tied and an arm has at most 8,
    else the normal approximation, ties and continuity corrected.

    >>> rank_sum([1.0, 2.0], [3.0, 4.0])
    RankSum(wins=4.0, p_greater=0.16666666666666666)
    """
    base_n, cand_n = len(baseline), len(candidate)
    ranks = doubled_ranks([*candidate, *baseline])
    wins = (sum(ranks[:cand_n]) - cand_n * (cand_n + 1)) / 2
    ties = [count for count in Counter([*candidate, *baseline]).values() if count > 1]
    if not ties and min(base_n, cand_n) <= _FEW:
        ways = _rank_sum_ways(min(base_n, cand_n), max(base_n, cand_n))
        return RankSum(wins, sum(ways[int(wins) :]) / sum(ways))
    size = base_n + cand_n
    uneven = sum(count**3 - count for count in ties) / (size * (size - 1))
    variance = base_n * cand_n / 12 * (size + 1 - uneven)
    if variance <= 0:
        return RankSum(wins, 1.0)
    return RankSum(wins, normal_above((wins - base_n * cand_n / 2 - 0.5) / math.sqrt(variance)))


def signed_rank_p_greater(differences: Sequence[float]) -> float | None:
    """Give the chance of as high a sum of the ranks of the differences above 0.

    Source: Wilcoxon (1945), counted out.

    Returns:
        0 to 1; None where sizes are tied or 0, or there are more than `MOST_EXACT` of them.

    >>> signed_rank_p_greater([1.0, 2.0, 4.0])
    0.125
    """
    sizes = sorted((abs(value), value > 0) for value in differences)
    tied = any(high - low <= _SAME for (low, _), (high, _) in pairwise(sizes))
    if not sizes or tied or sizes[0][0] <= _SAME or len(sizes) > MOST_EXACT:
        return None
    fallen = sum(rank for rank, (_, above) in enumerate(sizes, 1) if not above)
    return _signed_rank_reached(len(sizes))[fallen]  # as few fallen as that, by symmetry


def hodges_lehmann(
    differences: Sequence[float], alpha: float = 0.05
) -> tuple[float, tuple[float, float] | None]:
    """Give the middle of a symmetric distribution and its bounds, from the signed ranks.

    Source: Hodges and Lehmann (1963): the median of the means of all pairs, each value with itself
    too. Bounds: the K-th mean from either end, K the number of rank sums that are reached with a
    chance of at most alpha/2; beyond `MOST_EXACT` values by Edgeworth's expansion.

    Returns:
        The estimate, and low and high; None for those where there are too few values for any.

    >>> hodges_lehmann([1.0, 2.0, 6.0])
    (2.75, None)
    """
    ordered = sorted(differences)
    size = len(ordered)
    count = size * (size + 1) // 2
    halves = [value / 2 for value in ordered]
    out = _rank_sums_out(size, alpha / 2)
    wanted = [(count - 1) // 2, count // 2, *([out - 1, count - out] if out else [])]
    found = pair_sums(halves, halves, wanted, each_once=True)
    bounds = (found[2], found[3]) if out else None
    return (found[0] + found[1]) / 2, bounds


def median_gap(baseline: Sequence[float], candidate: Sequence[float]) -> float:
    """Give the median of the candidate's values minus the baseline's, over all pairs.

    Source: Hodges and Lehmann (1963), two independent arms.

    >>> median_gap([1.0, 2.0], [4.0, 9.0])
    5.0
    """
    count = len(baseline) * len(candidate)
    lower = sorted(-value for value in baseline)
    found = pair_sums(sorted(candidate), lower, [(count - 1) // 2, count // 2])
    return (found[0] + found[1]) / 2


def pair_sums(
    xs: Sequence[float], ys: Sequence[float], places: Sequence[int], *, each_once: bool = False
) -> list[float]:
    """Give the sums of a value of each list that stand at the given places in their order.

    The sums themselves, of which there are as many as pairs, are not listed: the value is halved
    in on until few are left.

    Args:
        xs: In rising order.
        ys: In rising order.
        places: From 0.
        each_once: The lists are one, and a pair counts once; a value makes a pair with itself.

    >>> pair_sums([1, 2], [10, 20], [0, 3])
    [11, 22]
    """
    starts = list(range(len(xs))) if each_once else [0] * len(xs)
    near = _Near(0, 0, [])
    found: list[float] = []
    for place in places:
        if not near.before <= place < near.before + near.left:
            near = _near(xs, ys, starts, place)
        at = place - near.before
        found.append(near.sums[at] if len(near.sums) == near.left else near.sums[0])
    return found


class _Near(NamedTuple):
    """The few sums about a place in rising order, how many they are and how many come before."""

    before: int
    left: int
    sums: list[float]  # one alone where they are many and all equal


def _near(xs: Sequence[float], ys: Sequence[float], starts: list[int], place: int) -> _Near:
    begins, ends = starts, [len(ys)] * len(xs)  # of what is left of ys, for each x
    few = _LISTED * (len(xs) + len(ys))
    before, left = 0, sum(ends) - sum(begins)
    while left > few:
        rows = [row for row in zip(xs, begins, ends, strict=True) if row[1] < row[2]]
        low = min(x + ys[begin] for x, begin, _ in rows)
        high = max(x + ys[end - 1] for x, _, end in rows)
        middle = low + (high - low) / 2
        cuts = [
            min(bisect_right(ys, middle - x, begin), end)
            for x, begin, end in zip(xs, begins, ends, strict=True)
        ]
        under = sum(cuts) - sum(begins)
        if under in (0, left):  # they are equal, or as good as equal
            return _Near(before, left, [high])
        if place < before + under:
            ends, left = cuts, under
        else:
            begins, before, left = cuts, before + under, left - under
    rows = list(zip(xs, begins, ends, strict=True))
    return _Near(before, left, sorted(x + y for x, begin, end in rows for y in ys[begin:end]))


@lru_cache(maxsize=64)
def _signed_rank_reached(size: int) -> list[float]:
    """Give the chance of a rank sum of at most 0, 1, 2 and so on, under no difference."""
    ways = count_subsets(range(1, size + 1), size // 8 + 1)
    return [count / 2**size for count in accumulate(ways)]


def _rank_sums_out(size: int, tail: float) -> int:
    """Give how many rank sums, from 0 up, are reached with a chance of at most `tail`."""
    if size <= MOST_EXACT:
        return bisect_right(_signed_rank_reached(size), tail)
    middle = size * (size + 1) / 4
    variance = size * (size + 1) * (2 * size + 1) / 24
    fourth = -sum(rank**4 for rank in range(1, size + 1)) / 8
    excess = fourth / variance**2
    z = -normal_point(tail)
    z += excess / 24 * (z**3 - 3 * z)
    return max(0, math.floor(middle + z * math.sqrt(variance) - 0.5) + 1)


@lru_cache(maxsize=64)
def _rank_sum_ways(fewer: int, more: int) -> list[int]:
    """Count the orders of two arms for each number of wins, 0 to fewer * more.

    Source: the Gaussian binomial coefficient, the product of (1 - x^(more+i)) / (1 - x^i).
    """
    last = fewer * more
    ways = [1] + [0] * last
    for at in range(1, fewer + 1):
        for wins in range(last, more + at - 1, -1):
            ways[wins] -= ways[wins - more - at]
        for wins in range(at, last + 1):
            ways[wins] += ways[wins - at]
    return ways
