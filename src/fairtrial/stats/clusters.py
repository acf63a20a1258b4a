"""Rates over cases with several trials each: trials of one case are no independent evidence."""

import math
from collections.abc import Sequence
from typing import TypeAlias, TypedDict

from fairtrial.stats.proportions import standard_error, wilson_rate
from fairtrial.stats.special import t_quantile

Groups: TypeAlias = Sequence[Sequence[float]]
"""The outcomes of the trials (0 or 1, or scores), one group a case; empty ones are left out."""


class ClusteredSE(TypedDict):
    """What `clustered_se` gives."""

    mean_over_trials: float
    se_no_correction: float
    se_G_over_Gm1: float | None
    se_naive_iid: float | None
    design_effect: float | None
    t95: tuple[float, float] | None
    mean_over_cases: float
    se_case_means: float | None


class EffectiveWilson(TypedDict):
    """What `wilson_effective_n` gives."""

    n_effective: float
    interval: tuple[float, float]


class VarianceComponents(TypedDict):
    """What `variance_components` gives."""

    ms_between: float
    ms_within: float
    sigma2_within: float
    sigma2_between: float
    icc1: float | None
    design_effect: float | None


def clustered_se(groups: Groups) -> ClusteredSE:
    """Give the mean over trials with the standard error that knows which trials share a case.

    Source: Miller (2024), arXiv:2411.00640, appendix A: sqrt(sum over cases of the squared sum of
    residuals) / trials; times sqrt(G/(G-1)) for G cases, which with equally many trials a case is
    the standard error of the case means. `t95` is Student's on G - 1 degrees, not cut at 0 and 1.

    Returns:
        Means and standard errors in the outcomes' unit. None: what needs two cases (or two
        trials) where there is one; `design_effect` also where all trials are equal.

    Raises:
        ValueError: No group holds a trial.

    >>> se = clustered_se([[1, 1], [1, 0], [0, 0]])
    >>> round(se["se_no_correction"], 4), round(se["se_G_over_Gm1"], 4)
    (0.2357, 0.2887)
    """
    cases = _measured(groups)
    trials = [value for case in cases for value in case]
    count, size = len(cases), len(trials)
    mean = math.fsum(trials) / size
    plain = math.sqrt(_squared_residuals(cases)) / size
    naive = standard_error(trials) if size > 1 else None
    corrected = plain * math.sqrt(count / (count - 1)) if count > 1 else None
    means = [math.fsum(case) / len(case) for case in cases]
    half = None if corrected is None else t_quantile(0.025, count - 1) * corrected
    return ClusteredSE(
        mean_over_trials=mean,
        se_no_correction=plain,
        se_G_over_Gm1=corrected,
        se_naive_iid=naive,
        design_effect=None if corrected is None or not naive else (corrected / naive) ** 2,
        t95=None if half is None else (mean - half, mean + half),
        mean_over_cases=math.fsum(means) / count,
        se_case_means=standard_error(means) if count > 1 else None,
    )


def wilson_effective_n(groups: Groups, alpha: float = 0.05) -> EffectiveWilson:
    """Bound a pass rate over cases with Wilson's interval at the size the trials are worth.

    Source: size = min(trials, p(1-p)/SE^2), SE as `clustered_se` with G/(G-1). Where SE is 0 or
    there is one case, nothing tells how alike a case's trials are: then a case counts as one.

    Args:
        groups: The trials' outcomes, 0 or 1, one group a case.
        alpha: The chance of a miss that is put up with; 0.05 gives 95 %.

    Returns:
        The effective size, and low and high, 0 to 1, around the rate over trials.

    Raises:
        ValueError: No group holds a trial, an outcome lies outside 0 to 1, or `alpha` does.

    >>> all_passed = wilson_effective_n([[1, 1, 1, 1, 1]] * 7)
    >>> all_passed["n_effective"], round(all_passed["interval"][0], 4)
    (7, 0.6457)
    """
    cases = _measured(groups)
    if not all(0 <= value <= 1 for case in cases for value in case):
        raise ValueError("outcomes must lie within 0 to 1")
    count, size = len(cases), sum(map(len, cases))
    rate = sum(map(sum, cases)) / size
    squares = _squared_residuals(cases)
    effective: float = count
    if count > 1 and squares > 0:
        effective = min(size, rate * (1 - rate) * size**2 * (count - 1) / (squares * count))
    return EffectiveWilson(n_effective=effective, interval=wilson_rate(rate, effective, alpha))


def variance_components(groups: Groups) -> VarianceComponents | None:
    """Split the variance of the outcomes into that between cases and that within a case.

    Source: one-way analysis of variance; with k trials a case sigma2_between = (MSB - MSW)/k and
    ICC(1) = (MSB - MSW)/(MSB + (k-1) MSW), Shrout and Fleiss (1979). With unequal counts k is
    (N - sum of squared counts / N)/(G - 1).

    Returns:
        Variances in the outcomes' unit squared; the one between cases may come out below 0 where
        there is none. `icc1` and `design_effect` are None where all trials are equal. None with
        fewer than two cases, or with one trial in each, which cannot be split.

    Raises:
        ValueError: No group holds a trial.

    >>> parts = variance_components([[1, 1], [1, 0], [0, 0]])
    >>> round(parts["sigma2_within"], 4), round(parts["sigma2_between"], 4)
    (0.1667, 0.1667)
    """
    cases = _measured(groups)
    count, size = len(cases), sum(map(len, cases))
    if count < 2 or size == count:
        return None
    mean = math.fsum(value for case in cases for value in case) / size
    means = [math.fsum(case) / len(case) for case in cases]
    pairs = list(zip(cases, means, strict=True))
    between = math.fsum(len(case) * (own - mean) ** 2 for case, own in pairs) / (count - 1)
    within = math.fsum((value - own) ** 2 for case, own in pairs for value in case) / (size - count)
    k = (size - sum(len(case) ** 2 for case in cases) / size) / (count - 1)
    whole = between + (k - 1) * within
    icc = (between - within) / whole if whole > 0 else None
    return VarianceComponents(
        ms_between=between,
        ms_within=within,
        sigma2_within=within,
        sigma2_between=(between - within) / k,
        icc1=icc,
        design_effect=None if icc is None else 1 + (k - 1) * icc,
    )


def _measured(groups: Groups) -> list[Sequence[float]]:
    cases = [group for group in groups if len(group)]
    if not cases:
        raise ValueError("no group holds a trial")
    return cases


def _squared_residuals(cases: Sequence[Sequence[float]]) -> float:
    """Sum the squares of each case's summed residuals.

    Written over a common denominator: with outcomes 0 and 1 the zero of equal cases is exact.
    """
    size = sum(map(len, cases))
    total = sum(map(sum, cases))
    return sum((sum(case) * size - len(case) * total) ** 2 for case in cases) / size**2
