"""Rubrics: what a judge is asked of a case, and its verdicts as checks; no verdict is no pass."""

import functools
from collections.abc import Iterator, Sequence

import msgspec

from fairtrial.graders.question import Outcome, Question
from fairtrial.graders.subject import Subject
from fairtrial.records import (
    HIGHEST_SCORE,
    LOWEST_SCORE,
    Case,
    JudgeQuestion,
    JudgeVerdict,
    Rubric,
    Trust,
)
from fairtrial.text import cut, label

_THRESHOLD = 4.0
_OFF = Outcome(passed=None, reason="not judged: there was no judge in this run")


def judge_questions(case: Case) -> tuple[JudgeQuestion, ...]:
    """Give what a judge is asked of every trial of a case.

    >>> from fairtrial.records import Expectation, RubricItem, Source
    >>> expect = Expectation(rubric=(RubricItem(item="Is polite"),))
    >>> case = Case(id="c", hash="", source=Source("a.yaml", 1), expect=expect)
    >>> [question.item for question in judge_questions(case)]
    ['Is polite']
    """
    name, rubric = _rubric(case)
    reference = case.expect.reference or rubric.reference

    def asked(item: str, text: str) -> JudgeQuestion:
        examples = [one for one in rubric.examples if one.item in {None, item, text}]
        return JudgeQuestion(item=item, text=text, reference=reference, examples=tuple(examples))

    questions = [asked(item.item, item.item) for item in rubric.items]
    if rubric.goal is not None:
        questions.append(asked(rubric.goal, f"This goal is reached: {rubric.goal}"))
    for criterion in rubric.criteria:
        examples = [one for one in rubric.examples if one.item in {None, criterion.name}]
        question = JudgeQuestion(
            item=_criterion(name, criterion.name),
            text=criterion.name
            if criterion.description is None
            else f"{criterion.name}: {criterion.description}",
            scale="score",
            reference=reference,
            examples=tuple(examples),
        )
        questions.append(question)
    return tuple({question.item: question for question in questions}.values())


def _rubric(case: Case) -> tuple[str, Rubric]:
    """Give the case's rubric with its name; that of lone items has none."""
    written = case.expect.rubric
    if not isinstance(written, str):
        return "", Rubric(items=written)
    shared = (case.rubrics or {}).get(written)
    if isinstance(shared, list | tuple):
        return written, Rubric(items=msgspec.convert({"items": shared}, Rubric).items)
    return written, msgspec.convert(shared or {}, Rubric)


def _criterion(name: str, criterion: str) -> str:
    return f"{name}: {criterion}"


def gating_items(case: Case) -> frozenset[str]:
    """Give the items that a case lets decide, once the judge may.

    >>> from fairtrial.records import Expectation, RubricItem, Source
    >>> expect = Expectation(rubric=(RubricItem(item="Is polite", gate=True),))
    >>> sorted(gating_items(Case(id="c", hash="", source=Source("a.yaml", 1), expect=expect)))
    ['Is polite']
    """
    _, rubric = _rubric(case)
    if rubric.gate:
        return frozenset(question.item for question in judge_questions(case))
    return frozenset(item.item for item in rubric.items if item.gate)


def rubric_questions(case: Case, trust: Trust | None = None) -> Iterator[Question]:
    """Give a question for each binary item and goal of a case, and one for its criteria.

    Args:
        case: The case.
        trust: Which items the judge may decide; None: there is no judge, and nothing decides.

    >>> from fairtrial.records import Expectation, RubricItem, Source
    >>> expect = Expectation(rubric=(RubricItem(item="Is polite"),))
    >>> case = Case(id="c", hash="", source=Source("a.yaml", 1), expect=expect)
    >>> question = next(rubric_questions(case))
    >>> question.name, question.decides
    ('rubric[Is polite]', False)
    """
    name, rubric = _rubric(case)
    for item in rubric.items:
        yield _item(item.item, decides=_decides((item.item,), trust, item.gate or rubric.gate))
    if rubric.goal is not None:
        yield _item(rubric.goal, decides=_decides((rubric.goal,), trust, rubric.gate))
    if rubric.criteria:
        names = tuple(criterion.name for criterion in rubric.criteria)
        items = tuple(_criterion(name, one) for one in names)
        yield _criteria(
            name,
            names,
            rubric.threshold or _THRESHOLD,
            rubric.floor or float(LOWEST_SCORE),
            decides=_decides(items, trust, rubric.gate),
        )


def _decides(items: Sequence[str], trust: Trust | None, gate: bool) -> bool:  # noqa: FBT001 - a fact of it
    return gate and trust is not None and all(trust.lacking(item) is None for item in items)


@functools.lru_cache(2_000)
def _item(item: str, *, decides: bool) -> Question:
    def ask(subject: Subject) -> Outcome:
        if subject.verdicts is None:
            return _OFF
        verdict = subject.verdicts.get(item)
        said = None if verdict is None else verdict.verdict
        if verdict is None or not isinstance(said, bool):
            return Outcome(passed=None, reason=_not_judged(verdict))
        return Outcome(passed=said, reason=_told(verdict))

    return Question(name=f"rubric[{label(item)}]", ask=ask, holds="", decides=decides)


@functools.lru_cache(2_000)
def _criteria(
    name: str, criteria: tuple[str, ...], threshold: float, floor: float, *, decides: bool
) -> Question:
    def ask(subject: Subject) -> Outcome:
        if subject.verdicts is None:
            return _OFF
        scores: dict[str, float] = {}
        for criterion in criteria:
            verdict = subject.verdicts.get(_criterion(name, criterion))
            said = None if verdict is None else verdict.verdict
            if not isinstance(said, int | float) or isinstance(said, bool):
                return Outcome(passed=None, reason=f"{cut(criterion)}: {_not_judged(verdict)}")
            scores[criterion] = said
        return _scored(scores, threshold, floor)

    return Question(name=f"rubric[{label(name)}]", ask=ask, holds="", decides=decides)


def _scored(scores: dict[str, float], threshold: float, floor: float) -> Outcome:
    mean = sum(scores.values()) / len(scores)
    low = [name for name, score in scores.items() if score < floor]
    each = ", ".join(f"{cut(name)} {score:g}" for name, score in scores.items())
    reason = f"mean {mean:.3g} of {HIGHEST_SCORE} ({each})"
    if mean < threshold:
        reason += f"; wanted a mean of {threshold:g}"
    if low:
        reason += f"; below the floor of {floor:g}: {', '.join(map(cut, low))}"
    score = (mean - LOWEST_SCORE) / (HIGHEST_SCORE - LOWEST_SCORE)
    return Outcome(passed=mean >= threshold and not low, reason=reason, score=score)


def _not_judged(verdict: JudgeVerdict | None) -> str:
    if verdict is None:
        return "not judged"
    fault = "" if verdict.fault in {None, "no reply", "split"} else f"{verdict.fault}: "
    return f"not judged: {fault}{verdict.reason}"


def _told(verdict: JudgeVerdict) -> str:
    quote = f' ("{cut(verdict.evidence, 200)}")' if verdict.evidence else ""
    return f"{cut(verdict.reason or '', 300)}{quote}"
