"""The shapes of files: what is read, what is refused and how that is said."""

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import ImportFormatError
from fairtrial.records import Tokens, Trajectory, TrajectoryError
from fairtrial.traces import Imported, read_openai_chat
from fairtrial.traces.files import decode

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


def calls_of(told: Trajectory) -> list[Any]:
    return [call for step in told.steps or () for call in step.calls]


def exchange(messages: list[Any], reply: Any, status: int = 200) -> dict[str, Any]:
    if status == 200:
        reply = {"choices": [{"message": reply}], "usage": {"prompt_tokens": len(messages)}}
    return {"request": {"messages": messages, "model": "m"}, "response": reply, "status": status}


def test_the_last_exchange_is_the_run_and_earlier_ones_tell_the_tokens(tmp_path: Path) -> None:
    first = exchange([USER], asks(call()))
    last = exchange([USER, asks(call()), result()], DONE)
    told = read(tmp_path, {"exchanges": [first, last]}).trajectory
    assert told is not None
    assert told.steps is not None
    assert [step.tokens for step in told.steps] == [Tokens(input=1), Tokens(input=3)]
    assert (told.answer, told.case) == ("In bay 4.", "log")


def test_exchanges_of_another_conversation_are_counted_in_a_note(tmp_path: Path) -> None:
    other = exchange([{"role": "user", "content": "Hi"}], DONE)
    found = read(tmp_path, {"case": "c", "exchanges": [other, exchange([USER], DONE)]})
    assert found.notes == ("1 exchanges of other conversations, left out",)


@pytest.mark.parametrize(("status", "kind"), [(429, "provider"), (503, "provider"), (400, "agent")])
def test_a_failed_last_request_is_the_providers_error_only_if_transient(
    tmp_path: Path, status: int, kind: Any
) -> None:
    failed = exchange([USER], {"error": {"message": "no"}}, status)
    told = read(tmp_path, {"exchanges": [failed]}).trajectory
    assert told is not None
    assert told.error == TrajectoryError(kind=kind, message=f"{status}: no")
    assert (told.answer, told.stop) == (None, "error")


def test_a_reply_of_another_provider_is_refused(tmp_path: Path) -> None:
    reply = {"model": "m", "role": "assistant", "content": [{"type": "text", "text": "Hi"}]}
    value = {"request": {"messages": [USER]}, "response": reply, "status": 200}
    with pytest.raises(ImportFormatError, match="wanted a chat completion with choices"):
        read(tmp_path, value)


@pytest.mark.parametrize("name", ["log.jsonl", "log.jsonl.gz", "log.json", "log.txt", "log.ndjson"])
def test_one_conversation_a_line_is_read_whatever_the_name(tmp_path: Path, name: str) -> None:
    lines = [{"task": "t", "trial": n, "messages": [USER, DONE]} for n in range(3)]
    text = "\ufeff" + "\n\n".join(json.dumps(line) for line in lines) + "\n"
    data = gzip.compress(text.encode()) if name.endswith("gz") else text.encode()
    (tmp_path / name).write_bytes(data)
    found = list(read_openai_chat(tmp_path / name))
    assert [(i.line, i.trajectory and i.trajectory.trial) for i in found] == [
        (1, 0),
        (3, 1),
        (5, 2),
    ]


