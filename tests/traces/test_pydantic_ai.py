"""Messages and results of Pydantic AI."""

import asyncio
import json
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, AgentRunResult, ModelRetry
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    NativeToolCallPart,
    NativeToolReturnPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from fairtrial.records import Tokens, ToolCall, Trajectory
from fairtrial.traces import read_returned

USER = ModelRequest(parts=[SystemPromptPart("You find."), UserPromptPart("Where is A7?")])


class Place(BaseModel):
    bay: int


def replies(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    if len(messages) == 1:
        calls = [ToolCallPart("look", '{"box": "A7"}', "c1"), ToolCallPart("bad", {}, "c2")]
        return ModelResponse(parts=[TextPart("I look."), *calls])
    if info.output_tools:
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, {"bay": 4}, "c9")])
    return ModelResponse(parts=[TextPart("In bay 4.")])


def look(box: str) -> list[str]:
    return [box, "bay 4"]


def bad() -> str:
    raise ModelRetry("not now")


def run(output: Any) -> AgentRunResult[Any]:
    agent = Agent(FunctionModel(replies), output_type=output, tools=[look, bad], retries=3)
    return asyncio.run(agent.run("Where is A7?"))


def retry(content: object, **more: object) -> dict[str, object]:
    """Give a part that Pydantic AI still reads and no longer makes."""
    return {"part_kind": "retry-prompt", "content": content} | more


@pytest.fixture(scope="module")
def found() -> AgentRunResult[Any]:
    return run(str)


def told(value: object) -> Trajectory:
    returned = read_returned(value, "find")
    assert returned.trajectory is not None, returned.refusal
    return returned.trajectory


def test_a_run_gives_steps_with_results_and_errors(found: AgentRunResult[Any]) -> None:
    trajectory = told(found)
    assert trajectory.steps is not None
    first, last = trajectory.steps
    assert first.text == "I look."
    assert first.calls[0] == ToolCall(
        name="look", arguments={"box": "A7"}, id="c1", result=["A7", "bay 4"]
    )
    assert (first.calls[1].error or "").startswith("not now")
    assert first.tokens is not None
    assert (last.text, trajectory.answer, trajectory.stop) == ("In bay 4.", "In bay 4.", "answer")


def test_objects_and_their_json_are_read_alike(found: AgentRunResult[Any]) -> None:
    from_list = told(found.all_messages())
    assert from_list == told(found)
    assert from_list == told(json.loads(found.all_messages_json()))


def test_the_call_of_an_output_tool_is_the_answer_and_no_call() -> None:
    result = run(Place)
    for trajectory in (told(result), told(result.all_messages())):
        assert trajectory.answer == '{"bay":4}'
        assert trajectory.stop == "answer"
        assert [len(step.calls) for step in trajectory.steps or ()] == [2, 0]


def test_a_retry_is_the_error_of_its_call() -> None:
    mistakes = [{"type": "missing", "loc": ("box",), "msg": "Field required", "input": {}}]
    calls = [ToolCallPart("look", "{oops", "c1"), ToolCallPart("look", {}, "c2")]
    retries = [retry("not JSON", tool_name="look", tool_call_id="c1")]
    retries += [retry(mistakes, tool_name="look", tool_call_id="c2")]
    steps = told([USER, ModelResponse(parts=calls), {"kind": "request", "parts": retries}]).steps
    assert steps is not None
    assert [(call.arguments, call.error) for call in steps[0].calls] == [
        ("{oops", "not JSON"),
        ({}, "box: Field required"),
    ]


def test_a_retry_about_the_text_is_no_message_of_the_user() -> None:
    talk = [USER, ModelResponse(parts=[TextPart("?")]), {"kind": "request", "parts": [retry("no")]}]
    trajectory = told([*talk, ModelResponse(parts=[TextPart("In bay 4.")])])
    assert [step.text for step in trajectory.steps or ()] == ["?", "In bay 4."]


def test_pictures_in_a_prompt_do_not_matter() -> None:
    picture = BinaryContent(b"GIF", media_type="image/gif")
    prompt = ModelRequest(parts=[UserPromptPart(["Where?", picture])])
    assert told([prompt, ModelResponse(parts=[TextPart("4")])]).answer == "4"


def test_usage_becomes_tokens_and_zeros_are_what_nobody_counted() -> None:
    counted = ModelResponse(
        parts=[ThinkingPart("Hm."), TextPart("4")],
        usage=RequestUsage(input_tokens=9, cache_read_tokens=3, output_tokens=2),
    )
    steps = told([USER, counted, ModelResponse(parts=[TextPart("5")])]).steps
    assert steps is not None
    assert [step.tokens for step in steps] == [Tokens(input=9, output=2), None]


def test_a_hosted_tool_has_its_result_and_what_follows_is_the_answer() -> None:
    parts: list[ModelResponsePart] = [
        NativeToolCallPart("web_search", {"q": "A7"}, "s1"),
        NativeToolReturnPart("web_search", [{"url": "u"}], "s1"),
        TextPart("In bay 4."),
    ]
    trajectory = told([USER, ModelResponse(parts=parts)])
    assert trajectory.answer == "In bay 4."
    assert trajectory.steps is not None
    assert trajectory.steps[0].calls[0].result == [{"url": "u"}]


def test_a_filtered_reply_is_a_refusal() -> None:
    assert told([USER, ModelResponse(parts=[], finish_reason="content_filter")]).stop == "refused"


def test_a_denied_call_failed() -> None:
    denied = ToolReturnPart("pay", "the user said no", "c1", outcome="denied")
    talk = [USER, ModelResponse(parts=[ToolCallPart("pay", {}, "c1")])]
    steps = told([*talk, ModelRequest(parts=[denied])]).steps
    assert steps is not None
    assert steps[0].calls[0].error == "the user said no"


def test_a_part_without_a_kind_is_refused_by_its_place() -> None:
    refusal = read_returned([{"kind": "request", "parts": [{"content": "Hi"}]}], "find").refusal
    assert (
        refusal == "the agent returned list: messages[0].parts[0]: wanted a part with a part_kind"
    )
