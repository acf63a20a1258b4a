"""Costs, steps and tokens: the typical case, the bill, and the tail are three numbers."""

import math
from collections.abc import Sequence
from statistics import median
from typing import TypedDict

from fairtrial.stats.inputs import need_between, need_numbers, need_pairs, need_within
from fairtrial.stats.proportions import standard_error
from fairtrial.stats.rank_tests import (
    hodges_lehmann,
    median_gap,
    rank_sum,
    signed_rank_p_greater,
)
from fairtrial.stats.special import t_quantile
from fairtrial.stats.student import t_above
from fairtrial.stats.tails import binomial_at_most

_LARGEST_LOG = 700.0
_ROUNDING = 1e-12  # a spread less than this comes from rounding alone


class PairedCost(TypedDict):
    """What `paired_cost` gives."""

    ratio_of_means: float
    ratio_delta_se: float | None
    ratio_fieller95: tuple[float, float] | None
    ratio_jackknife_se: float | None
    geo_mean_ratio: float | None
    geo_mean_ratio_t95: tuple[float, float] | None
    p_candidate_more_log_t: float | None
    hodges_lehmann_ratio: float | None
    hodges_lehmann_ratio_ci95_exact: tuple[float, float] | None
    median_ratio: float | None
    wilcoxon_p_greater_exact: float | None
    trimmed_mean_log_ratio_10pct: float | None


class GeometricRatio(TypedDict):
    """What `geometric_ratio` gives."""

    ratio: float | None
    lower: float | None
    upper: float | None
    p_candidate_more: float | None
    cases: int
    left_out: int


class Runaways(TypedDict):
    """What `runaway_cases` gives."""

    above: int
    below: int
    p_candidate_more: float


class UnpairedCost(TypedDict):
    """What `unpaired_cost` gives."""

    yuen_trim20_t: float | None
    yuen_p_greater: float | None
    mann_whitney_U: float
    mann_whitney_p_greater: float
    hodges_lehmann_shift: float
    prob_candidate_larger: float


class QuantileRanks(TypedDict):
    """What `quantile_order_ci` gives."""

    quantile_linear: float
    lower_rank: int | None
    upper_rank: int | None
    note_ranks: str


def paired_cost(baseline: Sequence[float], candidate: Sequence[float]) -> PairedCost:
    """Compare what the same cases cost in two arms, in every way that answers a question.

    Source: the bill: the ratio of means with the delta method's and the jackknife's error and
    Fieller's (1954) interval. The typical case: the mean of log ratios, Student's t; their pairwise
    median (Hodges and Lehmann 1963) with the exact signed-rank interval; their median; their mean
    without the lowest and highest tenth. Those are exp() of what is computed on logs.

    Args:
        baseline: One cost a case, 0 and up, not all of them 0.
        candidate: The same cases in the same order.

    Returns:
        Ratios, above 1 where the candidate costs more. What rests on logs leaves out the cases
        with a 0. None where there is too little to go by, or no finite bound; the exact chance is
        None also where sizes of log ratios are tied, or of more than 200 cases.

    Raises:
        ValueError: The arms differ in length or are empty, a cost is below 0 or no number, or the
            baseline is all 0.

    >>> cost = paired_cost([1.0, 2.0, 4.0], [2.0, 2.0, 8.0])
    >>> round(cost["ratio_of_means"], 4), round(cost["geo_mean_ratio"], 4)
    (1.7143, 1.5874)
    """
    logs = _log_ratios(baseline, candidate)
    bill = math.fsum(candidate) / math.fsum(baseline)
    delta, fieller = _bill_bounds(baseline, candidate, bill)
    typical = _typical(logs, 0.025)
    pairwise, pairwise_ends = hodges_lehmann(logs) if logs else (None, None)
    cut = len(logs) // 10
    kept = sorted(logs)[cut : len(logs) - cut]
    return PairedCost(
        ratio_of_means=bill,
        ratio_delta_se=delta,
        ratio_fieller95=fieller,
        ratio_jackknife_se=_jackknife(baseline, candidate),
        geo_mean_ratio=typical["ratio"],
        geo_mean_ratio_t95=_both(typical["lower"], typical["upper"]),
        p_candidate_more_log_t=typical["p_candidate_more"],
        hodges_lehmann_ratio=None if pairwise is None else _exp(pairwise),
        hodges_lehmann_ratio_ci95_exact=_both(*map(_exp, pairwise_ends)) if pairwise_ends else None,
        median_ratio=_exp(median(logs)) if logs else None,
        wilcoxon_p_greater_exact=signed_rank_p_greater(logs),
        trimmed_mean_log_ratio_10pct=_exp(math.fsum(kept) / len(kept)) if kept else None,
    )


