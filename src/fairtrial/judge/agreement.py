"""How far labels and verdicts of the same questions agree: every figure, with its interval."""

import math
from collections import Counter
from collections.abc import Sequence
from random import Random  # noqa: TID251 - seeded here, so that the same labels give the same bounds
from typing import NamedTuple, TypeAlias

from fairtrial.judge.categories import FAIL, PASS, are_binary, number_of
from fairtrial.records import Agreement, JudgeVerdict, NaturalMix
from fairtrial.stats import (
    binary_agreement,
    bootstrap_kappa,
    weighted_kappa,
    wilson,
    wilson_rate,
)

Key: TypeAlias = tuple[str, int, str]
"""Case, trial, item."""

SCORES = 4
"""Different numbers from which on they are scores; fewer stand for names."""

_SEED = 1
_MOST_STEPS = 100  # between numbers, beyond which a linear kappa is not computed


class Pair(NamedTuple):
    """What people and the judge say of one question."""

    key: Key
    label: str
    verdict: str | None
    weight: float | None = None
    said: JudgeVerdict | None = None


def agreement_of(pairs: Sequence[Pair]) -> Agreement:
    """Measure how far labels and verdicts agree; where there are none nothing is known.

    >>> same = Pair(("c", 0, "Is polite"), "pass", "pass")
    >>> agreement_of([same, same._replace(verdict=None)]).accuracy_strict
    0.5
    """
    read = [(pair.label, pair.verdict) for pair in pairs if pair.verdict is not None]
    labels, verdicts = [label for label, _ in read], [verdict for _, verdict in read]
    binary = are_binary({*labels, *verdicts}) and bool(read)
    agreed = sum(label == verdict for label, verdict in read)
    draw = Random(_SEED)  # noqa: S311 - drawing the items again, no secret
    bounds = bootstrap_kappa(labels, verdicts, draw=draw) if read else None
    figures = _Figures.of(labels, verdicts) if binary else _Figures()
    return Agreement(
        labels=len(read),
        unreadable=len(pairs) - len(read),
        fails=labels.count(FAIL) if binary else None,
        base_rate=labels.count(PASS) / len(read) if binary else None,
        accuracy=agreed / len(read) if read else None,
        accuracy_interval=wilson(agreed, len(read)) if read else None,
        accuracy_strict=agreed / len(pairs) if pairs else None,
        accuracy_strict_interval=wilson(agreed, len(pairs)) if pairs else None,
        kappa=bounds["kappa"] if bounds else None,
        kappa_interval=bounds["interval"] if bounds else None,
        kappa_weighted=_weighted(labels, verdicts),
        ac1=figures.ac1,
        false_pass=figures.false_pass,
        false_pass_interval=figures.false_pass_interval,
        false_fail=figures.false_fail,
        false_fail_interval=figures.false_fail_interval,
        mean_difference=_mean_difference(labels, verdicts),
        natural=_natural(pairs, binary=binary),
    )


class _Figures(NamedTuple):
    """What only passes and fails have."""

    ac1: float | None = None
    false_pass: float | None = None
    false_pass_interval: tuple[float, float] | None = None
    false_fail: float | None = None
    false_fail_interval: tuple[float, float] | None = None

    @classmethod
    def of(cls, labels: Sequence[str], verdicts: Sequence[str]) -> "_Figures":
        cells = Counter(zip(labels, verdicts, strict=True))
        fails, passes = labels.count(FAIL), labels.count(PASS)
        let_by, stopped = cells[FAIL, PASS], cells[PASS, FAIL]
        ones = [[float(one == PASS) for one in side] for side in (labels, verdicts)]
        return cls(
            ac1=binary_agreement(*ones)["gwet_ac1"],
            false_pass=let_by / fails if fails else None,
            false_pass_interval=wilson(let_by, fails) if fails else None,
            false_fail=stopped / passes if passes else None,
            false_fail_interval=wilson(stopped, passes) if passes else None,
        )


def _numbers(labels: Sequence[str], verdicts: Sequence[str]) -> list[tuple[float, float]] | None:
    """Give scores as numbers; None for names.

    So few numbers that they stand for names, as 0, 1 and 2 for a tie and two answers, are none.
    """
    pairs = [(number_of(a), number_of(b)) for a, b in zip(labels, verdicts, strict=True)]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    scores = len({one for pair in known for one in pair}) >= SCORES
    return known if scores and len(known) == len(pairs) else None


def _weighted(labels: Sequence[str], verdicts: Sequence[str]) -> float | None:
    """Give the linear kappa of whole numbers, over all steps from the lowest to the highest."""
    numbers = _numbers(labels, verdicts)
    if numbers is None or any(one != int(one) for pair in numbers for one in pair):
        return None
    flat = [int(one) for pair in numbers for one in pair]
    if max(flat) - min(flat) > _MOST_STEPS:
        return None
    human, judge = ([int(pair[at]) for pair in numbers] for at in (0, 1))
    return weighted_kappa(human, judge, range(min(flat), max(flat) + 1))["kappa"]


def _mean_difference(labels: Sequence[str], verdicts: Sequence[str]) -> float | None:
    numbers = _numbers(labels, verdicts)
    return None if numbers is None else sum(abs(a - b) for a, b in numbers) / len(numbers)


def _natural(pairs: Sequence[Pair], *, binary: bool) -> NaturalMix | None:
    """Weigh each label by what it stands for; None where that changes nothing, or is not known."""
    weighed = [(pair, pair.weight) for pair in pairs if pair.weight is not None]
    weights = {weight for _, weight in weighed}
    if len(weighed) < len(pairs) or len(weights) <= 1:
        return None
    accuracy = _Share.of([(pair.verdict == pair.label, weight) for pair, weight in weighed])
    if not binary or accuracy is None:
        return (
            None
            if accuracy is None
            else NaturalMix(accuracy=accuracy.rate, accuracy_interval=accuracy.interval)
        )
    read = [(pair, weight) for pair, weight in weighed if pair.verdict is not None]
    base = _Share.of([(pair.label == PASS, weight) for pair, weight in read])
    let_by = _Share.of([(p.verdict == PASS, weight) for p, weight in read if p.label == FAIL])
    stopped = _Share.of([(p.verdict == FAIL, weight) for p, weight in read if p.label == PASS])
    return NaturalMix(
        accuracy=accuracy.rate,
        accuracy_interval=accuracy.interval,
        base_rate=base.rate if base else None,
        false_pass=let_by.rate if let_by else None,
        false_pass_interval=let_by.interval if let_by else None,
        false_fail=stopped.rate if stopped else None,
        false_fail_interval=stopped.interval if stopped else None,
    )


class _Share(NamedTuple):
    rate: float
    interval: tuple[float, float]

    @classmethod
    def of(cls, rows: Sequence[tuple[bool, float]]) -> "_Share | None":
        """Give the weighted share of the rows that hold; None without any."""
        if not rows:
            return None
        whole = math.fsum(weight for _, weight in rows)
        rate = min(math.fsum(weight for holds, weight in rows if holds) / whole, 1.0)
        worth = whole**2 / math.fsum(
            weight**2 for _, weight in rows
        )  # Kish: unequal weights tell less
        return cls(rate, wilson_rate(rate, worth))
