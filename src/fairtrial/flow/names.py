"""Names in a case's expectations that its world does not have."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from fairtrial.records import Case, Json, Rule, ToolsExpectation
from fairtrial.text import cut
from fairtrial.worlds import Blueprint

_MOST = 8  # notes; more of one kind say nothing new


def unknown_fields_of(case: Case, blueprint: Blueprint) -> Iterator[str]:
    """Give the fields that a case asks about and that the class of its world does not have.

    Without a class a field may be missing at the end, and that may be what is asked.
    """
    if not blueprint.has_class:
        return
    state = case.expect.state
    asked = {f"expect.state.{name}": name for name in _keys(state)}
    if isinstance(case.expect.unchanged, tuple):
        asked |= {f"expect.unchanged[{n}]": name for n, name in enumerate(case.expect.unchanged)}
    for place, name in asked.items():
        if name not in blueprint.fields:
            yield f"{place}: the world has no field {cut(name)!r}{_hint(name, blueprint.fields)}"


def notes_on_tools(cases: Sequence[Case], blueprints: dict[str, Blueprint]) -> list[str]:
    """Give the tools that are forbidden or guarded, and that the world does not have.

    A misspelt name there is never called, so its check would pass for ever.
    """
    notes: dict[str, None] = {}
    for case in cases:
        tools = blueprints[case.id].tools
        if not tools:
            continue
        for what, name in _guarded(case):
            if name not in tools:
                notes[
                    f"{case.source}: {what} names the tool {cut(name)!r}, which the world does not "
                    f"have{_hint(name, tools)}"
                ] = None
    listed = list(notes)
    more = [f"and {len(listed) - _MOST} more such names"] if len(listed) > _MOST else []
    return listed[:_MOST] + more


def _keys(state: Json) -> list[str]:
    if state is UNSET or not isinstance(state, dict):
        return []
    inner = state.get("exactly", state.get("has"))
    return list(inner if len(state) == 1 and isinstance(inner, dict) else state)


def _guarded(case: Case) -> Iterator[tuple[str, str]]:
    asked = [case.expect.tools] if case.expect.tools else []
    parts: list[ToolsExpectation | Rule] = [*asked, *case.rules]
    for part in parts:
        for pattern in part.forbidden:
            yield "forbidden", _name(pattern)
        for rule in part.before:
            yield "before", _name(rule.get("tool"))
            yield "before", _name(rule.get("needs"))


def _name(pattern: Json) -> str:
    return str(pattern.get("name")) if isinstance(pattern, dict) else str(pattern)


def _hint(name: str, known: Sequence[str]) -> str:
    import difflib  # noqa: PLC0415 - only on the way to a mistake

    near = difflib.get_close_matches(name[:200], known, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(known[:10])}"