def geometric_ratio(
    baseline: Sequence[float], candidate: Sequence[float], alpha: float = 0.05
) -> GeometricRatio:
    """Give how many times as much the typical case costs, with a bound on either side.

    Source: as `paired_cost`: exp of the mean log ratio, Student's t on the cases' log ratios.

    Args:
        baseline: One cost a case, 0 and up, not all of them 0.
        candidate: The same cases in the same order.
        alpha: The chance of a miss of each bound, one-sided: 0.01 gives the lower 99 % bound.

    Returns:
        The ratio, its bounds, the chance of as much without a rise; all None where nothing is left.
        Bounds and chance are None with one case, and a bound too that is more than a float can
        say. `left_out` cases have a 0 on a side.

    Raises:
        ValueError: As `paired_cost`; or `alpha` does not lie between 0 and 1/2.

    >>> typical = geometric_ratio([1.0, 2.0, 4.0, 0.0], [1.5, 2.9, 6.1, 1.0], alpha=0.01)
    >>> round(typical["ratio"], 3), typical["lower"] > 1.2, typical["left_out"]
    (1.491, True, 1)
    """
    need_between("alpha", alpha, 0, 0.5)
    logs = _log_ratios(baseline, candidate)
    typical = _typical(logs, alpha)
    typical["left_out"] = len(baseline) - len(logs)
    return typical


def runaway_cases(
    baseline: Sequence[float], candidate: Sequence[float], times: float = 4.0
) -> Runaways:
    """Count the cases that cost more than `times` as much, and those that cost as much less.

    Source: the sign test on those cases alone: under no change either is as likely.

    Args:
        baseline: One cost a case, 0 and up.
        candidate: The same cases in the same order.
        times: What makes a runaway, above 1.

    Raises:
        ValueError: The arms differ in length or are empty, a cost is below 0 or no number, or
            `times` is not above 1.

    >>> runaways = runaway_cases([1.0, 1.0, 1.0], [9.0, 5.0, 1.0])
    >>> runaways["above"], runaways["below"], round(runaways["p_candidate_more"], 3)
    (2, 0, 0.25)
    """
    _costs(baseline, candidate)
    if not 1 < times < math.inf:
        raise ValueError(f"times must lie above 1, got {times!r}")
    pairs = list(zip(baseline, candidate, strict=True))
    above = sum(cand > times * base for base, cand in pairs)
    below = sum(base > times * cand for base, cand in pairs)
    return Runaways(
        above=above, below=below, p_candidate_more=binomial_at_most(below, above + below, 0.5)
    )


