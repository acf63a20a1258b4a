"""Fields of a recording that nothing reads: most often a misspelt name, or another tool's."""

import importlib
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from fairtrial.records import Json, Step, Tokens, ToolCall, Trajectory

_CALL, _STEP, _TOKENS, _TOP = (
    frozenset(kind.__struct_encode_fields__) for kind in (ToolCall, Step, Tokens, Trajectory)
)
_MEANT = {
    "args": "arguments",
    "content": "text",
    "final_answer": "answer",
    "function": "name and arguments",
    "id": "case",
    "input": "arguments",
    "message": "text",
    "messages": "steps; `fairtrial import` turns chat messages into recordings",
    "output": "answer",
    "parameters": "arguments",
    "response": "answer",
    "task": "case",
    "tool": "name",
    "tool_calls": "calls",
    "tool_name": "name",
    "usage": "tokens",
}
"""What other tools call it."""


class UnknownField(Struct, frozen=True, order=True):
    """A field that is not read, and the one that was perhaps meant."""

    path: str
    """Such as `steps[].tool_calls`."""
    meant: str | None


def unknown_fields(raw: bytes) -> list[UnknownField]:
    """Give the fields of a recording, its steps and its calls that nothing reads.

    What is under `extra`, and inside arguments, results and states, is the recorder's own.

    Args:
        raw: A recording that was read, as JSON.

    >>> [field.path for field in unknown_fields(b'{"case":"c","anwser":"x","steps":[{"tool":1}]}')]
    ['anwser', 'steps[].tool']
    """
    recording = msgspec.json.decode(raw)
    return sorted({_named(path, key, known) for path, key, known in _unknown(recording)})


def _unknown(recording: dict[str, Json]) -> Iterator[tuple[str, str, frozenset[str]]]:
    yield from _beside("", recording, _TOP)
    yield from _beside("tokens.", recording.get("tokens"), _TOKENS)
    for step in recording.get("steps") or ():
        yield from _beside("steps[].", step, _STEP)
        yield from _beside("steps[].tokens.", step.get("tokens"), _TOKENS)
        for call in step.get("calls") or ():
            yield from _beside("steps[].calls[].", call, _CALL)


def _beside(
    path: str, holder: Json, known: frozenset[str]
) -> Iterator[tuple[str, str, frozenset[str]]]:
    for key in holder or ():
        if key not in known:
            yield path, key, known


def _named(path: str, key: str, known: frozenset[str]) -> UnknownField:
    meant = _MEANT.get(key)
    if meant is None or meant.partition(" ")[0].strip(";") not in known:
        difflib = importlib.import_module("difflib")  # most recordings have no such field
        meant = next(iter(difflib.get_close_matches(key[:60], known, 1)), None)
    return UnknownField(f"{path}{key[:60]}", meant)
