"""One call in many spellings, and streamed pieces."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Tokens, Trajectory
from fairtrial.traces import Imported, read_openai_chat
from fairtrial.traces.calls import joined
from fairtrial.traces.replies import read_reply

USER = {"role": "user", "content": "Where is A7?"}
DONE = {"role": "assistant", "content": "In bay 4."}


def call(name: str = "look", arguments: object = "{}", key: str | None = "c1") -> dict[str, Any]:
    return {"id": key, "type": "function", "function": {"name": name, "arguments": arguments}}


def asks(*calls: object, content: object = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(content: object = "ok", key: str | None = "c1", **more: object) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": key, "content": content, **more}


def read(folder: Path, value: object, name: str = "log.json", **options: Any) -> Imported:
    file = folder / name
    file.write_text(json.dumps(value))
    (found,) = read_openai_chat(file, **options)
    return found


def trajectory(folder: Path, *messages: object, **options: Any) -> Trajectory:
    found = read(folder, {"case": "c", "messages": list(messages)}, **options).trajectory
    assert found is not None
    return found


def calls_of(told: Trajectory) -> list[Any]:
    return [call for step in told.steps or () for call in step.calls]


@pytest.mark.parametrize(
    ("arguments", "read_as"),
    [
        ('{"id": "A7"}', {"id": "A7"}),
        ({"id": "A7"}, {"id": "A7"}),
        ("", ""),
        (None, None),
        ("{oops", "{oops"),
        ("[1]", "[1]"),
        ([1], "[1]"),
        ('{"a": NaN}', '{"a": NaN}'),
    ],
)
def test_arguments_are_an_object_or_what_the_model_wrote(
    tmp_path: Path, arguments: object, read_as: object
) -> None:
    told = trajectory(tmp_path, USER, asks(call(arguments=arguments)), result(), DONE)
    assert [c.arguments for c in calls_of(told)] == [read_as]


@pytest.mark.parametrize(
    "spelled",
    [
        {"type": "function_call", "name": "look", "arguments": '{"id": "A7"}'},
        [{"type": "function", "function": {"name": "look", "arguments": '{"id": "A7"}'}}],
        {"type": "tool_use", "name": "look", "input": {"id": "A7"}},
        {"name": "look", "args": {"id": "A7"}},
    ],
)
def test_one_call_in_any_spelling_is_one_call(spelled: object) -> None:
    assert [(c.name, c.arguments) for c in joined(spelled, "x")] == [("look", {"id": "A7"})]


def test_a_custom_tool_call_keeps_its_text(tmp_path: Path) -> None:
    custom = {"id": "c1", "type": "custom", "custom": {"name": "shell", "input": "ls -l"}}
    told = trajectory(tmp_path, USER, asks(custom), result(), DONE)
    assert [(c.name, c.arguments) for c in calls_of(told)] == [("shell", {"input": "ls -l"})]


def test_a_call_that_stands_in_two_places_is_one_call(tmp_path: Path) -> None:
    block = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
    both = asks(call(), content=[{"type": "text", "text": "Let me look."}, block])
    told = trajectory(tmp_path, USER, both, result(), DONE)
    assert len(calls_of(told)) == 1
    assert told.steps is not None
    assert told.steps[0].text == "Let me look."


def test_a_phantom_call_is_dropped_with_a_note(tmp_path: Path) -> None:
    told = trajectory(tmp_path, USER, asks(call(), call("", "", None)), result(), DONE)
    assert len(calls_of(told)) == 1
    assert "without name, arguments and id" in (told.extra or {})["import_notes"][0]


def test_a_call_written_as_text_is_never_a_call(tmp_path: Path) -> None:
    text = '<tool_call>{"name": "look", "arguments": {}}</tool_call>'
    told = trajectory(tmp_path, USER, {"role": "assistant", "content": text, "tool_calls": []})
    assert calls_of(told) == []
    assert told.answer == text


def test_pieces_of_two_calls_are_joined_by_index() -> None:
    pieces = [
        {"index": 0, "name": "lookup", "arguments": ""},
        {"index": 0, "arguments": '{"id": "ll'},
        {"index": 1, "name": "note", "arguments": "{}"},
        {"index": 0, "arguments": 'l"}'},
    ]
    expected = [("lookup", {"id": "lll"}), ("note", {})]
    assert [(c.name, c.arguments) for c in joined(pieces, "x")] == expected


def test_a_name_repeated_with_each_piece_is_not_doubled() -> None:
    pieces = [{"index": 0, "name": "look", "arguments": text} for text in ['{"a"', ": 1", "}"]]
    assert [(c.name, c.arguments) for c in joined(pieces, "x")] == [("look", {"a": 1})]


@pytest.mark.parametrize("keys", [("c1", "c2"), (None, None)])
def test_whole_calls_that_share_an_index_stay_apart(keys: tuple[str | None, str | None]) -> None:
    whole = [{"index": 0, **call("look", '{"a": 1}', key)} for key in keys]
    assert [c.arguments for c in joined(whole, "x")] == [{"a": 1}, {"a": 1}]


@given(
    arguments=st.dictionaries(st.text(), st.text() | st.integers(-9, 9) | st.none(), max_size=4),
    data=st.data(),
)
def test_however_a_stream_is_cut_the_call_is_the_same(
    arguments: dict[str, object], data: st.DataObject
) -> None:
    text = json.dumps(arguments)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    edges = [0, *cuts, len(text)]
    parts = [text[a:b] for a, b in pairwise(edges)]
    pieces = [{"index": 0, "id": "c1", "function": {"name": "look", "arguments": ""}}]
    pieces += [{"index": 0, "function": {"arguments": part}} for part in parts]
    assert [(c.name, c.arguments) for c in joined(pieces, "x")] == [("look", arguments)]


def test_an_event_stream_is_read_as_one_reply() -> None:
    chunks = [
        {
            "model": "m",
            "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Let "}}],
        },
        {
            "choices": [
                {"index": 0, "delta": {"content": "me", "tool_calls": [{"index": 0, **call()}]}}
            ]
        },
        {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
    ]
    text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    reply = read_reply(text)
    assert reply.message is not None
    assert reply.message["content"] == "Let me"
    assert len(joined(reply.message["tool_calls"], "x")) == 1
    assert reply.tokens == Tokens(input=5, output=2)
