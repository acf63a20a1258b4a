"""Chat messages in, trajectories out: which result is whose, what failed, how it ended."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairtrial.errors import ImportFormatError
from fairtrial.records import Tokens, Trajectory
from fairtrial.traces import Imported, read_openai_chat

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


def results_of(told: Trajectory) -> list[Any]:
    return [call.result for call in calls_of(told)]


def test_a_repeated_call_id_pairs_with_the_nearest_open_call(tmp_path: Path) -> None:
    told = trajectory(
        tmp_path, USER, asks(call()), result("first"), asks(call()), result("second"), DONE
    )
    assert results_of(told) == ["first", "second"]


def test_an_unanswered_call_does_not_take_the_result_of_a_later_one_with_its_id(
    tmp_path: Path,
) -> None:
    told = trajectory(tmp_path, USER, asks(call()), asks(call()), result("late"), DONE)
    assert results_of(told) == [msgspec.UNSET, "late"]


def test_parallel_calls_with_one_id_take_results_in_order(tmp_path: Path) -> None:
    told = trajectory(
        tmp_path, USER, asks(call("a"), call("b")), result("first"), result("second"), DONE
    )
    assert results_of(told) == ["first", "second"]


def test_results_in_another_order_follow_their_ids(tmp_path: Path) -> None:
    asked = asks(call(key="c1"), call(key="c2"))
    told = trajectory(tmp_path, USER, asked, result("two", "c2"), result("one", "c1"), DONE)
    assert results_of(told) == ["one", "two"]


def test_without_ids_results_go_by_name_and_order(tmp_path: Path) -> None:
    asked = asks(call("a", key=None), call("b", key=None), call("a", key=None))
    answers = [result(text, None, name=name) for text, name in [("b", "b"), ("a1", "a")]]
    told = trajectory(tmp_path, USER, asked, *answers, result("a2", None), DONE)
    assert results_of(told) == ["a1", "b", "a2"]


def test_a_result_with_a_foreign_id_never_takes_a_call_that_has_another(tmp_path: Path) -> None:
    told = trajectory(tmp_path, USER, asks(call("look")), result("x", "zzz", name="look"), DONE)
    assert results_of(told) == [msgspec.UNSET]
    assert "belongs to no open call" in (told.extra or {})["import_notes"][0]


def test_a_dotted_name_meets_its_underscored_result(tmp_path: Path) -> None:
    told = trajectory(
        tmp_path, USER, asks(call("shop.look", key=None)), result("x", None, name="shop_look"), DONE
    )
    assert results_of(told) == ["x"]


def test_the_legacy_function_call_and_its_result_are_read(tmp_path: Path) -> None:
    old = {"role": "assistant", "function_call": {"name": "look", "arguments": '{"id": 7}'}}
    told = trajectory(
        tmp_path, USER, old, {"role": "function", "name": "look", "content": "4"}, DONE
    )
    assert [(c.name, c.arguments, c.result) for c in calls_of(told)] == [("look", {"id": 7}, 4)]


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ('{"price": 320}', {"price": 320}),
        ("true", True),
        ("null", None),
        (None, None),
        ("", ""),
        ("Error: no such order", "Error: no such order"),
        ("007", "007"),
        ("NaN", "NaN"),
        (" \t\r\n[4]", [4]),
        ("\x0b[4]", "\x0b[4]"),
        ('"ok"', "ok"),
        ("-4", -4),
        ("true story", "true story"),
        ([{"type": "text", "text": "[1,"}, {"type": "text", "text": "2]"}], [1, 2]),
        ([{"type": "image_url"}], [{"type": "image_url"}]),
        ({"price": 1}, {"price": 1}),
    ],
)
def test_a_result_that_is_json_text_becomes_its_value(
    tmp_path: Path, content: object, value: object
) -> None:
    (found,) = calls_of(trajectory(tmp_path, USER, asks(call()), result(content), DONE))
    assert found.result == value
    assert type(found.result) is type(value)
    assert found.error is None


@pytest.mark.parametrize(
    ("flags", "error"),
    [
        ({"is_error": True}, "card declined"),
        ({"isError": True}, "card declined"),
        ({"status": "error"}, "card declined"),
        ({"error": {"message": "declined", "type": "x"}}, "declined"),
        ({"error": "declined"}, "declined"),
        ({"status": "success", "is_error": False, "error": None}, None),
        ({}, None),
    ],
)
def test_only_the_flags_of_a_result_say_that_the_call_failed(
    tmp_path: Path, flags: dict[str, Any], error: str | None
) -> None:
    told = trajectory(tmp_path, USER, asks(call()), result("card declined", **flags), DONE)
    assert [(c.error, c.result) for c in calls_of(told)] == [(error, "card declined")]


def test_the_answer_is_the_last_text_after_the_last_call(tmp_path: Path) -> None:
    told = trajectory(tmp_path, USER, asks(call(), content="Let me look."), result(), DONE)
    assert (told.answer, told.stop) == ("In bay 4.", "answer")


def test_text_beside_a_call_is_no_answer(tmp_path: Path) -> None:
    told = trajectory(tmp_path, USER, asks(call(), content="Let me look."), result())
    assert (told.answer, told.stop) == (None, "steps")


def test_a_call_without_a_result_at_the_end_is_cut_off(tmp_path: Path) -> None:
    told = trajectory(tmp_path, USER, asks(call()))
    assert (told.answer, told.stop) == (None, "steps")


def test_an_end_mark_of_the_user_ends_with_the_last_answer(tmp_path: Path) -> None:
    told = trajectory(tmp_path, USER, DONE, {"role": "user", "content": "Thanks! ###STOP###"})
    assert (told.answer, told.stop) == ("In bay 4.", "answer")


def test_a_user_who_got_no_reply_means_cut_off(tmp_path: Path) -> None:
    told = trajectory(tmp_path, USER, DONE, {"role": "user", "content": "And B2?"})
    assert (told.answer, told.stop) == ("In bay 4.", "steps")


def test_an_end_tool_ends_the_run_by_the_agents_will(tmp_path: Path) -> None:
    messages = [USER, asks(call("hand_over"), content="A colleague takes over."), result()]
    told = trajectory(tmp_path, *messages, end_tools=("hand_over",))
    assert (told.answer, told.stop) == ("A colleague takes over.", "answer")


def test_an_empty_last_reply_does_not_borrow_the_answer_of_an_earlier_turn(tmp_path: Path) -> None:
    told = trajectory(tmp_path, USER, DONE, USER, {"role": "assistant", "content": ""})
    assert (told.answer, told.stop) == (None, None)


@pytest.mark.parametrize(
    "refusing",
    [
        {"role": "assistant", "content": None, "refusal": "I cannot help with that."},
        {
            "role": "assistant",
            "content": [{"type": "refusal", "refusal": "I cannot help with that."}],
        },
    ],
)
def test_a_refusal_stops_as_refused(tmp_path: Path, refusing: dict[str, object]) -> None:
    told = trajectory(tmp_path, USER, refusing)
    assert (told.answer, told.stop) == ("I cannot help with that.", "refused")


def test_what_the_log_states_wins(tmp_path: Path) -> None:
    value = {
        "case": "c",
        "messages": [USER, DONE],
        "answer": "Bay 4",
        "stop": "budget",
        "cost": 0.1,
    }
    value |= {"state": {"rows": []}, "usage": {"prompt_tokens": 9}, "reward": 1.0, "error": None}
    told = read(tmp_path, value).trajectory
    assert told is not None
    assert (told.answer, told.stop, told.cost, told.state) == ("Bay 4", "budget", 0.1, {"rows": []})
    assert told.tokens == Tokens(input=9, output=None)
    assert told.extra == {"reward": 1.0}
    assert told.model == "live"


def test_turns_hold_the_range_of_their_steps(tmp_path: Path) -> None:
    greets = {"role": "assistant", "content": "Hello!"}
    told = trajectory(
        tmp_path, greets, USER, asks(call()), result(), DONE, {"role": "user", "content": "Bye"}
    )
    assert told.turns is not None
    assert [(t.user, t.first, t.last) for t in told.turns] == [
        (None, 0, 0),
        ("Where is A7?", 1, 2),
        ("Bye", 3, None),
    ]


def test_text_blocks_are_joined_and_other_blocks_noted(tmp_path: Path) -> None:
    blocks = [{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {"url": "x"}}]
    told = trajectory(tmp_path, {"role": "user", "content": blocks}, DONE)
    assert told.turns is not None
    assert told.turns[0].user == "Look:"
    assert (told.extra or {})["import_notes"] == [
        "messages[0].content[1]: a block of type 'image_url', left out"
    ]


def test_system_and_developer_texts_are_kept_apart(tmp_path: Path) -> None:
    rules = [{"role": role, "content": f"I am {role}"} for role in ("system", "developer")]
    told = trajectory(tmp_path, *rules, USER, DONE)
    assert (told.extra or {})["system"] == ["I am system", "I am developer"]
    assert told.steps is not None
    assert len(told.steps) == 1


def test_a_piece_of_a_streamed_reply_is_no_conversation(tmp_path: Path) -> None:
    file = tmp_path / "pieces.jsonl"
    piece = '{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hel"}}]}'
    file.write_text(f"{piece}\n{piece}\n")
    with pytest.raises(ImportFormatError, match="one piece of a streamed reply"):
        list(read_openai_chat(file))


def test_exchanges_that_repeat_each_other_are_one_conversation(tmp_path: Path) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "a", "arguments": "{}"}}
    asked = [{"role": "user", "content": "x"}]
    called = {"role": "assistant", "content": None, "tool_calls": [call]}
    later = [*asked, called, {"role": "tool", "tool_call_id": "1", "content": "r"}]
    done = {"role": "assistant", "content": "done"}
    file = tmp_path / "k.json"
    exchanges = [
        {"request": {"messages": sent}, "response": {"choices": [{"message": reply}]}}
        for sent, reply in ((asked, called), (later, done))
    ]
    file.write_text(json.dumps(exchanges))
    (one,) = read_openai_chat(file)
    assert one.trajectory is not None
    assert (one.trajectory.answer, len(one.trajectory.steps or ())) == ("done", 2)


@pytest.mark.parametrize("role", [{"a": 1}, [1]])
def test_a_role_of_the_wrong_type_in_an_exchange_is_refused(tmp_path: Path, role: Any) -> None:
    sent = [{"role": role, "content": "x"}]
    reply = {"choices": [{"message": {"role": "assistant", "content": "y"}}]}
    file = tmp_path / "k.json"
    exchange = {"request": {"messages": sent}, "response": reply}
    file.write_text(json.dumps({"case": "k", "exchanges": [exchange, exchange]}))
    with pytest.raises(ImportFormatError, match="role"):
        list(read_openai_chat(file))
