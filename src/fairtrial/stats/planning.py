"""How many cases and trials a wanted difference needs, and what those at hand could show."""

import math
from collections.abc import Sequence
from typing import TypeAlias, TypedDict

from fairtrial.stats.inputs import need_between, need_pairs, need_within
from fairtrial.stats.proportions import standard_error
from fairtrial.stats.student import normal_point

Counts: TypeAlias = Sequence[tuple[int, int]]
"""One (measured trials, passed trials) a case."""

_WHOLE = 1e-9  # a number of cases this little above a whole one is that one, but for rounding


class SingleMean(TypedDict):
    """What `se_single_mean` gives."""

    se: float
    icc: float | None
    design_effect: float | None
    se_if_trials_treated_iid: float


# A key with a dot cannot be written in a class.
_Needed = TypedDict("_Needed", {"cases_needed_for_0.03": int})


class MinimumDifference(_Needed):
    """What `mde_paired` gives."""

    mde: float
    se: float


def se_single_mean(cases: int, k: int, between_var: float, within_var: float) -> SingleMean:
    """Give the standard error of a pass rate over cases with k trials each.

    Source: Var = (between + within/k)/cases; ICC = between/(between + within); design effect
    1 + (k-1) ICC, which is what counting trials as independent leaves out.

    Args:
        cases: How many.
        k: Trials a case.
        between_var: The variance of the cases' true rates.
        within_var: The mean of p(1-p) over cases.

    Returns:
        In the rate's unit. ICC and design effect are None where both variances are 0.

    Raises:
        ValueError: `cases` or `k` is below 1, or a variance below 0.

    >>> planned = se_single_mean(300, 3, 0.05, 0.06)
    >>> round(planned["se"], 4), round(planned["design_effect"], 3)
    (0.0153, 1.909)
    """
    need_within("cases", cases, 1)
    need_within("k", k, 1)
    need_within("between_var", between_var, 0)
    need_within("within_var", within_var, 0)
    whole = between_var + within_var
    icc = between_var / whole if whole > 0 else None
    return SingleMean(
        se=math.sqrt((between_var + within_var / k) / cases),
        icc=icc,
        design_effect=None if icc is None else 1 + (k - 1) * icc,
        se_if_trials_treated_iid=math.sqrt(whole / (cases * k)),
    )


def mde_paired(  # noqa: PLR0913 - the whole plan of a comparison
    cases: int,
    k_base: int,
    k_cand: int,
    var_true_diff: float,
    within_var_base: float,
    within_var_cand: float,
    alpha: float = 0.05,
    power: float = 0.8,
    *,
    two_sided: bool = False,
) -> MinimumDifference:
    """Give the smallest difference that a paired comparison sees with the wanted power.

    Source: Miller (2024), arXiv:2411.00640: (z(alpha) + z(power)) SE, with SE^2 = (variance of the
    true differences + within/k of either arm)/cases. The simulated power is .03 to .1 less under
    300 cases: plan for .85 to .9.

    Args:
        cases: Cases in both arms.
        k_base: The baseline's trials a case.
        k_cand: The candidate's.
        var_true_diff: The variance of the cases' true differences: `true_difference_variance`.
        within_var_base: The mean of p(1-p) over cases: `within_variance`.
        within_var_cand: The same of the candidate; of the baseline's where it is not known.
        alpha: The chance of a false alarm.
        power: The chance of seeing the difference.
        two_sided: Whether a rise is looked for as well; alpha is then shared.

    Returns:
        In the rate's unit (0.03 is three points); the error, and the cases that a difference of
        0.03 would need.

    Raises:
        ValueError: A count is below 1, a variance below 0, or not 0 < alpha < power < 1.

    >>> plan = mde_paired(300, 5, 5, 0.005, 0.06, 0.06, alpha=0.02)
    >>> round(plan["mde"], 4), plan["cases_needed_for_0.03"]
    (0.0285, 271)
    """
    need_within("cases", cases, 1)
    need_within("k_base", k_base, 1)
    need_within("k_cand", k_cand, 1)
    need_within("var_true_diff", var_true_diff, 0)
    need_within("within_var_base", within_var_base, 0)
    need_within("within_var_cand", within_var_cand, 0)
    variance = var_true_diff + within_var_base / k_base + within_var_cand / k_cand
    error = math.sqrt(variance / cases)
    return {
        "mde": _reach(alpha, power, two_sided=two_sided) * error,
        "se": error,
        "cases_needed_for_0.03": cases_needed(0.03, variance, alpha, power, two_sided=two_sided),
    }


def cases_needed(
    difference: float,
    variance: float,
    alpha: float = 0.05,
    power: float = 0.8,
    *,
    two_sided: bool = False,
) -> int:
    """Give the cases with which a paired comparison sees a difference with the wanted power.

    Source: as `mde_paired`, solved for the cases.

    Args:
        difference: In the rate's unit, above 0.
        variance: Of a case's measured difference: of the true ones + within/k of either arm.
        alpha: The chance of a false alarm.
        power: The chance of seeing the difference.
        two_sided: Whether a rise is looked for as well.

    Raises:
        ValueError: `difference` is not above 0, `variance` below 0, or not 0 < alpha < power < 1.

    >>> cases_needed(0.03, 0.01 + 0.092 / 5 + 0.092 / 5)
    322
    """
    if not 0 < difference < math.inf:
        raise ValueError(f"difference must lie above 0, got {difference!r}")
    need_within("variance", variance, 0)
    reach = _reach(alpha, power, two_sided=two_sided)
    return max(1, math.ceil((reach / difference) ** 2 * variance - _WHOLE))


