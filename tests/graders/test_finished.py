from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET

from fairtrial.records import Check, Expectation, Step, Stop, ToolCall, Trajectory, TrajectoryError

Checked = Callable[..., Check]
Did = Callable[..., Trajectory]

STOPS: tuple[Stop, ...] = ("answer", "steps", "budget", "timeout", "refused", "error")
CRASH = TrajectoryError(kind="agent", message="KeyError: 'fee'")


@pytest.mark.parametrize("stop", STOPS)
def test_without_being_asked_only_an_answer_finishes(check: Checked, did: Did, stop: Stop) -> None:
    one = check("finished", did(stop=stop))
    assert (one.passed, one.decides, one.asked) == (stop == "answer", True, False)


@pytest.mark.parametrize("wanted", STOPS)
def test_it_must_stop_as_the_case_says(check: Checked, did: Did, wanted: Stop) -> None:
    for stop in STOPS:
        one = check("finished", did(stop=stop), expect=Expectation(stop=wanted))
        assert one.passed is (stop == wanted)


def test_a_stop_that_is_asked_for_counts_as_asked(check: Checked, did: Did) -> None:
    assert check("finished", did(), expect=Expectation(stop="refused")).reason == (
        "it ended with an answer, wanted: it refused"
    )


def test_the_reason_names_what_stopped_it_and_the_tool_errors_before(
    check: Checked, did: Did
) -> None:
    calls = [ToolCall(name="get", error="503 upstream"), ToolCall(name="pay", error="declined")]
    one = check("finished", did(*calls, stop="budget"))
    assert one.reason == (
        "it spent its budget; 2 tool calls had failed before, the last pay: declined"
    )
    assert check("finished", did("get", stop="timeout")).reason == "it ran out of time"


def test_an_agent_that_crashed_has_not_finished_whatever_it_answered(
    check: Checked, did: Did
) -> None:
    for stop in (None, "answer", "error", "timeout"):
        one = check("finished", did(stop=stop, error=CRASH))
        assert (one.passed, one.reason) == (False, "the agent raised: KeyError: 'fee'")
    one = check("finished", did(stop="refused", error=CRASH), expect=Expectation(stop="refused"))
    assert one.passed is False


@pytest.mark.parametrize("stop", ["steps", "budget", "timeout", "error"])
def test_an_error_may_say_how_it_was_cut_short(check: Checked, did: Did, stop: Stop) -> None:
    one = check("finished", did(stop=stop, error=CRASH), expect=Expectation(stop=stop))
    assert one.passed is True


def test_a_single_decision_is_finished_by_its_calls(check: Checked, did: Did) -> None:
    for stop in (None, "steps", "answer"):
        one = check("finished", did("a", answer=None, stop=stop), expect=Expectation(next=["a"]))
        assert one.passed is True
    timeout = did("a", answer=None, stop="timeout")
    assert check("finished", timeout, expect=Expectation(next=["a"])).passed is False


def test_calls_alone_finish_nothing_but_a_decision(check: Checked, did: Did) -> None:
    assert check("finished", did("a", answer=None)).passed is False
    assert check("finished", did("a", answer=None, stop="steps")).passed is False


def test_a_huge_error_makes_a_short_reason(check: Checked, did: Did) -> None:
    crash = TrajectoryError(kind="agent", message="x" * 10**6)
    calls = [ToolCall(name="n" * 10**6, error="e" * 10**6)] * 3
    assert len(check("finished", did(*calls, error=crash)).reason) < 600


def printed(check: Checked, text: str | None, *calls: ToolCall, **fields: Any) -> Check:
    trajectory = Trajectory(case="c", steps=(Step(text=text, calls=calls),))
    return check("text_tool_call", trajectory, **fields)


