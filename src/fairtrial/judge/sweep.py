"""From which of a judge's scores on people say pass: chosen on one half, measured on the other."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from fairtrial.judge.agreement import SCORES, Pair
from fairtrial.judge.categories import FAIL, PASS, category_of, number_of
from fairtrial.records import HIGHEST_SCORE, LOWEST_SCORE, Said, ThresholdSweep
from fairtrial.stats import hash_sampling, threshold_metrics, wilson

GOOD_SCORE: Final = 4.0
"""A person's score from which on it is a pass: the usual threshold of a rubric."""

_SEVERAL = 2  # labelled scores, below which they are no scale


def score_of(said: Said) -> float | None:
    """Give a score from 1 to 5; None for anything else.

    >>> score_of(4), score_of("4.0"), score_of(True), score_of(9)
    (4.0, 4.0, None, None)
    """
    category = category_of(said)
    number = None if category is None else number_of(category)
    return number if number is not None and LOWEST_SCORE <= number <= HIGHEST_SCORE else None


class _Scored(NamedTuple):
    case: str
    passed: int
    score: float


def sweep_of(pairs: Sequence[Pair]) -> ThresholdSweep | None:
    """Try every score as the one to pass at; None where the judge gave no scores.

    The halves are told by the name of the case, so that trials of one case stand on one side.

    >>> from fairtrial.records import JudgeVerdict
    >>> said = [(1, "fail"), (2, "fail"), (4, "pass"), (5, "pass")] * 10
    >>> pairs = [
    ...     Pair((f"c{n}", 0, "Tone"), label, label, said=JudgeVerdict(case=f"c{n}", verdict=score))
    ...     for n, (score, label) in enumerate(said)
    ... ]
    >>> sweep = sweep_of(pairs)
    >>> sweep.thresholds, sweep.accuracy, sweep.chosen, sweep.held_accuracy
    ((1.0, 2.0, 4.0, 5.0), (0.5, 0.75, 1.0, 0.75), 4.0, 1.0)
    """
    scored = _scored(pairs)
    if scored is None:
        return None
    thresholds = sorted({one.score for one in scored})
    metrics = threshold_metrics(
        [one.passed for one in scored], [one.score for one in scored], thresholds
    )
    chooses = [one for one in scored if hash_sampling(one.case, 0.5)["keep"]]
    held = [one for one in scored if not hash_sampling(one.case, 0.5)["keep"]]
    chosen = _best(chooses, thresholds) if chooses and held else None
    right = 0 if chosen is None else sum((one.score >= chosen) == one.passed for one in held)
    return ThresholdSweep(
        thresholds=tuple(thresholds),
        accuracy=tuple(metrics["accuracy"]),
        roc_auc=metrics["roc_auc"],
        chosen=chosen,
        chosen_on=len(chooses),
        held=len(held),
        held_accuracy=None if chosen is None else right / len(held),
        held_interval=None if chosen is None else wilson(right, len(held)),
    )


def _best(scored: Sequence[_Scored], thresholds: Sequence[float]) -> float:
    """Give the threshold of the highest accuracy; of equally good ones the highest."""
    accuracy = threshold_metrics(
        [one.passed for one in scored], [one.score for one in scored], thresholds
    )["accuracy"]
    return max(zip(accuracy, thresholds, strict=True))[1]


def _scored(pairs: Sequence[Pair]) -> list[_Scored] | None:
    """Give what people pass, by the judge's score; None unless both are on such a scale."""
    read = [pair for pair in pairs if pair.said is not None and pair.verdict is not None]
    scores = [score_of(pair.said.verdict) if pair.said else None for pair in read]
    labels = [_passed(pair.label) for pair in read]
    if len({*scores}) < _SEVERAL:
        return None
    scored = [
        _Scored(pair.key[0], label, score)
        for pair, label, score in zip(read, labels, scores, strict=True)
        if label is not None and score is not None
    ]
    # Few numbers stand for names, such as 1 and 2 for two answers.
    known = {score_of(pair.label) for pair in read} | {*scores}
    binary = {pair.label for pair in read} <= {PASS, FAIL}
    return scored if len(scored) == len(read) and (binary or len(known) >= SCORES) else None


def _passed(label: str) -> int | None:
    if label in {PASS, FAIL}:
        return int(label == PASS)
    score = score_of(label)
    return None if score is None else int(score >= GOOD_SCORE)
