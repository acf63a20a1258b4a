"""The story of `judge compare`: two or more saved runs, answer by answer, in both orders."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from fairtrial.cases import Suite
from fairtrial.errors import UsageError
from fairtrial.flow.judge_answers import Answer, Answers, Key
from fairtrial.flow.judge_many import Wanted, use_of, verdicts_of, wanted_of
from fairtrial.flow.judging import JudgeOptions
from fairtrial.judge import (
    BETTER,
    Ask,
    Material,
    in_both_orders,
    judged_pair,
    order_question,
    place_bias,
    run_pair,
    strengths_of,
)
from fairtrial.records import (
    ComparedRun,
    JudgeComparison,
    JudgedPair,
    JudgeVerdict,
    LeftOut,
    RunPair,
)
from fairtrial.store import Redactor, SavedRun

_FEWEST = 2


class CompareOptions(NamedTuple):
    """What `judge compare` is asked to do."""

    judge: JudgeOptions
    redactor: Redactor
    question: str = BETTER


class _Shown(NamedTuple):
    """What is kept of an answer while the others are read."""

    transcript: str
    reference: str | None
    length: int
    passed: bool


class _Side(NamedTuple):
    run: ComparedRun
    shown: dict[Key, _Shown]
    hashes: Mapping[str, str]


class _Match(NamedTuple):
    """Two answers to one case, and what is asked of them; nothing where they are the same."""

    key: Key
    a: _Shown
    b: _Shown
    asks: tuple[Ask, Ask] | None


def compare_answers(
    runs: Sequence[SavedRun],
    suites: Sequence[Suite],
    options: CompareOptions,
    told: Callable[[Wanted], None] | None = None,
) -> JudgeComparison:
    """Have a judge compare the answers of runs, those of one case and trial number with each other.

    Args:
        runs: Two or more, with their transcripts.
        suites: The cases of each, as they are now.
        options: The judge and what it is asked.
        told: Is told what is not on file before anything is asked.

    Raises:
        UsageError: There are fewer than two runs, or one comes twice.
        StoreError: A run cannot be read, or a reply not be kept.
    """
    _refuse(runs)
    left_out: list[LeftOut] = []
    sides = [
        _side(run, suite, options.redactor, name, left_out)
        for run, suite, name in zip(runs, suites, _names(runs), strict=True)
    ]
    matches = [
        (a, b, _matches(a, b, options.question)) for a, b in itertools.combinations(sides, 2)
    ]
    asks = [ask for _, _, of_two in matches for match in of_two for ask in match.asks or ()]
    judge = options.judge
    wanted = wanted_of(judge.judge, asks)
    if told is not None:
        told(wanted)
    said = verdicts_of(judge.judge, asks, live=judge.asks == "live", concurrency=judge.concurrency)
    pairs = tuple(
        run_pair(a.run.name, b.run.name, [_judged(match, said) for match in of_two])
        for a, b, of_two in matches
    )
    strengths, no_strengths = strengths_of([side.run.name for side in sides], pairs)
    return JudgeComparison(
        runs=tuple(side.run for side in sides),
        question=options.question,
        pairs=pairs,
        place=place_bias(_all(pairs)),
        strengths=strengths,
        no_strengths=no_strengths,
        left_out=(*left_out, *_alone(sides)),
        use=use_of(judge.judge, judge.asks, said.values(), wanted),
    )


def _refuse(runs: Sequence[SavedRun]) -> None:
    if len(runs) < _FEWEST:
        raise UsageError("comparing takes two runs or more")
    ids = [run.info.id for run in runs]
    twice = next((name for at, name in enumerate(ids) if name in ids[:at]), None)
    if twice is not None:
        raise UsageError(f"run {twice} is named twice, and would only be compared with itself")


def _names(runs: Sequence[SavedRun]) -> list[str]:
    """Give the variants where they tell the runs apart, else the ids."""
    variants = [run.info.variant for run in runs]
    if None not in variants and len(set(variants)) == len(runs):
        return [str(variant) for variant in variants]
    return [run.info.id for run in runs]


def _side(
    run: SavedRun, suite: Suite, redactor: Redactor, name: str, left_out: list[LeftOut]
) -> _Side:
    answers = Answers(run, suite, redactor, name)
    shown = {(answer.case.id, answer.trial): _shown(answer) for answer in answers.read()}
    left_out += answers.left_out
    compared = ComparedRun(name=name, id=run.info.id, variant=run.info.variant, answers=len(shown))
    return _Side(compared, shown, answers.hashes)


def _shown(answer: Answer) -> _Shown:
    return _Shown(
        transcript=answer.transcript,
        reference=answer.case.expect.reference,
        length=len(answer.trajectory.answer or ""),
        passed=answer.passed,
    )


def _matches(a: _Side, b: _Side, question: str) -> list[_Match]:
    return [_match(key, a.shown[key], b.shown[key], question) for key in a.shown if key in b.shown]


def _match(key: Key, a: _Shown, b: _Shown, question: str) -> _Match:
    if a.transcript == b.transcript:
        return _Match(key, a, b, None)
    case, trial = key
    material = Material(case=case, trial=trial, transcript=a.transcript)
    asked = order_question(a.reference, question)
    first, second = in_both_orders(material, b.transcript)
    asks = Ask(question=asked, material=first), Ask(question=asked, material=second)
    return _Match(key, a, b, asks)


def _judged(match: _Match, said: Mapping[Ask, JudgeVerdict]) -> JudgedPair:
    case, trial = match.key
    if match.asks is None:
        pair = JudgedPair(case=case, trial=trial, winner="tie", identical=True)
    else:
        pair = judged_pair(*(said[ask] for ask in match.asks))
    return replace(
        pair,
        length_a=match.a.length,
        length_b=match.b.length,
        checks=match.a.passed - match.b.passed,
    )


def _all(pairs: Sequence[RunPair]) -> list[JudgedPair]:
    return [pair for of_two in pairs for pair in of_two.pairs]


def _alone(sides: Sequence[_Side]) -> Iterator[LeftOut]:
    """Give the answers that not every other run has one to be held against."""
    for side in sides:
        for case, trial in side.shown:
            lacking = [
                other.run.name
                for other in sides
                if other is not side and (case, trial) not in other.shown
            ]
            if lacking:
                reason = f"there is no such answer in {', '.join(lacking)}"
                yield LeftOut(run=side.run.name, case=case, trial=trial, reason=reason)
