"""Call patterns: which calls are meant."""

import functools
from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias, get_args

from fairtrial.match.call import Call
from fairtrial.match.known import Known
from fairtrial.match.language import compile_matcher
from fairtrial.match.matcher import Matcher, MatcherError
from fairtrial.match.mismatch import BRIEF, Mismatch, brief
from fairtrial.match.spelling import nearest_field
from fairtrial.records import Json
from fairtrial.text import cut

Which: TypeAlias = Literal["any", "first", "every", "last"]
"""Which calls of a tool a required pattern is about."""

_WHICH: Final[tuple[Which, ...]] = get_args(Which)
_FIELDS: Final = ("name", "args", "result", "ok", "which")

_MEANT: Final = {
    "tool": "name", "tool_name": "name", "function": "name", "call": "name", "tools": "name",
    "arguments": "args", "arg": "args", "parameters": "args", "params": "args", "input": "args",
    "kwargs": "args", "with": "args", "output": "result", "returns": "result", "response": "result",
    "success": "ok", "succeeded": "ok", "failed": "ok: false", "error": "ok: false",
}  # fmt: skip


class CallPattern:
    """Which calls are meant: those of a tool, perhaps with certain arguments or results."""

    __slots__ = ("_args", "_result", "args", "name", "ok", "result", "which")

    def __init__(
        self,
        name: str,
        *,
        args: Matcher | None = None,
        result: Matcher | None = None,
        ok: bool | None = None,
        which: Which = "any",
    ) -> None:
        """Put a pattern together; None asks for nothing."""
        self.name = name
        self.args = args
        self.result = result
        self.ok = ok
        """True: calls that succeeded; False: calls that failed; None: both."""
        self.which = which
        self._args = None if args is None else args.matches
        self._result = None if result is None else result.matches

    @property
    def bare(self) -> bool:
        """The pattern asks for nothing but the tool."""
        return self.args is None and self.result is None and self.ok is None

    def names(self, call: Call) -> bool:
        """Say whether the call is of this tool, and succeeded or failed as `ok` says."""
        return call.name == self.name and (self.ok is None or self._ended(call))

    def _ended(self, call: Call) -> bool:
        """Say whether the call ended as `ok` says; one that was never run ended in no way."""
        return not call.failed if self.ok else call.failed and call.reached

    def matches(self, call: Call) -> bool:
        """Say whether the call is as the whole pattern says. Malformed arguments meet no `args`.

        Raises:
            MatchTimeoutError: A regular expression took too long.
        """
        return (
            call.name == self.name
            and (self.ok is None or self._ended(call))
            and (self._args is None or self._args(call.arguments))
            and (self._result is None or self._result(call.result))
        )

    def mismatches(self, call: Call) -> list[Mismatch]:
        """Give what differs: `name` and `ok`, parameters by their own paths, `result` and below.

        Empty exactly when the call matches.

        Raises:
            MatchTimeoutError: A regular expression took too long.

        >>> from fairtrial.records import ToolCall
        >>> pattern = compile_pattern({"name": "refund", "args": {"amount": {"max": 320}}})
        >>> call = Call.of(0, 0, ToolCall(name="refund", arguments={"amount": 400}))
        >>> [str(found) for found in pattern.mismatches(call)]
        ['amount: wanted at most 320, got 400']
        """
        found = []
        if call.name != self.name:
            found.append(Mismatch("name", cut(self.name), cut(call.name)))
        if self.ok is not None and not self._ended(call):
            told = ("a call that failed", "a call that succeeded")
            got = told[not call.failed] if call.reached else "a call that was never run"
            found.append(Mismatch("", told[self.ok], got))
        if self.args is not None:
            if call.malformed:
                raw = brief(call.raw)
                found.append(Mismatch("arguments", "a JSON object", f"malformed arguments {raw}"))
            else:
                found += self.args.mismatches(call.arguments)
        if self.result is not None:
            found += self.result.mismatches(call.result, "result")
        return found

    def chosen(self, calls: Iterable[Call]) -> list[Call]:
        """Give the calls that `which` picks from those that the tool's name and `ok` leave.

        `first` is the first whose arguments parse; `any` and `every` leave all.
        """
        named = [call for call in calls if self.names(call)]
        if self.which == "first":
            return next(([call] for call in named if not call.malformed), [])
        return named[-1:] if self.which == "last" else named

    def __str__(self) -> str:
        parts = []
        if self.args is not None:
            parts.append(self.args.describe())
        if self.ok is not None:
            parts.append(f"ok: {str(self.ok).lower()}")
        if self.result is not None:
            parts.append(f"result: {self.result.describe()}")
        return cut(self.name) + (cut(f"({', '.join(parts)})", BRIEF) if parts else "")


