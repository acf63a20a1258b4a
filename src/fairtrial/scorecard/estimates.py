"""From counts to rates: pass@k and pass^k over cases, with their intervals."""

import math
from collections.abc import Sequence

from fairtrial.records import CurvePoint
from fairtrial.stats import (
    pass_at_k,
    pass_hat_k,
    smallest_drop,
    standard_error,
    suite_sight,
    t_interval,
    wilson_rate,
)

NO_POINT = CurvePoint(pass_at=None, pass_hat=None, cases=0)
_WHOLE_CURVE = 32  # up to this k the curve has every point; beyond, powers of two and k


def mean_of(values: Sequence[float]) -> float | None:
    """Give the mean; None of nothing."""
    return math.fsum(values) / len(values) if values else None


def curve_sizes(k: int) -> list[int]:
    """Give the k of each point of the curve: all up to 32, beyond that powers of two and k."""
    if k <= _WHOLE_CURVE:
        return list(range(1, k + 1))
    powers = [2**power for power in range(k.bit_length()) if 2**power < k]
    return [*powers, k]


def _estimates(counts: Sequence[tuple[int, int]], k: int) -> tuple[list[float], list[float]]:
    """Give pass@k and pass^k of each case with at least k measured trials."""
    known = {pair: (pass_at_k(*pair, k), pass_hat_k(*pair, k)) for pair in set(counts)}
    both = [known[pair] for pair in counts]
    return [at for at, _ in both if at is not None], [hat for _, hat in both if hat is not None]


def curve_point(counts: Sequence[tuple[int, int]], k: int) -> CurvePoint:
    """Give pass@k and pass^k, means over the cases that allow them.

    Args:
        counts: Measured and passed trials of each case.
        k: At least 1.
    """
    at, hat = _estimates(counts, k)
    return CurvePoint(pass_at=mean_of(at), pass_hat=mean_of(hat), cases=len(at))


def intervals(
    counts: Sequence[tuple[int, int]], k: int
) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
    """Give the intervals of pass@k and pass^k."""
    if k < 1:
        return None, None
    # With exactly k trials a case is 0 or 1: a plain proportion of cases.
    plain = all(measured == k for measured, _ in counts if measured >= k)
    at, hat = _estimates(counts, k)
    return _mean_interval(at, plain=plain), _mean_interval(hat, plain=plain)


def _mean_interval(values: Sequence[float], *, plain: bool) -> tuple[float, float] | None:
    mean = mean_of(values)
    if mean is None or (len(values) < 2 and not plain):
        return None
    if plain or min(values) == max(values):  # all alike, t would claim to know it exactly
        return wilson_rate(mean, len(values))
    ends = t_interval(values)
    return ends and (max(0.0, ends[0]), min(1.0, ends[1]))


def rate_interval(rates: Sequence[float], trials: int) -> tuple[float, float] | None:
    """Bound the mean of the cases' rates: Wilson with the size that the cases give.

    Args:
        rates: The share of each case's trials that passed.
        trials: Of all cases together.

    >>> low, high = rate_interval([1.0, 1.0, 0.5], 6) or (0, 0)
    >>> round(low, 3), round(high, 3)
    (0.403, 0.974)
    """
    rate = mean_of(rates)
    if rate is None:
        return None
    if min(rates) == max(rates):  # asked so, since rounding leaves a standard error above 0
        return wilson_rate(rate, len(rates))
    return wilson_rate(rate, min(trials, rate * (1 - rate) / standard_error(rates) ** 2))


def visible_drop(counts: Sequence[tuple[int, int]]) -> float | None:
    """Give the smallest drop that these cases see against an equal baseline; None: not known."""
    sight = suite_sight(counts)
    return None if sight is None else smallest_drop(sight)
