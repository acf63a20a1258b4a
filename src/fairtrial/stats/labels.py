"""Human labels beside a judge: how many, and the pass rate that the two give together."""

import math
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from fairtrial.stats.inputs import need_between, need_numbers, need_within
from fairtrial.stats.special import normal_quantile


class LabelsNeeded(TypedDict):
    """What `labels_for_wilson_half_width` gives."""

    n: int


class RoganGladen(TypedDict):
    """What `rogan_gladen` gives."""

    naive_rate: float
    corrected: float | None
    corrected_clipped: float | None
    se_delta: float | None
    ci_delta: tuple[float, float] | None
    theta_tilde: float | None
    ci_lang_reiczigel: tuple[float, float] | None


class PPIMean(TypedDict):
    """What `ppi_mean` gives."""

    estimate_lam1: float
    ci_lam1: tuple[float, float]
    ci_lam0_labels_only: tuple[float, float]
    ci_power_tuned: tuple[float, float]
    estimate_power_tuned: float


class _Share(NamedTuple):
    value: float
    size: float


def labels_for_wilson_half_width(
    expected_rate: float, half_width: float, alpha: float = 0.05
) -> LabelsNeeded:
    """Say how many labels bound a rate to within plus or minus `half_width`.

    Source: half the width of Wilson's interval at a share of exactly `expected_rate`; it falls
    with every label.

    Args:
        expected_rate: The rate that is expected, 0 to 1; 0.5 needs the most.
        half_width: The half width that is wanted, at least 1e-9.
        alpha: The chance of a miss that is put up with; 0.05 gives 95 %.

    Returns:
        The smallest number of labels, at least 1.

    Raises:
        ValueError: An input lies outside its range.

    >>> labels_for_wilson_half_width(0.9, 0.05)
    {'n': 141}
    """
    need_within("expected_rate", expected_rate, 0, 1)
    need_within("half_width", half_width, 1e-9, 1)
    need_between("alpha", alpha, 0, 1)
    z2 = normal_quantile(alpha / 2) ** 2

    def enough(n: int) -> bool:
        spread = z2 * (expected_rate * (1 - expected_rate) * n + z2 / 4)
        return math.sqrt(spread) / (n + z2) <= half_width

    most = 1
    while not enough(most):
        most *= 2
    least = most // 2  # not enough, or 0
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if enough(middle) else (middle, most)
    return LabelsNeeded(n=most)


def rogan_gladen(  # noqa: PLR0913 - two counts of the traffic, two of each class of labels
    judge_pass: float,
    n: int,
    true_pass_judged_pass: float,
    n_true_pass: int,
    true_fail_judged_fail: float,
    n_true_fail: int,
    alpha: float = 0.05,
) -> RoganGladen:
    """Correct a judged pass rate for the judge's errors, which were measured on other items.

    It holds also where the labelled items pass more or less often than the traffic; it takes the
    judge's sensitivity and specificity to be the same on both.

    Source: Rogan and Gladen (1978), (p + spec - 1)/(sens + spec - 1), with the delta method; the
    second interval by Lang and Reiczigel (2014), which holds at small counts and near 0 and 1.

    Args:
        judge_pass: Items of the traffic that the judge passed; no whole number where `n` counts
            cases with several trials each.
        n: Items of the traffic that it judged.
        true_pass_judged_pass: Of those that people passed, the ones that the judge passed; no
            whole number, here and for the fails, where labels have weights.
        n_true_pass: Labelled items that people passed.
        true_fail_judged_fail: Of those that people failed, the ones that the judge failed.
        n_true_fail: Labelled items that people failed.
        alpha: The chance of a miss that is put up with; 0.05 gives 95 %.

    Returns:
        The judge's own rate, and the corrected one, free and cut to 0 to 1, with its standard
        error and interval, neither cut; then the estimate of Lang and Reiczigel with its interval,
        cut. None where sensitivity and specificity do not sum to more than 1, for the last two
        after a pass and a fail were added to each class: such a judge tells nothing apart.

    Raises:
        ValueError: A count lies outside its whole, a whole is below 1, or `alpha` outside 0 to 1.

    >>> right = rogan_gladen(400, 1000, 180, 200, 140, 200)
    >>> right["naive_rate"], round(right["corrected"], 4)
    (0.4, 0.1667)
    """
    for name, part, whole in (
        ("judge_pass", judge_pass, n),
        ("true_pass_judged_pass", true_pass_judged_pass, n_true_pass),
        ("true_fail_judged_fail", true_fail_judged_fail, n_true_fail),
    ):
        need_within(f"the whole of {name}", whole, 1)
        need_within(name, part, 0, whole)
    need_between("alpha", alpha, 0, 1)
    z = normal_quantile(alpha / 2)
    # p + spec - 1 and sens + spec - 1 from whole numbers, so that a rate of 0 comes out as 0.
    false_passes = n_true_fail - true_fail_judged_fail
    above = judge_pass * n_true_fail - n * false_passes
    power = true_pass_judged_pass * n_true_fail - n_true_pass * false_passes
    naive = judge_pass / n
    if power <= 0:
        return RoganGladen(
            naive_rate=naive,
            corrected=None,
            corrected_clipped=None,
            se_delta=None,
            ci_delta=None,
            theta_tilde=None,
            ci_lang_reiczigel=None,
        )
    theta = above * n_true_pass / (power * n)
    sens = _Share(true_pass_judged_pass / n_true_pass, n_true_pass)
    spec = _Share(true_fail_judged_fail / n_true_fail, n_true_fail)
    error = _spread(theta, _Share(naive, n), sens, spec) * n_true_pass * n_true_fail / power
    adjusted = _lang_reiczigel(_Share(naive, n), sens, spec, z)
    return RoganGladen(
        naive_rate=naive,
        corrected=theta,
        corrected_clipped=_clip(theta),
        se_delta=error,
        ci_delta=(theta - z * error, theta + z * error),
        theta_tilde=adjusted and adjusted[0],
        ci_lang_reiczigel=adjusted and adjusted[1],
    )


