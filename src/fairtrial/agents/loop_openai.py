"""The built-in loop in OpenAI's Chat Completions."""

from collections.abc import Sequence

from fairtrial.agents.loop_reply import LoopReply, SaidCall, said_text, told_tokens
from fairtrial.ports import Tools
from fairtrial.records import Json, ModelAddress, ToolReply


def address(model: ModelAddress) -> tuple[str, dict[str, str]]:
    """Give where to post, and the headers."""
    key = {"authorization": f"Bearer {model.api_key}"} if model.api_key else {}
    return f"{model.base_url.rstrip('/')}/chat/completions", key


def request(
    model: str | None, system: str | None, messages: Sequence[Json], tools: Tools | None
) -> dict[str, Json]:
    """Give the body of a request."""
    body: dict[str, Json] = {} if model is None else {"model": model}
    first = [] if system is None else [{"role": "system", "content": system}]
    body["messages"] = [*first, *messages]
    if tools is not None and len(tools):
        body["tools"] = tools.openai
    return body


def read(body: Json) -> LoopReply | None:
    """Read a reply; None where it holds no completion."""
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(message := choice.get("message"), dict):
        return None
    listed = message.get("tool_calls")
    calls = [_call(one) for one in listed] if isinstance(listed, list) else []
    text, refusal = said_text(message.get("content")), message.get("refusal")
    filtered = choice.get("finish_reason") == "content_filter"
    refused = refusal if isinstance(refusal, str) and refusal else text or "" if filtered else None
    return LoopReply(
        text=text,
        calls=() if refused is not None else tuple(call for call in calls if call is not None),
        refusal=refused,
        tokens=told_tokens(body.get("usage"), ("prompt_tokens",), "completion_tokens"),
        message={"role": "assistant", "content": message.get("content"), "tool_calls": listed},
    )


def next_messages(reply: LoopReply, results: Sequence[ToolReply]) -> list[Json]:
    """Give what the conversation goes on with: the calls, and what came back."""
    return [
        reply.message,
        *(
            {"role": "tool", "tool_call_id": call.id, "content": str(result)}
            for call, result in zip(reply.calls, results, strict=True)
        ),
    ]


def _call(listed: Json) -> SaidCall | None:
    function = listed.get("function") if isinstance(listed, dict) else None
    if not isinstance(function, dict) or not isinstance(name := function.get("name"), str):
        return None
    return SaidCall(str(listed.get("id") or ""), name, function.get("arguments"))
