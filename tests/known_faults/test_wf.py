"""Wire formats and tool errors: what was called, and what only looks like a call."""

import json
from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk

PRINTED = 'I will look.\n<tool_call>{"name": "lookup", "arguments": {"id": "A7"}}</tool_call>'
TALK = 'To call lookup you would write {"name": "lookup"}; I have not done so.'


@pytest.mark.parametrize(("text", "passes"), [(PRINTED, False), (TALK, True)])
def test_a_call_that_is_only_printed_is_flagged_and_never_counted(
    desk: "Desk", text: str, passes: bool
) -> None:
    """BL-11."""
    expect = {"tools": {"required": ["lookup"]}}
    trial = desk.trial(expect, answer=text, steps=[{"text": text}])
    assert desk.check(trial, "text_tool_call")["passed"] is passes
    assert desk.check(trial, "tools.required")["passed"] is False
    assert trial["tools"] == []


ARGUMENTS = json.dumps({"id": "A7"})
SPELLINGS = [
    {"id": "1", "type": "function", "function": {"name": "lookup", "arguments": ARGUMENTS}},
    {"type": "function", "function": {"name": "lookup", "arguments": {"id": "A7"}}},
]


@pytest.mark.parametrize("call", SPELLINGS)
def test_one_call_has_one_form_however_it_is_spelt(desk: "Desk", call: Json) -> None:
    """BL-13."""
    expect = {"tools": {"required": [{"name": "lookup", "args": {"id": "A7"}}]}}
    desk.cases({"id": "greet", "input": "Hi", "expect": expect})
    talk = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "assistant", "content": "Done."},
    ]
    desk.record({"case": "greet", "messages": talk}, name="chat.jsonl")
    assert desk.run("import", "chat.jsonl", "--out", "runs.jsonl").code == 0
    assert desk.graded()["scorecard"]["passed"] == 1


def test_a_failed_call_is_told_by_the_tool_layer_and_never_by_its_words(desk: "Desk") -> None:
    """BL-14."""
    refund = {"name": "refund", "arguments": {"order": "Z1"}}
    failed = refund | {"error": "card declined"}
    worked = refund | {"result": {"note": "no error, no failure"}}

    def passes(pattern: Json, *calls: Json) -> bool:
        trial = desk.trial({"tools": {"required": pattern}}, *calls)
        return bool(desk.check(trial, "tools.required")["passed"])

    ok = {"name": "refund", "ok": True}
    assert passes([ok], failed, worked)
    assert not passes([ok, ok], failed, worked)
    assert passes(["refund", "refund"], failed, worked)
    assert not passes([ok], failed)
    trial = desk.trial({"tools": {"required": [ok]}}, failed, worked)
    assert (trial["tool_errors"], desk.check(trial, "tools.repeats")["passed"]) == (1, True)
