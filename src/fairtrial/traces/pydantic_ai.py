"""Messages of Pydantic AI, brought to chat messages."""

from collections.abc import Callable, Iterable

import msgspec

from fairtrial.records import Json, Tokens
from fairtrial.traces.calls import UnlikeFormatError, settled
from fairtrial.traces.completions import Completions, Item, Uttered, stopped_by
from fairtrial.traces.replies import tokens_of

_OUTPUT_DONE = "Final result processed."
"""What Pydantic AI itself tells the model when it has called an output tool."""
_SILENT = frozenset({"thinking", "compaction", "instruction", "retry-feedback"})
_CALLS = frozenset({"tool-call", "builtin-tool-call"})
_RETURNS = frozenset({"tool-return", "builtin-tool-return", "retry-prompt"})


def is_pydantic_ai(fields: dict[str, Json]) -> bool:
    """Say whether this is a ModelRequest or a ModelResponse.

    >>> is_pydantic_ai({"kind": "request", "parts": []}), is_pydantic_ai({"role": "user"})
    (True, False)
    """
    kinds = ("request", "response")  # a tuple: a kind of the wrong type need not be hashable
    return fields.get("kind") in kinds and isinstance(fields.get("parts"), list)


def read_pydantic_ai(
    items: Iterable[Item], output_tool: str | None, note: Callable[[str], None]
) -> list[Uttered]:
    """Give the chat messages of requests and responses.

    A call of an output tool is the answer, not a call: its arguments become text. Output tools are
    known by `output_tool` and by what Pydantic AI itself says in return.

    Raises:
        UnlikeFormatError: A part has no `part_kind`.

    >>> call = {"part_kind": "tool-call", "tool_name": "look", "args": "{}", "tool_call_id": "c1"}
    >>> item = Item("messages[0]", {"kind": "response", "parts": [call]})
    >>> read_pydantic_ai([item], None, print)[0].message["tool_calls"]
    [{'name': 'look', 'arguments': '{}', 'id': 'c1'}]
    """
    items = list(items)
    outputs = _output_tools(items) | {output_tool}
    pieces = Completions()
    for place, fields in items:
        if fields["kind"] == "response":
            pieces.open(place)
        for number, part in enumerate(fields["parts"]):
            inner = f"{place}.parts[{number}]"
            kind = part.get("part_kind") if isinstance(part, dict) else None
            if not isinstance(kind, str):
                raise UnlikeFormatError(f"{inner}: wanted a part with a part_kind")
            if kind in _CALLS or kind in _RETURNS:
                _tool(pieces, part, inner, outputs)
            else:
                _words(pieces, part, inner, note)
        filtered = fields.get("finish_reason") == "content_filter"
        refusal = stopped_by("content_filter") if filtered else None
        pieces.close(_tokens(fields.get("usage")), refusal)
    return pieces.uttered


def _output_tools(items: list[Item]) -> set[Json]:
    parts = (part for item in items for part in item.fields["parts"] if isinstance(part, dict))
    done = (part for part in parts if part.get("part_kind") == "tool-return")
    names = (part.get("tool_name") for part in done if part.get("content") == _OUTPUT_DONE)
    return {name for name in names if isinstance(name, str)}


def _tool(pieces: Completions, part: dict[str, Json], place: str, outputs: set[Json]) -> None:
    name, key = part.get("tool_name"), part.get("tool_call_id")
    output = isinstance(name, str) and name in outputs
    if part["part_kind"] in _CALLS:
        arguments = part.get("args")
        if output:
            pieces.say({"type": "text", "text": _text(settled(arguments))}, place)
        else:
            pieces.call({"name": name, "arguments": arguments, "id": key}, place)
    elif not output and name is not None:  # a retry without a tool is about the text
        pieces.add(_returned(part), place)


def _returned(part: dict[str, Json]) -> dict[str, Json]:
    content = part.get("content")
    failed = part["part_kind"] == "retry-prompt" or part.get("outcome", "success") != "success"
    return {
        "role": "tool",
        "tool_call_id": part.get("tool_call_id"),
        "name": part.get("tool_name"),
        # As JSON text: content is a value, and a list of texts in it is no list of blocks.
        "content": _text(content),
        "error": (_error_text(content) or "the call failed") if failed else None,
    }


def _text(value: Json) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _error_text(content: Json) -> str:
    """Give an error as words: its text, or what a validator said of each field."""
    if not isinstance(content, list):
        return _text(content)
    return "; ".join(_mistake(one) for one in content)


def _mistake(one: Json) -> str:
    if not isinstance(one, dict) or not isinstance(one.get("msg"), str):
        return _text(one)
    place = one.get("loc")
    where = ".".join(map(str, place)) if isinstance(place, list) else ""
    return f"{where}: {one['msg']}" if where else one["msg"]


def _words(
    pieces: Completions, part: dict[str, Json], place: str, note: Callable[[str], None]
) -> None:
    kind, content = part["part_kind"], part.get("content")
    if kind == "text":
        pieces.say({"type": "text", "text": content}, place)
    elif kind == "user-prompt":
        pieces.add({"role": "user", "content": _prompt(content)}, place)
    elif kind == "system-prompt":
        pieces.add({"role": "system", "content": _prompt(content)}, place)
    elif kind not in _SILENT:
        note(f"{place}: a part of kind {kind!r:.40}, left out")


def _prompt(content: Json) -> Json:
    """Give the texts of a prompt; pictures and files are no part of a trajectory."""
    if not isinstance(content, list):
        return content
    return [one for one in content if isinstance(one, str)] or ""


def _tokens(usage: Json) -> Tokens | None:
    """Read a usage record; a reply cost something, so 0 and 0 is what nobody counted."""
    tokens = tokens_of(usage)
    return tokens if tokens and (tokens.input or tokens.output) else None
