"""Do trials look independent? Passes a run, beside what chance would make of them."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias, TypedDict

from fairtrial.stats.inputs import need_within
from fairtrial.stats.tails import chi_square_above

CaseRuns: TypeAlias = Sequence[tuple[int, int]]
"""One (measured trials, passed trials) a run, of one case."""


class PassDispersion(TypedDict):
    """What `pass_dispersion` gives."""

    ratio: float
    cases: int
    p_clumped: float
    p_alike: float


def pass_dispersion(cases: Sequence[CaseRuns]) -> PassDispersion | None:
    """Test whether a case's passes are spread over runs as independent trials would spread them.

    Source: Pearson's chi-square of each case, given the case's passes in all runs, so that no rate
    need be known; mean and variance from the factorial moments of the multiple hypergeometric
    distribution; the sum over cases as a gamma variable of that mean and variance.

    Args:
        cases: The same runs for every case.

    Returns:
        `ratio` is the sum over what is expected, 1 for independent trials; `cases` those that could
        tell. `p_clumped`: the chance of so much spread, small where the trials of one run go
        together (a cache, one seed, a bad hour of the provider); `p_alike`: of so little, small
        where a trial comes out the same in every run. None where no case could tell.

    Raises:
        ValueError: A case's passes lie outside 0 to its trials.

    >>> found = pass_dispersion([[(5, 5), (5, 0), (5, 5), (5, 0)]] * 3)
    >>> round(found["ratio"], 2), found["p_clumped"] < 1e-6
    (6.33, True)
    >>> pass_dispersion([[(5, 5), (5, 5)]]) is None
    True
    """
    found = mean = variance = 0.0
    telling = 0
    for runs in cases:
        sizes = tuple(n for n, _ in runs)
        passes = [c for _, c in runs]
        for at, (n, c) in enumerate(zip(sizes, passes, strict=True)):
            need_within(f"the trials of run {at}", n, 0)
            need_within(f"the passes of run {at}", c, 0, n)
        moments = _pair_moments(tuple(sorted(sizes)), sum(passes))
        if moments is None:
            continue
        expected, spread, weight = moments
        total, filled = sum(sizes), sum(n > 0 for n in sizes)
        usual = (filled - 1) * total / (total - 1)
        # Where all runs have equal trials this is Pearson's sum, as a count of pairs.
        found += usual + (sum(c * (c - 1) for c in passes) - expected) * weight
        mean += usual
        variance += spread * weight * weight
        telling += 1
    if not telling or variance <= 0:
        return None
    above = chi_square_above(2 * mean * found / variance, 2 * mean * mean / variance)
    return PassDispersion(
        ratio=max(0.0, found / mean), cases=telling, p_clumped=above, p_alike=max(0.0, 1 - above)
    )


def variance_above(variance: float, expected: float, runs: int) -> float:
    """Give the chance that runs differ so much though only their trials make them differ.

    Source: (runs - 1) variance/expected is chi-square with runs - 1 degrees.

    Args:
        variance: Of the runs' rates.
        expected: Their sampling variance, well known from their trials; above 0.
        runs: How many, at least 2.

    Raises:
        ValueError: `variance` is below 0, `expected` not above it, or there are fewer than 2 runs.

    >>> round(variance_above(0.0009, 0.0003, 5), 4)
    0.0174
    """
    need_within("variance", variance, 0)
    need_within("runs", runs, 2)
    if not 0 < expected < math.inf:
        raise ValueError(f"expected must lie above 0, got {expected!r}")
    return chi_square_above((runs - 1) * variance / expected, runs - 1)


@lru_cache(maxsize=4096)
def _pair_moments(sizes: tuple[int, ...], passes: int) -> tuple[float, float, float] | None:
    """Give mean and variance of the passing pairs of one run, and the weight of a pair.

    None where the pairs cannot vary.
    """
    total = sum(sizes)
    if sum(1 for n in sizes if n) < 2 or not 0 < passes < total:
        return None
    two, three, four = (_shares(passes, total, size) for size in (2, 3, 4))
    pairs = [n * (n - 1) for n in sizes]
    mean = sum(pairs) * two
    own = sum(_fall(n, 4) * four + 4 * _fall(n, 3) * three + 2 * _fall(n, 2) * two for n in sizes)
    across = (sum(pairs) ** 2 - sum(pair * pair for pair in pairs)) * four
    variance = own + across - mean * mean
    if variance <= 1e-9 * max(1.0, mean * mean):  # it is 0, but for rounding
        return None
    rate = passes / total
    runs = sum(1 for n in sizes if n)
    return mean, variance, runs / (total * rate * (1 - rate))


def _fall(n: int, times: int) -> int:
    """Give n (n-1) (n-2) ... with so many factors."""
    return math.perm(n, times) if n >= times else 0


def _shares(passes: int, total: int, size: int) -> float:
    """Give the chance that so many trials drawn from all have all passed."""
    return _fall(passes, size) / math.perm(total, size) if total >= size else 0.0
