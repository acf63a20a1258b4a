"""Items of OpenAI's Responses and the results of OpenAI Agents."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import Agent, Model, ModelResponse, RunConfig, Runner, RunResult, Usage
from agents.tool import function_tool
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseReasoningItem,
)

from fairtrial.records import Json, Tokens, Trajectory
from fairtrial.traces import read_returned

USER = {"role": "user", "content": "Where is A7?"}


def call(key: str = "c1", arguments: str = '{"id": "A7"}') -> dict[str, Json]:
    return {"type": "function_call", "call_id": key, "name": "look", "arguments": arguments}


def output(key: str = "c1", value: Json = '{"bay": 4}') -> dict[str, Json]:
    return {"type": "function_call_output", "call_id": key, "output": value}


def says(text: str) -> dict[str, Json]:
    block = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "role": "assistant", "status": "completed", "content": [block]}


def told(*items: object) -> Trajectory:
    returned = read_returned(list(items), "find")
    assert returned.trajectory is not None, returned.refusal
    return returned.trajectory


class Scripted(Model):
    """Two calls at once, then an answer."""

    def __init__(self) -> None:
        self.asked = 0

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        self.asked += 1
        usage = Usage(requests=1, input_tokens=10 * self.asked, output_tokens=self.asked)
        if self.asked > 1:
            text = ResponseOutputText(text="In bay 4.", annotations=[], type="output_text")
            message = ResponseOutputMessage(
                id="m", role="assistant", status="completed", type="message", content=[text]
            )
            return ModelResponse(output=[message], usage=usage, response_id=None)
        calls = [
            ResponseFunctionToolCall(
                arguments=f'{{"box": "{box}"}}', call_id=box, name="look", type="function_call"
            )
            for box in ("A7", "A8")
        ]
        thought = ResponseReasoningItem(id="r", summary=[], type="reasoning")
        return ModelResponse(output=[thought, *calls], usage=usage, response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


@pytest.fixture(scope="module")
def run() -> RunResult:
    @function_tool
    def look(box: str) -> str:
        return f'{{"box": "{box}"}}'

    agent = Agent(name="finder", tools=[look], model=Scripted())
    return asyncio.run(Runner.run(agent, "Where?", run_config=RunConfig(tracing_disabled=True)))


def test_a_run_of_openai_agents_is_read_with_its_tokens(run: RunResult) -> None:
    trajectory = read_returned(run, "find").trajectory
    assert trajectory is not None
    assert trajectory.steps is not None
    first, last = trajectory.steps
    assert [(one.arguments, one.result) for one in first.calls] == [
        ({"box": "A7"}, {"box": "A7"}),
        ({"box": "A8"}, {"box": "A8"}),
    ]
    assert (first.tokens, last.tokens) == (
        Tokens(input=10, output=1),
        Tokens(input=20, output=2),
    )
    assert (trajectory.answer, trajectory.stop) == ("In bay 4.", "answer")


def test_its_items_and_its_input_list_are_read_alike(run: RunResult) -> None:
    from_list = told(*run.to_input_list())
    assert told(*run.new_items) == from_list
    assert [len(step.calls) for step in from_list.steps or ()] == [2, 0]


def test_its_raw_responses_are_steps_with_tokens(run: RunResult) -> None:
    steps = told(*run.raw_responses).steps
    assert steps is not None
    assert [step.tokens and step.tokens.input for step in steps] == [10, 20]


def test_a_whole_response_may_stand_alone() -> None:
    response = {"object": "response", "output": [says("4")], "error": None}
    trajectory = read_returned(response, "find").trajectory
    assert trajectory is not None
    assert trajectory.answer == "4"


def test_two_responses_without_a_result_between_are_two_steps() -> None:
    trajectory = told({"output": [says("I look.")]}, {"output": [says("Done.")]})
    assert [step.text for step in trajectory.steps or ()] == ["I look.", "Done."]


def test_malformed_arguments_stay_raw() -> None:
    trajectory = told(USER, call(arguments="{oops"), output(), says("4"))
    assert trajectory.steps is not None
    assert trajectory.steps[0].calls[0].arguments == "{oops"


def test_text_and_calls_of_one_completion_are_one_step() -> None:
    thought = {"type": "reasoning", "summary": []}
    trajectory = told(USER, thought, says("I look."), call(), thought, call("c2"), output("c2"))
    assert trajectory.steps is not None
    (step,) = trajectory.steps
    assert (step.text, len(step.calls), step.calls[1].result) == ("I look.", 2, {"bay": 4})


def test_an_output_in_blocks_is_its_text() -> None:
    blocks = [{"type": "input_text", "text": '{"bay": 4}'}]
    trajectory = told(USER, call(), output(value=blocks), says("4"))
    assert trajectory.steps is not None
    assert trajectory.steps[0].calls[0].result == {"bay": 4}


def test_a_refusal_block_is_a_refusal() -> None:
    message = says("") | {"content": [{"type": "refusal", "refusal": "I cannot."}]}
    trajectory = told(USER, message)
    assert (trajectory.answer, trajectory.stop) == ("I cannot.", "refused")


def test_a_call_that_the_provider_answered_has_its_result() -> None:
    hosted = {"type": "mcp_call", "id": "m1", "name": "look", "arguments": "{}", "output": "4"}
    trajectory = told(USER, hosted, hosted | {"output": None, "error": "down"}, says("4"))
    calls = [one for step in trajectory.steps or () for one in step.calls]
    assert [(one.result, one.error) for one in calls] == [(4, None), (None, "down")]
    assert trajectory.answer == "4"


def test_a_custom_tool_gets_its_input_as_an_argument() -> None:
    custom = {"type": "custom_tool_call", "call_id": "c1", "name": "sh", "input": "ls"}
    trajectory = told(USER, custom, output() | {"type": "custom_tool_call_output"}, says("4"))
    assert trajectory.steps is not None
    assert trajectory.steps[0].calls[0].arguments == {"input": "ls"}


def test_hosted_searches_are_left_out_with_a_note() -> None:
    returned = read_returned([USER, {"type": "web_search_call", "id": "w"}, says("4")], "find")
    assert returned.notes == ("messages[1]: an item of type 'web_search_call', left out",)


def test_a_chat_message_with_calls_among_items_is_refused_by_its_place() -> None:
    chat = {"role": "tool", "tool_call_id": "c1", "content": "4"}
    refusal = read_returned([USER, call(), chat], "find").refusal
    assert refusal is not None
    assert refusal.startswith("the agent returned list: messages[2]: a message of another API")
