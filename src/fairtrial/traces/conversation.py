"""Lists of provider messages of any kind, told apart by shape and brought to chat messages."""

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

from fairtrial.records import Json
from fairtrial.text import cut
from fairtrial.traces.calls import UnlikeFormatError
from fairtrial.traces.completions import Item, Uttered
from fairtrial.traces.langchain import langchain_fields, read_langchain
from fairtrial.traces.opening import as_json, fields_of, kind_name
from fairtrial.traces.pydantic_ai import is_pydantic_ai, read_pydantic_ai
from fairtrial.traces.responses import is_response, read_responses
from fairtrial.traces.role_messages import read_role_message

Kind: TypeAlias = Literal["role", "responses", "langchain", "pydantic_ai"]

ACCEPTED = (
    "accepted: messages of one kind in a list: OpenAI Chat or Responses, Anthropic, LangChain, "
    "Pydantic AI or OpenAI Agents, as objects or as JSON"
)
_KIND_WORDS: dict[Kind, str] = {
    "role": "a message with a role",
    "responses": "an item of the Responses API",
    "langchain": "a LangChain message",
    "pydantic_ai": "a Pydantic AI message",
}
_READ = frozenset(
    {"role", "type", "kind", "content", "parts", "choices", "output", "data", "lc", "kwargs"}
    | {"tool_calls", "function_call", "invalid_tool_calls", "name", "arguments", "input"}
    | {"id", "call_id", "tool_call_id", "error", "is_error", "isError", "status", "refusal"}
    | {"usage", "usage_metadata", "stop_reason", "finish_reason"}
    | {"additional_kwargs", "response_metadata"}
)
"""What any reader looks at. The rest stays closed: it may hold whole agents and data frames."""
_ITEM_ENDS = ("_call", "_call_output", "_list_tools", "_approval_request", "_approval_response")
_ITEMS = frozenset({"reasoning", "compaction", "item_reference", "program", "program_output"})
_KEYS_SHOWN = 6


def item_of(value: object, place: str) -> Item | None:
    """Open one item of a list; None where it is nothing that has fields.

    The run items of OpenAI Agents hold the provider's item as `raw_item`.

    >>> item_of({"role": "user", "content": "Hi", "extra": object()}, "messages[0]")
    Item(place='messages[0]', fields={'role': 'user', 'content': 'Hi'})
    """
    fields = fields_of(value)
    if fields is not None and "raw_item" in fields:
        fields = fields_of(fields["raw_item"])
    if fields is None:
        return None
    told = {key: as_json(item) for key, item in fields.items() if key in _READ}
    inner = langchain_fields(told)
    return Item(place, told if inner is None else inner)


def kind_of(fields: dict[str, Json]) -> Kind | None:
    """Say by its shape which kind of message this is.

    >>> kind_of({"role": "user"}), kind_of({"type": "function_call"}), kind_of({"text": "Hi"})
    ('role', 'responses', None)
    """
    kind = fields.get("type")
    kind = kind if isinstance(kind, str) else ""
    if is_pydantic_ai(fields):
        return "pydantic_ai"
    if is_response(fields) or kind in _ITEMS or kind.endswith(_ITEM_ENDS):
        return "responses"
    if isinstance(fields.get("role"), str) and kind != "chat":
        return "role"
    if langchain_fields(fields) is not None:
        return "langchain"
    return "role" if isinstance(fields.get("choices"), list) else None


def read_conversation(
    values: Iterable[object], note: Callable[[str], None], output_tool: str | None = None
) -> list[Uttered]:
    """Bring a list of provider messages to chat messages.

    Messages with a role may stand among Responses items and LangChain messages, as they do in
    practice; otherwise all are of one kind.

    Raises:
        UnlikeFormatError: An item is no message, or one of another kind than those before it.

    >>> told = read_conversation([{"type": "human", "content": "Hi"}], print)
    >>> told[0].message["role"]
    'user'
    """
    items: list[Item] = []
    kinds: set[Kind] = set()
    for number, value in enumerate(values):
        place = f"messages[{number}]"
        item = item_of(value, place)
        kind = kind_of(item.fields) if item else None
        if item is None or kind is None:
            raise UnlikeFormatError(
                f"{place}: {found_words(value)}, which is no message; {ACCEPTED}"
            )
        kinds.add(kind)
        if len(kinds - {"role"}) > 1 or kinds == {"role", "pydantic_ai"}:
            raise UnlikeFormatError(
                f"{place}: {_KIND_WORDS[kind]} among others than these; {ACCEPTED}"
            )
        items.append(item)
    if "pydantic_ai" in kinds:
        return read_pydantic_ai(items, output_tool, note)
    if "responses" in kinds:
        return read_responses(items, note)
    return [told for item in items for told in _alone(item, note)]


def _alone(item: Item, note: Callable[[str], None]) -> list[Uttered]:
    if kind_of(item.fields) == "langchain":
        return read_langchain(item)
    return read_role_message(item, note)


def found_words(value: object) -> str:
    """Say what a value is, for people: its class, or the keys of an object.

    >>> found_words(4), found_words({"text": "Hi"})
    ('int', 'an object with text')
    """
    fields = fields_of(value)
    if fields is None:
        return kind_name(value)
    keys = ", ".join(cut(key, 40) for key in list(fields)[:_KEYS_SHOWN])
    more = ", ..." if len(fields) > _KEYS_SHOWN else ""
    name = "an object" if isinstance(value, dict) else kind_name(value)
    return f"{name} with {keys}{more}" if keys else "an empty object"
