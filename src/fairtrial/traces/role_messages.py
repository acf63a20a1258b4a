"""Messages with a role: those of OpenAI's Chat Completions and of Anthropic, and whole replies."""

from collections.abc import Callable

from fairtrial.records import Json, Tokens
from fairtrial.traces.calls import block_type
from fairtrial.traces.completions import Completions, Item, Uttered, stopped_by
from fairtrial.traces.replies import read_reply, tokens_of

_HOSTED = frozenset({"server_tool_use", "mcp_tool_use"})
"""Calls that the provider answers itself, within the completion."""
_CACHED = ("cache_read_input_tokens", "cache_creation_input_tokens")


def read_role_message(item: Item, note: Callable[[str], None]) -> list[Uttered]:
    """Give the chat messages of one item: most often itself.

    A message in which the provider's own tools answered is cut after each answer, so that what was
    said then stands after the call.

    >>> item = Item("messages[0]", {"role": "user", "content": "Hi"})
    >>> [one.message for one in read_role_message(item, print)]
    [{'role': 'user', 'content': 'Hi'}]
    """
    if isinstance(item.fields.get("choices"), list):
        return _reply(item, note)
    message = dict(item.fields)
    tokens = told_tokens(message.pop("usage", None))
    content = message.get("content")
    stop = message.pop("stop_reason", None)
    if stop == "refusal" and message.get("role") == "assistant":
        message["refusal"] = stopped_by("refusal")
    if isinstance(content, list):
        message["content"] = [_readable(block) for block in content]
        if message.get("role") == "assistant" and _HOSTED & set(map(block_type, content)):
            return _cut(message, item.place, tokens)
    return [Uttered(message, item.place, tokens)]


def told_tokens(usage: Json) -> Tokens | None:
    """Read a usage record; Anthropic counts what is cached beside its `input_tokens`, not in them.

    >>> told_tokens({"input_tokens": 5, "output_tokens": 2, "cache_read_input_tokens": 7})
    Tokens(input=12, output=2, estimated=False)
    """
    tokens = tokens_of(usage)
    if tokens is None or tokens.input is None:
        return tokens
    counts = [usage.get(key) for key in _CACHED]
    cached = sum(one for one in counts if type(one) is int and one > 0)
    return Tokens(input=tokens.input + cached, output=tokens.output) if cached else tokens


def _reply(item: Item, note: Callable[[str], None]) -> list[Uttered]:
    """Read a whole chat completion."""
    reply = read_reply(item.fields)
    if reply.message is None:
        note(f"{item.place}: the reply holds no message, left out")
        return []
    if reply.choices > 1:
        note(f"{item.place}: the first of {reply.choices} choices was taken")
    message = reply.message
    if reply.finish == "content_filter" and not message.get("refusal"):
        message = message | {"refusal": stopped_by("content_filter")}
    return [Uttered(message, f"{item.place}.choices[0].message", reply.tokens)]


def _readable(block: Json) -> Json:
    """Give a block with a failed result's texts as one text: its error, in words."""
    if not isinstance(block, dict) or block.get("is_error") is not True:
        return block
    content = block.get("content")
    texts = [one.get("text") if isinstance(one, dict) else one for one in _list(content)]
    said = [text for text in texts if isinstance(text, str)]
    return block | {"content": "\n".join(said)} if said and len(said) == len(texts) else block


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _cut(message: dict[str, Json], place: str, tokens: Tokens | None) -> list[Uttered]:
    pieces = Completions()
    for block in message["content"]:
        kind = block_type(block)
        if kind in _HOSTED:
            pieces.call(block, place)
        elif kind.endswith("tool_result"):
            pieces.add(_hosted_result(block), place)
        else:
            pieces.say(block, place)
    pieces.open(place)
    pieces.close(tokens, message.get("refusal"))
    return pieces.uttered


def _hosted_result(block: dict[str, Json]) -> dict[str, Json]:
    content = block.get("content")
    code = content.get("error_code") if isinstance(content, dict) else None
    return {
        "role": "tool",
        "tool_call_id": block.get("tool_use_id"),
        "content": content,
        "is_error": block.get("is_error"),
        "error": code if isinstance(code, str) else None,
    }
