"""What a suite looks at: cases by tag, checks by kind, tools by name."""

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET, Struct

from fairtrial.cases.checks import asked_checks
from fairtrial.cases.suite import Suite
from fairtrial.match import compile_next, compile_plan
from fairtrial.records import Case, Json


class Coverage(Struct, frozen=True, kw_only=True):
    """How many cases of a suite have what."""

    cases: int
    protected: int
    tags: dict[str, int]
    """Cases by tag."""
    checks: dict[str, int]
    """Cases by the kind of check that they ask for, without brackets."""
    tools: dict[str, int]
    """Cases by the tool that they name in an expectation or that a rule of theirs names."""


def coverage_of(suite: Suite) -> Coverage:
    """Count what the cases of a suite have.

    >>> coverage_of(Suite(cases=(), files=())).cases
    0
    """
    tags: Counter[str] = Counter()
    checks: Counter[str] = Counter()
    tools: Counter[str] = Counter()
    for case in suite.cases:
        tags.update(case.tags)
        checks.update({name.partition("[")[0].partition(" #")[0] for name in asked_checks(case)})
        tools.update(set(tools_of(case)))
    return Coverage(
        cases=len(suite.cases),
        protected=sum(case.protected for case in suite.cases),
        tags=dict(sorted(tags.items())),
        checks=dict(sorted(checks.items())),
        tools=dict(sorted(tools.items())),
    )


def tools_of(case: Case) -> Iterator[str]:
    """Give the names of the tools that the case's expectations and rules name, once for each time.

    >>> from fairtrial.records import Expectation, Source, ToolsExpectation
    >>> expect = Expectation(tools=ToolsExpectation(required=("pay",), plan=["look", "pay"]))
    >>> sorted(tools_of(Case(id="a", hash="", source=Source("a.yaml", 1), expect=expect)))
    ['look', 'pay', 'pay']
    """
    tools = case.expect.tools
    for part in (tools, *case.rules):
        if part is None:
            continue
        yield from map(_name, (*part.required, *part.forbidden))
        for item in part.before:
            yield from (_name(item["tool"]), _name(item["needs"]))
    if tools is not None and tools.plan is not UNSET:
        yield from compile_plan(tools.plan).tools()
    if case.expect.next is not UNSET:
        yield from compile_next(case.expect.next).tools()


def _name(pattern: Json) -> str:
    name: str = pattern if isinstance(pattern, str) else pattern["name"]
    return name
