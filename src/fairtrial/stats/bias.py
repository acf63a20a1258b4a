"""What sways a judge besides the answer: its place, its length, its author, and plain chance."""

import math
from collections.abc import Sequence
from typing import TypedDict

from fairtrial.stats.inputs import need_numbers, need_pairs, need_within, need_zeros_and_ones
from fairtrial.stats.likelihood import Slopes, maximise, standard_errors
from fairtrial.stats.proportions import wilson
from fairtrial.stats.tails import binomial_at_most


class PositionFlipRate(TypedDict):
    """What `position_flip_rate` gives."""

    rate: float
    wilson95: tuple[float, float]


class PositionBiasDirection(TypedDict):
    """What `position_bias_direction` gives."""

    first_share_of_inconsistent: float | None
    p_exact_two_sided: float
    net_bias: float
    net_bias_se: float


class LengthBias(TypedDict):
    """What `length_bias_logit` gives."""

    intercept: float | None
    beta_length: float | None
    beta_human: float | None
    se: tuple[float, float, float] | None
    p_length: float | None


class FamilyVerdicts(TypedDict):
    """How a judge and people found one model family's answers: what `self_preference` takes."""

    judge_pass: int
    human_pass: int
    both_pass: int
    n: int


class SelfPreference(TypedDict):
    """What `self_preference` gives."""

    excess_own: float
    excess_other: float
    difference_in_differences: float
    se: float


class JudgeTestRetest(TypedDict):
    """What `judge_test_retest` gives."""

    flip_rate: float
    wilson95: tuple[float, float]
    per_call_noise_if_symmetric: float | None


def position_flip_rate(
    inconsistent_pairs: int, n_pairs: int, alpha: float = 0.05
) -> PositionFlipRate:
    """Say how often the verdict on two answers changes when they change places.

    Source: Shi et al. (2024), arXiv:2406.07791 (position consistency); interval by Wilson.

    Args:
        inconsistent_pairs: Pairs whose verdict changed with the order.
        n_pairs: Pairs judged in both orders, at least 1.
        alpha: The chance of a miss that is put up with; 0.05 gives 95 %.

    Returns:
        The rate, 0 to 1, and its interval.

    Raises:
        ValueError: A count lies outside its range, or `alpha` outside 0 to 1.

    >>> position_flip_rate(6, 40)["rate"]
    0.15
    """
    need_within("n_pairs", n_pairs, 1)
    need_within("inconsistent_pairs", inconsistent_pairs, 0, n_pairs)
    return PositionFlipRate(
        rate=inconsistent_pairs / n_pairs, wilson95=wilson(inconsistent_pairs, n_pairs, alpha)
    )


def position_bias_direction(
    inconsistent_first_both_times: int, inconsistent_second_both_times: int, n_pairs: int
) -> PositionBiasDirection:
    """Say whether the verdicts that change with the order favour one place.

    Source: the exact binomial test at one half; net bias (first - second)/n with the standard
    error of a mean of -1, 0 and 1 (variance over n).

    Args:
        inconsistent_first_both_times: Pairs whose first answer won in either order.
        inconsistent_second_both_times: Pairs whose second answer won in either order.
        n_pairs: Pairs judged in both orders, at least 1.

    Returns:
        The share that favours the first place (None where no verdict changed), the two-sided
        chance of so uneven a split, and the net bias, -1 to 1, with its standard error.

    Raises:
        ValueError: A count is below 0, or they exceed the pairs.

    >>> bias = position_bias_direction(6, 0, 30)
    >>> round(bias["p_exact_two_sided"], 4), bias["net_bias"]
    (0.0313, 0.2)
    """
    first, second = inconsistent_first_both_times, inconsistent_second_both_times
    need_within("n_pairs", n_pairs, 1)
    need_within("inconsistent_first_both_times", first, 0, n_pairs)
    need_within("inconsistent_second_both_times", second, 0, n_pairs - first)
    changed = first + second
    return PositionBiasDirection(
        first_share_of_inconsistent=first / changed if changed else None,
        p_exact_two_sided=min(1.0, 2 * binomial_at_most(min(first, second), changed, 0.5)),
        net_bias=(first - second) / n_pairs,
        net_bias_se=_paired_error(first, second, n_pairs),
    )


def length_bias_logit(
    log_length_ratio: Sequence[float],
    human_preference: Sequence[float],
    judge_prefers_A: Sequence[float],  # noqa: N803 - A and B are how the two answers are called
) -> LengthBias:
    """Say how far a judge prefers the longer answer, people's preference held fixed.

    Source: logistic regression, logit P(A) = b0 + b1 log(len A/len B) + b2 human, by maximum
    likelihood; standard errors from the information, p by Wald.

    Args:
        log_length_ratio: log(length of A / length of B), one a pair.
        human_preference: What people said, 1 for A, -1 for B, 0 for neither.
        judge_prefers_A: 1 where the judge preferred A, else 0.

    Returns:
        b0 (the bias for the place, where A always came first), b1 (the bias for length) and b2,
        all in logits, their standard errors in this order, and the two-sided chance of such a b1
        without a bias. None where the pairs do not tell: too few, a column without variety, or
        verdicts that the columns foretell without fail.

    Raises:
        ValueError: The lists are empty or of different lengths, a verdict is neither 0 nor 1, or
            a value is no number.

    >>> bias = length_bias_logit([1, -1, 2, -2, 1, -1], [0, 1, 1, 0, -1, -1], [1, 0, 1, 0, 0, 1])
    >>> round(bias["beta_length"], 3)
    0.766
    """
    need_pairs(
        log_length_ratio=log_length_ratio,
        human_preference=human_preference,
        judge_prefers_A=judge_prefers_A,
    )
    need_numbers("log_length_ratio", log_length_ratio)
    need_numbers("human_preference", human_preference)
    need_zeros_and_ones("judge_prefers_A", judge_prefers_A)
    # Columns of size 1, so that a step's length means the same in each.
    units = [max(map(abs, column)) or 1.0 for column in (log_length_ratio, human_preference)]
    rows = [
        (length / units[0], preferred / units[1], float(judged))
        for length, preferred, judged in zip(
            log_length_ratio, human_preference, judge_prefers_A, strict=True
        )
    ]
    top = maximise([0.0, 0.0, 0.0], lambda point: _logit_slopes(rows, point))
    errors = top and standard_errors(top.information)
    if top is None or errors is None:
        return LengthBias(intercept=None, beta_length=None, beta_human=None, se=None, p_length=None)
    point = top.point
    return LengthBias(
        intercept=point[0],
        beta_length=point[1] / units[0],
        beta_human=point[2] / units[1],
        se=(errors[0], errors[1] / units[0], errors[2] / units[1]),
        p_length=math.erfc(abs(point[1] / errors[1]) / math.sqrt(2)),
    )


