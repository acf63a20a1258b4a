"""OpenAI's Responses, whole and streamed."""

from collections.abc import Container, Iterator
from itertools import count

from fairtrial.records import Json
from fairtrial.serve.openai_chat import CREATED
from fairtrial.serve.wire import (
    EVENT_HEADERS,
    Answer,
    RefusedError,
    Spoken,
    SpokenCall,
    WireFormat,
    encode,
    event,
    names_in,
    pieces,
    want_kinds,
)

_ECHOED: dict[str, Json] = {  # what the reply repeats of the request, and the provider's defaults
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "store": True,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
    "truncation": "disabled",
    "user": None,
}
_CONTINUES = ("previous_response_id", "conversation", "prompt")  # one of them may replace `input`


def response_id(spoken: Spoken) -> str:
    """Give the id that a later request may continue from."""
    return f"resp_{spoken.number}"


def check_previous(body: dict[str, Json], known: Container[str]) -> None:
    """Refuse to continue from a response that this trial was not given.

    Raises:
        RefusedError: There is no such response, or it was not to be stored.
    """
    previous = body.get("previous_response_id")
    if previous is not None and (not isinstance(previous, str) or previous not in known):
        raise RefusedError(
            f"Previous response with id {str(previous)[:80]!r} not found.",
            code="previous_response_not_found",
            param="previous_response_id",
        )


def _check(body: dict[str, Json]) -> None:
    given = body.get("input")
    if given is None and not any(body.get(name) for name in _CONTINUES):
        raise RefusedError(
            "Missing required parameter: 'input'.",
            code="missing_required_parameter",
            param="input",
        )
    if not isinstance(given, str | list | None):
        raise RefusedError(
            "Invalid type for 'input': expected a text or a list.",
            code="invalid_type",
            param="input",
        )
    want_kinds(body)
    if body.get("background"):
        raise RefusedError(
            "fairtrial answers while you wait: leave `background` out.",
            code="unsupported_value",
            param="background",
        )


def _tool_names(body: dict[str, Json]) -> tuple[str, ...]:
    return names_in(body.get("tools"))


def _reply(body: dict[str, Json], spoken: Spoken) -> Answer:
    items = _items(spoken)
    done = _response(body, spoken) | {
        "status": "completed",
        "output": items,
        "usage": _usage(spoken),
    }
    if not body.get("stream"):
        return Answer(200, encode(done))
    numbers = count()
    sent = (
        event({"type": kind, "sequence_number": next(numbers)} | data, kind)
        for kind, data in _events(_response(body, spoken), items, done)
    )
    return Answer(200, b"".join(sent), EVENT_HEADERS)


def _response(body: dict[str, Json], spoken: Spoken) -> dict[str, Json]:
    """Give the response as it is at its beginning."""
    echoed = {name: body.get(name, usual) for name, usual in _ECHOED.items()}
    return {
        "id": response_id(spoken),
        "object": "response",
        "created_at": CREATED,
        "status": "in_progress",
        "background": False,
        "error": None,
        "incomplete_details": None,
        "model": spoken.model,
        "output": [],
        "service_tier": "default",
        "usage": None,
    } | {name: _ECHOED[name] if value is None else value for name, value in echoed.items()}


def _items(spoken: Spoken) -> list[dict[str, Json]]:
    items: list[dict[str, Json]] = []
    if spoken.refusal is not None:
        part: dict[str, Json] = {"type": "refusal", "refusal": spoken.refusal}
        items.append(_message(spoken, part))
    elif spoken.text is not None or not spoken.calls:
        text = spoken.text or ""
        part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        items.append(_message(spoken, part))
    return items + [_call(call) for call in spoken.calls]


def _message(spoken: Spoken, part: dict[str, Json]) -> dict[str, Json]:
    return {
        "id": f"msg_{spoken.number}",
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [part],
    }


def _call(call: SpokenCall) -> dict[str, Json]:
    return {
        "id": f"fc_{call.number}",
        "type": "function_call",
        "status": "completed",
        "call_id": call.id,
        "name": call.name,
        "arguments": call.arguments,
    }


def _usage(spoken: Spoken) -> dict[str, Json]:
    return {
        "input_tokens": spoken.input_tokens,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": spoken.output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": spoken.input_tokens + spoken.output_tokens,
    }


def _events(
    begun: dict[str, Json], items: list[dict[str, Json]], done: dict[str, Json]
) -> Iterator[tuple[str, dict[str, Json]]]:
    """Give the kind and the data of each event, in order; they are numbered as they go out."""
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    for index, item in enumerate(items):
        empty: dict[str, Json] = {"content": []} if item["type"] == "message" else {"arguments": ""}
        started = item | {"status": "in_progress"} | empty
        yield "response.output_item.added", {"output_index": index, "item": started}
        place = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            yield from _part_events(place | {"content_index": 0}, item["content"][0])
        else:
            kind = "response.function_call_arguments"
            for piece in pieces(item["arguments"]):
                yield f"{kind}.delta", place | {"delta": piece}
            whole = {"name": item["name"], "arguments": item["arguments"]}
            yield f"{kind}.done", place | whole
        yield "response.output_item.done", {"output_index": index, "item": item}
    yield "response.completed", {"response": done}


def _part_events(
    place: dict[str, Json], part: dict[str, Json]
) -> Iterator[tuple[str, dict[str, Json]]]:
    refused = part["type"] == "refusal"
    field, kind = ("refusal", "response.refusal") if refused else ("text", "response.output_text")
    extra: dict[str, Json] = {} if refused else {"logprobs": []}
    yield "response.content_part.added", place | {"part": part | {field: ""}}
    for piece in pieces(part[field]):
        yield f"{kind}.delta", place | {"delta": piece} | extra
    yield f"{kind}.done", place | {field: part[field]} | extra
    yield "response.content_part.done", place | {"part": part}


OPENAI_RESPONSES = WireFormat("openai-responses", "openai", "call_", _check, _tool_names, _reply)
