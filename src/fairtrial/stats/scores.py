"""How a judge's scores stand to a person's: errors, order, and the threshold to pass at."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import TypedDict

from fairtrial.stats.inputs import need_numbers, need_pairs, need_zeros_and_ones
from fairtrial.stats.proportions import t_interval
from fairtrial.stats.ranks import doubled_ranks


class ScoreErrors(TypedDict):
    """What `score_errors` gives."""

    mae: float
    rmse: float
    bias: float
    bias_t95: tuple[float, float] | None
    spearman: float | None
    kendall_tau_b: float | None


class ThresholdMetrics(TypedDict):
    """What `threshold_metrics` gives."""

    accuracy: list[float]
    roc_auc: float | None
    brier: float | None
    youden_J: float | None
    youden_best_threshold: float | None


def score_errors(human: Sequence[float], judge: Sequence[float]) -> ScoreErrors:
    """Measure how far a judge's scores are off, and whether they keep the order.

    Source: mean absolute and root mean squared error; bias with Student's t; Spearman (1904) on
    mid-ranks; Kendall (1945), tau-b.

    Args:
        human: One score an item.
        judge: The same of the judge, in the same order.

    Returns:
        Errors in the scores' unit; a bias above 0 is a lenient judge. The interval is None with
        one item; a correlation is None where one of the two gave a single score.

    Raises:
        ValueError: The lists are empty or of different lengths, or a score is no number.

    >>> errors = score_errors([1, 2, 3, 5], [2, 2, 3, 4])
    >>> errors["mae"], errors["bias"], round(errors["spearman"], 4)
    (0.5, 0.0, 0.9487)
    """
    need_pairs(human=human, judge=judge)
    need_numbers("human", human)
    need_numbers("judge", judge)
    size = len(human)
    errors = [theirs - ours for ours, theirs in zip(human, judge, strict=True)]
    ranks = doubled_ranks(human), doubled_ranks(judge)
    return ScoreErrors(
        mae=math.fsum(map(abs, errors)) / size,
        rmse=math.hypot(*errors) / math.sqrt(size),
        bias=math.fsum(errors) / size,
        bias_t95=t_interval(errors),
        spearman=_correlation(*ranks),
        kendall_tau_b=_tau_b(*ranks),
    )


def threshold_metrics(
    human: Sequence[float], score: Sequence[float], thresholds: Sequence[float]
) -> ThresholdMetrics:
    """Say how well "pass if the score is at least t" finds what people passed.

    Choose the threshold on one part of the labels and report the accuracy on another: on the same
    ones it is too good.

    Source: area under the curve as by Mann and Whitney (1947); Brier (1950); J = sensitivity +
    specificity - 1 by Youden (1950), tried at every score that occurs.

    Args:
        human: 1 (pass) or 0 (fail), one an item.
        score: The judge's score of each, in the same order.
        thresholds: The scores to pass at for which the accuracy is asked.

    Returns:
        One accuracy a threshold; the area, 0 to 1, and the best J with its threshold (the highest
        of equally good ones), None where people passed all or none; the Brier score, None where a
        score lies outside 0 to 1.

    Raises:
        ValueError: The lists are empty or of different lengths, a label is neither 0 nor 1, or a
            score or threshold is no number.

    >>> metrics = threshold_metrics([0, 1, 0, 1], [0.1, 0.4, 0.5, 0.9], [0.3, 0.6])
    >>> metrics["accuracy"], metrics["roc_auc"], metrics["youden_best_threshold"]
    ([0.75, 0.75], 0.75, 0.9)
    """
    need_pairs(human=human, score=score)
    need_zeros_and_ones("human", human)
    need_numbers("score", score)
    need_numbers("thresholds", thresholds)
    passed = sorted(value for value, label in zip(score, human, strict=True) if label)
    failed = sorted(value for value, label in zip(score, human, strict=True) if not label)
    best = _youden(passed, failed) if passed and failed else None
    return ThresholdMetrics(
        accuracy=[
            (len(passed) - bisect_left(passed, t) + bisect_left(failed, t)) / len(human)
            for t in thresholds
        ],
        roc_auc=_area(human, score) if passed and failed else None,
        brier=math.fsum((value - label) ** 2 for value, label in zip(score, human, strict=True))
        / len(human)
        if min(score) >= 0 and max(score) <= 1
        else None,
        youden_J=best[0] if best else None,
        youden_best_threshold=best[1] if best else None,
    )


def _area(human: Sequence[float], score: Sequence[float]) -> float:
    ranks = zip(doubled_ranks(score), human, strict=True)
    passed = sum(1 for label in human if label)
    above = sum(rank for rank, label in ranks if label) - passed * (passed + 1)
    return above / (2 * passed * (len(human) - passed))


def _youden(passed: Sequence[float], failed: Sequence[float]) -> tuple[float, float]:
    """Give the best J and its threshold, from both lists in rising order."""
    scores = sorted({*passed, *failed})
    gains = [
        (len(passed) - bisect_left(passed, t)) * len(failed)
        - (len(failed) - bisect_left(failed, t)) * len(passed)
        for t in scores
    ]
    gain, threshold = max(zip(gains, scores, strict=True))
    return gain / (len(passed) * len(failed)), threshold


def _correlation(a: Sequence[int], b: Sequence[int]) -> float | None:
    """Give the correlation of two lists of ranks, which are whole numbers with one sum."""
    size = len(a)
    square = sum(a) * sum(b)
    own = [size * sum(value * value for value in ranks) - square for ranks in (a, b)]
    if 0 in own:
        return None
    both = size * sum(map(int.__mul__, a, b)) - square
    return min(1.0, max(-1.0, both / math.sqrt(own[0] * own[1])))


def _tau_b(a: Sequence[int], b: Sequence[int]) -> float | None:
    """Count the pairs in the same and in the opposite order, each item against those before it.

    A Fenwick tree over the ranks of b holds how many items came before with each.
    """
    pairs = sorted(zip(a, b, strict=True))
    size, span = len(pairs), 2 * len(pairs) + 1
    tree = [0] * (span + 1)

    def up_to(rank: int) -> int:
        total = 0
        while rank > 0:
            total += tree[rank]
            rank &= rank - 1
        return total

    balance = start = 0
    for end in range(1, size + 1):
        if end < size and pairs[end][0] == pairs[start][0]:
            continue
        group = [rank for _, rank in pairs[start:end]]  # tied in a: compared with earlier ones only
        balance += sum(up_to(rank - 1) + up_to(rank) - start for rank in group)
        for rank in group:
            place = rank
            while place <= span:
                tree[place] += 1
                place += place & -place
        start = end
    untied = [size * size - sum(_run_lengths(ranks)) for ranks in (a, b)]  # twice the pairs
    if 0 in untied:
        return None
    return min(1.0, max(-1.0, 2 * balance / math.sqrt(untied[0] * untied[1])))


def _run_lengths(ranks: Sequence[int]) -> list[int]:
    """Give for each value how many share it: summed, the squares of the sizes of the ties."""
    counts: dict[int, int] = {}
    for rank in ranks:
        counts[rank] = counts.get(rank, 0) + 1
    return [count * count for count in counts.values()]
