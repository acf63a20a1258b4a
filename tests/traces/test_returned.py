"""Whatever an agent returned: a trajectory or a refusal, and never an exception."""

import dataclasses
from collections.abc import Callable
from typing import Any, NoReturn

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Trajectory
from fairtrial.traces import Returned, read_returned

USER = {"role": "user", "content": "Where is A7?"}
DONE = {"role": "assistant", "content": "In bay 4."}
LOOK = {
    "role": "assistant",
    "content": "I look.",
    "tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": "{}"}}],
}


def told(value: object) -> Trajectory:
    returned = read_returned(value, "find")
    assert returned.trajectory is not None, returned.refusal
    return returned.trajectory


def test_a_text_is_the_answer_with_steps_unknown() -> None:
    assert told("In bay 4.") == Trajectory(case="find", answer="In bay 4.")
    assert told("") == Trajectory(case="find", answer="")


def test_none_is_no_answer_with_steps_unknown() -> None:
    assert told(None) == Trajectory(case="find")


def test_a_lone_surrogate_in_an_answer_can_be_written() -> None:
    assert msgspec.json.encode(told("\ud800"))


@pytest.mark.parametrize("value", [5, 0.5, True, b"text", object(), {1, 2}, int, len])
def test_other_objects_are_refused_by_their_name(value: object) -> None:
    assert read_returned(value, "find").refusal == (
        f"the agent returned {type(value).__name__}; "
        "wanted a text, a list of messages, or a Trajectory"
    )


def test_an_object_without_a_known_field_is_told_what_it_needs() -> None:
    assert read_returned({"result": "4"}, "find").refusal == (
        "the agent returned an object with result; wanted a text, a list of messages, or a "
        "Trajectory (or an object with one of: answer, steps, stop, state, error, messages)"
    )


def test_a_list_without_replies_is_a_trajectory_without_steps() -> None:
    for value in ([], [USER]):
        assert told(value) == Trajectory(case="find", steps=())


def test_a_lone_message_is_a_list_of_one() -> None:
    assert told(DONE) == told([DONE])


def test_a_conversation_that_ends_on_a_call_was_cut_off() -> None:
    returned = read_returned([USER, LOOK], "find")
    assert returned.trajectory is not None
    assert (returned.trajectory.answer, returned.trajectory.stop) == (None, "steps")
    assert returned.notes


def test_what_stands_beside_messages_wins() -> None:
    value = {"messages": [USER, DONE], "answer": "Bay 4", "state": {"a": 1}, "cost": 1}
    trajectory = told(value)
    assert (trajectory.answer, trajectory.state, trajectory.cost) == ("Bay 4", {"a": 1}, 1.0)
    assert len(trajectory.steps or ()) == 1


def test_what_stands_beside_messages_and_does_not_fit_is_noted() -> None:
    returned = read_returned({"messages": [USER, DONE], "state": "open"}, "find")
    assert returned.trajectory is not None
    assert returned.trajectory.answer == "In bay 4."
    assert returned.notes == ("state: wanted an object or null, got text; left out",)


def test_steps_beside_messages_make_a_recording() -> None:
    assert told({"messages": "many", "steps": [], "answer": "4"}).answer == "4"


@dataclasses.dataclass
class Run:
    final_output: object
    raw_responses: object = ()

    def to_input_list(self) -> list[Any]:
        return [USER, LOOK, {"role": "tool", "tool_call_id": "c1", "content": "4"}]


def test_the_result_of_a_run_says_the_answer() -> None:
    assert (told(Run("Bay 4")).answer, told(Run("Bay 4")).stop) == ("Bay 4", "answer")
    assert told(Run({"bay": 4})).answer == '{"bay":4}'
    assert told(Run(None, raw_responses=5)).answer is None


class Trap:
    def __getattribute__(self, name: str) -> NoReturn:
        raise RuntimeError("\ud800")


class TrapList(list[Any]):
    def __iter__(self) -> NoReturn:
        raise RuntimeError("no")


class TrapRun:
    def to_input_list(self) -> NoReturn:
        raise RuntimeError("no")

    def model_dump(self) -> NoReturn:
        raise RuntimeError("no")


