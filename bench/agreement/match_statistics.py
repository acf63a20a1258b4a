"""Rows about numbers over several tries, as questions for fairtrial's arithmetic."""

from collections.abc import Callable, Sequence
from typing import Any

from questions import NoCounterpartError, Question, Row, Verdict

from fairtrial import stats

MARKS = {"C": 1, "I": 0}


def statistics_question(row: Row) -> Question:
    """Translate a row of statistics.jsonl.

    Raises:
        NoCounterpartError: it cannot be asked here.
    """
    if row["mode"] in _ESTIMATORS:
        name, estimate = _ESTIMATORS[row["mode"]]
        k, threshold = _settings(row["options"])
        return _compared(row, name, lambda scores: _estimated(estimate, scores, k, threshold))
    if row["mode"] == "krippendorff_alpha":
        raise NoCounterpartError("agreement of raters")
    if row["mode"] == "mean_score" and _are_verdicts(row):
        return _compared(
            row, "stats.pass_at_k, k 1", lambda scores: _estimated(stats.pass_at_k, scores, 1, 1)
        )
    raise NoCounterpartError("scores that are no verdicts")


_ESTIMATORS: dict[str, tuple[str, Callable[[int, int, int], float | None]]] = {
    "pass_at": ("stats.pass_at_k", stats.pass_at_k),
    "pass_k": ("stats.pass_hat_k", stats.pass_hat_k),
}


def _settings(options: Row) -> tuple[int, float]:
    """Give k, and the score from which a try passes."""
    k, *threshold = options.get("args") or [options["k"]]
    return k, threshold[0] if threshold else 1


def _are_verdicts(row: Row) -> bool:
    known = {0, 1, "NaN", *MARKS}
    scores = row["input"]
    plain = all(isinstance(score, int | float | str) for score in scores)
    return plain and bool(scores) and not row["options"] and known.issuperset(scores)


def _estimated(
    estimate: Callable[[int, int, int], float | None],
    scores: Sequence[Any],
    k: int,
    threshold: float,
) -> float | None:
    measured = [MARKS.get(score, score) for score in scores if score != "NaN"]
    passed = sum(score >= threshold for score in measured)
    return estimate(len(measured), passed, k)


def _compared(row: Row, ours: str, compute: Callable[[Sequence[Any]], float | None]) -> Question:
    """Compare each series of scores; a list or mapping of scores holds one series a place."""
    series = _series(row["input"], row["expected"])
    pairs = [
        (compute(scores), None if expected == "NaN" else expected) for scores, expected in series
    ]
    differing = [pair for pair in pairs if not _same(*pair)]
    computed, wanted = differing[0] if differing else pairs[0]
    return Question(ours=ours, computed=computed, wanted=wanted)


def _same(one: Verdict, other: Verdict) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) < 1e-9


def _series(scores: Sequence[Any], expected: Any) -> list[tuple[list[Any], Any]]:
    if isinstance(expected, dict | list):
        places = list(expected) if isinstance(expected, dict) else list(range(len(expected)))
        # A try that was not scored at all has no place to look in.
        return [
            (["NaN" if score == "NaN" else score[place] for score in scores], expected[place])
            for place in places
        ]
    return [(list(scores), expected)]
