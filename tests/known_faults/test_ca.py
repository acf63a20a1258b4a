"""Cache against repeats: k trials are k replies, and the key holds all that matters."""

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk

COUNTING = """
import json, re

COUNT = [0]

def ask(prompt):
    with open("asked", "a") as log:
        log.write("x")
    COUNT[0] += 1
    marker = re.search(r'"marker": "(\\w+)"', prompt)[1]
    said = {"marker": marker, "reason": f"Ask {COUNT[0]}.", "evidence": "done"}
    paid = "call: pay" in prompt
    return json.dumps(said | {"verdict": "PASS" if paid else "FAIL"})
"""
ITEM = "Says that it paid"


def graded(desk: "Desk", *recordings: Any, settings: str = "") -> list[tuple[Any, str]]:
    desk.write("counting_judge.py", COUNTING)
    own = 'cases = ["cases.json"]\n[judge]\nfunction = "counting_judge:ask"\nconcurrency = 1\n'
    desk.write("fairtrial.toml", own + settings)
    expect = {"stop": "answer", "rubric": [ITEM]}
    desk.cases({"id": "greet", "input": "Pay", "expect": expect})
    desk.record(*recordings)
    trials = desk.graded("--judge", "live")["cases"][0]["trials"]
    return [(trial["checks"][-1]["passed"], trial["checks"][-1]["reason"]) for trial in trials]


def asked(desk: "Desk") -> int:
    return len((desk.folder / "asked").read_text())


def test_k_trials_that_are_alike_are_k_replies_in_the_same_slots_again(desk: "Desk") -> None:
    """BL-46."""
    one = desk.recording(answer="All done.")
    first = graded(desk, *[one] * 5)
    assert len({reason for _, reason in first}) == 5
    assert graded(desk, *[one] * 5) == first
    assert desk.read("out.json")["scorecard"]["judge"]["replayed"] == 5
    more = graded(desk, *[one] * 7)
    use = desk.read("out.json")["scorecard"]["judge"]
    assert (more[:5], use["replayed"], use["calls"]) == (first, 5, 2)
    assert asked(desk) == 7


def test_the_same_answer_after_other_calls_is_judged_anew(desk: "Desk") -> None:
    """BL-47."""
    call = {"name": "pay", "arguments": {"amount": 20}, "result": "ok"}
    paid = desk.recording(answer="All done.", steps=[{"calls": [call]}])
    assert [passed for passed, _ in graded(desk, paid)] == [True]
    assert [passed for passed, _ in graded(desk, desk.recording(answer="All done."))] == [False]
    assert asked(desk) == 2


@pytest.mark.parametrize(
    "change", [{"arguments": {"amount": 21}}, {"result": "no"}, {"error": "503"}]
)
def test_another_argument_or_result_is_judged_anew(desk: "Desk", change: dict[str, Any]) -> None:
    """BL-47."""
    call = {"name": "pay", "arguments": {"amount": 20}, "result": "ok"}
    for one in (call, {**call, **change}):
        graded(desk, desk.recording(answer="All done.", steps=[{"calls": [one]}]))
    assert asked(desk) == 2


def test_another_judge_by_its_source_is_asked_anew(desk: "Desk") -> None:
    """BL-47."""
    graded(desk, desk.recording(answer="All done."))
    (key,) = {json.loads(line)["key"] for line in replies(desk)}
    desk.write("other_judge.py", COUNTING + "# another\n")
    desk.write("fairtrial.toml", 'cases = ["cases.json"]\n[judge]\nfunction = "other_judge:ask"\n')
    desk.graded("--judge", "live")
    assert asked(desk) == 2
    assert len({json.loads(line)["key"] for line in replies(desk)} - {key}) == 1


def replies(desk: "Desk") -> list[str]:
    return (desk.folder / ".fairtrial" / "judge.jsonl").read_text().splitlines()
