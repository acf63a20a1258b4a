"""OpenAI's Chat Completions, whole and streamed."""

from collections.abc import Iterator
from typing import Any

from fairtrial.errors import ScriptError
from fairtrial.records import Json
from fairtrial.serve.wire import (
    EVENT_HEADERS,
    Answer,
    RefusedError,
    Spoken,
    WireFormat,
    encode,
    event,
    names_in,
    pieces,
    want_kinds,
    want_list,
)

CREATED = 1_735_689_600  # the first second of 2025: the same in every run, so that runs compare


def _check(body: dict[str, Json]) -> None:
    want_list(body, "messages")
    want_kinds(body)
    if body.get("n") not in (None, 1):  # no set: it may be a list
        raise RefusedError(
            "fairtrial gives one choice a request: leave `n` out, or make it 1.",
            code="unsupported_value",
            param="n",
        )


def _tool_names(body: dict[str, Json]) -> tuple[str, ...]:
    tools = [item for item in body.get("tools") or () if isinstance(item, dict)]
    nested = [item.get("function", item.get("custom")) for item in tools]
    return names_in(nested) + names_in(body.get("functions"))


def _reply(body: dict[str, Json], spoken: Spoken) -> Answer:
    if body.get("stream"):
        return Answer(200, b"".join(_events(body, spoken)), EVENT_HEADERS)
    choice = {
        "index": 0,
        "message": _message(spoken, legacy=_legacy(body)),
        "logprobs": None,
        "finish_reason": _finish(body, spoken),
    }
    head = _head(spoken, "chat.completion")
    return Answer(200, encode(head | {"choices": [choice], "usage": _usage(spoken)}))


def _legacy(body: dict[str, Json]) -> bool:
    """Say whether the tools were offered as `functions`, which are called one at a time."""
    return bool(body.get("functions")) and not body.get("tools")


def _finish(body: dict[str, Json], spoken: Spoken) -> str:
    if not spoken.calls:
        return "stop"
    if not _legacy(body):
        return "tool_calls"
    if len(spoken.calls) > 1:
        raise ScriptError(
            f"the script makes {len(spoken.calls)} calls in one step, and the agent offered its"
            " tools as `functions`, which are called one at a time: offer them as `tools`"
        )
    return "function_call"


def _head(spoken: Spoken, kind: str) -> dict[str, Json]:
    return {
        "id": f"chatcmpl-{spoken.number}",
        "object": kind,
        "created": CREATED,
        "model": spoken.model,
        "service_tier": "default",
        "system_fingerprint": None,
    }


def _message(spoken: Spoken, *, legacy: bool) -> dict[str, Json]:
    silent = spoken.refusal is not None or bool(spoken.calls)
    text = spoken.text if spoken.text is not None or silent else ""
    message: dict[str, Any] = {
        "role": "assistant",
        "content": None if spoken.refusal is not None else text,
        "refusal": spoken.refusal,
        "annotations": [],
    }
    if legacy and spoken.calls:
        call = spoken.calls[0]
        message["function_call"] = {"name": call.name, "arguments": call.arguments}
    elif spoken.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in spoken.calls
        ]
    return message


def _usage(spoken: Spoken) -> dict[str, Json]:
    return {
        "prompt_tokens": spoken.input_tokens,
        "completion_tokens": spoken.output_tokens,
        "total_tokens": spoken.input_tokens + spoken.output_tokens,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


def _events(body: dict[str, Json], spoken: Spoken) -> Iterator[bytes]:
    finish = _finish(body, spoken)
    options = body.get("stream_options")
    counted = isinstance(options, dict) and options.get("include_usage") is True
    head = _head(spoken, "chat.completion.chunk")
    unknown = {"usage": None} if counted else {}
    for delta in _deltas(spoken, legacy=_legacy(body)):
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
        yield event(head | {"choices": [choice]} | unknown)
    last = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": finish}
    yield event(head | {"choices": [last]} | unknown)
    if counted:
        yield event(head | {"choices": [], "usage": _usage(spoken)})
    yield b"data: [DONE]\n\n"


def _deltas(spoken: Spoken, *, legacy: bool) -> Iterator[dict[str, Json]]:
    said = spoken.text is not None or not spoken.calls
    content = "" if said and spoken.refusal is None else None
    yield {"role": "assistant", "content": content, "refusal": None}
    if spoken.refusal is not None:
        yield from ({"refusal": piece} for piece in pieces(spoken.refusal))
        return
    yield from ({"content": piece} for piece in pieces(spoken.text or ""))
    for index, call in enumerate(spoken.calls):
        named = {"name": call.name, "arguments": ""}
        if legacy:
            yield {"function_call": named}
            yield from ({"function_call": {"arguments": x}} for x in pieces(call.arguments))
            continue
        first = {"index": index, "id": call.id, "type": "function", "function": named}
        yield {"tool_calls": [first]}
        for piece in pieces(call.arguments):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


OPENAI_CHAT = WireFormat("openai-chat", "openai", "call_", _check, _tool_names, _reply)
