"""Tool calls in the spellings that chat logs hold, and streamed pieces joined to calls again."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from fairtrial.records import Json, ToolCall
from fairtrial.traces.files import value_in

CALL_BLOCKS = frozenset({"tool_use", "tool_call", "function_call", "server_tool_use"})
"""Content blocks that are calls."""
_ARGUMENTS = ("arguments", "args", "input", "parameters")


class UnlikeFormatError(ValueError):
    """Something that the format does not hold; the text begins with its place in the document."""


@dataclass(slots=True)
class SpokenCall:
    """A call under construction: what the model wrote, and later what came back."""

    name: str
    arguments: dict[str, Json] | str | None
    id: str | None
    result: Json | UnsetType = UNSET
    error: str | None = None
    answered: bool = False

    @property
    def phantom(self) -> bool:
        """A slot that a provider left empty: no name, no arguments, no id."""
        return not (self.name or self.arguments or self.id)

    def record(self) -> ToolCall:
        """Give the call as a record."""
        return ToolCall(
            name=self.name,
            arguments=self.arguments,
            id=self.id,
            result=self.result,
            error=self.error,
        )


class _Piece(NamedTuple):
    slot: int | None
    """Its `index`."""
    id: str | None
    name: str
    arguments: Json


@dataclass(slots=True)
class _Draft:
    """A call whose pieces are still coming."""

    id: str | None
    name: str
    whole: Json = None
    parts: list[str] = field(default_factory=list)

    def goes_on_with(self, piece: _Piece) -> bool:
        if piece.id and self.id and piece.id != self.id:
            return False  # one index for all calls: seen where another provider speaks this format
        if self.whole is not None or not isinstance(piece.arguments, str | None):
            return False
        return not (piece.name and self.complete())

    def complete(self) -> bool:
        """Say whether the arguments so far are a whole object."""
        last = self.parts[-1].rstrip() if self.parts else ""
        return last.endswith("}") and isinstance(settled("".join(self.parts)), dict)

    def add(self, piece: _Piece) -> None:
        self.id = self.id or piece.id
        if piece.name != self.name:  # some providers repeat the name with each piece
            self.name += piece.name
        if isinstance(piece.arguments, str):
            self.parts.append(piece.arguments)
        else:
            self.whole = piece.arguments

    def call(self) -> SpokenCall:
        text = "".join(self.parts) if self.parts else None
        return SpokenCall(self.name, settled(text if self.whole is None else self.whole), self.id)


def settled(arguments: Json) -> dict[str, Json] | str | None:
    """Give arguments as an object where they are one, else as the raw text, null as None.

    >>> settled('{"id": "A7"}'), settled("{oops"), settled(""), settled(None), settled([1])
    ({'id': 'A7'}, '{oops', '', None, '[1]')
    """
    if arguments is None or isinstance(arguments, dict):
        return arguments
    if not isinstance(arguments, str):
        return msgspec.json.encode(arguments).decode()
    value = value_in(arguments)
    return value if isinstance(value, dict) else arguments


def identifier(value: Json) -> str | None:
    """Give an id as text; empty and absent ids are None."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return None


def _piece(item: Json, place: str) -> _Piece:
    if not isinstance(item, dict):
        raise UnlikeFormatError(f"{place}: wanted an object with a function, got {item!r:.60}")
    function = item.get("function")
    inner = function if isinstance(function, dict) else item
    name, arguments = inner.get("name"), _first(inner, _ARGUMENTS)
    custom = item.get("custom")
    if isinstance(custom, dict) and custom.get("name") and not name:
        name, arguments = custom["name"], {"input": custom.get("input")}
    if not isinstance(name, str | None):
        raise UnlikeFormatError(f"{place}: the call's name: wanted text, got {name!r:.60}")
    index = item.get("index")
    return _Piece(
        slot=index if isinstance(index, int) else None,
        id=identifier(item.get("call_id")) or identifier(item.get("id")),
        name=name or "",
        arguments=arguments,
    )


def _first(mapping: dict[str, Json], keys: Iterable[str]) -> Json:
    return next((mapping[key] for key in keys if key in mapping), None)


def joined(items: Json, place: str) -> list[SpokenCall]:
    """Give the calls of a `tool_calls` value: a list, one call alone, or streamed pieces.

    Pieces belong together by `index`; a new id, or a name after a whole object, starts a new call.

    Raises:
        UnlikeFormatError: An item is no call in any spelling.

    >>> pieces = [{"index": 0, "name": "look", "arguments": '{"id": "l'}]
    >>> pieces += [{"index": 0, "arguments": 'l"}'}]
    >>> [(call.name, call.arguments) for call in joined(pieces, "tool_calls")]
    [('look', {'id': 'll'})]
    """
    if items is None:
        return []
    drafts: list[_Draft] = []
    by_slot: dict[int, _Draft] = {}
    for number, item in enumerate(items if isinstance(items, list) else [items]):
        piece = _piece(item, f"{place}[{number}]")
        draft = None if piece.slot is None else by_slot.get(piece.slot)
        if draft is None or not draft.goes_on_with(piece):
            draft = _Draft(piece.id, piece.name)
            drafts.append(draft)
            if piece.slot is not None:
                by_slot[piece.slot] = draft
        draft.add(piece)
    return [draft.call() for draft in drafts]


def block_type(block: Json) -> str:
    """Give the type of a content block; empty for what is no such block.

    >>> block_type({"type": "tool_use"}), block_type({"type": []}), block_type("text")
    ('tool_use', '', '')
    """
    kind = block.get("type") if isinstance(block, dict) else None
    return kind if isinstance(kind, str) else ""


def spoken_calls(
    message: dict[str, Json], place: str, note: Callable[[str], None]
) -> list[SpokenCall]:
    """Give the calls of one assistant message: `tool_calls`, `function_call` and content blocks.

    A call that stands in two of these places is given once. A phantom call (no name, no
    arguments, no id) is dropped with a note.

    Raises:
        UnlikeFormatError: Something among the calls is no call in any spelling.
    """
    content = message.get("content")
    blocks = [
        block
        for block in (content if isinstance(content, list) else [])
        if block_type(block) in CALL_BLOCKS
    ]
    calls: list[SpokenCall] = []
    for where, items in (
        ("tool_calls", message.get("tool_calls")),
        ("function_call", message.get("function_call")),
        ("content", blocks),
    ):
        found = joined(items, f"{place}.{where}")
        known = list(calls)
        for call in found:
            if call.phantom:
                note(f"{place}.{where}: a call without name, arguments and id, left out")
            elif not any(_same(call, other) for other in known):
                calls.append(call)
    return calls


def _same(call: SpokenCall, other: SpokenCall) -> bool:
    if call.id and other.id:
        return call.id == other.id
    return (call.name, call.arguments) == (other.name, other.arguments)