TRAPS: dict[str, Callable[[], object]] = {
    "trap": Trap,
    "list": lambda: TrapList([DONE]),
    "run": TrapRun,
    "inner": lambda: {"answer": TrapRun()},
}


@pytest.mark.parametrize("name", TRAPS)
def test_objects_that_raise_are_refused(name: str) -> None:
    trap = TRAPS[name]()  # made here: pytest would look at it too
    for value in (trap, [trap], {"messages": trap}, {"steps": trap}):
        returned = read_returned(value, "find")
        assert returned.trajectory is None
        assert returned.refusal is not None
        assert msgspec.json.encode(returned.refusal)


def test_a_value_that_holds_itself_is_read_or_refused() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    for value in (cycle, {"steps": cycle}, {"messages": cycle}, [{"role": cycle}]):
        assert read_returned(value, "find").refusal
    assert read_returned([{"role": "user", "content": cycle}], "find").refusal is None


def test_a_long_list_is_read() -> None:
    rounds = [LOOK, {"role": "tool", "tool_call_id": "c1", "content": "4"}] * 10_000
    assert len(told((USER, *rounds, DONE)).steps or ()) == 10_001


WORDS = (
    "role type kind parts part_kind content text tool_calls function name arguments args input "
    "id call_id tool_call_id tool_use_id output usage usage_metadata input_tokens refusal "
    "status error is_error choices message messages answer steps calls stop state tool_name "
    "outcome data kwargs lc raw_item stop_reason index additional_kwargs response_metadata "
    "invalid_tool_calls finish_reason delta user assistant tool system human ai chat remove "
    "request response tool-call tool-return retry-prompt user-prompt function_call "
    "function_call_output mcp_call reasoning tool_use tool_result server_tool_use "
    "web_search_tool_result custom content_filter "
    "{} {oops "
)
words = st.sampled_from(WORDS.split(" "))
leaves = st.one_of(
    words,
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(codec=None), max_size=5),
    st.binary(max_size=3),
    st.builds(object),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(words, st.integers()), inner, max_size=6),
        st.tuples(inner),
    ),
    max_leaves=25,
)
heads = st.sampled_from(
    [
        {"role": "assistant"},
        {"role": "user"},
        {"role": "tool"},
        {"type": "ai", "content": ""},
        {"type": "tool", "content": ""},
        {"type": "function_call"},
        {"type": "function_call_output"},
        {"type": "message", "role": "assistant"},
        {"type": "mcp_call"},
        {"output": []},
        {"kind": "response", "parts": []},
        {"kind": "request", "parts": []},
        {"choices": []},
    ]
)
odd_messages = st.builds(
    lambda head, more: head | more, heads, st.dictionaries(words, values, max_size=4)
)


def check(returned: Returned) -> None:
    assert (returned.trajectory is None) != (returned.refusal is None)
    assert "which raised" not in (returned.refusal or "")  # nothing here raises but our own code
    data = msgspec.json.encode(returned)
    assert msgspec.json.decode(data, type=Returned) == returned


@given(values)
def test_any_value_gives_a_trajectory_or_a_refusal(value: object) -> None:
    check(read_returned(value, "find"))


@given(st.lists(odd_messages, max_size=4), st.lists(odd_messages, max_size=2))
def test_any_messages_give_a_trajectory_or_a_refusal(
    messages: list[Any], handed: list[Any]
) -> None:
    check(read_returned(messages, "find", handed))


@given(odd_messages, heads, st.sampled_from(["content", "parts", "tool_calls", "output", "steps"]))
def test_any_message_within_another_gives_a_trajectory_or_a_refusal(
    inner: dict[str, Any], head: dict[str, Any], key: str
) -> None:
    check(read_returned([head | {key: [inner]}], "find"))
    check(read_returned(head | {key: [inner]}, "find"))


@given(st.dictionaries(words, values, max_size=5))
def test_any_object_gives_a_trajectory_or_a_refusal(fields: dict[str, Any]) -> None:
    check(read_returned({"answer": None} | fields, "find"))
