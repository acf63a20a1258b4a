"""The common case read directly: a list of plain OpenAI chat messages that ends with an answer."""

from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from fairtrial.records import Json, Step, ToolCall, Trajectory, clean_text
from fairtrial.traces.calls import settled
from fairtrial.traces.transcript import result_value


class _Function(Struct, forbid_unknown_fields=True):
    name: str
    arguments: str


class _Call(Struct, forbid_unknown_fields=True):
    function: _Function
    id: str
    type: Literal["function"] = "function"


class _Message(Struct, forbid_unknown_fields=True):
    """What a plain message may hold; a field with a meaning of its own may only be null."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | None = None
    tool_calls: list[_Call] | None = None
    tool_call_id: str | None = None
    name: str | None = None
    refusal: None = None
    function_call: None = None
    audio: None = None
    annotations: None = None
    reasoning_content: str | None = None


class _Talk(Struct):
    """A list of them. The decoder keeps what it knows of a class, and of a bare list nothing."""

    messages: list[_Message]


class _Open:
    """The last assistant message, while the results of its calls come in."""

    __slots__ = ("calls", "results", "text")

    def __init__(self, message: _Message) -> None:
        self.text = _clean(message.content)
        self.calls = message.tool_calls or []
        self.results: list[Json | UnsetType] = [UNSET] * len(self.calls)

    def answered(self, key: str | None, content: str | None) -> bool:
        """Give a result to the first open call with its id; False when there is none."""
        for number, call in enumerate(self.calls):
            if call.id == key and self.results[number] is UNSET:
                text = _clean(content)
                self.results[number] = content if text is None else result_value(text)
                return True
        return False

    def step(self) -> Step:
        """Give the step."""
        if not self.calls:
            return Step(text=self.text)
        calls = [
            ToolCall(
                name=clean_text(call.function.name),
                arguments=settled(clean_text(call.function.arguments)),
                id=clean_text(call.id),
                result=result,
            )
            for call, result in zip(self.calls, self.results, strict=True)
        ]
        return Step(text=self.text, calls=tuple(calls))


def _clean(text: str | None) -> str | None:
    return clean_text(text) if text else None


def read_plain_chat(messages: list[object], case: str) -> Trajectory | None:
    """Read the list, or give None when it needs the patient reader, which would read it the same.

    Plain is: dicts with no other fields than a role, text, calls with ids and texts as arguments;
    results right behind their calls; no user who speaks again; and a text without calls at the end.

    >>> told = read_plain_chat([{"role": "assistant", "content": "In bay 4."}], "find")
    >>> told.answer, len(told.steps)
    ('In bay 4.', 1)
    >>> read_plain_chat([{"role": "assistant", "content": [{"type": "text"}]}], "find")
    """
    try:
        told = msgspec.convert({"messages": messages}, _Talk).messages
    except msgspec.ValidationError:
        return None
    steps: list[Step] = []
    last: _Open | None = None
    for message in told:
        role = message.role
        if role == "assistant":
            if last is not None:
                steps.append(last.step())
            last = _Open(message)
            # Ids that only cleaning makes alike are for the patient reader.
            if not all(call.id and call.id.isascii() for call in last.calls):
                return None
        elif role == "tool":
            if last is None or not last.answered(message.tool_call_id, message.content):
                return None
        elif role == "user" and last is not None:
            return None
    if last is None or last.calls or not last.text:
        return None
    steps.append(last.step())
    return Trajectory(case=case, answer=last.text, stop="answer", steps=tuple(steps))
