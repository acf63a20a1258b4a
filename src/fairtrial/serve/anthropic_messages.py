"""Anthropic's Messages, whole and streamed, and its counting of tokens."""

from collections.abc import Iterator
from typing import Any

from fairtrial.records import Json
from fairtrial.serve.request_body import Body
from fairtrial.serve.tokens import estimate
from fairtrial.serve.wire import (
    EVENT_HEADERS,
    Answer,
    Spoken,
    SpokenCall,
    WireFormat,
    encode,
    event,
    names_in,
    pieces,
    want_kinds,
    want_list,
)

INVALID = "INVALID_JSON"
"""Holds the raw text of arguments that are no object: `input` has to be one. Anthropic's own
documentation tells agents to send such arguments back under this key. A stream brings the raw text
as it is."""


def count_answer(body: Body) -> Answer:
    """Answer a request to count tokens with an estimate.

    Raises:
        RefusedError: The request has no messages.
    """
    _check(body.value)
    return Answer(200, encode({"input_tokens": estimate(body.characters)}))


def _check(body: dict[str, Json]) -> None:
    want_list(body, "messages")
    want_kinds(body)


def _tool_names(body: dict[str, Json]) -> tuple[str, ...]:
    return names_in(body.get("tools"))


def _reply(body: dict[str, Json], spoken: Spoken) -> Answer:
    if body.get("stream"):
        sent = b"".join(event(data, data["type"]) for data in _events(spoken))
        return Answer(200, sent, EVENT_HEADERS)
    content = [] if not _words(spoken) else [{"type": "text", "text": _words(spoken)}]
    content += [_use(call, _input(call)) for call in spoken.calls]
    message = _message(spoken) | _stop(spoken)
    message["content"] = content
    message["usage"] = _usage(spoken, spoken.output_tokens)
    return Answer(200, encode(message))


def _words(spoken: Spoken) -> str:
    return spoken.text or "" if spoken.refusal is None else spoken.refusal


def _input(call: SpokenCall) -> dict[str, Json]:
    if call.value is not None:
        return call.value
    return {INVALID: call.arguments} if call.arguments.strip() else {}


def _use(call: SpokenCall, given: dict[str, Json]) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": given}


def _stop(spoken: Spoken) -> dict[str, Json]:
    if spoken.refusal is not None:
        details = {"type": "refusal", "category": None, "explanation": spoken.refusal}
        return {"stop_reason": "refusal", "stop_sequence": None, "stop_details": details}
    reason = "tool_use" if spoken.calls else "end_turn"
    return {"stop_reason": reason, "stop_sequence": None, "stop_details": None}


def _message(spoken: Spoken) -> dict[str, Json]:
    """Give the message as it is at its beginning."""
    return {
        "id": f"msg_{spoken.number}",
        "type": "message",
        "role": "assistant",
        "model": spoken.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "stop_details": None,
        "usage": _usage(spoken, min(1, spoken.output_tokens)),
    }


def _usage(spoken: Spoken, output: int) -> dict[str, Json]:
    return {
        "input_tokens": spoken.input_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": output,
        "service_tier": "standard",
    }


def _events(spoken: Spoken) -> Iterator[dict[str, Json]]:
    yield {"type": "message_start", "message": _message(spoken)}
    yield {"type": "ping"}
    blocks: list[tuple[dict[str, Json], list[dict[str, Json]]]] = []
    if _words(spoken):
        deltas = [{"type": "text_delta", "text": piece} for piece in pieces(_words(spoken))]
        blocks.append(({"type": "text", "text": ""}, deltas))
    for call in spoken.calls:
        raw = ["", *pieces(call.arguments)]
        parts = [{"type": "input_json_delta", "partial_json": piece} for piece in raw]
        blocks.append((_use(call, {}), parts))
    for index, (block, deltas) in enumerate(blocks):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    usage = {"output_tokens": spoken.output_tokens}
    yield {"type": "message_delta", "delta": _stop(spoken), "usage": usage}
    yield {"type": "message_stop"}


ANTHROPIC_MESSAGES = WireFormat("anthropic", "anthropic", "toolu_", _check, _tool_names, _reply)
