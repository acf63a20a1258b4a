"""Rules of order: never the first without the second in an earlier step."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from fairtrial.match.call import Call
from fairtrial.match.equality import fingerprint
from fairtrial.match.known import Known
from fairtrial.match.matcher import MatcherError
from fairtrial.match.mismatch import brief
from fairtrial.match.pattern import CallPattern, compile_pattern
from fairtrial.match.spelling import nearest_field
from fairtrial.records import Json
from fairtrial.text import cut

_FIELDS: Final = ("tool", "needs", "same")

_MEANT: Final = {
    "require": "needs", "requires": "needs", "required": "needs", "after": "needs",
    "first": "needs", "earlier": "needs", "prerequisite": "needs", "depends_on": "needs",
    "call": "tool", "tools": "tool", "name": "tool", "then": "tool", "never": "tool",
    "match": "same", "matching": "same", "bind": "same", "where": "same", "args": "same",
    "arguments": "same", "with": "same",
}  # fmt: skip


class BeforeRule:
    """A call of `tool` must come after a succeeded call of `needs`, in an earlier step."""

    __slots__ = ("needs", "same", "tool")

    def __init__(self, tool: CallPattern, needs: CallPattern, same: Mapping[str, str]) -> None:
        """Take both patterns, and which parameter of `tool` equals which of `needs`."""
        self.tool = tool
        self.needs = needs
        self.same = dict(same)

    def violations(self, calls: Sequence[Call]) -> list[Call]:
        """Give the calls that match `tool`, failed or not, and have no such call before them.

        One call of `needs` serves many.

        Raises:
            MatchTimeoutError: A regular expression took too long.
        """
        guarded = [call for call in calls if self.tool.matches(call)]
        if not guarded:
            return []
        earliest: dict[str, int] = {}  # by the bound values: the step of the first call of needs
        for call in calls:
            if call.name == self.needs.name and not call.failed and self.needs.matches(call):
                key = _bound(call, self.same.values())
                if key is not None:
                    earliest[key] = min(call.step, earliest.get(key, call.step))
        return [call for call in guarded if not self._is_met(call, earliest)]

    def _is_met(self, call: Call, earliest: Mapping[str, int]) -> bool:
        key = _bound(call, self.same)
        return key is not None and key in earliest and earliest[key] < call.step


def _bound(call: Call, parameters: Iterable[str]) -> str | None:
    """Give a text for the values of the parameters; None when one of them is missing."""
    arguments = call.arguments
    values = []
    for parameter in parameters:
        if not isinstance(arguments, dict) or parameter not in arguments:
            return None
        values.append(arguments[parameter])
    return fingerprint(values)


def compile_before(spec: Json) -> BeforeRule:
    """Compile a rule `{tool, needs, same: {parameter of tool: parameter of needs}}`.

    Raises:
        MatcherError: The rule cannot be; the text shows the way out.

    >>> from fairtrial.records import ToolCall
    >>> rule = compile_before({"tool": "cancel", "needs": "get", "same": {"booking": "id"}})
    >>> calls = [
    ...     Call.of(0, 0, ToolCall(name="get", arguments={"id": "H-1"})),
    ...     Call.of(1, 1, ToolCall(name="cancel", arguments={"booking": "H-1"})),
    ...     Call.of(2, 2, ToolCall(name="cancel", arguments={"booking": "H-2"})),
    ... ]
    >>> [call.index for call in rule.violations(calls)]
    [2]
    """
    return _RULES.compiled(spec)


def _compiled(spec: Json) -> BeforeRule:
    if not isinstance(spec, dict):
        raise MatcherError(f"wanted a mapping {{tool, needs, same}}, got {brief(spec)}")
    for key in spec:
        if key not in _FIELDS:
            hint = nearest_field(str(key), _FIELDS, _MEANT)
            raise MatcherError(
                f"unknown field {cut(str(key))!r} of a rule; wanted {', '.join(_FIELDS)}{hint}",
                (key,),
            )
    tool, needs = _pattern(spec, "tool"), _pattern(spec, "needs")
    if needs.ok is False:
        raise MatcherError(
            "ok: a needed call counts only when it succeeded, so ok: false is never met",
            ("needs", "ok"),
        )
    return BeforeRule(tool, needs, _same(spec.get("same", {})))


_RULES: Final = Known(_compiled)


def _pattern(spec: dict[str, Json], field: str) -> CallPattern:
    if field not in spec:
        raise MatcherError(f"{field}: missing; wanted a tool's name or a call pattern")
    try:
        return compile_pattern(spec[field])
    except MatcherError as error:
        raise error.inside((field,)) from None


def _same(spec: Json) -> dict[str, str]:
    kind = "a mapping of parameters of `tool` to parameters of `needs`"
    if not isinstance(spec, dict):
        hint = f"; write same: {{{spec}: {spec}}}" if isinstance(spec, str) else ""
        raise MatcherError(f"same: wanted {kind}, got {brief(spec)}{hint}", ("same",))
    for key, value in spec.items():
        if not isinstance(key, str) or not isinstance(value, str) or not value:
            raise MatcherError(f"same: wanted {kind}, got {brief(value)}", ("same", key))
        if value.startswith(("result.", "args.")) or key.startswith(("result.", "args.")):
            raise MatcherError(
                f"same: {brief(key)}: {brief(value)} looks into a result; wanted {kind}, by name "
                "alone; what a result must be stands in needs: {name: ..., result: ...}",
                ("same", key),
            )
    return spec
