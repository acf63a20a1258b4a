"""LangChain messages, brought to chat messages."""

from fairtrial.records import Json
from fairtrial.traces.calls import CALL_BLOCKS, block_type
from fairtrial.traces.completions import Item, Uttered, stopped_by
from fairtrial.traces.replies import tokens_of

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "developer": "developer",
    "tool": "tool",
    "function": "function",
}
_CHUNK = "MessageChunk"
_REMOVED = "remove"


def langchain_fields(fields: dict[str, Json]) -> dict[str, Json] | None:
    """Give the fields of a LangChain message, in each form that it is dumped in; else None.

    >>> langchain_fields({"type": "human", "data": {"content": "Hi"}})
    {'content': 'Hi', 'type': 'human'}
    >>> langchain_fields({"type": "message", "content": "Hi"})
    """
    inner = fields.get("kwargs") if "lc" in fields else fields.get("data")
    if isinstance(inner, dict):
        fields = inner if "lc" in fields else inner | {"type": fields.get("type")}
    kind = _kind(fields)
    known = kind in _ROLES or kind in {"chat", _REMOVED}
    return fields if known and "content" in fields else None


def _kind(fields: dict[str, Json]) -> str:
    kind = fields.get("type")
    if not isinstance(kind, str):
        return ""
    return kind.removesuffix(_CHUNK).lower() if kind.endswith(_CHUNK) else kind


def read_langchain(item: Item) -> list[Uttered]:
    """Give the chat message of a LangChain message.

    Calls that LangChain could not read stand beside the others with their raw arguments.

    >>> call = {"name": "look", "args": {"id": "A7"}, "id": "c1"}
    >>> item = Item("messages[0]", {"type": "ai", "content": "", "tool_calls": [call]})
    >>> read_langchain(item)[0].message["tool_calls"]
    [{'name': 'look', 'args': {'id': 'A7'}, 'id': 'c1'}]
    """
    fields = item.fields
    kind = _kind(fields)
    if kind == _REMOVED:  # an instruction to a graph's state, said by nobody
        return []
    role = fields.get("role") if kind == "chat" else _ROLES[kind]
    content = fields.get("content")
    if role != "assistant":
        kept = ("tool_call_id", "name", "status")
        told = {"role": role, "content": content} | {key: fields.get(key) for key in kept}
        return [Uttered(told, item.place)]
    calls = [*_list(fields.get("tool_calls")), *_list(fields.get("invalid_tool_calls"))]
    if calls and isinstance(content, list):  # there in the provider's spelling too
        content = [block for block in content if not _is_call(block)]
    message = {"role": role, "content": content, "refusal": _refusal(fields)}
    message["tool_calls"] = calls or _mapping(fields.get("additional_kwargs")).get("tool_calls")
    return [Uttered(message, item.place, tokens_of(fields.get("usage_metadata")))]


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _is_call(block: Json) -> bool:
    kind = block_type(block)
    return kind in CALL_BLOCKS or kind == "invalid_tool_call"


def _refusal(fields: dict[str, Json]) -> str | None:
    told = _mapping(fields.get("additional_kwargs")).get("refusal")
    if isinstance(told, str) and told:
        return told
    ended = _mapping(fields.get("response_metadata"))
    for why in (ended.get("stop_reason"), ended.get("finish_reason")):
        if why in ("refusal", "content_filter"):
            return stopped_by(why)
    return None
