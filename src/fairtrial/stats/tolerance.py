"""How far an unchanged agent strays from itself, measured by running it again."""

import math
from collections.abc import Sequence
from typing import TypedDict

from fairtrial.stats.inputs import need_between, need_numbers, need_within
from fairtrial.stats.proportions import standard_error
from fairtrial.stats.special import t_quantile
from fairtrial.stats.student import (
    chi_square_quantile,
    noncentral_t_quantile,
    normal_above,
    normal_point,
)

_MANY = 1000  # degrees of freedom beyond which a series keeps more digits than the log gammas
_STEP = 1 / 32  # of the trapezoid rule for the range, whose error falls off exponentially


class MeasuredTolerance(TypedDict):
    """What `tolerance_from_runs` gives."""

    mean: float
    sd: float
    range: float
    tolerance: float
    alarm_below: float
    sd_ci95: tuple[float, float]
    false_alarm_of_below_min_rule: float


class SmallSampleFactors(TypedDict):
    """What `c4_d2` gives."""

    c4: float
    d2: float


class MinimumBound(TypedDict):
    """What `nonparametric_tolerance_min` gives."""

    confidence_min_is_bound: float


class RunVariance(TypedDict):
    """What `between_run_variance` gives."""

    variance_of_runs: float
    sampling: float
    tau2: float


def prediction_factor_one_sided(
    R: int,  # noqa: N803 - the number of runs, as the tables have it
    alpha: float = 0.05,
    candidate_runs: int = 1,
) -> float:
    """Give how many sds below the mean of R runs a run of the same agent falls with chance alpha.

    Source: Hahn and Meeker (1991): t(1-alpha, R-1) sqrt(1/q + 1/R) for the mean of q runs. The
    rate is `alpha` on average over calibrations; for this one, see `tolerance_factor_one_sided`.

    Raises:
        ValueError: `R` is below 2, `candidate_runs` below 1, or `alpha` not between 0 and 1.

    >>> round(prediction_factor_one_sided(5), 4)
    2.3353
    """
    need_within("R", R, 2)
    need_within("candidate_runs", candidate_runs, 1)
    return _t_point(alpha, R - 1) * math.sqrt(1 / candidate_runs + 1 / R)


def tolerance_factor_one_sided(
    R: int,  # noqa: N803 - the number of runs, as the tables have it
    alpha: float = 0.05,
    confidence: float = 0.95,
) -> float:
    """Give the sds below the mean of R runs that keep this calibration's false alarms in alpha.

    Source: Hahn and Meeker (1991): the `confidence` quantile of noncentral t with R - 1 degrees
    and shift z(1-alpha) sqrt(R), over sqrt(R).

    Raises:
        ValueError: `R` is below 2, or `alpha` or `confidence` does not lie between 0 and 1.

    >>> round(tolerance_factor_one_sided(5), 4)
    4.2027
    """
    need_within("R", R, 2)
    need_between("alpha", alpha, 0, 1)
    need_between("confidence", confidence, 0, 1)
    root = math.sqrt(R)
    return noncentral_t_quantile(confidence, R - 1, normal_point(alpha) * root) / root


def tolerance_from_runs(
    runs: Sequence[float], alpha: float = 0.05, candidate_runs: int = 1
) -> MeasuredTolerance:
    """Give how far below the mean of unchanged runs a new one may fall before it is an alarm.

    Source: `prediction_factor_one_sided` times the sample sd; the sd's interval by chi-square. Use
    five runs at least, ten by choice; for costs hand in their logs, negated.

    Args:
        runs: A metric of each run of the unchanged agent, two or more.
        alpha: The chance of a false alarm.
        candidate_runs: How many runs the new mean is of.

    Returns:
        In the metric's unit. `false_alarm_of_below_min_rule` is what the rule "below the worst of
        the runs" would have: never use that one.

    Raises:
        ValueError: There are fewer than two runs, one is no number, `candidate_runs` is below 1, or
            `alpha` does not lie between 0 and 1.

    >>> measured = tolerance_from_runs([0.81, 0.79, 0.83, 0.80, 0.82])
    >>> round(measured["tolerance"], 4), round(measured["alarm_below"], 4)
    (0.0369, 0.7731)
    """
    need_numbers("runs", runs)
    size = len(runs)
    factor = prediction_factor_one_sided(size, alpha, candidate_runs)
    mean, sd = math.fsum(runs) / size, standard_error(runs) * math.sqrt(size)
    ends = [sd * math.sqrt((size - 1) / chi_square_quantile(at, size - 1)) for at in (0.975, 0.025)]
    return MeasuredTolerance(
        mean=mean,
        sd=sd,
        range=max(runs) - min(runs),
        tolerance=factor * sd,
        alarm_below=mean - factor * sd,
        sd_ci95=(ends[0], ends[1]),
        false_alarm_of_below_min_rule=1 / (size + 1),
    )