def compile_pattern(spec: Json, *, which: bool = False) -> CallPattern:
    """Compile a call pattern: a tool's name, or `{name, args, result, ok, which}`.

    Args:
        spec: As written.
        which: `which` is allowed, as it is under `required` alone.

    Raises:
        MatcherError: The pattern cannot be; the text shows the way out.

    >>> str(compile_pattern({"name": "cancel", "args": {"booking": "H-204"}, "ok": True}))
    'cancel({booking: "H-204"}, ok: true)'
    """
    if isinstance(spec, str):
        return _bare(spec)
    if not isinstance(spec, dict):
        raise MatcherError(
            f"wanted a tool's name or a mapping {{name, args, result, ok}}, got {brief(spec)}"
            + ("; quote it" if isinstance(spec, int | float) else "")
        )
    return (_REQUIRED if which else _PATTERNS).compiled(spec)


def _mapping(spec: dict[str, Json], *, which: bool) -> CallPattern:
    _known_fields(spec, which=which)
    if "name" not in spec:
        raise MatcherError(f"name: missing in the call pattern {brief(spec)}; wanted a tool's name")
    ok = spec.get("ok")
    if "ok" in spec and not isinstance(ok, bool):
        raise MatcherError(f"ok: wanted true or false, got {brief(ok)}", ("ok",))
    return CallPattern(
        _name(spec["name"], ("name",)),
        args=_part(spec, "args", names=True),
        result=_part(spec, "result", names=False),
        ok=ok,
        which=_which(spec),
    )


_PATTERNS: Final = Known(functools.partial(_mapping, which=False))
_REQUIRED: Final = Known(functools.partial(_mapping, which=True))


@functools.lru_cache(10_000)
def _bare(name: str) -> CallPattern:
    """Give the pattern of a lone name: the cases of a suite share their tools."""
    return CallPattern(_name(name, ()))


def _name(value: Json, path: tuple[str, ...]) -> str:
    if not isinstance(value, str) or not value.strip():
        hint = "; quote it" if isinstance(value, int | float) else ""
        raise MatcherError(f"wanted a tool's name, got {brief(value)}{hint}", path)
    return value


def _known_fields(spec: dict[str, Json], *, which: bool) -> None:
    for key in spec:
        if key == "any_order":
            raise MatcherError(
                "any_order: a group stands only in a plan, alone in its mapping and not in "
                "another group; wanted a call pattern",
                ("any_order",),
            )
        if key == "which" and not which:
            raise MatcherError(
                "which: only under `required`; a plan, a rule and `forbidden` look at every call",
                ("which",),
            )
        if key not in _FIELDS:
            known = nearest_field(str(key), _FIELDS, _MEANT)
            hint = known or "; parameters stand under args"
            raise MatcherError(
                f"unknown field {cut(str(key))!r} of a call pattern; wanted "
                f"{', '.join(_FIELDS)}{hint}",
                (key,),
            )


def _part(spec: dict[str, Json], field: str, *, names: bool) -> Matcher | None:
    if field not in spec:
        return None
    try:
        return compile_matcher(spec[field], names=names)
    except MatcherError as error:
        raise error.inside((field,)) from None


def _which(spec: dict[str, Json]) -> Which:
    value: Which = spec.get("which", "any")
    if value not in _WHICH:
        wanted = ", ".join(_WHICH)
        raise MatcherError(f"which: wanted one of {wanted}, got {brief(value)}", ("which",))
    return value


def closest_call(pattern: CallPattern, calls: Sequence[Call]) -> Call | None:
    """Give the call of the pattern's tool that differs least from it, the earliest of several.

    None when no call is of this tool.

    >>> from fairtrial.records import ToolCall
    >>> pays = [ToolCall(name="pay", arguments={"amount": amount, "to": "A"}) for amount in (3, 5)]
    >>> pattern = compile_pattern({"name": "pay", "args": {"amount": 5, "to": "B"}})
    >>> closest_call(pattern, [Call.of(at, at, pay) for at, pay in enumerate(pays)]).index
    1
    """
    named = [call for call in calls if call.name == pattern.name]
    if len(named) == 1:
        return named[0]
    return min(named, key=lambda call: len(pattern.mismatches(call)), default=None)
