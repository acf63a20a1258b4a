"""Items of OpenAI's Responses, which OpenAI Agents keeps too, brought to chat messages."""

from collections.abc import Callable, Iterable

from fairtrial.records import Json
from fairtrial.traces.calls import UnlikeFormatError
from fairtrial.traces.completions import Completions, Item, Uttered
from fairtrial.traces.replies import tokens_of

_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})
_SPOKEN = ("user", "system", "developer")


def is_response(fields: dict[str, Json]) -> bool:
    """Say whether this is a whole response rather than one item.

    >>> is_response({"output": []}), is_response({"type": "function_call_output", "output": []})
    (True, False)
    """
    return isinstance(fields.get("output"), list) and not isinstance(fields.get("type"), str)


def read_responses(items: Iterable[Item], note: Callable[[str], None]) -> list[Uttered]:
    """Give the chat messages of items and whole responses.

    A completion is what stands between two results or messages of others; a whole response is one.

    Raises:
        UnlikeFormatError: A message of another API stands between the items.

    >>> call = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
    >>> told = {"type": "function_call_output", "call_id": "c1", "output": "ok"}
    >>> items = [Item("messages[0]", call), Item("messages[1]", told)]
    >>> [one.message["role"] for one in read_responses(items, print)]
    ['assistant', 'tool']
    """
    pieces = Completions()
    for place, fields in items:
        if not is_response(fields):
            _take(pieces, Item(place, fields), note)
            continue
        pieces.close()
        for number, output in enumerate(fields["output"]):
            inner = f"{place}.output[{number}]"
            if not isinstance(output, dict):
                raise UnlikeFormatError(f"{inner}: wanted an item with a type, got {output!r:.60}")
            _take(pieces, Item(inner, output), note)
        pieces.close(tokens_of(fields.get("usage")))
    pieces.close()
    return pieces.uttered


def _take(pieces: Completions, item: Item, note: Callable[[str], None]) -> None:
    place, fields = item
    kind = fields.get("type")
    if kind == "function_call":
        pieces.call(fields, place)
    elif kind == "custom_tool_call":
        custom = {"name": fields.get("name"), "input": fields.get("input")}
        pieces.call({"id": fields.get("call_id"), "custom": custom}, place)
    elif kind == "mcp_call":
        pieces.call(fields, place)
        pieces.add(_result(fields, "id"), place)
    elif isinstance(kind, str) and kind in _RESULTS:
        pieces.add(_result(fields, "call_id"), place)
    elif kind == "reasoning":
        pieces.open(place)
    elif kind == "message" or "role" in fields:
        _message(pieces, item)
    else:
        note(f"{place}: an item of type {kind!r:.40}, left out")


def _result(fields: dict[str, Json], key: str) -> dict[str, Json]:
    error = fields.get("error")
    return {
        "role": "tool",
        "tool_call_id": fields.get(key),
        "name": fields.get("name"),
        "content": fields.get("output"),
        "error": error,
    }


def _message(pieces: Completions, item: Item) -> None:
    place, fields = item
    role, content = fields.get("role"), fields.get("content")
    if role == "assistant" and not fields.get("tool_calls"):
        if not isinstance(content, list):
            content = [{"type": "output_text", "text": content}] if content else []
        for block in content:
            pieces.say(block, place)
        pieces.open(place)
    elif role in _SPOKEN:
        pieces.add({"role": role, "content": content}, place)
    else:
        raise UnlikeFormatError(
            f"{place}: a message of another API (role {role!r:.40}) among items of the Responses "
            "API; accepted: messages of one kind in a list"
        )
