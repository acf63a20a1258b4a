"""The same cases in both arms: is the candidate worse? The case is the unit."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from random import Random  # noqa: TID251 - for a type; the caller seeds it
from typing import TypedDict

from fairtrial.stats.grid import count_subsets, on_grid
from fairtrial.stats.inputs import need_between, need_numbers, need_pairs, need_within
from fairtrial.stats.proportions import standard_error
from fairtrial.stats.special import normal_quantile, t_quantile
from fairtrial.stats.student import normal_above, t_above
from fairtrial.stats.tails import binomial_at_most

_ROUNDING = 1e-12  # differences less than this share of the values come from rounding alone
_BITS = 10_000_000_000  # of whole numbers to add up: beyond it an exact count takes too long
_HALVED = 36  # differences off any grid that can be counted exactly, as two halves


class PairedDifference(TypedDict):
    """What `paired_difference` gives."""

    delta: float
    se: float
    t: float | None
    df: int
    p_two_sided: float | None
    p_candidate_worse: float | None
    ci95_t: tuple[float, float]
    ci95_z: tuple[float, float]
    se_unpaired: float
    corr: float | None


class DriftingDifference(TypedDict):
    """What `difference_across_days` gives."""

    se: float
    t: float | None
    p_candidate_worse: float | None
    lower: float
    upper: float


class SignFlips(TypedDict):
    """What the sign-flip permutation tests give."""

    p_candidate_worse: float
    p_two_sided: float


class McNemar(TypedDict):
    """What `mcnemar` gives."""

    p_exact_two_sided: float
    p_exact_candidate_worse: float
    p_mid_two_sided: float
    chi2_corrected: float | None
    p_chi2_corrected: float | None


def paired_difference(baseline: Sequence[float], candidate: Sequence[float]) -> PairedDifference:
    """Compare two arms case by case: the mean difference, its error, and Student's t.

    Source: Student (1908), on the differences, N - 1 degrees of freedom; Miller (2024),
    arXiv:2411.00640. `ci95_z` and `se_unpaired` are there to compare with, not to decide by.

    Args:
        baseline: One rate or score a case.
        candidate: The same cases in the same order.

    Returns:
        The candidate minus the baseline. Where all differences are equal the error is 0 and `t`
        None; the chances are None too where they are all 0, which says nothing either way. `corr`
        is None where an arm is constant.

    Raises:
        ValueError: The arms differ in length, have fewer than two cases, or hold no number.

    >>> fall = paired_difference([1.0, 0.8, 0.6, 1.0], [0.8, 0.8, 0.2, 0.6])
    >>> round(fall["delta"], 3), round(fall["p_candidate_worse"], 4)
    (-0.25, 0.0398)
    """
    differences = _differences(baseline, candidate)
    size = len(differences)
    if size < 2:
        raise ValueError(f"a paired test needs two cases, got {size}")
    delta = math.fsum(differences) / size
    error = standard_error(differences)
    if error <= _ROUNDING * _scale(baseline, candidate):
        error = 0.0
    base_error, cand_error = standard_error(baseline), standard_error(candidate)
    t, two_sided, worse = _student(delta, error, size - 1)
    half_t, half_z = t_quantile(0.025, size - 1) * error, normal_quantile(0.025) * error
    return PairedDifference(
        delta=delta,
        se=error,
        t=t,
        df=size - 1,
        p_two_sided=two_sided,
        p_candidate_worse=worse,
        ci95_t=(delta - half_t, delta + half_t),
        ci95_z=(delta - half_z, delta + half_z),
        se_unpaired=math.hypot(base_error, cand_error),
        corr=_correlation(baseline, candidate),
    )


def difference_across_days(
    delta: float, se: float, df: int, tau2: float, alpha: float = 0.05
) -> DriftingDifference:
    """Test a paired difference whose arms ran on different days, or bound it at another alpha.

    Source: the error of the difference between two runs is sqrt(se^2 + 2 tau2), for each run has
    its own day; `tau2` is from `between_run_variance`. With a `tau2` of 0 it is the paired test.

    Args:
        delta: The mean difference, candidate minus baseline.
        se: Its paired standard error.
        df: The degrees of freedom, cases - 1.
        tau2: The variance between runs on different days, in the rates' unit squared.
        alpha: The chance of a miss of each of the two bounds, one-sided.

    Returns:
        The whole error, t and its one-sided chance (None as in `paired_difference`), and the
        bounds that the true difference is at least and at most.

    Raises:
        ValueError: `se` or `tau2` is below 0, `df` below 1, or `alpha` not between 0 and 1/2.

    >>> fall = difference_across_days(-0.03, 0.01, 299, tau2=0.0002)
    >>> round(fall["se"], 4), round(fall["p_candidate_worse"], 4)
    (0.0224, 0.0904)
    """
    need_numbers("delta, se, df and tau2", (delta, se, df, tau2))
    need_within("se", se, 0)
    need_within("df", df, 1)
    need_within("tau2", tau2, 0)
    need_between("alpha", alpha, 0, 0.5)
    error = math.sqrt(se * se + 2 * tau2)
    t, _, worse = _student(delta, error, df)
    half = t_quantile(alpha, df) * error
    return DriftingDifference(
        se=error, t=t, p_candidate_worse=worse, lower=delta - half, upper=delta + half
    )


def sign_flip_permutation_exact(baseline: Sequence[float], candidate: Sequence[float]) -> SignFlips:
    """Test the mean difference against all ways in which the cases could have changed sides.

    Source: Fisher (1935): under no change each difference has either sign with chance 1/2. All
    2^N ways are counted, in whole numbers where the differences are multiples of a unit (as those
    of pass rates are), else as two halves; sums equal up to rounding count as equal.

    Returns:
        The chances of a sum as low as this one, and of one as far from 0.

    Raises:
        ValueError: The arms differ in length, are empty or hold no number; or the differences are
            too many to count, which more than 36 that share no unit are: then use
            `sign_flip_permutation`.

    >>> sign_flip_permutation_exact([1.0, 0.8, 0.6, 1.0], [0.8, 0.8, 0.2, 0.6])
    {'p_candidate_worse': 0.125, 'p_two_sided': 0.25}
    """
    differences = [value for value in _differences(baseline, candidate) if value]
    if not differences:
        return SignFlips(p_candidate_worse=1.0, p_two_sided=1.0)
    counted = _on_units(differences)
    if counted is None:
        if len(differences) > _HALVED:
            raise ValueError(
                f"{len(differences)} such differences are too many to count exactly;"
                " use sign_flip_permutation"
            )
        counted = _in_halves(differences)
    worse, better = counted
    ways = 2 ** len(differences)
    return SignFlips(
        p_candidate_worse=worse / ways, p_two_sided=min(1.0, 2 * min(worse, better) / ways)
    )


def sign_flip_permutation(
    baseline: Sequence[float], candidate: Sequence[float], *, draw: Random, draws: int = 10_000
) -> SignFlips:
    """Test as `sign_flip_permutation_exact` does, on random ways: for many uneven differences.

    Source: Phipson and Smyth (2010): (1 + as extreme ones) / (1 + draws), so never 0.

    Args:
        baseline: One rate or score a case.
        candidate: The same cases in the same order.
        draw: A seeded source; the same seed gives the same chances.
        draws: How many random ways.

    Raises:
        ValueError: The arms differ in length, are empty or hold no number, or `draws` is below 1.

    >>> flips = sign_flip_permutation([1.0] * 9, [0.5] * 9, draw=Random(1), draws=999)
    >>> flips["p_candidate_worse"] < 0.02
    True
    """
    need_within("draws", draws, 1)
    differences = [value for value in _differences(baseline, candidate) if value]
    sizes = [abs(value) for value in differences]
    whole = math.fsum(sizes)
    seen = math.fsum(differences)
    near = _ROUNDING * whole
    low = far = 0
    for _ in range(draws):
        signs = draw.getrandbits(len(sizes) + 1)
        kept = sum(size for at, size in enumerate(sizes) if signs >> at & 1)
        total = 2 * kept - whole
        low += total <= seen + near
        far += abs(total) >= abs(seen) - near
    return SignFlips(p_candidate_worse=(1 + low) / (1 + draws), p_two_sided=(1 + far) / (1 + draws))


def mcnemar(
    base_pass_cand_fail: int, base_fail_cand_pass: int, both_pass: int, both_fail: int
) -> McNemar:
    """Test whether more cases fell than rose, from a verdict a case in each arm.

    Source: McNemar (1947); exact: the fallen are Bin(fallen + risen, 1/2). Mid-p takes half of the
    count seen off (Fagerland, Lydersen and Laake 2013). The chi-square with Edwards' correction,
    (|fallen - risen| - 1)^2 / (fallen + risen), is for comparing: use the exact ones.

    Returns:
        Chances, 0 to 1; the chi-square and its own are None where no case changed.

    Raises:
        ValueError: A count is below 0.

    >>> round(mcnemar(8, 1, 30, 11)["p_exact_candidate_worse"], 6)
    0.019531
    """
    fallen, risen = base_pass_cand_fail, base_fail_cand_pass
    need_within("base_pass_cand_fail", fallen, 0)
    need_within("base_fail_cand_pass", risen, 0)
    need_within("both_pass", both_pass, 0)
    need_within("both_fail", both_fail, 0)
    changed, fewer = fallen + risen, min(fallen, risen)
    tail = binomial_at_most(fewer, changed, 0.5)
    log_ways = math.lgamma(changed + 1) - math.lgamma(fewer + 1) - math.lgamma(changed - fewer + 1)
    own = math.exp(log_ways - changed * math.log(2))
    chi2 = (abs(fallen - risen) - 1) ** 2 / changed if changed else None
    return McNemar(
        p_exact_two_sided=min(1.0, 2 * tail),
        p_exact_candidate_worse=binomial_at_most(risen, changed, 0.5),
        p_mid_two_sided=1.0 if fallen == risen else min(1.0, max(0.0, 2 * tail - own)),
        chi2_corrected=chi2,
        p_chi2_corrected=None if chi2 is None else 2 * normal_above(math.sqrt(chi2)),
    )


def _differences(baseline: Sequence[float], candidate: Sequence[float]) -> list[float]:
    need_pairs(baseline=baseline, candidate=candidate)
    need_numbers("baseline", baseline)
    need_numbers("candidate", candidate)
    return [
        0.0 if abs(cand - base) <= _ROUNDING * max(abs(cand), abs(base)) else cand - base
        for base, cand in zip(baseline, candidate, strict=True)
    ]


def _scale(*arms: Sequence[float]) -> float:
    return max(abs(value) for arm in arms for value in arm)


def _student(
    delta: float, error: float, df: float
) -> tuple[float | None, float | None, float | None]:
    """Give t and its chances, two-sided and of the candidate being no worse."""
    if error > 0:
        t = delta / error
        return t, 2 * t_above(abs(t), df), t_above(-t, df)
    if delta == 0:
        return None, None, None
    return None, 0.0, 0.0 if delta < 0 else 1.0


def _correlation(baseline: Sequence[float], candidate: Sequence[float]) -> float | None:
    size = len(baseline)
    base_mean, cand_mean = math.fsum(baseline) / size, math.fsum(candidate) / size
    base = [value - base_mean for value in baseline]
    cand = [value - cand_mean for value in candidate]
    base_norm, cand_norm = math.hypot(*base), math.hypot(*cand)
    near = _ROUNDING * _scale(baseline, candidate)
    if base_norm <= near or cand_norm <= near:
        return None
    product = math.fsum(x * y for x, y in zip(base, cand, strict=True))
    return max(-1.0, min(1.0, product / base_norm / cand_norm))


def _on_units(differences: list[float]) -> tuple[int, int] | None:
    """Count the ways with a sum at most, and at least, the one seen; None off any grid."""
    grid = on_grid(differences)
    if grid is None:
        return None
    sizes = [abs(count) for count in grid.counts]
    width = len(sizes) // 8 + 1
    if sum(sizes) * width * 8 * len(sizes) > _BITS:
        return None
    ways = count_subsets(sizes, width)
    risen = sum(count for count in grid.counts if count > 0)
    return sum(ways[: risen + 1]), sum(ways[risen:])


def _in_halves(differences: list[float]) -> tuple[int, int]:
    """Count as `_on_units` does, from the sorted sums of the one half and of the other."""
    sizes = [abs(value) for value in differences]
    risen = math.fsum(value for value in differences if value > 0)
    near = _ROUNDING * math.fsum(sizes)
    middle = len(sizes) // 2
    one, other = (_subset_sums(half) for half in (sizes[:middle], sizes[middle:]))
    other.sort()
    at_most = sum(bisect_right(other, risen + near - value) for value in one)
    below = sum(bisect_right(other, risen - near - value) for value in one)
    return at_most, len(one) * len(other) - below


def _subset_sums(sizes: list[float]) -> list[float]:
    sums = [0.0]
    for size in sizes:
        sums += [value + size for value in sums]
    return sums
