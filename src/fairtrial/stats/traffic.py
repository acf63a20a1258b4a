"""The pass rate of all traffic, of which only some was looked at."""

import math
from collections.abc import Sequence
from typing import TypedDict

from fairtrial.stats.inputs import need_within


class StratifiedRate(TypedDict):
    """What `stratified_rate` gives."""

    estimate: float
    se: float | None
    unweighted_pooled: float
    neyman_share: list[float] | None


class FiniteRate(TypedDict):
    """What `fpc_rate` gives."""

    rate: float
    se_fpc: float | None
    se_no_fpc: float | None


def stratified_rate(
    strata_weight_n_passes: Sequence[tuple[float, int, int]],
) -> StratifiedRate:
    """Estimate the pass rate of traffic of which some kinds were sampled more than others.

    Source: Cochran, Sampling Techniques: sum of W p, with variance the sum of
    W^2 p (1 - p)/(n - 1); Neyman (1934): the best shares of a sample are as W sqrt(p (1 - p)).

    Args:
        strata_weight_n_passes: One (share of the traffic, sampled, passed) a kind; the shares sum
            to 1.

    Returns:
        The rate, its standard error (None where a kind has a single trace), the rate of the pooled
        sample, which is that of no traffic, and the shares that the next sample should give the
        kinds (None where no kind has both passes and fails).

    Raises:
        ValueError: There is no kind, the shares do not sum to 1, a kind was not sampled, or a
            count lies outside its range.

    >>> rate = stratified_rate([(0.9, 90, 81), (0.1, 60, 30)])
    >>> round(rate["estimate"], 3), round(rate["unweighted_pooled"], 3)
    (0.86, 0.74)
    """
    for at, (weight, n, passes) in enumerate(strata_weight_n_passes):
        need_within(f"stratum {at}: weight", weight, 0, 1)
        need_within(f"stratum {at}: n", n, 1)
        need_within(f"stratum {at}: passes", passes, 0, n)
    whole = math.fsum(weight for weight, _, _ in strata_weight_n_passes)
    if not math.isclose(whole, 1, abs_tol=1e-6):
        raise ValueError(f"the weights must sum to 1, got {whole!r}")
    estimates = [weight * passes / n for weight, n, passes in strata_weight_n_passes]
    known = all(n > 1 for _, n, _ in strata_weight_n_passes)
    errors = [
        weight * math.sqrt(passes * (n - passes) / (n - 1)) / n
        for weight, n, passes in strata_weight_n_passes
        if n > 1
    ]
    spreads = [
        weight * math.sqrt(passes * (n - passes)) / n
        for weight, n, passes in strata_weight_n_passes
    ]
    spread = math.fsum(spreads)
    return StratifiedRate(
        estimate=math.fsum(estimates),
        se=math.hypot(*errors) if known else None,
        unweighted_pooled=sum(passes for _, _, passes in strata_weight_n_passes)
        / sum(n for _, n, _ in strata_weight_n_passes),
        neyman_share=[value / spread for value in spreads] if spread else None,
    )


def fpc_rate(traffic: int, sampled: int, passes: int) -> FiniteRate:
    """Estimate the pass rate of a finite lot of traffic from a random sample of it.

    Source: Cochran, Sampling Techniques: variance p (1 - p)/(n - 1), times 1 - n/N for the part
    that was looked at.

    Args:
        traffic: How many traces there were.
        sampled: How many of them were looked at, at least 1.
        passes: How many of these passed.

    Returns:
        The rate, 0 to 1, and its standard error for this lot and for traffic without end; None
        from a single trace. The first is 0 where all traffic was looked at.

    Raises:
        ValueError: A count lies outside its range.

    >>> rate = fpc_rate(100, 50, 45)
    >>> rate["rate"], round(rate["se_fpc"], 4), round(rate["se_no_fpc"], 4)
    (0.9, 0.0303, 0.0429)
    """
    need_within("sampled", sampled, 1)
    need_within("traffic", traffic, sampled)
    need_within("passes", passes, 0, sampled)
    endless = (
        math.sqrt(passes * (sampled - passes) / (sampled - 1)) / sampled if sampled > 1 else None
    )
    rest = math.sqrt((traffic - sampled) / traffic)
    finite = 0.0 if rest == 0 else None if endless is None else endless * rest
    return FiniteRate(rate=passes / sampled, se_fpc=finite, se_no_fpc=endless)
