"""Expectations of one case that no trial can meet together, or that say nothing."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from fairtrial.cases.checks import ALWAYS_CHECKED, asked_checks, asks, named_by
from fairtrial.cases.hints import nearest
from fairtrial.cases.located import Path
from fairtrial.records import Case, Json, ToolsExpectation
from fairtrial.text import normalise


class Contradiction(NamedTuple):
    """What is wrong, and where in the case."""

    path: Path
    text: str


def contradictions_of(case: Case) -> Iterator[Contradiction]:
    """Give what no trial can meet.

    >>> from fairtrial.records import AnswerExpectation, Expectation, Source
    >>> answer = AnswerExpectation(contains=(("No fee",),), excludes=("no fee",))
    >>> case = Case(
    ...     id="a", hash="", source=Source("a.yaml", 1), expect=Expectation(answer=answer)
    ... )
    >>> next(contradictions_of(case)).path
    ('expect', 'answer', 'contains', 0)
    """
    yield from _answer(case)
    if case.expect.tools is not None:
        yield from _tools(case, case.expect.tools)
    yield from _before(case)


def _answer(case: Case) -> Iterator[Contradiction]:
    answer = case.expect.answer
    if answer is None or not (answer.excludes or answer.equals is not None):
        return
    at = ("expect", "answer")
    excluded = {phrase: normalise(phrase) for phrase in answer.excludes}
    for index, phrases in enumerate(answer.contains):
        for phrase, folded in excluded.items():
            if all(folded in normalise(other) for other in phrases):
                yield Contradiction(
                    (*at, "contains", index),
                    f"whatever holds {phrases[0]!r} holds {phrase!r} too, which excludes forbids",
                )
    if answer.equals is None:
        return
    whole = normalise(answer.equals)
    for index, phrases in enumerate(answer.contains):
        if not any(normalise(phrase) in whole for phrase in phrases):
            text = f"the answer that equals asks for does not hold {phrases[0]!r}"
            yield Contradiction((*at, "contains", index), text)
    for index, (phrase, folded) in enumerate(excluded.items()):
        if folded in whole:
            text = f"the answer that equals asks for holds {phrase!r}"
            yield Contradiction((*at, "excludes", index), text)


def _tools(case: Case, tools: ToolsExpectation) -> Iterator[Contradiction]:
    at = ("expect", "tools")
    strict = _strict_items(tools.plan)
    forbidden = _forbidden(case, tools)
    for index, name in enumerate(map(_name, tools.required)):
        if name in forbidden:
            yield Contradiction(
                (*at, "required", index), f"{name!r} is required and {forbidden[name]}"
            )
    for name in strict or ():
        if name in forbidden:
            yield Contradiction((*at, "plan"), f"{name!r} is planned and {forbidden[name]}")
    if tools.plan == [] and tools.required:
        text = "an empty plan expects no call, and required expects some; drop one"
        yield Contradiction((*at, "plan"), text)
    yield from _too_few_calls(case, tools, strict)


def _forbidden(case: Case, tools: ToolsExpectation) -> dict[str, str]:
    """Give the tools that no trial may call, and who says so."""
    forbidden = {name: "forbidden" for name in map(_bare, tools.forbidden) if name}
    for rule in case.rules:
        for name in filter(None, map(_bare, rule.forbidden)):
            forbidden.setdefault(name, f"forbidden by rule {rule.number}")
    return forbidden


def _too_few_calls(
    case: Case, tools: ToolsExpectation, strict: list[str] | None
) -> Iterator[Contradiction]:
    allowed = case.limits.tool_calls
    if allowed is None:
        return
    needed = _calls_needed(tools.required)
    if strict is not None:
        needed = max(needed, len(strict))
    if allowed < needed:
        yield Contradiction(
            ("limits", "tool_calls"),
            f"at most {allowed} calls, and what is required or planned takes {needed}",
        )


def _calls_needed(required: tuple[Json, ...]) -> int:
    plain = Counter(_name(item) for item in required if not _has_which(item))
    chosen = {_name(item) for item in required if _has_which(item)}
    return plain.total() + len(chosen - plain.keys())


def _has_which(pattern: Json) -> bool:
    return isinstance(pattern, dict) and pattern.get("which", "any") != "any"


def _before(case: Case) -> Iterator[Contradiction]:
    tools = case.expect.tools
    for index, item in enumerate(tools.before if tools else ()):
        if _bare(item["tool"]) and item["tool"] == item["needs"]:
            yield Contradiction(
                ("expect", "tools", "before", index),
                f"{item['tool']!r} needs itself, so no first call is right; write forbidden",
            )


def _name(pattern: Json) -> str:
    name: str = pattern if isinstance(pattern, str) else pattern["name"]
    return name


def _bare(pattern: Json) -> str | None:
    """Give the tool's name where the pattern asks for nothing else."""
    if isinstance(pattern, str):
        return pattern
    return _name(pattern) if pattern.keys() == {"name"} else None


def _strict_items(plan: Json) -> list[str] | None:
    """Give the names of all items of a plan that must be met whole; None: there is a choice."""
    if plan is UNSET:
        return None
    if isinstance(plan, dict):
        if "any" in plan or plan.get("min_score", 1) < 1:
            return None
        plan = plan["steps"]
    items: list[Json] = []
    for item in plan:
        grouped = isinstance(item, dict) and "any_order" in item
        items += item["any_order"] if grouped else [item]
    return [_name(item) for item in items]


def idle_expectations(case: Case) -> Iterator[Contradiction]:
    """Give what keeps the whole case from deciding anything. Only for a case without mistakes.

    >>> from fairtrial.records import Source
    >>> case = Case(id="a", hash="", source=Source("a.yaml", 1))
    >>> next(idle_expectations(case)).text[:24]
    'no check is asked for, s'
    """
    if not asks(case):
        yield Contradiction(("expect",), _no_check(case))
        return
    if isinstance(case.informs, bool) or not case.informs:
        return
    asked = asked_checks(case)
    known = {*asked, *ALWAYS_CHECKED}
    for index, entry in enumerate(case.informs):
        if not any(named_by(entry, check) for check in known):
            yield Contradiction(("informs", index), _no_such_check(entry, known))
    deciding = [c for c in asked if not any(named_by(entry, c) for entry in case.informs)]
    if not deciding:
        yield Contradiction(
            ("informs",),
            "every check that the case asks for only informs, so none decides; leave one out "
            "(informs: true shows a case and never gates it)",
        )


def _no_check(case: Case) -> str:
    if case.limits.path_factor is not None:
        return (
            "no check is asked for (path_factor needs a plan or required calls); write what a "
            "correct run must show, such as expect: {answer: {contains: [a phrase]}}"
        )
    return (
        "no check is asked for, so nothing could fail; write what a correct run must show, such "
        "as expect: {answer: {contains: [a phrase]}}, or a limit"
    )


def _no_such_check(entry: str, known: set[str]) -> str:
    bare = {check.partition("[")[0] for check in known}
    names = sorted(known | bare | {name.partition(".")[0] for name in bare})
    close = nearest(entry, names)
    hint = f"; did you mean {close}?" if close else f"; it has {', '.join(names)}"
    return f"the case has no check {entry!r}{hint}"
