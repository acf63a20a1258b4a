"""Chat completion replies: whole, as chunks, or as the text of an event stream."""

from collections.abc import Iterable
from typing import NamedTuple

from fairtrial.records import Json, NotJsonError, Tokens
from fairtrial.traces.files import decode_text

_JOINED = ("content", "refusal")


class Reply(NamedTuple):
    """One reply of the model."""

    message: dict[str, Json] | None
    """None when the reply holds no choice."""
    tokens: Tokens | None = None
    finish: str | None = None
    """The provider's finish reason."""
    model: str | None = None
    choices: int = 1


def read_reply(value: Json) -> Reply:
    """Read a chat completion, a list of its chunks, or the text of its event stream.

    >>> read_reply({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}).message
    {'role': 'assistant', 'content': 'Hi'}
    """
    if isinstance(value, str):
        value = _events(value)
    if isinstance(value, list):
        return _from_chunks(item for item in value if isinstance(item, dict))
    if not isinstance(value, dict):
        return Reply(None)
    if is_chunk(value):
        return _from_chunks([value])
    choices = _choices(value)
    message = choices[0].get("message") if choices else None
    return Reply(
        message={"role": "assistant", **message} if isinstance(message, dict) else None,
        tokens=tokens_of(value.get("usage")),
        finish=_text(choices[0].get("finish_reason")) if choices else None,
        model=_text(value.get("model")),
        choices=len(choices),
    )


def tokens_of(usage: Json) -> Tokens | None:
    """Read a usage record in either spelling; None when it tells nothing. Unknown is not 0.

    >>> tokens_of({"prompt_tokens": 48, "completion_tokens": 14})
    Tokens(input=48, output=14, estimated=False)
    """
    if not isinstance(usage, dict):
        return None
    read = _count(usage, ("prompt_tokens", "input_tokens", "input"))
    written = _count(usage, ("completion_tokens", "output_tokens", "output"))
    if read is None and written is None:
        return None
    return Tokens(input=read, output=written, estimated=usage.get("estimated") is True)


def _count(usage: dict[str, Json], keys: Iterable[str]) -> int | None:
    for key in keys:
        value = usage.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None


def _events(text: str) -> list[Json]:
    """Give the JSON of each `data:` line of an event stream; `[DONE]` and the like are skipped."""
    found: list[Json] = []
    for line in text.splitlines():
        if line.startswith("data:"):
            try:
                found.append(decode_text(line[5:].strip()))
            except NotJsonError:
                continue
    return found


def is_chunk(value: dict[str, Json]) -> bool:
    """Say whether this is one piece of a streamed reply."""
    return any("delta" in choice for choice in _choices(value))


def _choices(value: dict[str, Json]) -> list[dict[str, Json]]:
    choices = value.get("choices")
    found = choices if isinstance(choices, list) else []
    return [choice for choice in found if isinstance(choice, dict)]


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None


def _from_chunks(chunks: Iterable[dict[str, Json]]) -> Reply:
    texts: dict[str, list[str]] = {key: [] for key in _JOINED}
    calls: list[Json] = []
    functions: list[Json] = []
    tokens, finish, model, seen = None, None, None, False
    for chunk in chunks:
        tokens = tokens_of(chunk.get("usage")) or tokens
        model = _text(chunk.get("model")) or model
        for choice in _choices(chunk):
            delta = choice.get("delta")
            if choice.get("index", 0) != 0 or not isinstance(delta, dict):
                continue
            seen = True
            finish = _text(choice.get("finish_reason")) or finish
            for key in _JOINED:
                texts[key] += [delta[key]] if isinstance(delta.get(key), str) else []
            pieces = delta.get("tool_calls")
            calls += pieces if isinstance(pieces, list) else []
            if isinstance(delta.get("function_call"), dict):
                functions.append({"index": 0, **delta["function_call"]})
    if not seen:
        return Reply(None, tokens, finish, model, 0)
    message: dict[str, Json] = {key: "".join(parts) or None for key, parts in texts.items()}
    message |= {
        "role": "assistant",
        "tool_calls": calls or None,
        "function_call": functions or None,
    }
    return Reply(message, tokens, finish, model)
