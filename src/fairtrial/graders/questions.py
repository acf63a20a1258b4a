"""What a case asks of every trial: one question after the other, and the tools that it names."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from fairtrial.graders.answer import answer_questions
from fairtrial.graders.finished import finished_question, printed_call_question
from fairtrial.graders.limits import limit_questions
from fairtrial.graders.planned import next_question, plan_question
from fairtrial.graders.question import Question
from fairtrial.graders.repeats import repeats_question
from fairtrial.graders.rubric import rubric_questions
from fairtrial.graders.spans import span_questions
from fairtrial.graders.state import state_questions
from fairtrial.graders.tools import (
    before_question,
    calls_needed,
    forbidden_question,
    only_question,
    required_questions,
)
from fairtrial.match import (
    Call,
    CallPattern,
    Plan,
    compile_before,
    compile_next,
    compile_pattern,
    compile_plan,
)
from fairtrial.records import Case, Rule, ToolsExpectation, Trust


def questions_of(case: Case, trust: Trust | None = None) -> Iterator[Question]:
    """Give what is asked of every trial of a case. What cases ask alike is one question.

    Args:
        case: The case.
        trust: Which rubric items the judge may decide; None: there is no judge.

    Raises:
        fairtrial.match.MatcherError: A matcher, pattern or plan that cannot be.

    >>> from fairtrial.records import Source
    >>> [question.name for question in questions_of(Case(id="c", hash="", source=Source("a", 1)))]
    ['finished', 'tools.repeats', 'text_tool_call']
    """
    expect, tools = case.expect, case.expect.tools or ToolsExpectation()
    plan = None if tools.plan is UNSET else compile_plan(tools.plan)
    yield finished_question(expect.stop)
    if expect.next is not UNSET:
        yield next_question(compile_next(expect.next))
    if expect.answer is not None:
        yield from answer_questions(expect.answer)
    yield from _tool_questions(tools, plan, case)
    for rule in case.rules:
        place = f"[rule {rule.number}]"
        yield from required_questions(rule.required, place)
        if rule.forbidden:
            yield forbidden_question(rule.forbidden, place)
        if rule.before:
            yield before_question(rule.before, place)
    yield repeats_question(case.limits)
    yield from state_questions(case)
    yield from span_questions(expect.spans)
    shortest = None if case.limits.path_factor is None else _shortest(case, plan)
    yield from limit_questions(case.limits, shortest)
    yield printed_call_question()
    yield from rubric_questions(case, trust)


def _tool_questions(tools: ToolsExpectation, plan: Plan | None, case: Case) -> Iterator[Question]:
    yield from required_questions(tools.required)
    if tools.forbidden:
        yield forbidden_question(tools.forbidden)
    if tools.before:
        yield before_question(tools.before)
    if plan is not None:
        yield plan_question(plan)
    if tools.only:
        required = [*tools.required, *(spec for rule in case.rules for spec in rule.required)]
        yield only_question(required, lambda calls: _planned(plan, calls))


def _planned(plan: Plan | None, calls: list[Call]) -> Sequence[CallPattern]:
    return () if plan is None else plan.align(calls).items


def _shortest(case: Case, plan: Plan | None) -> int | None:
    """Give the calls of the shortest right path; None where the case names none."""
    if plan is not None:
        return plan.shortest
    tools = case.expect.tools
    if tools is None or not tools.required:
        return None
    return calls_needed(tools.required, *(rule.required for rule in case.rules))


def known_tools(case: Case) -> frozenset[str]:
    """Give the tools that the case names anywhere.

    >>> from fairtrial.records import Source
    >>> sorted(known_tools(Case(id="c", hash="", source=Source("a", 1), tools={"pay": {}})))
    ['pay']
    """
    names = {*(case.tools or ()), *(case.faults or ())}
    tools = case.expect.tools or ToolsExpectation()
    if tools.plan is not UNSET:
        names |= compile_plan(tools.plan).tools()
    if case.expect.next is not UNSET:
        names |= compile_next(case.expect.next).tools()
    if isinstance(case.limits.repeats, dict):
        names |= case.limits.repeats.keys()
    parts: list[ToolsExpectation | Rule] = [tools, *case.rules]
    for part in parts:
        for spec in (*part.required, *part.forbidden):
            names.add(compile_pattern(spec, which=True).name)
        for spec in part.before:
            rule = compile_before(spec)
            names |= {rule.tool.name, rule.needs.name}
    return frozenset(names)