def unpaired_cost(baseline: Sequence[float], candidate: Sequence[float]) -> UnpairedCost:
    """Compare costs of two arms that do not share their cases.

    Source: Yuen (1974): Welch's t on means without the lowest and highest fifth, with winsorised
    variances. Mann and Whitney (1947): ties half; counted out where none is tied and an arm has at
    most 8 values. Hodges and Lehmann (1963): the median of all differences between the arms.

    Returns:
        `mann_whitney_U` counts the pairs in which the candidate costs more, and
        `prob_candidate_larger` is its share of all. t and its chance are None where an arm has
        fewer than two values, or none of them spread.

    Raises:
        ValueError: An arm is empty, or holds no number.

    >>> cost = unpaired_cost([1.0, 2.0, 3.0], [2.5, 3.5, 9.0])
    >>> cost["mann_whitney_U"], cost["hodges_lehmann_shift"]
    (8.0, 1.5)
    """
    if not (baseline and candidate):
        raise ValueError(f"each arm needs a cost, got {len(baseline)} and {len(candidate)}")
    need_numbers("baseline", baseline)
    need_numbers("candidate", candidate)
    t, chance = _yuen(baseline, candidate)
    ranked = rank_sum(baseline, candidate)
    return UnpairedCost(
        yuen_trim20_t=t,
        yuen_p_greater=chance,
        mann_whitney_U=ranked.wins,
        mann_whitney_p_greater=ranked.p_greater,
        hodges_lehmann_shift=median_gap(baseline, candidate),
        prob_candidate_larger=ranked.wins / (len(baseline) * len(candidate)),
    )


def quantile_order_ci(values: Sequence[float], q: float, alpha: float = 0.05) -> QuantileRanks:
    """Say between which of the ordered values a quantile lies, whatever their distribution.

    Source: the number of values under the quantile is Bin(n, q): the lower rank is the largest i
    with P(Bin <= i - 1) <= alpha/2, the upper one the smallest i with P(Bin >= i) <= alpha/2. The
    quantile itself is interpolated between order statistics (Hyndman and Fan 1996, type 7).

    Args:
        values: At least one.
        q: The share under the quantile, between 0 and 1: 0.95 for the 95th percentile.
        alpha: The chance of a miss that is put up with.

    Returns:
        The quantile and two ranks, the lowest value having rank 1; None where no value bounds it.

    Raises:
        ValueError: There is no value, one is no number, or `q` or `alpha` is not between 0 and 1.

    >>> ends = quantile_order_ci([3, 1, 4, 1, 5, 9, 2, 6, 5, 35], 0.5)
    >>> ends["quantile_linear"], ends["lower_rank"], ends["upper_rank"]
    (4.5, 2, 9)
    """
    if not values:
        raise ValueError("a quantile needs one value, got 0")
    need_numbers("values", values)
    need_between("q", q, 0, 1)
    need_between("alpha", alpha, 0, 1)
    ordered, size = sorted(values), len(values)
    place = q * (size - 1)
    at = min(int(place), size - 2) if size > 1 else 0
    step = ordered[at + 1] - ordered[at] if size > 1 else 0.0
    lower = _ranks_out(size, q, alpha / 2)
    upper = _ranks_out(size, 1 - q, alpha / 2)  # the same, counted from the top
    return QuantileRanks(
        quantile_linear=ordered[at] + (place - at) * step,
        lower_rank=lower or None,
        upper_rank=size + 1 - upper if upper else None,
        note_ranks="1-based; null = no finite bound",
    )


def _ranks_out(size: int, q: float, tail: float) -> int:
    """Give the largest i, 0 to size, with P(Bin(size, q) <= i - 1) <= tail."""
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        if binomial_at_most(middle - 1, size, q) <= tail:
            low = middle
        else:
            high = middle - 1
    return low


def _costs(baseline: Sequence[float], candidate: Sequence[float]) -> None:
    need_pairs(baseline=baseline, candidate=candidate)
    for name, values in (("baseline", baseline), ("candidate", candidate)):
        need_numbers(name, values)
        need_within(f"the lowest of {name}", min(values), 0)


def _log_ratios(baseline: Sequence[float], candidate: Sequence[float]) -> list[float]:
    _costs(baseline, candidate)
    if not any(baseline):
        raise ValueError("the baseline's costs must not all be 0")
    return [
        math.log(cand) - math.log(base)  # the ratio itself may leave a float's range
        for base, cand in zip(baseline, candidate, strict=True)
        if base > 0 and cand > 0
    ]


