"""The smallest drop that a suite can see, and how many cases and trials see a smaller one.

The model: a drop is shared evenly by the cases that pass at all, for no other can fall. The worse
arm then varies more than the better one, and both are tested by Student's t over cases; so planned,
the power comes out as planned, from six cases up.
"""

import math
from typing import NamedTuple

from fairtrial.stats.inputs import need_between, need_within
from fairtrial.stats.planning import Counts, sampling_variance, within_variance
from fairtrial.stats.special import t_quantile
from fairtrial.stats.student import t_above

_MOST = 10**7  # cases or trials beyond which nobody looks


class SuiteSight(NamedTuple):
    """What there is to know of a suite to tell which drops it sees."""

    cases: int
    rate: float
    """Mean pass rate over cases, 0 to 1."""
    able: float
    """Share of the cases with a trial that passed: those that can fall, 0 to 1."""
    within: float
    """Mean of p(1-p) over cases."""
    sampling: float
    """Variance of one arm's rate from its trials alone."""
    inverse_trials: float
    """Mean over cases of 1/trials; a share of the drop's own variance is taken by it."""


def suite_sight(cases_n_c: Counts) -> SuiteSight | None:
    """Give what a run's counts tell of the suite.

    Args:
        cases_n_c: One (measured trials, passed trials) a case; those without any are left out.

    Returns:
        None with fewer than two measured cases, or where no case has two trials: then nothing tells
        how much a case disagrees with itself.

    Raises:
        ValueError: A case's passes lie outside 0 to its trials.

    >>> sight = suite_sight([(5, 5), (5, 4), (5, 0)])
    >>> round(sight.rate, 3), round(sight.able, 3), round(sight.within, 4)
    (0.6, 0.667, 0.0667)
    """
    within, sampling = within_variance(cases_n_c), sampling_variance(cases_n_c)
    known = [(n, c) for n, c in cases_n_c if n]
    if within is None or sampling is None or len(known) < 2:
        return None
    size = len(known)
    return SuiteSight(
        cases=size,
        rate=math.fsum(c / n for n, c in known) / size,
        able=sum(c > 0 for _, c in known) / size,
        within=within,
        sampling=sampling,
        inverse_trials=math.fsum(1 / n for n, _ in known) / size,
    )


def resized_sight(sight: SuiteSight, cases: int, k: int) -> SuiteSight:
    """Give the sight of a suite like this one with other numbers of cases and trials.

    Raises:
        ValueError: `cases` or `k` is below 1.

    >>> sight = suite_sight([(5, 5), (5, 4), (5, 0)])
    >>> round(resized_sight(sight, 60, 10).sampling, 6)
    0.000111
    """
    need_within("cases", cases, 1)
    need_within("k", k, 1)
    return sight._replace(cases=cases, sampling=sight.within / k / cases, inverse_trials=1 / k)


def smallest_drop(
    sight: SuiteSight, alpha: float = 0.05, power: float = 0.8, tau2: float = 0.0
) -> float | None:
    """Give the smallest drop of the pass rate that a paired comparison sees with the wanted power.

    Source: as `mde_paired`, drop = (t(alpha) + t(power)) SE on cases - 1 degrees, where the worse
    arm has the variance that the drop gives it: with the share q of cases able to fall, each by
    drop/q, p(1-p) grows by drop (2 rate/q - 1) - drop^2/q and the drops of cases differ by
    drop^2 (1-q)/q. A quadratic, solved for the drop.

    Args:
        sight: Of the suite; the same cases and trials in both arms.
        alpha: The chance of a false alarm, one-sided.
        power: The chance of seeing the drop.
        tau2: What a run's day adds to the variance of either arm: `between_run_variance`.

    Returns:
        A share, 0.05 for five points; None where even a fall to nothing may go unseen.

    Raises:
        ValueError: Not 0 < alpha < power < 1, or `tau2` is below 0.

    >>> sight = SuiteSight(300, 0.77, 1.0, 0.092, 0.092 / 5 / 300, 1 / 5)
    >>> round(smallest_drop(sight), 4)
    0.0287
    """
    _need_chances(alpha, power)
    need_within("tau2", tau2, 0)
    if sight.cases < 2 or not sight.rate > 0:
        return None
    df = sight.cases - 1
    reach = (_t_point(alpha, df) + _t_point(1 - power, df)) ** 2
    share, uneven = sight.inverse_trials / sight.cases, (1 - sight.able) / sight.able / sight.cases
    square = 1 + reach * (share / sight.able - uneven)
    if square <= 0:
        return None
    line = reach * share * (2 * sight.rate / sight.able - 1)
    rest = 2 * reach * (sight.sampling + tau2)
    drop = (line + math.sqrt(line * line + 4 * square * rest)) / (2 * square)
    return drop if 0 < drop <= sight.rate else None