def trials_needed(
    difference: float,
    cases: int,
    var_true_diff: float,
    within_var: float,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int | None:
    """Give the trials a case, in either arm, with which the cases at hand show a difference.

    Source: as `mde_paired`, one-sided, solved for k in both arms.

    Args:
        difference: In the rate's unit, above 0.
        cases: Cases in both arms.
        var_true_diff: The variance of the cases' true differences.
        within_var: The mean of p(1-p) over cases, taken to be the same in both arms.
        alpha: The chance of a false alarm.
        power: The chance of seeing the difference.

    Returns:
        Trials a case; None where no number of trials is enough and more cases are needed.

    Raises:
        ValueError: `difference` is not above 0, `cases` below 1, a variance below 0, or not
            0 < alpha < power < 1.

    >>> trials_needed(0.03, 300, 0.005, 0.09), trials_needed(0.03, 20, 0.005, 0.09)
    (5, None)
    """
    if not 0 < difference < math.inf:
        raise ValueError(f"difference must lie above 0, got {difference!r}")
    need_within("cases", cases, 1)
    need_within("var_true_diff", var_true_diff, 0)
    need_within("within_var", within_var, 0)
    room = cases * (difference / _reach(alpha, power, two_sided=False)) ** 2 - var_true_diff
    return max(1, math.ceil(2 * within_var / room - _WHOLE)) if room > 0 else None


def within_variance(cases_n_c: Counts) -> float | None:
    """Estimate the mean of p(1-p) over cases: how much a case disagrees with itself.

    Source: the mean of c(n-c)/(n(n-1)) over the cases with two or more trials, unbiased.

    Returns:
        0 to 1/2; None where no case has two trials.

    Raises:
        ValueError: A case's passes lie outside 0 to its trials.

    >>> within_variance([(5, 5), (5, 4), (1, 1)])
    0.1
    """
    _check(cases_n_c)
    known = [c * (n - c) / (n * (n - 1)) for n, c in cases_n_c if n > 1]
    return math.fsum(known) / len(known) if known else None


def sampling_variance(cases_n_c: Counts) -> float | None:
    """Estimate the variance that a run's pass rate over these cases has from its trials alone.

    Source: the sum over cases of s^2/n, over cases squared, s^2 = c(n-c)/(n(n-1)); a case with one
    trial takes the mean s^2 of the others. One run of 300 cases with 5 trials tells it to 3 %.

    Returns:
        In the rate's unit squared; None where no case has two trials.

    Raises:
        ValueError: A case's passes lie outside 0 to its trials.

    >>> round(sampling_variance([(5, 5), (5, 4), (5, 2)]) ** 0.5, 4)
    0.1054
    """
    typical = within_variance(cases_n_c)
    if typical is None:
        return None
    measured = [(n, c) for n, c in cases_n_c if n]
    parts = [c * (n - c) / (n * (n - 1)) / n if n > 1 else typical for n, c in measured]
    return math.fsum(parts) / len(measured) ** 2


def true_difference_variance(baseline_n_c: Counts, candidate_n_c: Counts) -> float | None:
    """Estimate how much the cases' true differences vary: what more trials do not take away.

    Source: the variance of the measured differences minus what either arm's trials add to it,
    floored at 0; over the cases with two or more trials on both sides.

    Args:
        baseline_n_c: One (measured trials, passed trials) a case.
        candidate_n_c: The same cases in the same order.

    Returns:
        In the rate's unit squared; None with fewer than two such cases.

    Raises:
        ValueError: The arms differ in length or are empty, or passes lie outside 0 to the trials.

    >>> true_difference_variance([(9, 9), (9, 9), (9, 0)], [(9, 0), (9, 9), (9, 9)])
    1.0
    """
    need_pairs(baseline_n_c=baseline_n_c, candidate_n_c=candidate_n_c)
    _check(baseline_n_c)
    _check(candidate_n_c)
    pairs = zip(baseline_n_c, candidate_n_c, strict=True)
    both = [(base, cand) for base, cand in pairs if base[0] > 1 and cand[0] > 1]
    if len(both) < 2:
        return None
    differences = [c / n - base_c / base_n for (base_n, base_c), (n, c) in both]
    noise = [c * (n - c) / (n * (n - 1)) / n for pair in both for n, c in pair]
    whole = standard_error(differences) ** 2 * len(both)
    return max(0.0, whole - math.fsum(noise) / len(both))


def _check(cases_n_c: Counts) -> None:
    for at, (n, c) in enumerate(cases_n_c):
        need_within(f"the trials of case {at}", n, 0)
        need_within(f"the passes of case {at}", c, 0, n)


def _reach(alpha: float, power: float, *, two_sided: bool) -> float:
    """Give how many standard errors a difference must be to be seen.

    Raises:
        ValueError: Not 0 < alpha < power < 1.
    """
    need_between("alpha", alpha, 0, 1)
    need_between("power", power, 0, 1)
    reach = normal_point(alpha / 2 if two_sided else alpha) + normal_point(1 - power)
    if reach <= 0:
        raise ValueError(f"power must be more than alpha={alpha!r}, got {power!r}")
    return reach
