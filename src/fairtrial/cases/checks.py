"""The names of the checks that a case asks for, which `informs` and lint need."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import UNSET

from fairtrial.match import compile_state
from fairtrial.records import Case, Json, Rubric
from fairtrial.text import cut, label

ALWAYS_CHECKED: Final = ("finished", "tools.repeats", "text_tool_call")
"""The checks that every case has without asking."""

_LIMITS: Final = ("steps", "tool_calls", "tokens", "cost", "seconds")


def asked_checks(case: Case) -> tuple[str, ...]:
    """Give the full names of the checks that the case and its file's rules ask for, in order.

    >>> from fairtrial.records import AnswerExpectation, Expectation, Limits, Source
    >>> answer = AnswerExpectation(contains=(("no fee", "free"),), excludes=("sorry",))
    >>> expect = Expectation(answer=answer)
    >>> asked_checks(Case(id="a", hash="", source=Source("a.yaml", 1), expect=expect))
    ('answer.contains[no fee]', 'answer.excludes[sorry]')
    """
    return tuple(_numbered(_names(case)))


def asks(case: Case) -> bool:
    """Say whether the case or a rule of its file asks for any check.

    >>> from fairtrial.records import Source
    >>> asks(Case(id="a", hash="", source=Source("a.yaml", 1)))
    False
    """
    answer = case.expect.answer
    if answer is not None and answer.contains:  # as most do
        return True
    return next(_names(case), None) is not None


def _names(case: Case) -> Iterator[str]:
    expect = case.expect
    if expect.stop is not None:
        yield "finished"
    yield from _answer(case)
    yield from _tools(case)
    yield from _rules(case)
    yield from _world(case)
    if expect.next is not UNSET:
        yield "next"
    yield from (f"spans[{label(span.name)}]" for span in expect.spans)
    yield from (f"rubric[{label(text)}]" for text in _judged(case))
    yield from _limits(case)


def _judged(case: Case) -> Iterator[str]:
    """Give the texts of what a judge decides: items, a goal, and the name of what has criteria."""
    rubric = case.expect.rubric
    if not isinstance(rubric, str):
        yield from (item.item for item in rubric)
        return
    written = (case.rubrics or {}).get(rubric)
    if written is None:  # something is wrong with it, which is said where it stands
        yield rubric
        return
    shared = msgspec.convert(written, Rubric)
    yield from (item.item for item in shared.items)
    if shared.goal is not None:
        yield shared.goal
    if shared.criteria:
        yield rubric


def _rules(case: Case) -> Iterator[str]:
    for rule in case.rules:
        place = f"[rule {rule.number}]"
        if rule.required:
            yield f"tools.required{place}"
        if _has_arguments(rule.required):
            yield f"tools.arguments{place}"
        if rule.forbidden:
            yield f"tools.forbidden{place}"
        if rule.before:
            yield f"tools.before{place}"


def _world(case: Case) -> Iterator[str]:
    if case.expect.state is not UNSET:
        state = compile_state(case.expect.state)
        yield from (f"state.{cut(field)}" for field in state.fields)
        if state.exact:
            yield "state.exactly"
    if case.expect.unchanged:
        yield "unchanged"


def _answer(case: Case) -> Iterator[str]:
    answer = case.expect.answer
    if answer is None:
        return
    yield from (f"answer.contains[{label(entry[0])}]" for entry in answer.contains)
    yield from (f"answer.excludes[{label(phrase)}]" for phrase in answer.excludes)
    yield from (f"answer.numbers[{_figure(number.value)}]" for number in answer.numbers)
    if answer.equals is not None:
        yield f"answer.equals[{label(answer.equals)}]"
    yield from (f"answer.matches[{label(pattern)}]" for pattern in answer.matches)
    if answer.json is not UNSET:
        yield "answer.json"


def _figure(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e16 else str(value)


def _tools(case: Case) -> Iterator[str]:
    tools = case.expect.tools
    if tools is None:
        return
    if tools.required:
        yield "tools.required"
    if _has_arguments(tools.required):
        yield "tools.arguments"
    if tools.forbidden:
        yield "tools.forbidden"
    if tools.before:
        yield "tools.before"
    if tools.plan is not UNSET:
        yield "tools.plan"
    if tools.only:
        yield "tools.only"


def _has_arguments(patterns: tuple[Json, ...]) -> bool:
    return any(isinstance(item, dict) and {"args", "result"} & item.keys() for item in patterns)


def _limits(case: Case) -> Iterator[str]:
    limits = case.limits
    yield from (f"limits.{name}" for name in _LIMITS if getattr(limits, name) is not None)
    tools = case.expect.tools
    measurable = tools is not None and (tools.plan is not UNSET or tools.required)
    if limits.path_factor is not None and measurable:
        yield "limits.path_factor"
    if limits.repeats is not None or limits.retries is not None:
        yield "tools.repeats"


def _numbered(names: Iterable[str]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for name in names:
        count = seen[name] = seen.get(name, 0) + 1
        yield name if count == 1 else f"{name} #{count}"


def named_by(entry: str, check: str) -> bool:
    """Say whether an entry of `informs` names the check: in full, without brackets, or its grader.

    >>> named_by("answer", "answer.excludes[sorry]"), named_by("answer.ex", "answer.excludes[a]")
    (True, False)
    """
    bare = check.partition("[")[0]
    return entry in {check, bare, bare.partition(".")[0]}
