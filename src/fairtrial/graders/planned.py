"""The plan: how far the calls follow it; and a decision, which is a plan for the first step."""

import functools
from collections.abc import Callable

from fairtrial.graders.question import (
    CALLS,
    SHARED,
    Outcome,
    PlanScore,
    Question,
    decided_by,
)
from fairtrial.graders.subject import Subject
from fairtrial.graders.wording import few, names
from fairtrial.match import Call, CallPattern, Plan, PlanResult
from fairtrial.records import Pairing
from fairtrial.text import cut

_SHOWN = 5
_KEPT = 16  # paths whose outcome is kept

_WHICH_STEP = Outcome(
    passed=None,
    reason="the steps were inferred from the world's calls, so those of the first are not known",
)


@functools.lru_cache(SHARED)
def plan_question(plan: Plan) -> Question:
    """Ask whether the calls follow the plan far enough; keeps the scores and the alignment."""
    outcome_of = _settling(plan)

    def ask(subject: Subject) -> Outcome:
        return outcome_of(subject.made)

    return Question(name="tools.plan", ask=ask, holds="the plan was followed", about=CALLS)


@functools.lru_cache(SHARED)
def next_question(plan: Plan) -> Question:
    """Ask whether the first step is the wanted decision: these calls, no others, any order."""
    outcome_of = _settling(plan)

    def ask(subject: Subject) -> Outcome:
        calls = subject.calls or []
        if subject.trajectory.inferred and len(calls) > 1:
            return _WHICH_STEP
        first = [call for call in calls if call.step == 0]
        if plan.shortest == 0 and not first and not _has_words(subject):
            result = PlanScore(score=0.0, precision=0.0, recall=0.0, extra=0, alignment=())
            why = "neither a call nor an answer, wanted an answer"
            return Outcome(passed=False, reason=why, plan=result)
        return outcome_of(first)

    return Question(name="next", ask=ask, holds="the decision is as wanted", about=CALLS)


def _has_words(subject: Subject) -> bool:
    steps = subject.trajectory.steps
    said = subject.trajectory.answer or (steps[0].text if steps else None)
    return bool(said and said.strip())


def _settling(plan: Plan) -> Callable[[list[Call]], Outcome]:
    """Give what asks the plan. Where only the path matters, each path is aligned once."""
    settled: dict[tuple[object, ...], Outcome] = {}

    def outcome_of(calls: list[Call]) -> Outcome:
        path: tuple[object, ...] = (
            *[call.name for call in calls],
            *[call.step for call in calls],
        )
        if calls and calls[-1].index >= len(calls):  # some before it were never run
            path += tuple([call.index for call in calls])
        known = settled.get(path)
        if known is None:
            if len(settled) >= _KEPT:
                settled.clear()
            known = settled[path] = _outcome(plan, calls)
        return known

    return outcome_of if plan.bare else lambda calls: _outcome(plan, calls)


def _outcome(plan: Plan, calls: list[Call]) -> Outcome:
    result = plan.align(calls)
    alignment = [
        Pairing(item=item.name, call=None if pair is None else calls[pair].index)
        for item, pair in zip(result.items, result.pairs, strict=True)
    ]
    score = PlanScore(result.score, result.precision, result.recall, result.extra, tuple(alignment))
    # 1e-12: a share such as 2/3 met by min_score: 0.6666666666666666 must not hang on the last bit
    passed = result.score >= result.min_score - 1e-12
    taken = {pair for pair in result.pairs if pair is not None}
    extra = () if passed else decided_by(call for at, call in enumerate(calls) if at not in taken)
    reason = _reason(result, calls, passed=passed)
    return Outcome(passed=passed, reason=reason, plan=score, calls=extra)


def _reason(result: PlanResult, calls: list[Call], *, passed: bool) -> str:
    total = len(result.items)
    missing = [item for item, pair in zip(result.items, result.pairs, strict=True) if pair is None]
    text = f"{total - len(missing)} of {total} planned calls" if total else "no call was planned"
    if passed and not missing:
        return text
    taken = {pair for pair in result.pairs if pair is not None}
    if missing:
        text += f"; missing: {few(missing, _SHOWN, said=lambda item: _missing(item, calls, taken))}"
    extra = [call.name for index, call in enumerate(calls) if index not in taken]
    if extra and not passed:
        text += f"; not planned: {names(extra, _SHOWN)}"
    return text


def _missing(pattern: CallPattern, calls: list[Call], taken: set[int]) -> str:
    """Name an item without a call, and how the nearest free call of its tool differs."""
    for position, call in enumerate(calls):
        if call.name != pattern.name or position in taken:
            continue
        found = pattern.mismatches(call)
        if found:
            return f"{cut(pattern.name)} ({found[0]})"
        return f"{cut(pattern.name)} (called out of order)"
    return cut(pattern.name)
