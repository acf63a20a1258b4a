"""LangChain messages: objects, and each form that they are dumped in."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    message_to_dict,
)

from fairtrial.records import Tokens, ToolCall, Trajectory
from fairtrial.traces import read_returned

LOOK: Any = {"name": "look", "args": {"id": "A7"}, "id": "c1", "type": "tool_call"}
BROKEN: Any = {"name": "pay", "args": "{oops", "id": "c2", "error": "not JSON"}
USAGE: Any = {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11}
TALK: list[BaseMessage] = [
    SystemMessage("You find boxes."),
    HumanMessage("Where is A7?"),
    AIMessage("", tool_calls=[LOOK], invalid_tool_calls=[BROKEN], usage_metadata=USAGE),
    ToolMessage('{"bay": 4}', tool_call_id="c1", artifact=object()),
    ToolMessage("no such tool", tool_call_id="c2", status="error"),
    AIMessage("In bay 4."),
]


def told(*messages: object) -> Trajectory:
    returned = read_returned(list(messages), "find")
    assert returned.trajectory is not None, returned.refusal
    return returned.trajectory


def test_calls_that_could_not_be_read_are_calls_with_raw_arguments() -> None:
    steps = told(*TALK).steps
    assert steps is not None
    assert steps[0].calls == (
        ToolCall(name="look", arguments={"id": "A7"}, id="c1", result={"bay": 4}),
        ToolCall(
            name="pay", arguments="{oops", id="c2", result="no such tool", error="no such tool"
        ),
    )
    assert steps[0].tokens == Tokens(input=9, output=2)


def test_the_answer_is_the_last_text() -> None:
    trajectory = told(*TALK)
    assert (trajectory.answer, trajectory.stop, len(trajectory.steps or ())) == (
        "In bay 4.",
        "answer",
        2,
    )


@pytest.mark.parametrize("dump", [BaseMessage.model_dump, message_to_dict, dumpd])
def test_dumped_messages_are_read_as_the_objects(dump: Callable[[BaseMessage], Any]) -> None:
    talk = [one.model_copy(update={"artifact": None}) for one in TALK[:3]] + TALK[4:]
    assert told(*map(dump, talk)) == told(*talk)


def test_the_state_of_a_graph_holds_its_messages() -> None:
    returned = read_returned({"messages": TALK, "remaining_steps": 3}, "find")
    assert returned.trajectory == told(*TALK)


def test_a_structured_response_of_a_graph_is_the_answer() -> None:
    state = {"messages": TALK[:4], "structured_response": {"bay": 4}}
    trajectory = read_returned(state, "find").trajectory
    assert trajectory is not None
    assert (trajectory.answer, trajectory.stop) == ('{"bay":4}', "answer")


def test_plain_dicts_may_stand_among_them() -> None:
    assert told({"role": "user", "content": "Where is A7?"}, *TALK[2:]) == told(*TALK[1:])


def test_a_call_in_the_providers_spelling_too_is_one_call() -> None:
    blocks: Any = [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "other", "name": "look", "input": {"id": "A7"}},
    ]
    steps = told(HumanMessage("Where?"), AIMessage(blocks, tool_calls=[LOOK])).steps
    assert steps is not None
    assert (steps[0].text, len(steps[0].calls)) == ("I look.", 1)


def test_chunks_and_removals_are_understood() -> None:
    trajectory = told(HumanMessage("Hi"), RemoveMessage(id="m1"), AIMessageChunk(content="Hello."))
    assert trajectory.answer == "Hello."


@pytest.mark.parametrize(
    "more",
    [
        {"additional_kwargs": {"refusal": "I cannot."}},
        {"response_metadata": {"stop_reason": "refusal"}},
        {"response_metadata": {"finish_reason": "content_filter"}},
    ],
)
def test_a_refusal_stops_with_refused(more: dict[str, Any]) -> None:
    assert told(HumanMessage("Hi"), AIMessage("", **more)).stop == "refused"