def nonparametric_tolerance_min(
    R: int,  # noqa: N803 - the number of runs, as the tables have it
    alpha: float = 0.05,
) -> MinimumBound:
    """Give how surely at most a share `alpha` of all runs falls below the worst of R.

    Source: Wilks (1941): 1 - (1-alpha)^R, whatever the distribution.

    Raises:
        ValueError: `R` is below 1, or `alpha` does not lie between 0 and 1.

    >>> round(nonparametric_tolerance_min(59)["confidence_min_is_bound"], 4)
    0.9515
    """
    need_within("R", R, 1)
    need_between("alpha", alpha, 0, 1)
    return MinimumBound(confidence_min_is_bound=-math.expm1(R * math.log1p(-alpha)))


def c4_d2(n: int) -> SmallSampleFactors:
    """Give what the sd and the range of n normal values are on average, in true sds.

    Source: c4 = sqrt(2/(n-1)) Gamma(n/2)/Gamma((n-1)/2); d2 is the integral of
    1 - F^n - (1-F)^n (Tippett 1925). Divide an sd by c4; a range by d2, up to five values.

    Raises:
        ValueError: `n` is below 2.

    >>> factors = c4_d2(5)
    >>> round(factors["c4"], 4), round(factors["d2"], 4)
    (0.94, 2.3259)
    """
    need_within("n", n, 2)
    return SmallSampleFactors(c4=_c4(n), d2=_d2(n))


def between_run_variance(runs: Sequence[float], sampling: Sequence[float]) -> RunVariance:
    """Split the variance of run means into sampling, known from their trials, and the rest.

    Source: tau^2 = max(0, variance of the runs - mean sampling variance). The rest is what trials
    of one run share: the day, the provider's load, the model's revision. Where it is above 0, run
    both arms interleaved, or see `difference_across_days`.

    Args:
        runs: The pass rate of each run over the same cases, two or more.
        sampling: The `sampling_variance` of each.

    Returns:
        In the rates' unit squared.

    Raises:
        ValueError: The lists differ in length, hold fewer than two runs, a number is none, or a
            variance lies below 0.

    >>> parts = between_run_variance([0.80, 0.86, 0.83], [0.0003, 0.0003, 0.0003])
    >>> round(parts["variance_of_runs"], 6), round(parts["tau2"], 6)
    (0.0009, 0.0006)
    """
    need_numbers("runs", runs)
    need_numbers("sampling", sampling)
    size = len(runs)
    need_within("the number of runs", size, 2)
    if len(sampling) != size:
        raise ValueError(f"one variance a run is needed, got {len(sampling)} for {size} runs")
    need_within("the lowest of sampling", min(sampling), 0)
    whole = standard_error(runs) ** 2 * size
    known = math.fsum(sampling) / size
    return RunVariance(variance_of_runs=whole, sampling=known, tau2=max(0.0, whole - known))


def _t_point(alpha: float, df: int) -> float:
    need_between("alpha", alpha, 0, 1)
    return t_quantile(alpha, df) if alpha <= 0.5 else -t_quantile(1 - alpha, df)


def _c4(n: int) -> float:
    half = (n - 1) / 2
    if n > _MANY:
        part = 1 / half
        return 1 + part * (-1 / 8 + part * (1 / 128 + part * (5 / 1024 - part * 21 / 32768)))
    return math.exp(math.lgamma(half + 0.5) - math.lgamma(half)) / math.sqrt(half)


def _d2(n: int) -> float:
    """Sum twice the half from 0 up, the integrand being even."""
    terms: list[float] = []
    for at in range(round(40 / _STEP)):
        above = normal_above(at * _STEP)
        # 1 - F^n - (1-F)^n with the digits of a small 1 - F
        term = -math.expm1(n * math.log1p(-above)) - above**n
        terms.append(term if at else term / 2)
        if term < 1e-18:
            break
    return 2 * _STEP * math.fsum(terms)
