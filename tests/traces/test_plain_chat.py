"""The direct path gives the same records as the patient reader."""

from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from fairtrial.traces import read_returned
from fairtrial.traces.plain_chat import read_plain_chat

USER = {"role": "user", "content": "Where is A7?"}
DONE = {"role": "assistant", "content": "In bay 4."}


def asks(*keys: str, arguments: str = '{"id": "A7"}', **more: object) -> dict[str, Any]:
    function = {"name": "look", "arguments": arguments}
    calls = [{"id": key, "type": "function", "function": function} for key in keys]
    return {"role": "assistant", "content": None, "tool_calls": calls} | more


def result(key: str, content: object = '{"bay": 4}', **more: object) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": key, "content": content} | more


texts = st.one_of(
    st.none(),
    st.sampled_from(["", " ", "In bay 4.", "{}", '{"id": "A7"}', "{oops", "[1]", "NaN", "1e999"]),
    st.sampled_from(["\ud800", '{"a": "\\ud800"}', "é", "###STOP###", "[" * 101 + "]" * 101]),
    st.text(st.characters(codec=None), max_size=8),
)
keys = st.sampled_from(["a", "b", "", "\ud800", "\ud801", None])
calls = st.builds(
    lambda key, name, arguments: {
        "id": key,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    },
    keys,
    st.sampled_from(["look", "pay", "", "transfer_to_human_agents"]),
    texts,
)
messages = st.one_of(
    st.builds(lambda text: {"role": "assistant", "content": text, "refusal": None}, texts),
    st.builds(
        lambda text, called: {"role": "assistant", "content": text, "tool_calls": called},
        texts,
        st.lists(calls, max_size=3),
    ),
    st.builds(
        lambda key, text: {"role": "tool", "tool_call_id": key, "content": text}, keys, texts
    ),
    st.builds(
        lambda role, text: {"role": role, "content": text},
        st.sampled_from(["user", "system", "developer", "function", "model"]),
        texts,
    ),
)
ends = st.builds(lambda text: {"role": "assistant", "content": text}, st.text(min_size=1))
rounds = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(
    lambda told: [asks(*told), *(result(key) for key in sorted(told))]
)
plain_talks = st.builds(
    lambda told, end: [USER, *(one for part in told for one in part), end],
    st.lists(rounds, max_size=3),
    ends,
)
wild_talks = st.builds(lambda told, end: [*told, *end], st.lists(messages), st.lists(ends))


@given(st.one_of(plain_talks, wild_talks))
def test_it_reads_what_the_patient_reader_reads(talk: list[Any]) -> None:
    direct = read_plain_chat(talk, "c")
    event("plain" if direct else "patient")
    if direct is not None:
        patient = read_returned(tuple(talk), "c")  # a tuple never goes the direct way
        assert patient.trajectory == direct
        assert patient.notes == ()


@given(plain_talks)
def test_the_common_case_is_plain(talk: list[Any]) -> None:
    assert read_plain_chat(talk, "c") is not None


@pytest.mark.parametrize(
    "talk",
    [
        [],
        [USER],
        [USER, asks("a")],
        [USER, asks("a"), result("a")],
        [USER, asks("a"), result("b"), DONE],
        [USER, result("a"), DONE],
        [USER, asks(""), DONE],
        [USER, asks("a", refusal="no"), DONE],
        [USER, asks("a"), result("a", is_error=True), DONE],
        [USER, asks("a"), result("a", [{"type": "text", "text": "4"}]), DONE],
        [USER, asks("a"), result("a"), DONE | {"usage": {"prompt_tokens": 1}}],
        [USER, DONE, USER, DONE],
        [USER, {"role": "assistant", "content": ""}],
        [USER, "text"],
    ],
)
def test_what_is_not_plain_is_left_to_the_patient_reader(talk: list[Any]) -> None:
    assert read_plain_chat(talk, "c") is None
