"""The calls of a trajectory, ready to be matched."""

import enum
import json
from typing import Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from fairtrial.match.equality import MISSING
from fairtrial.match.matcher import Matcher
from fairtrial.records import (
    Json,
    NotJsonError,
    ToolCall,
    Trajectory,
    clean_text,
    plain,
    too_deep,
)


class Malformed(enum.Enum):
    """What stands for arguments that are no JSON object."""

    MALFORMED = "malformed arguments"

    def __repr__(self) -> str:
        return "MALFORMED"


MALFORMED: Final = Malformed.MALFORMED


class Call(
    Struct, frozen=True, eq=False, gc=False
):  # gc: they are many, and none is ever part of a cycle
    """One call of a trajectory, with its arguments read.

    >>> call = Call.of(0, 0, ToolCall(name="pay", arguments='{"amount": 5'))
    >>> call.arguments, call.malformed, call.failed, call.raw
    (MALFORMED, True, True, '{"amount": 5')
    """

    index: int
    """Of the call in the trajectory, from 0."""
    step: int
    """Index of the step that made it, from 0."""
    source: ToolCall
    """The call as recorded."""
    name: str
    arguments: Json
    """The arguments, a mapping, or MALFORMED. Null and "" are no arguments."""
    result: Json
    """What the tool gave back; MISSING when nothing did."""
    failed: bool
    """The tool layer said so, the arguments are malformed, or the call never reached a tool;
    `calls_of` adds what the suite says of its result."""

    @classmethod
    def of(cls, index: int, step: int, source: ToolCall) -> "Call":
        """Look at a recorded call.

        Args:
            index: Of the call in the trajectory, from 0.
            step: Index of the step that made it, from 0.
            source: The call as recorded.
        """
        arguments: Json = source.arguments
        if not isinstance(arguments, dict):
            arguments = _read(arguments) if arguments else {}
        result: Json = source.result
        if result is UNSET:
            result = MISSING
        failed = source.error is not None or arguments is MALFORMED or not source.executed
        return cls(index, step, source, source.name, arguments, result, failed)

    @property
    def malformed(self) -> bool:
        """The model wrote arguments that are no JSON object."""
        return self.arguments is MALFORMED

    @property
    def reached(self) -> bool:
        """The call came to a tool, or was refused because its arguments are malformed."""
        return self.source.executed or self.malformed

    @property
    def raw(self) -> Json:
        """The arguments as recorded: a mapping, the text that the model wrote, or None."""
        return self.source.arguments

    @property
    def error(self) -> str | None:
        """The tool layer's error."""
        return self.source.error

    @property
    def changed(self) -> bool | None:
        """Whether the call changed the world's state; None when nobody looked."""
        return self.source.changed


def _read(raw: str) -> Json:
    try:
        value = msgspec.json.decode(raw)
    except (UnicodeEncodeError, msgspec.DecodeError):
        value = _read_with_surrogates(raw)
    except RecursionError:
        return MALFORMED
    return value if isinstance(value, dict) and not too_deep(value) else MALFORMED


def _read_with_surrogates(raw: str) -> Json:
    """Read JSON that holds half of a character, which the strict reader refuses."""
    if raw.isascii() and "\\ud" not in raw.lower():
        return None
    try:
        return plain(json.loads(clean_text(raw)))
    except (ValueError, RecursionError, NotJsonError):
        return None


def calls_of(trajectory: Trajectory, tool_error: Matcher | None = None) -> list[Call]:
    """Give the calls of a trajectory in order.

    Args:
        trajectory: Its steps must be known.
        tool_error: Says which results count as errors, besides what the tool layer said.

    Raises:
        ValueError: The steps are not known.

    >>> from fairtrial.records import Step
    >>> pair = Step(calls=(ToolCall(name="a"), ToolCall(name="b")))
    >>> calls = calls_of(Trajectory(case="c", steps=(pair, Step(), pair)))
    >>> [(call.index, call.step, call.name) for call in calls]
    [(0, 0, 'a'), (1, 0, 'b'), (2, 2, 'a'), (3, 2, 'b')]
    """
    if trajectory.steps is None:
        raise ValueError(f"the steps of a trial of {trajectory.case!r} are not known")
    calls: list[Call] = []
    call_of = Call.of
    for number, step in enumerate(trajectory.steps):
        for source in step.calls:
            calls.append(call_of(len(calls), number, source))
    return calls if tool_error is None else [_marked(call, tool_error) for call in calls]


def _marked(call: Call, tool_error: Matcher) -> Call:
    """Give the call, failed where its result says so."""
    if call.failed or call.result is MISSING or not tool_error.matches(call.result):
        return call
    return replace(call, failed=True)
