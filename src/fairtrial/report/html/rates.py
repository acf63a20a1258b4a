"""Rates over cases with their intervals, for the bars of a page."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from fairtrial.stats import standard_error, wilson_rate


class Rate(NamedTuple):
    """A mean over cases, each with its own share of passed trials."""

    rate: float
    low: float
    high: float
    cases: int
    """With a measured trial."""


def rate_over(counts: Iterable[tuple[int, int]]) -> Rate | None:
    """Give the mean pass rate over cases with its 95 % interval; None where nothing was measured.

    Source: as for a scorecard's pass rate: Wilson with the size that the cases, not the trials,
    give.

    Args:
        counts: Passed and measured trials of each case.

    >>> rate = rate_over([(1, 1), (0, 1), (1, 2), (0, 0)])
    >>> rate.rate, round(rate.low, 3), rate.cases
    (0.5, 0.125, 3)
    """
    measured = [(passed, told) for passed, told in counts if told]
    if not measured:
        return None
    rates = [passed / told for passed, told in measured]
    rate = math.fsum(rates) / len(rates)
    size: float = len(rates)
    if min(rates) != max(rates):
        trials = sum(told for _, told in measured)
        size = min(trials, rate * (1 - rate) / standard_error(rates) ** 2)
    low, high = wilson_rate(rate, size)
    return Rate(rate, low, high, len(rates))
