"""What an agent states in the form of a recording."""

from typing import Any

import pytest

from fairtrial.records import Step, Tokens, ToolCall, Trajectory
from fairtrial.traces import read_returned


def told(**fields: object) -> Trajectory:
    returned = read_returned(fields, "mine")
    assert returned.trajectory is not None, returned.refusal
    return returned.trajectory


def refusal(**fields: object) -> str:
    returned = read_returned(fields, "mine")
    assert returned.trajectory is None
    assert returned.refusal is not None
    return returned.refusal.removeprefix("the agent returned dict: ")


def test_case_and_trial_are_the_runs_own() -> None:
    assert told(answer="4", case=7, trial="x") == Trajectory(case="mine", answer="4")
    record = Trajectory(case="other", trial=3, answer="4", cost=0.5)
    assert read_returned(record, "mine").trajectory == Trajectory(case="mine", answer="4", cost=0.5)


def test_a_record_comes_back_whole() -> None:
    call = ToolCall(name="look", arguments="{oops", id="c1", error="no", executed=False)
    step = Step(text="I look.", calls=(call,), tokens=Tokens(input=1), seconds=0.5)
    record = Trajectory(case="mine", stop="steps", steps=(step,), state={"a": [1, None]})
    assert read_returned(record, "mine").trajectory == record


@pytest.mark.parametrize("field", ["answer", "steps", "stop", "state", "error"])
def test_each_of_these_fields_makes_a_trajectory(field: str) -> None:
    assert told(**{field: None}) == Trajectory(case="mine")


def test_unknown_fields_are_ignored_whatever_they_hold() -> None:
    assert told(answer="4", mood=object()).answer == "4"


def test_all_mistakes_are_named_with_their_paths() -> None:
    steps = [{"text": 5, "calls": [{"name": "a"}, {"arguments": [], "error": 1}]}, "step"]
    assert refusal(answer=5, steps=steps, stop="done", cost="much").split("; ") == [
        "answer: wanted text or null, got a whole number",
        "stop: wanted one of answer, steps, budget, timeout, refused, error",
        "steps[0].text: wanted text or null, got a whole number",
        "steps[0].calls[1].name: missing",
        "steps[0].calls[1].arguments: wanted text or an object or null, got a list",
        "steps[0].calls[1].error: wanted text or null, got a whole number",
        "steps[1]: wanted an object, got text",
        "cost: wanted a number or null, got text",
    ]


def test_many_mistakes_are_cut_short() -> None:
    said = refusal(steps=[{"text": 5}] * 1000)
    assert said.count("wanted") == 20
    assert said.endswith("; and more")


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"state": {"a": [float("nan")]}}, "state.a[0]: NaN is not a JSON number"),
        ({"answer": b"4"}, "answer: bytes is not JSON"),
        ({"answer": "4", "format": 2}, "format: 2 is not known; this version reads 1"),
        ({"error": {"kind": "me", "message": ""}}, "error.kind: wanted one of agent, provider"),
        ({"state": [1]}, "state: wanted an object or null, got a list"),
    ],
)
def test_a_mistake_says_what_is_wanted(fields: dict[str, Any], found: str) -> None:
    assert refusal(**fields).startswith(found)


def test_a_record_made_with_wrong_types_is_refused() -> None:
    record = Trajectory(case="c", answer=4)  # type: ignore[arg-type]
    assert read_returned(record, "mine").refusal == (
        "the agent returned Trajectory: answer: wanted text or null, got a whole number"
    )