def power_for_drop(
    sight: SuiteSight, drop: float, alpha: float = 0.05, tau2: float = 0.0
) -> float | None:
    """Give the chance that a paired comparison sees a drop.

    Source: the model of `smallest_drop`; Student's t, shifted by drop/SE.

    Args:
        sight: Of the suite; the same cases and trials in both arms.
        drop: A share above 0.
        alpha: The chance of a false alarm, one-sided.
        tau2: What a run's day adds to the variance of either arm.

    Returns:
        0 to 1; None where the suite's rate cannot fall that far, or there is one case.

    Raises:
        ValueError: `drop` does not lie between 0 and 1, nor `alpha`, or `tau2` is below 0.

    >>> sight = SuiteSight(300, 0.77, 1.0, 0.092, 0.092 / 5 / 300, 1 / 5)
    >>> round(power_for_drop(sight, 0.0287), 2), round(power_for_drop(sight, 0.02), 2)
    (0.8, 0.54)
    """
    need_between("drop", drop, 0, 1)
    need_between("alpha", alpha, 0, 1)
    need_within("tau2", tau2, 0)
    if sight.cases < 2 or drop > sight.rate:
        return None
    each = drop / sight.able
    grown = drop * (2 * sight.rate / sight.able - 1) - drop * each
    uneven = drop * each * (1 - sight.able)
    variance = 2 * (sight.sampling + tau2)
    variance += (grown * sight.inverse_trials + uneven) / sight.cases
    if variance <= 0:
        return 1.0
    df = sight.cases - 1
    return 1 - t_above(drop / math.sqrt(variance) - _t_point(alpha, df), df)


def cases_for_drop(
    sight: SuiteSight, k: int, drop: float, alpha: float = 0.05, power: float = 0.8
) -> int | None:
    """Give the cases like these, with k trials each in both arms, that see a drop.

    Source: `smallest_drop`, searched by halving.

    Returns:
        None where the suite's rate cannot fall that far, or ten million cases are too few.

    Raises:
        ValueError: `k` is below 1, `drop` does not lie between 0 and 1, or not
            0 < alpha < power < 1.

    >>> sight = SuiteSight(300, 0.77, 1.0, 0.092, 0.092 / 5 / 300, 1 / 5)
    >>> cases_for_drop(sight, 5, 0.05), cases_for_drop(sight, 1, 0.05)
    (105, 518)
    """
    need_between("drop", drop, 0, 1)
    _need_chances(alpha, power)
    if drop > sight.rate:
        return None

    def sees(cases: int) -> bool:
        found = smallest_drop(resized_sight(sight, cases, k), alpha, power)
        return found is not None and found <= drop

    high = 2
    while not sees(high):
        high *= 2
        if high > _MOST:
            return None
    low = high // 2  # too few, or 1, which is never enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sees(middle) else (middle, high)
    return high


def trials_for_drop(
    sight: SuiteSight, drop: float, alpha: float = 0.05, power: float = 0.8
) -> int | None:
    """Give the trials a case, in both arms, with which the cases at hand see a drop.

    Source: `smallest_drop`, searched by halving.

    Returns:
        None where no number of trials is enough and more cases are needed.

    Raises:
        ValueError: `drop` does not lie between 0 and 1, or not 0 < alpha < power < 1.

    >>> sight = SuiteSight(60, 0.77, 1.0, 0.092, 0.092 / 5 / 60, 1 / 5)
    >>> trials_for_drop(sight, 0.05)
    9
    """
    need_between("drop", drop, 0, 1)
    _need_chances(alpha, power)

    def sees(k: int) -> bool:
        found = smallest_drop(resized_sight(sight, sight.cases, k), alpha, power)
        return found is not None and found <= drop

    if sees(1):
        return 1
    if sight.cases < 2 or drop > sight.rate or not sees(_MOST):
        return None
    low, high = 1, _MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sees(middle) else (middle, high)
    return high


def _need_chances(alpha: float, power: float) -> None:
    """Refuse chances that make no plan.

    Raises:
        ValueError: Not 0 < alpha < power < 1.
    """
    need_between("alpha", alpha, 0, 1)
    need_between("power", power, alpha, 1)


def _t_point(tail: float, df: int) -> float:
    return t_quantile(tail, df) if tail <= 0.5 else -t_quantile(1 - tail, df)
