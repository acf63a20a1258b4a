"""Messages of OpenAI Chat and of Anthropic, as dicts and as the SDKs' objects."""

from typing import Any

import pytest
from anthropic.types import Message, TextBlock, ToolUseBlock, Usage
from openai.types.chat import ChatCompletion, ChatCompletionMessage

from fairtrial.records import Tokens, ToolCall, Trajectory
from fairtrial.traces import read_returned

USER = {"role": "user", "content": "Where is A7?"}
USE = {"type": "tool_use", "id": "t1", "name": "look", "input": {"id": "A7"}}


def told(*messages: object) -> Trajectory:
    returned = read_returned(list(messages), "find")
    assert returned.trajectory is not None, returned.refusal
    return returned.trajectory


def calls(trajectory: Trajectory) -> list[ToolCall]:
    return [call for step in trajectory.steps or () for call in step.calls]


def result(content: object, **more: object) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": content} | more
    return {"role": "user", "content": [block]}


def assistant(*blocks: object, **more: object) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)} | more


def test_objects_of_the_openai_sdk_are_read_as_their_dicts() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}
    asks = {"role": "assistant", "content": None, "tool_calls": [call]}
    rest = [{"role": "tool", "tool_call_id": "c1", "content": "4"}]
    rest += [{"role": "assistant", "content": "In bay 4."}]
    assert told(USER, ChatCompletionMessage.model_validate(asks), *rest) == told(USER, asks, *rest)


def test_a_whole_completion_tells_its_tokens() -> None:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "4"}}
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}
    fields: dict[str, Any] = {"id": "x", "created": 0, "model": "m", "object": "chat.completion"}
    reply = ChatCompletion.model_validate(fields | {"choices": [choice], "usage": usage})
    for trajectory in (told(USER, reply), read_returned(reply, "find").trajectory):
        assert trajectory is not None
        assert trajectory.answer == "4"
        assert trajectory.steps is not None
        assert trajectory.steps[0].tokens == Tokens(input=9, output=2)


def test_a_filtered_completion_is_a_refusal() -> None:
    choice = {"finish_reason": "content_filter", "message": {"content": None}}
    trajectory = told(USER, {"choices": [choice]})
    assert (trajectory.stop, trajectory.answer) == (
        "refused",
        "stopped by the provider: content_filter",
    )


def test_a_chat_refusal_stops_with_refused() -> None:
    trajectory = told(USER, {"role": "assistant", "content": None, "refusal": "I cannot."})
    assert (trajectory.stop, trajectory.answer) == ("refused", "I cannot.")


def test_an_anthropic_message_is_a_step_with_its_cached_tokens() -> None:
    message = Message(
        id="m1",
        type="message",
        role="assistant",
        model="claude",
        content=[
            TextBlock(type="text", text="I look."),
            ToolUseBlock(type="tool_use", id="t1", name="look", input={"id": "A7"}),
        ],
        stop_reason="tool_use",
        usage=Usage(
            input_tokens=5,
            output_tokens=2,
            cache_read_input_tokens=7,
            cache_creation_input_tokens=1,
        ),
    )
    trajectory = told(USER, message, result('{"bay": 4}'), assistant({"type": "text", "text": "4"}))
    assert trajectory.steps is not None
    first, last = trajectory.steps
    assert (first.text, first.tokens) == ("I look.", Tokens(input=13, output=2))
    assert first.calls == (
        ToolCall(name="look", arguments={"id": "A7"}, id="t1", result={"bay": 4}),
    )
    assert (last.text, trajectory.answer, trajectory.stop) == ("4", "4", "answer")


def test_blocks_of_the_sdk_may_stand_in_a_plain_message() -> None:
    block = ToolUseBlock(type="tool_use", id="t1", name="look", input={})
    assert [call.name for call in calls(told(USER, assistant(block)))] == ["look"]


def test_thinking_is_no_text() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "x"}
    returned = read_returned([USER, assistant(thought, {"type": "text", "text": "4"})], "find")
    assert returned.trajectory is not None
    assert (returned.trajectory.answer, returned.notes) == ("4", ())


def test_a_failed_result_is_an_error_in_words() -> None:
    failed = result([{"type": "text", "text": "no such box"}], is_error=True)
    (call,) = calls(told(USER, assistant(USE), failed))
    assert call.error == "no such box"


def test_a_provider_that_stops_a_reply_refuses() -> None:
    trajectory = told(USER, assistant(stop_reason="refusal"))
    assert (trajectory.stop, trajectory.answer) == ("refused", "stopped by the provider: refusal")


def test_what_is_said_after_a_hosted_tool_answered_stands_after_its_call() -> None:
    search = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"q": "A7"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"url": "u"}]}
    message = assistant(search, found, {"type": "text", "text": "In bay 4."}, usage={"input": 3})
    trajectory = told(USER, message)
    assert trajectory.answer == "In bay 4."
    assert calls(trajectory)[0].result == [{"url": "u"}]
    assert trajectory.steps is not None
    assert trajectory.steps[-1].tokens == Tokens(input=3)


@pytest.mark.parametrize("kind", [[], {}, 5, None])
def test_a_block_whose_type_is_no_text_is_refused_by_its_place(kind: object) -> None:
    refusal = read_returned([USER, assistant({"type": kind})], "find").refusal
    assert refusal is not None
    assert "messages[1].content[0]: wanted a block with a type" in refusal


def test_many_calls_that_nothing_answers_take_no_time() -> None:
    asks = [assistant(USE | {"id": f"t{number}"}) for number in range(5_000)]
    strays = [{"role": "tool", "tool_call_id": f"s{number}"} for number in range(5_000)]
    assert len(calls(told(*asks, *strays))) == 5_000