def _lang_reiczigel(
    rate: _Share, sens: _Share, spec: _Share, z: float
) -> tuple[float, tuple[float, float]] | None:
    """Give the estimate and interval from shares pulled to one half; None without power."""
    rate, sens, spec = _pulled(rate, z * z), _pulled(sens, 2), _pulled(spec, 2)
    power = sens.value + spec.value - 1
    if power <= 0:
        return None
    theta = (rate.value + spec.value - 1) / power
    error = _spread(theta, rate, sens, spec) / power
    centre = theta + 2 * z * z * (theta * _variance(sens) - (1 - theta) * _variance(spec))
    return theta, (_clip(centre - z * error), _clip(centre + z * error))


def _pulled(share: _Share, more: float) -> _Share:
    """Add so many trials, half of them passed."""
    size = share.size + more
    return _Share((share.value * share.size + more / 2) / size, size)


def _spread(theta: float, rate: _Share, sens: _Share, spec: _Share) -> float:
    parts = _variance(rate), theta**2 * _variance(sens), (1 - theta) ** 2 * _variance(spec)
    return math.sqrt(math.fsum(parts))


def _variance(share: _Share) -> float:
    return share.value * (1 - share.value) / share.size


def _clip(rate: float) -> float:
    return min(1.0, max(0.0, rate))


def ppi_mean(
    labels: Sequence[float],
    judge_on_labelled: Sequence[float],
    judge_on_unlabelled: Sequence[float],
    alpha: float = 0.05,
) -> PPIMean:
    """Estimate what people would say on average, from few of their labels and many of a judge's.

    It takes the labelled items to be a random sample of the same traffic. Below 100 labels or
    above a rate of 0.95 prefer the estimate at weight 1: the tuned one is too sure there.

    Source: Angelopoulos et al. (2023), arXiv:2301.09633, mean(judge) + mean(label - judge); the
    judge weighted by lambda as in arXiv:2311.01453 (PPI++), cut to 0 to 1.

    Args:
        labels: What people said of the labelled items, as 0 or 1 or as scores.
        judge_on_labelled: What the judge said of them, in the same order.
        judge_on_unlabelled: What it said of the other items.
        alpha: The chance of a miss that is put up with; 0.05 gives 95 %.

    Returns:
        The estimate at weight 1 and at the tuned weight, and the intervals at weight 1, at weight
        0 (the labels alone) and at the tuned one, not cut.

    Raises:
        ValueError: Labels and judgements of the labelled items differ in number, there are fewer
            than two of these or of the others, one is no number, or `alpha` is outside 0 to 1.

    >>> both = ppi_mean([1, 0, 1, 1], [1, 1, 1, 1], [1, 0, 1, 1, 0, 1, 1, 1])
    >>> both["estimate_lam1"]
    0.5
    """
    if len(labels) != len(judge_on_labelled) or min(len(labels), len(judge_on_unlabelled)) < 2:
        raise ValueError(
            "two or more labels, as many judgements of them, and two or more of other items are "
            f"needed, got {len(labels)}, {len(judge_on_labelled)} and {len(judge_on_unlabelled)}"
        )
    need_numbers("labels", labels)
    need_numbers("judge_on_labelled", judge_on_labelled)
    need_numbers("judge_on_unlabelled", judge_on_unlabelled)
    need_between("alpha", alpha, 0, 1)
    z = normal_quantile(alpha / 2)

    def weighted(weight: float) -> tuple[float, tuple[float, float]]:
        other = [weight * judged for judged in judge_on_unlabelled]
        gaps = [said - weight * j for said, j in zip(labels, judge_on_labelled, strict=True)]
        centre = _mean(other) + _mean(gaps)
        half = z * math.sqrt(
            _covariance(other, other) / len(other) + _covariance(gaps, gaps) / len(gaps)
        )
        return centre, (centre - half, centre + half)

    full, labels_only, tuned = (
        weighted(weight)
        for weight in (1.0, 0.0, _tuned_weight(labels, judge_on_labelled, judge_on_unlabelled))
    )
    return PPIMean(
        estimate_lam1=full[0],
        ci_lam1=full[1],
        ci_lam0_labels_only=labels_only[1],
        ci_power_tuned=tuned[1],
        estimate_power_tuned=tuned[0],
    )


def _tuned_weight(
    labels: Sequence[float], labelled: Sequence[float], unlabelled: Sequence[float]
) -> float:
    """Give the judge's weight that makes the interval shortest; 0 where it never varies."""
    judged = [*labelled, *unlabelled]
    spread = _covariance(judged, judged) * len(judged) / (len(judged) - 1)
    if spread == 0 or min(judged) == max(judged):  # the spread of equals can be a rounding error
        return 0.0
    return _clip(_covariance(labels, labelled) / ((1 + len(labels) / len(unlabelled)) * spread))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _covariance(a: Sequence[float], b: Sequence[float]) -> float:
    """Give the mean product of the differences from the means, divided by N as in the papers."""
    mean_a, mean_b = _mean(a), _mean(b)
    return _mean([(x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True)])
