"""Kinds of messages told apart by their shape, and what is refused with its place."""

from typing import Any

import pytest

from fairtrial.traces import read_returned

USER = {"role": "user", "content": "Hi"}
ITEM = {"type": "function_call", "name": "look", "arguments": "{}", "call_id": "c1"}
HUMAN = {"type": "human", "content": "Hi"}
REQUEST = {"kind": "request", "parts": []}


def refusal(*messages: object) -> str:
    returned = read_returned(list(messages), "c")
    assert returned.trajectory is None
    assert returned.refusal is not None
    return returned.refusal


@pytest.mark.parametrize(
    ("messages", "found"),
    [
        ([USER, "Hello."], "messages[1]: str, which is no message"),
        ([USER, ("ai", "Hello.")], "messages[1]: tuple, which is no message"),
        ([{"text": "Hi", "by": "me"}], "messages[0]: an object with text, by, which is no message"),
        ([USER, {}], "messages[1]: an empty object, which is no message"),
        ([USER, None], "messages[1]: NoneType, which is no message"),
        ([{"role": ["user"]}], "messages[0]: an object with role, which is no message"),
        ([ITEM, HUMAN], "messages[1]: a LangChain message among others than these"),
        ([HUMAN, ITEM], "messages[1]: an item of the Responses API among others than these"),
        ([REQUEST, USER], "messages[1]: a message with a role among others than these"),
        ([USER, REQUEST], "messages[1]: a Pydantic AI message among others than these"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(messages: list[object], found: str) -> None:
    told = refusal(*messages)
    assert told.startswith(f"the agent returned list: {found}; accepted: ")
    assert "LangChain" in told


def test_an_unknown_role_is_named_with_those_accepted() -> None:
    told = refusal(USER, {"role": "model", "content": "Hello."})
    assert "messages[1].role: found 'model'; accepted: system, developer, user" in told


SPELLINGS: list[list[Any]] = [
    [
        {
            "role": "assistant",
            "tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": '{"id": "A7"}'}}],
        }
    ],
    [{"role": "assistant", "tool_calls": {"id": "c1", "name": "look", "args": {"id": "A7"}}}],
    [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {"id": "A7"}}],
        }
    ],
    [ITEM | {"arguments": '{"id": "A7"}'}],
    [
        {
            "type": "ai",
            "content": "",
            "tool_calls": [{"name": "look", "args": {"id": "A7"}, "id": "c1"}],
        }
    ],
    [
        {
            "kind": "response",
            "parts": [
                {
                    "part_kind": "tool-call",
                    "tool_name": "look",
                    "args": {"id": "A7"},
                    "tool_call_id": "c1",
                }
            ],
        }
    ],
]


@pytest.mark.parametrize("messages", SPELLINGS)
def test_one_call_has_one_form_in_every_spelling(messages: list[Any]) -> None:
    trajectory = read_returned(messages, "c").trajectory
    assert trajectory is not None
    assert trajectory.steps is not None
    (call,) = trajectory.steps[0].calls
    assert (call.name, call.arguments, call.id) == ("look", {"id": "A7"}, "c1")


def test_streamed_pieces_are_joined() -> None:
    pieces = [
        {"index": 0, "name": "look", "arguments": ""},
        {"index": 0, "arguments": '{"id": "ll'},
        {"index": 1, "name": "note", "arguments": "{}"},
        {"index": 0, "arguments": 'l"}'},
    ]
    trajectory = read_returned([{"role": "assistant", "tool_calls": pieces}], "c").trajectory
    assert trajectory is not None
    assert trajectory.steps is not None
    told = [(call.name, call.arguments) for call in trajectory.steps[0].calls]
    assert told == [("look", {"id": "lll"}), ("note", {})]


def test_what_nobody_reads_may_hold_anything() -> None:
    message = {"role": "assistant", "content": "Hello.", "agent": object(), "frame": b"\xff"}
    trajectory = read_returned([USER, message], "c").trajectory
    assert trajectory is not None
    assert trajectory.answer == "Hello."
