import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import NotJsonError
from fairtrial.serve.anthropic_messages import ANTHROPIC_MESSAGES
from fairtrial.serve.openai_chat import OPENAI_CHAT
from fairtrial.serve.openai_responses import OPENAI_RESPONSES, check_previous
from fairtrial.serve.wire import (
    RefusedError,
    Spoken,
    SpokenCall,
    WireFormat,
    encode,
    event,
    names_in,
    pieces,
    want_kinds,
    want_list,
)

FIELDS = (
    *("messages", "model", "stream", "n", "tools", "functions", "input", "previous_response_id"),
    *("stream_options", "instructions", "text", "metadata", "store", "system", "prompt"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda x: st.lists(x, max_size=3) | st.dictionaries(st.sampled_from(["name", "function"]), x),
    max_leaves=5,
)
SPOKEN = Spoken(
    number=1,
    model="m",
    text="Hi",
    refusal=None,
    calls=(SpokenCall(1, "call_1", "look", "{", None),),
    input_tokens=1,
    output_tokens=2,
)
TEXT = st.text(st.characters(exclude_categories=()))


@given(st.text())
def test_pieces_join_to_the_text_and_none_is_empty(text: str) -> None:
    cut = pieces(text)
    assert "".join(cut) == text
    assert len(cut) <= 4
    assert all(cut)


@given(
    st.recursive(st.none() | TEXT | st.floats(), lambda x: st.lists(x) | st.dictionaries(TEXT, x))
)
def test_whatever_is_encoded_is_strict_json_or_said_to_be_none(value: Any) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    try:
        encoded = encode(value)
    except NotJsonError:
        return  # a number that JSON lacks, beside text that had to be mended
    json.loads(encoded, parse_constant=refuse)


def test_what_nests_too_deep_to_encode_is_no_json() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(NotJsonError, match="too deep"):
        encode(value)
    while value:
        (value,) = value  # taken apart one by one: deleting it whole would recurse


@given(TEXT)
def test_an_event_is_one_block_of_lines_whatever_it_holds(text: str) -> None:
    block = event({"type": "x", "text": text}, "x").split(b"\n")
    assert block[0] == b"event: x"
    assert block[1].startswith(b"data: {")
    assert block[2:] == [b"", b""]


@pytest.mark.parametrize("wire", [OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC_MESSAGES])
@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_whatever_a_request_holds_it_is_answered_or_refused(
    wire: WireFormat, body: dict[str, Any]
) -> None:
    try:
        wire.check(body)
        check_previous(body, {"resp_1"})
    except RefusedError:
        return
    assert all(isinstance(name, str) for name in wire.tool_names(body))
    assert wire.reply(body, SPOKEN).status == 200


@pytest.mark.parametrize("value", [None, [], {}, "text", 0])
def test_a_list_that_is_wanted_has_to_be_one(value: Any) -> None:
    with pytest.raises(RefusedError, match="'messages'"):
        want_list({"messages": value}, "messages")


def test_kinds_are_looked_at_only_where_something_is_given() -> None:
    want_kinds({"model": None, "stream": False, "tools": []})
    with pytest.raises(RefusedError, match="'tools': expected a list"):
        want_kinds({"tools": {"a": 1}})


def test_only_names_that_are_text_count() -> None:
    assert names_in([{"name": "a"}, {"name": 7}, {}, None, "b"]) == ("a",)
    assert names_in({"name": "a"}) == names_in(None) == ()
