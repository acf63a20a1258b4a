"""What an agent in a worker returned, there and back."""

import asyncio
import json
from collections.abc import Callable

import msgspec
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from openai.types.chat import ChatCompletionMessage
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from fairtrial.agents.returned import RunResult, returned_facts, returned_value
from fairtrial.records import Json, NotJsonError, Step, ToolCall, Trajectory
from fairtrial.traces import read_returned

USER: Json = {"role": "user"}


def there_and_back(value: object) -> object:
    return returned_value(json.loads(msgspec.json.encode(returned_facts(value))))


@pytest.mark.parametrize("value", [None, "Done.", "", [{"role": "user"}], {"answer": "x"}, 5])
def test_json_stays_as_it_is(value: Json) -> None:
    assert there_and_back(value) == value


def test_a_trajectory_is_a_mapping_of_all_its_fields() -> None:
    call = ToolCall(name="pay", arguments={"fee": 0}, result=None)
    trajectory = Trajectory(case="c1", answer="Done.", steps=(Step(calls=(call, call)),))
    assert msgspec.convert(there_and_back(trajectory), Trajectory) == trajectory
    bare = there_and_back(Trajectory(case="c1"))
    assert isinstance(bare, dict)
    assert bare["answer"] is None


class PydanticAi:
    output = "Done."

    def all_messages(self) -> list[Json]:
        return [{"kind": "request"}]


class OpenAiAgents:
    final_output = "Done."

    def to_input_list(self) -> list[Json]:
        return [USER]


def test_the_messages_of_a_frameworks_run_are_kept_with_its_output() -> None:
    for value, messages in ((PydanticAi(), [{"kind": "request"}]), (OpenAiAgents(), [USER])):
        run = there_and_back(value)
        assert isinstance(run, RunResult)
        assert (run.all_messages(), run.output) == (messages, "Done.")


@pytest.mark.parametrize("value", [object(), b"x", float("nan"), PydanticAi, 1j])
def test_what_is_nothing_that_json_has_is_refused(value: object) -> None:
    with pytest.raises(NotJsonError):
        returned_facts(value)


def test_what_json_cannot_hold_within_is_a_text_that_says_so() -> None:
    cycle: list[object] = [b"x", float("nan"), {5: 1, "a": object()}]
    assert there_and_back(cycle) == [
        "(bytes, which is not JSON)",
        None,
        {"a": "(object, which is not JSON)"},
    ]
    cycle.append(cycle)
    assert there_and_back(cycle)


def test_text_of_lone_surrogates_is_cleaned() -> None:
    assert there_and_back("a\ud800") == "a\ufffd"


def weather(city: str) -> str:
    """Say what the weather is."""
    return f"Rain in {city}."


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    if len(messages) == 1:
        return ModelResponse(parts=[ToolCallPart("weather", {"city": "Oslo"}, "c1")])
    return ModelResponse(parts=[TextPart("It rains.")])


def of_pydantic_ai() -> object:
    agent = Agent(FunctionModel(scripted), tools=[weather])
    return asyncio.run(agent.run(["Look", BinaryContent(b"GIF", media_type="image/gif")]))


def of_langchain() -> object:
    call = {"name": "weather", "args": {"city": "Oslo"}, "id": "c1"}
    said = [AIMessage("", tool_calls=[call]), ToolMessage("Rain.", tool_call_id="c1")]
    return {"messages": [HumanMessage("Look"), *said, AIMessage("It rains.")]}


def of_openai() -> object:
    call = {"name": "weather", "arguments": '{"city": "Oslo"}'}
    tool_calls = [{"id": "c1", "type": "function", "function": call}]
    asked = {"role": "assistant", "content": None, "tool_calls": tool_calls}
    return [
        {"role": "user", "content": "Look"},
        ChatCompletionMessage.model_validate(asked),
        {"role": "tool", "tool_call_id": "c1", "content": "Rain."},
        ChatCompletionMessage(role="assistant", content="It rains."),
    ]


@pytest.mark.parametrize("make", [of_pydantic_ai, of_langchain, of_openai])
def test_what_frameworks_return_reads_alike_from_a_worker(make: Callable[[], object]) -> None:
    value = make()
    here, there = read_returned(value, "c1"), read_returned(there_and_back(value), "c1")
    assert here.trajectory is not None
    assert here.trajectory.answer == "It rains."
    assert there == here