def test_a_list_of_conversations_is_read_item_by_item(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text(json.dumps([{"id": 7, "messages": [DONE]}, [USER, DONE]]))
    found = list(read_openai_chat(tmp_path / "log.json"))
    assert [i.trajectory and i.trajectory.case for i in found] == ["7", "log-1"]
    assert found[1].place.endswith("log.json[1]")


def test_a_bare_list_of_messages_is_named_after_its_file(tmp_path: Path) -> None:
    found = read(tmp_path, [USER, DONE], "late order.json")
    assert found.trajectory is not None
    assert found.trajectory.case == "late order"


def test_case_and_trial_may_stand_anywhere(tmp_path: Path) -> None:
    value = {"id": "x", "meta": {"name": "late", "run": "2"}, "messages": [USER, DONE]}
    told = read(tmp_path, value, case_field="meta.name", trial_field="meta.run").trajectory
    assert told is not None
    assert (told.case, told.trial) == ("late", 2)
    assert (told.extra or {})["id"] == "x"


def test_a_bad_line_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    good = json.dumps({"case": "c", "messages": [USER, DONE]})
    strange = json.dumps({"case": "d", "messages": [{"role": "robot"}]})
    (tmp_path / "log.jsonl").write_text(f"{{oops\n{good}\n{strange}\n")
    found = list(read_openai_chat(tmp_path / "log.jsonl"))
    assert [i.trajectory is not None for i in found] == [False, True, False]
    assert "not JSON" in str(found[0])
    assert "messages[0].role: found 'robot'; accepted: system" in str(found[2])
    assert str(found[2]).startswith(f"{tmp_path / 'log.jsonl'}:3: ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty file"),
        ("{oops", "not JSON"),
        ("[]", "no messages"),
        ("7", "found 7; accepted: a list of messages"),
        ('{"spans": []}', "found an object with spans; accepted"),
        ('{"case": "c", "steps": []}', "recording already"),
        ('{"messages": {}}', "wanted a list of messages"),
        ('{"messages": [{"role": "user", "content": 5}]}', "wanted text, null or a list of blocks"),
        ('{"messages": [{"role": "system", "content": "x"}]}', "nobody speaks"),
        ('{"trial": -1, "messages": [{"role": "user", "content": "x"}]}', "trial: wanted"),
        ('{"messages": [{"type": "function_call"}]}', "Responses API"),
        ('{"messages": [{"role": "assistant", "tool_calls": [5]}]}', r"tool_calls\[0\]: wanted"),
        ("[" * 200 + "]" * 200, "nested deeper than 100"),
        ("[" * 100_000, "nested deeper than 100"),
    ],
)
def test_a_file_that_is_not_in_the_format_says_what_was_found(
    tmp_path: Path, text: str, reason: str
) -> None:
    file = tmp_path / "log.json"
    file.write_text(text)
    with pytest.raises(ImportFormatError, match=reason) as caught:
        list(read_openai_chat(file))
    assert str(caught.value).startswith(str(file))


def test_missing_and_damaged_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportFormatError, match="No such file"):
        list(read_openai_chat(tmp_path / "none.jsonl"))
    packed = gzip.compress(json.dumps([USER, DONE]).encode())
    (tmp_path / "cut.json.gz").write_bytes(packed[:-12])
    with pytest.raises(ImportFormatError, match="cannot be read"):
        list(read_openai_chat(tmp_path / "cut.json.gz"))


def test_nan_and_lone_surrogates_in_a_log_are_survived() -> None:
    assert decode(b'{"a": NaN, "b": "x\\ud83d"}') == {"a": None, "b": "x\ufffd"}


WORDS = (
    "role content tool_calls function_call function name arguments id index type text custom "
    "tool_call_id messages choices delta usage refusal error status request response exchanges "
    "case trial stop"
)
KEYS = st.sampled_from(WORDS.split())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=15,
)
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "function", "system"])},
    optional={"content": JSON, "tool_calls": JSON, "function_call": JSON, "name": JSON},
)


@given(value=JSON | st.lists(MESSAGES, max_size=6))
def test_whatever_a_file_holds_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, value: object
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.json"
    file.write_text(json.dumps(value))
    try:
        found = list(read_openai_chat(file))
    except ImportFormatError:
        return
    for imported in found:
        assert (imported.trajectory is None) != (imported.refusal is None)
        msgspec.json.decode(msgspec.json.encode(imported.trajectory), type=Trajectory | None)


def test_an_exchange_a_line_is_a_trial_a_line(tmp_path: Path) -> None:
    first = exchange([USER], asks(call()))
    last = exchange([USER, asks(call()), result()], DONE)
    lines = [json.dumps({"case": "find", **one}) for one in (first, last)]
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    told = [one.trajectory for one in read_openai_chat(tmp_path / "log.jsonl")]
    assert [(one.case, one.answer) for one in told if one] == [
        ("find", None),
        ("find", "In bay 4."),
    ]


def test_the_exchanges_of_a_run_on_one_line_are_one_trial(tmp_path: Path) -> None:
    first = exchange([USER], asks(call()))
    last = exchange([USER, asks(call()), result()], DONE)
    (tmp_path / "log.jsonl").write_text(f"{json.dumps([first, last])}\n" * 2)
    told = [one.trajectory for one in read_openai_chat(tmp_path / "log.jsonl")]
    assert [one.answer for one in told if one] == ["In bay 4.", "In bay 4."]
