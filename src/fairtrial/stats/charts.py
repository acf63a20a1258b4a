"""Control charts of a daily pass rate: is today worse than chance makes a day?"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TypedDict, Unpack

from fairtrial.stats.inputs import need_between, need_within
from fairtrial.stats.special import normal_quantile
from fairtrial.stats.tails import binomial_at_most, chi_square_above

_THREE_SIGMA_TAIL = 0.00135
_MOVING_RANGE = 1.128  # the mean distance of two standard normals, in the charts' usual digits


class PChart(TypedDict):
    """What `p_chart` gives."""

    lcl_3sigma: float
    ucl_3sigma: float
    false_alarm_low_3sigma: float
    exact_low_count_alarm_at_or_below: int | None
    false_alarm_exact_low: float


class ShewhartAlpha(TypedDict):
    """What `shewhart_alpha` gives."""

    alpha_per_day: float
    z_one_sided: float
    p_alarm_in_30_days: float


class EwmaLow(TypedDict):
    """What `ewma_low` gives, one entry a day."""

    z: list[float]
    lcl: list[float]
    alarm: list[bool]


Smoothing = TypedDict("Smoothing", {"lambda": float}, total=False)
"""The other name of the weight of `ewma_low`: Python keeps the word for itself."""


class CusumLow(TypedDict):
    """What `cusum_llr_low` gives, one entry a day."""

    S: list[float]


class LaneyPPrime(TypedDict):
    """What `laney_p_prime` gives."""

    pbar: float
    sigma_z: float | None
    lcl: float | None
    dispersion_chi2: float | None
    dispersion_p: float | None


def p_chart(center: float, n: int) -> PChart:
    """Give the low limit of a day's pass rate, by the three-sigma rule and exactly.

    The rule alarms too often where n is small or the rate near 1: use the exact count.

    Source: Shewhart's p-chart, center +- 3 sqrt(center (1 - center)/n); the exact limit is the
    largest count that is reached or undercut with a chance of at most 0.00135.

    Args:
        center: The pass rate of days in control, 0 to 1.
        n: Trials a day, at least 1.

    Returns:
        Both limits of the rule, cut to 0 to 1, and the chance that a day in control falls below
        the low one; the exact count, None where even 0 passes are likelier than that, and the
        chance of a false alarm there, which is then 0.

    Raises:
        ValueError: `center` lies outside 0 to 1, or `n` is below 1.

    >>> chart = p_chart(0.9, 50)
    >>> round(chart["lcl_3sigma"], 4), chart["exact_low_count_alarm_at_or_below"]
    (0.7727, 37)
    """
    need_within("center", center, 0, 1)
    need_within("n", n, 1)
    half = 3 * math.sqrt(center * (1 - center) / n)
    low = max(0.0, center - half)
    below = math.ceil(n * low - 1e-9) - 1  # a limit that is a count, to rounding, is no alarm
    exact = _largest_rare_count(center, n)
    return PChart(
        lcl_3sigma=low,
        ucl_3sigma=min(1.0, center + half),
        false_alarm_low_3sigma=binomial_at_most(below, n, center),
        exact_low_count_alarm_at_or_below=None if exact < 0 else exact,
        false_alarm_exact_low=binomial_at_most(exact, n, center),
    )


def shewhart_alpha(in_control_arl_days: float) -> ShewhartAlpha:
    """Turn "one false alarm in so many days" into the chance that a single day may have.

    Source: the run length of independent days is geometric, with mean 1/alpha.

    Args:
        in_control_arl_days: Days between false alarms on average, above 1.

    Returns:
        The chance a day, the limit in standard deviations that a normal falls below with that
        chance, and the chance of a false alarm within 30 days.

    Raises:
        ValueError: The days are not above 1.

    >>> daily = shewhart_alpha(90)
    >>> round(daily["alpha_per_day"], 4), round(daily["p_alarm_in_30_days"], 4)
    (0.0111, 0.2848)
    """
    need_between("in_control_arl_days", in_control_arl_days, 1, math.inf)
    alpha = 1 / in_control_arl_days
    return ShewhartAlpha(
        alpha_per_day=alpha,
        z_one_sided=normal_quantile(alpha) if alpha <= 0.5 else -normal_quantile(1 - alpha),
        p_alarm_in_30_days=-math.expm1(30 * math.log1p(-alpha)),
    )


def ewma_low(
    daily_passes: Sequence[int],
    n: int,
    center: float,
    L: float = 2.7,  # noqa: N803 - what every book calls it
    lambda_: float = 0.2,
    **smoothing: Unpack[Smoothing],
) -> EwmaLow:
    """Watch for a small lasting drop by an exponentially weighted mean of the daily rates.

    Source: Roberts (1959), z = lambda x + (1 - lambda) z from the centre line, with the exact
    variance of each day, lambda/(2 - lambda) (1 - (1 - lambda)^(2 day)) times that of one day.

    Args:
        daily_passes: Passed trials of each day, in order.
        n: Trials a day, at least 1.
        center: The pass rate of days in control, 0 to 1.
        L: How many standard deviations below the centre alarm.
        lambda_: The weight of the newest day, above 0 and at most 1; 1 is Shewhart's chart.
        **smoothing: The same weight under the name `lambda`, which can only be handed over in a
            mapping.

    Returns:
        Each day's mean, its low limit (not cut at 0), and whether the mean lies below it.

    Raises:
        ValueError: A number lies outside its range.
        TypeError: There is a keyword besides `lambda`.

    >>> chart = ewma_low([45, 44, 30, 31], n=50, center=0.9)
    >>> chart["alarm"]
    [False, False, True, True]
    """
    strange = set(smoothing) - {"lambda"}
    if strange:
        raise TypeError(f"ewma_low() got an unexpected keyword argument {min(strange)!r}")
    weight = smoothing.get("lambda", lambda_)
    _need_days(daily_passes, n)
    need_within("center", center, 0, 1)
    need_within("L", L, 0)
    need_within("lambda", weight, 0, 1)
    need_between("lambda", weight, 0, math.inf)
    whole = center * (1 - center) / n * weight / (2 - weight)
    mean, means, limits = center, [], []
    for day, passes in enumerate(daily_passes, 1):
        mean = weight * (passes / n) + (1 - weight) * mean
        means.append(mean)
        limits.append(center - L * math.sqrt(whole * (1 - (1 - weight) ** (2 * day))))
    return EwmaLow(
        z=means, lcl=limits, alarm=[z < low for z, low in zip(means, limits, strict=True)]
    )


def cusum_llr_low(daily_passes: Sequence[int], n: int, p0: float, p1: float) -> CusumLow:
    """Add up the evidence for a drop from p0 to p1, starting anew whenever there is none.

    Alarm where it passes a limit h, calibrated to the days between false alarms that are wanted;
    for one in 180 days h is 3.2 to 3.6.

    Source: Page (1954), S = max(0, S + log-likelihood ratio of the day), binomial.

    Args:
        daily_passes: Passed trials of each day, in order.
        n: Trials a day, at least 1.
        p0: The pass rate of days in control, below 1.
        p1: The rate to watch for, above 0 and below p0.

    Returns:
        The evidence after each day, 0 or more, in natural logarithms.

    Raises:
        ValueError: A number lies outside its range.

    >>> [round(s, 3) for s in cusum_llr_low([46, 44, 43, 40], n=50, p0=0.9, p1=0.82)["S"]]
    [0.0, 0.0, 0.112, 2.266]
    """
    _need_days(daily_passes, n)
    need_between("p0", p0, 0, 1)
    need_between("p1", p1, 0, p0)
    # log1p of the difference: exact also where the two rates nearly agree
    of_pass = math.log1p((p1 - p0) / p0)
    of_fail = math.log1p((p0 - p1) / (1 - p0))
    evidence, path = 0.0, []
    for passes in daily_passes:
        evidence = max(0.0, evidence + passes * of_pass + (n - passes) * of_fail)
        path.append(evidence)
    return CusumLow(S=path)


def laney_p_prime(daily_passes: Sequence[int], n: int) -> LaneyPPrime:
    """Find out whether days differ by more than chance, and widen the low limit by that.

    Source: Laney (2002), Quality Engineering 14(4): sigma_z is the mean moving range of the days'
    z over 1.128; the test is the sum of squared z, chi-square on days - 1 degrees.

    Args:
        daily_passes: Passed trials of each day in control, in order; 20 days or more say
            something.
        n: Trials a day, at least 1.

    Returns:
        The mean rate, sigma_z (1 where days differ as chance makes them), the low limit
        pbar - 3 sigma sigma_z, cut at 0, and the test with its chance. None beside the mean where
        there is one day, or where all trials passed or none did.

    Raises:
        ValueError: There is no day, or a count lies outside 0 to n.

    >>> chart = laney_p_prime([45, 44, 46, 38, 47], n=50)
    >>> chart["pbar"], round(chart["sigma_z"], 3)
    (0.88, 1.929)
    """
    _need_days(daily_passes, n)
    days = len(daily_passes)
    if days < 1:
        raise ValueError("there is no day")
    total = sum(daily_passes)
    center = total / (days * n)
    if days < 2 or center in (0, 1):
        return LaneyPPrime(
            pbar=center, sigma_z=None, lcl=None, dispersion_chi2=None, dispersion_p=None
        )
    sigma = math.sqrt(center * (1 - center) / n)
    z = [(passes * days - total) / (days * n * sigma) for passes in daily_passes]
    ranges = [abs(later - day) for day, later in pairwise(z)]
    widened = math.fsum(ranges) / (days - 1) / _MOVING_RANGE
    dispersion = math.fsum(value * value for value in z)
    return LaneyPPrime(
        pbar=center,
        sigma_z=widened,
        lcl=max(0.0, center - 3 * sigma * widened),
        dispersion_chi2=dispersion,
        dispersion_p=chi_square_above(dispersion, days - 1),
    )


def _largest_rare_count(center: float, n: int) -> int:
    """Give the largest count whose chance, it or fewer, is at most 0.00135; -1 if there is none."""
    rare, common = -1, n
    while common - rare > 1:
        middle = (rare + common) // 2
        if binomial_at_most(middle, n, center) <= _THREE_SIGMA_TAIL:
            rare = middle
        else:
            common = middle
    return rare


def _need_days(daily_passes: Sequence[int], n: int) -> None:
    need_within("n", n, 1)
    for at, passes in enumerate(daily_passes):
        need_within(f"daily_passes[{at}]", passes, 0, n)