@pytest.mark.parametrize(
    "text",
    [
        'I will look it up.\n<tool_call>{"name": "lookup", "arguments": {"id": "A7"}}</tool_call>',
        "<function=execute_bash><parameter=command>ls</parameter></function>",
        '[TOOL_CALLS][{"name": "lookup"}]',
        '<|python_tag|>{"name": "lookup"}',
    ],
)
def test_a_call_written_as_text_is_found_by_its_marker(check: Checked, text: str) -> None:
    one = printed(check, text)
    assert (one.passed, one.decides, one.asked) == (False, True, False)
    assert one.reason.startswith("step 1 prints a call as text: ")
    assert printed(check, text, ToolCall(name="lookup")).passed is True


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "lookup", "arguments": {"id": "A7"}}',
        ' {"type": "function", "name": "lookup", "parameters": {}}\n',
        '{"type": "function", "function": {"name": "lookup", "arguments": "{}"}}',
        '```json\n{"name": "lookup", "arguments": {}}\n```',
        '\n~~~\n{"name": "lookup", "arguments": {}}\n~~~ \n',
    ],
)
def test_one_json_object_that_calls_a_known_tool_is_a_printed_call(
    check: Checked, text: str
) -> None:
    assert printed(check, text, tools={"lookup": {}}).passed is False
    assert printed(check, text, tools={"search": {}}).passed is True


@pytest.mark.parametrize(
    "text",
    [
        'To call lookup you would write {"name": "lookup"}; I have not done so.',
        '{"name": "lookup"}',
        '{"name": ["lookup"], "arguments": {}}',
        '[{"name": "lookup", "arguments": {}}]',
        'So: {"name": "lookup", "arguments": {}}',
        '```\n{"name": "lookup", "arguments": {}}\n```\nis how.',
        "<python_tag> and [TOOL CALLS]",
        "",
        None,
    ],
)
def test_words_about_a_call_are_no_printed_call(check: Checked, text: str | None) -> None:
    assert printed(check, text, tools={"lookup": {}}).passed is True


def test_a_printed_call_is_not_executed(check: Checked) -> None:
    text = '<tool_call>{"name": "lookup"}</tool_call>'
    trajectory = Trajectory(case="c", answer=text, steps=(Step(text=text),))
    assert check("text_tool_call", trajectory).reason.startswith("step 1 ")


@pytest.mark.parametrize(
    "fields",
    [
        {"expect": Expectation(next=["lookup"])},
        {"tools": {"lookup": {}}},
        {"faults": {"lookup": []}},
    ],
)
def test_a_tool_is_known_wherever_the_case_names_it(check: Checked, fields: dict[str, Any]) -> None:
    assert printed(check, '{"name": "lookup", "arguments": {}}', **fields).passed is False


def test_a_tool_that_was_called_is_known(check: Checked, did: Did) -> None:
    text = '{"name": "lookup", "arguments": {}}'
    assert check("text_tool_call", did("lookup", Step(text=text))).passed is False
    assert check("text_tool_call", did("search", Step(text=text))).passed is True


def test_an_answer_that_is_no_steps_text_is_looked_at(check: Checked, did: Did) -> None:
    answer = '<tool_call>{"name": "lookup"}</tool_call>'
    assert check("text_tool_call", did("a", answer=answer)).passed is False
    unknown = Trajectory(case="c", answer=answer)
    assert check("text_tool_call", unknown).passed is False
    said = Step(text=answer, calls=(ToolCall(name="a"),))
    assert check("text_tool_call", did(said, answer=answer)).passed is True


def test_unknown_steps_cannot_be_told_and_do_not_decide(check: Checked) -> None:
    one = check("text_tool_call", Trajectory(case="c", answer="Done."))
    assert (one.passed, one.decides) == (None, False)


@pytest.mark.parametrize("text", ["{" * 100_000 + "}", '{"a": "\ud800"}', "```\n" + " " * 10**6])
def test_no_text_is_too_odd_to_be_looked_at(check: Checked, text: str) -> None:
    assert printed(check, text).passed is True


def test_a_printed_call_names_its_step(check: Checked, did: Did) -> None:
    printed = Step(text='<tool_call>{"name": "pay"}</tool_call>')
    assert check("text_tool_call", did("get", printed)).steps == (1,)
    answered = did("get", answer="<tool_call>x")
    assert check("text_tool_call", answered).steps is UNSET
