"""The built-in loop in Anthropic's Messages."""

from collections.abc import Sequence

from fairtrial.agents.loop_reply import LoopReply, SaidCall, said_text, told_tokens
from fairtrial.ports import Tools
from fairtrial.records import Json, ModelAddress, ToolReply

_MOST_TOKENS = 4_096  # of one completion: the API wants a number
_MALFORMED = "INVALID_JSON"  # as the listener says it
_READ = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def address(model: ModelAddress) -> tuple[str, dict[str, str]]:
    """Give where to post, and the headers."""
    key = {"x-api-key": model.anthropic_api_key} if model.anthropic_api_key else {}
    url = f"{model.anthropic_base_url.rstrip('/')}/v1/messages"
    return url, {"anthropic-version": "2023-06-01", **key}


def request(
    model: str | None, system: str | None, messages: Sequence[Json], tools: Tools | None
) -> dict[str, Json]:
    """Give the body of a request; system messages of the conversation join the prompt."""
    body: dict[str, Json] = {"max_tokens": _MOST_TOKENS}
    if model is not None:
        body["model"] = model
    prompts = [system] + [said_text(one.get("content")) for one in messages if _is_system(one)]
    told = [prompt for prompt in prompts if prompt]
    if told:
        body["system"] = "\n\n".join(told)
    body["messages"] = [one for one in messages if not _is_system(one)]
    if tools is not None and len(tools):
        body["tools"] = tools.anthropic
    return body


def read(body: Json) -> LoopReply | None:
    """Read a reply; None where it holds no completion."""
    content = body.get("content") if isinstance(body, dict) else None
    if not isinstance(content, list):
        return None
    blocks = [block for block in content if isinstance(block, dict)]
    text = said_text([block for block in blocks if block.get("type") == "text"])
    refused = body.get("stop_reason") == "refusal"
    calls = tuple(
        SaidCall(str(block.get("id") or ""), block["name"], _arguments(block.get("input")))
        for block in blocks
        if block.get("type") == "tool_use" and isinstance(block.get("name"), str)
    )
    return LoopReply(
        text=text,
        calls=() if refused else calls,
        refusal=text or "" if refused else None,
        tokens=told_tokens(body.get("usage"), _READ, "output_tokens"),
        message={"role": "assistant", "content": content},
    )


def next_messages(reply: LoopReply, results: Sequence[ToolReply]) -> list[Json]:
    """Give what the conversation goes on with: the calls, and what came back."""
    told = [
        {
            "type": "tool_result",
            "tool_use_id": call.id,
            "content": str(result),
            **({"is_error": True} if result.failed else {}),
        }
        for call, result in zip(reply.calls, results, strict=True)
    ]
    return [reply.message, {"role": "user", "content": told}]


def _arguments(given: Json) -> Json:
    """Give the arguments, or the raw text of malformed ones, which only an object can carry."""
    if isinstance(given, dict) and list(given) == [_MALFORMED]:
        raw = given[_MALFORMED]
        return raw if isinstance(raw, str) else given
    return given


def _is_system(message: Json) -> bool:
    return isinstance(message, dict) and message.get("role") in ("system", "developer")
