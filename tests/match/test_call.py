"""The calls of a trajectory."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.match import MALFORMED, MISSING, Call, calls_of, compile_matcher
from fairtrial.records import Json, Step, ToolCall, Trajectory


def call(arguments: Json = None, **fields: Json) -> Call:
    return Call.of(0, 0, ToolCall(name="t", arguments=arguments, **fields))


@pytest.mark.parametrize("raw", [None, "", {}, "{}", " {} "])
def test_no_arguments_are_an_empty_mapping_however_they_are_spelt(raw: Json) -> None:
    assert call(raw).arguments == {}
    assert not call(raw).failed
    assert call(raw).raw == raw


@pytest.mark.parametrize(
    "raw",
    [
        "{", '{"a": 1', "[1]", "5", "null", '"{}"', "lookup A7", '{"a": NaN}', '{"a": 1e999}',
        "{} {}", "{'a': 1}", '{"a": 1,}', " ", "[" * 100_000,
        '{"a":' * 500 + "1" + "}" * 500, "\x00",
        '{"a": ' + "9" * 5_000 + "}", "\ud800", '{"\\ud800": NaN}',
    ],
    ids=range(19),
)  # fmt: skip
def test_what_is_no_object_is_malformed_kept_raw_and_failed(raw: str) -> None:
    made = call(raw)
    assert made.arguments is MALFORMED
    assert (made.malformed, made.failed, made.raw) == (True, True, raw)


@pytest.mark.parametrize("raw", ['{"a": "\\ud83d"}', '{"a": "\ud83d"}', '{"a": "\\uD83D"}'])
def test_half_a_character_is_no_reason_to_refuse_the_arguments(raw: str) -> None:
    assert call(raw).arguments == {"a": "\ufffd"}


@given(st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.booleans()))
def test_arguments_read_the_same_as_text_and_as_an_object(arguments: dict[str, Json]) -> None:
    assert call(msgspec.json.encode(arguments).decode()).arguments == call(arguments).arguments


@given(st.text())
def test_no_text_is_a_crash(raw: str) -> None:
    assert isinstance(call(raw).arguments, dict) or call(raw).malformed


def test_a_call_fails_by_the_word_of_the_tool_layer_never_by_its_result() -> None:
    assert call(error="card declined").failed
    assert call(error="").failed
    assert call(executed=False).failed
    assert not call(result="Error: no such thing").failed


def test_a_result_that_was_not_recorded_is_missing_and_null_is_null() -> None:
    assert call().result is MISSING
    assert call(result=None).result is None


def test_the_suite_may_say_which_results_are_errors() -> None:
    results: list[Json] = ["Error: no", "fine, no Error: here", None]
    calls = tuple(ToolCall(name="t", result=result) for result in results)
    trajectory = Trajectory(case="c", steps=(Step(calls=(*calls, ToolCall(name="t"))),))
    found = calls_of(trajectory, compile_matcher({"matches": "^Error"}))
    assert [one.failed for one in found] == [True, False, False, False]


def test_calls_know_their_step() -> None:
    steps = (
        Step(),
        Step(calls=(ToolCall(name="a"), ToolCall(name="b"))),
        Step(calls=(ToolCall(name="c"),)),
    )
    found = calls_of(Trajectory(case="c", steps=steps))
    assert [(one.index, one.step, one.name) for one in found] == [
        (0, 1, "a"),
        (1, 1, "b"),
        (2, 2, "c"),
    ]


def test_unknown_steps_are_not_no_calls() -> None:
    with pytest.raises(ValueError, match="the steps of a trial of 'c' are not known"):
        calls_of(Trajectory(case="c"))
    assert calls_of(Trajectory(case="c", steps=())) == []
