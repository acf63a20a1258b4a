import pytest

from fairtrial.records import Json
from fairtrial.worlds.arguments import given


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        (None, {}),
        ("", {}),
        ("{}", {}),
        ({"a": [1]}, {"a": [1]}),
        ('{"a": "\\ud800"}', {"a": "\ufffd"}),
        ({"a": "x" * 10**6}, {"a": "x" * 10**6}),
    ],
)
def test_an_object_is_recorded_as_one(arguments: Json, read: Json) -> None:
    told = given(arguments)
    assert (told.written, told.read, told.wrong) == (read, read, "")


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1',
        "null",
        "[1]",
        "5",
        "{'a': 1}",
        '{"a": NaN}',
        '{"a":' * 200 + "1" + "}" * 200,
        "[" * 10**5,
    ],
)
def test_text_that_is_no_object_is_kept_raw(text: str) -> None:
    told = given(text)
    assert (told.written, told.read) == (text, None)


def test_half_a_character_in_raw_text_is_replaced() -> None:
    assert given("{\ud800").written == "{\ufffd"


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        ({"a": float("nan")}, '{"a": NaN}'),
        ([1, 2], "[1, 2]"),
        (5, "5"),
        ({1: 2}, '{"1": 2}'),
        ({"a": b"x"}, "{\"a\": b'x'}"),
    ],
)
def test_what_is_no_json_object_is_recorded_as_text(arguments: Json, written: str) -> None:
    told = given(arguments)
    assert (told.written, told.read) == (written, None)
    assert told.wrong


def test_the_record_shares_nothing_with_what_the_tool_gets_or_the_caller_has() -> None:
    arguments = {"a": [1]}
    told = given(arguments)
    assert told.read is not None
    told.read["a"].append(2)
    arguments["a"].append(3)
    assert told.written == {"a": [1]}


class Loud(dict[str, object]):
    def __repr__(self) -> str:
        raise RuntimeError("loud")


def test_a_mapping_of_another_class_is_read_as_any() -> None:
    assert given(Loud(a=1)).read == {"a": 1}


def test_arguments_that_nest_too_deep_are_malformed() -> None:
    deep: Json = {}
    for _ in range(5000):
        deep = {"a": deep}
    told = given(deep)
    assert told.read is None
    assert "nested deeper than 100" in told.wrong
    assert len(told.written) <= 200