def _typical(logs: Sequence[float], tail: float) -> GeometricRatio:
    size = len(logs)
    if size < 2:
        ratio = _exp(logs[0]) if logs else None
        return GeometricRatio(
            ratio=ratio, lower=None, upper=None, p_candidate_more=None, cases=size, left_out=0
        )
    mean, error = math.fsum(logs) / size, standard_error(logs)
    if error <= _ROUNDING:
        error = 0.0
        chance = None if abs(mean) <= _ROUNDING else float(mean < 0)
    else:
        chance = t_above(mean / error, size - 1)
    half = t_quantile(tail, size - 1) * error
    return GeometricRatio(
        ratio=_exp(mean),
        lower=_exp(mean - half),
        upper=_exp(mean + half),
        p_candidate_more=chance,
        cases=size,
        left_out=0,
    )


def _exp(log: float) -> float | None:
    """Give exp(log); None where it is more than a float can say."""
    return math.exp(log) if log < _LARGEST_LOG else None


def _both(low: float | None, high: float | None) -> tuple[float, float] | None:
    return None if low is None or high is None else (low, high)


def _bill_bounds(
    baseline: Sequence[float], candidate: Sequence[float], bill: float
) -> tuple[float | None, tuple[float, float] | None]:
    """Give the delta method's error and Fieller's interval of the ratio of means.

    Both in terms of what each case is off the common ratio, so that nothing cancels.
    """
    size = len(baseline)
    if size < 2:
        return None, None
    mean = math.fsum(baseline) / size
    off = [cand - bill * base for base, cand in zip(baseline, candidate, strict=True)]
    variance = standard_error(off) ** 2
    base_variance = standard_error(baseline) ** 2
    joint = math.fsum((base - mean) * gap for base, gap in zip(baseline, off, strict=True))
    joint /= (size - 1) * size
    t2 = t_quantile(0.025, size - 1) ** 2
    sure = mean * mean - t2 * base_variance
    if sure <= 0:  # the baseline's mean could be 0: no finite bound
        return math.sqrt(variance) / mean, None
    reach = math.sqrt(t2 * t2 * joint * joint + sure * t2 * variance)
    ends = bill + (-t2 * joint - reach) / sure, bill + (-t2 * joint + reach) / sure
    return math.sqrt(variance) / mean, ends


def _jackknife(baseline: Sequence[float], candidate: Sequence[float]) -> float | None:
    size = len(baseline)
    base_sum, cand_sum = math.fsum(baseline), math.fsum(candidate)
    if size < 2 or any(base >= base_sum for base in baseline):
        return None
    ratios = [
        (cand_sum - cand) / (base_sum - base)
        for base, cand in zip(baseline, candidate, strict=True)
    ]
    return standard_error(ratios) * (size - 1)


def _yuen(
    baseline: Sequence[float], candidate: Sequence[float]
) -> tuple[float | None, float | None]:
    arms = [_trimmed(values) for values in (baseline, candidate)]
    if any(arm is None for arm in arms):
        return None, None
    (base_mean, base_part, base_df), (cand_mean, cand_part, cand_df) = [arm for arm in arms if arm]
    whole = base_part + cand_part
    if whole <= 0:
        return None, None
    t = (cand_mean - base_mean) / math.sqrt(whole)
    df = whole * whole / (base_part**2 / base_df + cand_part**2 / cand_df)
    return t, t_above(t, df)


def _trimmed(values: Sequence[float]) -> tuple[float, float, int] | None:
    """Give the mean of the middle three fifths, the square of its error, degrees of freedom."""
    ordered, size = sorted(values), len(values)
    cut = size // 5
    kept = ordered[cut : size - cut]
    if len(kept) < 2:
        return None
    winsorised = [kept[0]] * cut + kept + [kept[-1]] * cut
    squares = standard_error(winsorised) ** 2 * size * (size - 1)
    return math.fsum(kept) / len(kept), squares / (len(kept) * (len(kept) - 1)), len(kept) - 1