def _logit_slopes(rows: Sequence[tuple[float, float, float]], point: Sequence[float]) -> Slopes:
    """Compute the log-likelihood of a logistic regression on two columns, in one pass."""
    intercept, by_length, by_human = point
    value = g0 = g1 = g2 = i00 = i01 = i02 = i11 = i12 = i22 = 0.0
    for length, human, judged in rows:
        logit = intercept + by_length * length + by_human * human
        small = math.exp(-abs(logit))
        likely = 1 / (1 + small)  # the chance of the likelier verdict
        agrees = (logit > 0) == (judged > 0)
        value -= math.log1p(small) if agrees else math.log1p(small) + abs(logit)
        weight = small * likely * likely
        gap = small * likely if agrees else likely  # not 1 - likely, which ends at 0
        if not judged:
            gap = -gap
        g0 += gap
        g1 += gap * length
        g2 += gap * human
        i00 += weight
        i01 += weight * length
        i02 += weight * human
        i11 += weight * length * length
        i12 += weight * length * human
        i22 += weight * human * human
    information = [[i00, i01, i02], [i01, i11, i12], [i02, i12, i22]]
    return Slopes(value, [g0, g1, g2], information)


def self_preference(own_family: FamilyVerdicts, other_family: FamilyVerdicts) -> SelfPreference:
    """Say how much more lenient a judge is to answers of its own model family than to others.

    Leniency is the judge's rate minus people's on the same answers: win rates alone would hold
    it against a judge that its own family is really better.

    Source: difference in differences of paired rates; variances over n.

    Args:
        own_family: Passes of the judge, of people, and of both, among n answers of its family.
        other_family: The same for answers of other families.

    Returns:
        The two leniencies, their difference, -2 to 2, and its standard error.

    Raises:
        ValueError: A family has no answer, or its counts contradict each other.

    >>> own = {"judge_pass": 9, "human_pass": 7, "both_pass": 7, "n": 10}
    >>> other = {"judge_pass": 7, "human_pass": 7, "both_pass": 6, "n": 10}
    >>> self_preference(own, other)["difference_in_differences"]
    0.2
    """
    own, own_error = _leniency("own_family", own_family)
    other, other_error = _leniency("other_family", other_family)
    return SelfPreference(
        excess_own=own,
        excess_other=other,
        difference_in_differences=own - other,
        se=math.hypot(own_error, other_error),
    )


def _leniency(name: str, family: FamilyVerdicts) -> tuple[float, float]:
    judge, human, both, size = (
        family["judge_pass"],
        family["human_pass"],
        family["both_pass"],
        family["n"],
    )
    need_within(f"{name}: n", size, 1)
    need_within(f"{name}: judge_pass", judge, 0, size)
    need_within(f"{name}: human_pass", human, 0, size)
    need_within(f"{name}: both_pass", both, max(0, judge + human - size), min(judge, human))
    return (judge - human) / size, _paired_error(judge - both, human - both, size)


def judge_test_retest(
    discordant_10: int, discordant_01: int, n: int, alpha: float = 0.05
) -> JudgeTestRetest:
    """Say how often a judge that is asked again changes its mind.

    Source: Wilson's interval; an error e that is equally likely in every call flips a verdict
    with chance 2 e (1 - e).

    Args:
        discordant_10: Items that passed at first and failed when judged again.
        discordant_01: Items that failed at first and passed when judged again.
        n: Items judged twice, at least 1.
        alpha: The chance of a miss that is put up with; 0.05 gives 95 %.

    Returns:
        The flip rate, 0 to 1, its interval, and e, 0 to 0.5; None where flips are more than half,
        which no such e makes.

    Raises:
        ValueError: A count lies outside its range, or `alpha` outside 0 to 1.

    >>> again = judge_test_retest(3, 4, 60)
    >>> round(again["flip_rate"], 4), round(again["per_call_noise_if_symmetric"], 4)
    (0.1167, 0.0622)
    """
    need_within("n", n, 1)
    need_within("discordant_10", discordant_10, 0, n)
    need_within("discordant_01", discordant_01, 0, n - discordant_10)
    flips = discordant_10 + discordant_01
    rest = (n - 2 * flips) / n
    return JudgeTestRetest(
        flip_rate=flips / n,
        wilson95=wilson(flips, n, alpha),
        per_call_noise_if_symmetric=flips / n / (1 + math.sqrt(rest)) if rest >= 0 else None,
    )


def _paired_error(up: int, down: int, size: int) -> float:
    """Give the standard error of (up - down)/size, a mean of -1, 0 and 1, variance over size."""
    return math.sqrt(((up + down) * size - (up - down) ** 2) / size) / size
