"""The plan: how far the calls follow it; and a decision, which is a plan for the first step."""

from typing import TypeAlias

from fairtrial.graders.question import CALLS, Outcome, PlanScore, Question
from fairtrial.graders.subject import Subject
from fairtrial.graders.wording import few, names
from fairtrial.match import Call, CallPattern, Plan, PlanResult
from fairtrial.records import Pairing
from fairtrial.text import cut

_SHOWN = 5
_KEPT = 64  # ways to meet a plan whose outcome is kept

_Settled: TypeAlias = dict[tuple[int, tuple[int | None, ...], int], Outcome]
"""Outcomes by the plan's items (each alternative has one tuple of them), pairs and calls."""

_WHICH_STEP = Outcome(
    passed=None,
    reason="the steps were inferred from the world's calls, so those of the first are not known",
)


def plan_question(plan: Plan) -> Question:
    """Ask whether the calls follow the plan far enough; keeps the scores and the alignment."""
    settled: _Settled = {}

    def ask(subject: Subject) -> Outcome:
        return _outcome(plan, subject.calls or [], settled)

    return Question(name="tools.plan", ask=ask, holds="the plan was followed", about=CALLS)


def next_question(plan: Plan) -> Question:
    """Ask whether the first step is the wanted decision: these calls, no others, any order."""
    settled: _Settled = {}

    def ask(subject: Subject) -> Outcome:
        calls = subject.calls or []
        if subject.trajectory.inferred and len(calls) > 1:
            return _WHICH_STEP
        first = [call for call in calls if call.step == 0]
        if plan.shortest == 0 and not first and not _has_words(subject):
            result = PlanScore(score=0.0, precision=0.0, recall=0.0, extra=0, alignment=())
            why = "neither a call nor an answer, wanted an answer"
            return Outcome(passed=False, reason=why, plan=result)
        return _outcome(plan, first, settled)

    return Question(name="next", ask=ask, holds="the decision is as wanted", about=CALLS)


def _has_words(subject: Subject) -> bool:
    steps = subject.trajectory.steps
    said = subject.trajectory.answer or (steps[0].text if steps else None)
    return bool(said and said.strip())


def _outcome(plan: Plan, calls: list[Call], settled: _Settled) -> Outcome:
    result = plan.align(calls)
    key = (id(result.items), result.pairs, len(calls))
    known = settled.get(key)
    if known is not None:
        return known
    alignment = [
        Pairing(item=item.name, call=None if pair is None else calls[pair].index)
        for item, pair in zip(result.items, result.pairs, strict=True)
    ]
    score = PlanScore(result.score, result.precision, result.recall, result.extra, tuple(alignment))
    # 1e-12: a share such as 2/3 met by min_score: 0.6666666666666666 must not hang on the last bit
    passed = result.score >= result.min_score - 1e-12
    outcome = Outcome(passed=passed, reason=_reason(result, calls, passed=passed), plan=score)
    # A plan met in full says the same of every trial that met it so: nothing of the calls is in it.
    if passed and None not in result.pairs and len(settled) < _KEPT:
        settled[key] = outcome
    return outcome


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
