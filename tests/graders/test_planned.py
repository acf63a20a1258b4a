from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.graders import CaseGrader
from fairtrial.records import (
    Case,
    Check,
    Expectation,
    Json,
    Pairing,
    Source,
    Step,
    ToolCall,
    ToolsExpectation,
    Trajectory,
    Trial,
)

Checked = Callable[..., Check]
Did = Callable[..., Trajectory]
Graded = Callable[..., Trial]


def planned(check: Checked, plan: Json, trajectory: Trajectory) -> Check:
    return check("tools.plan", trajectory, expect=Expectation(tools=ToolsExpectation(plan=plan)))


def decided(check: Checked, plan: Json, trajectory: Trajectory) -> Check:
    return check("next", trajectory, expect=Expectation(next=plan))


def figures(check: Check) -> tuple[Any, ...]:
    return check.passed, check.score, check.precision, check.recall, check.extra


def test_a_plan_that_is_followed_keeps_its_scores_and_alignment(check: Checked, did: Did) -> None:
    one = planned(check, ["a", "b"], did("a", "x", "b"))
    assert figures(one) == (True, 1.0, 2 / 3, 1.0, 1)
    assert one.alignment == (Pairing(item="a", call=0), Pairing(item="b", call=2))
    assert one.reason == "2 of 2 planned calls"


def test_a_plan_that_is_followed_in_part_names_what_is_missing(check: Checked, did: Did) -> None:
    one = planned(check, ["a", "b", "c"], did("b", "a", "x"))
    assert figures(one) == (False, 1 / 3, 1 / 3, 1 / 3, 2)
    assert one.alignment != ()
    assert "1 of 3 planned calls; missing: " in one.reason
    assert "called out of order" in one.reason
    assert "c; not planned: " in one.reason


def test_a_missing_item_says_how_the_nearest_call_differs(check: Checked, did: Did) -> None:
    plan = [{"name": "pay", "args": {"fee": 0}}]
    one = planned(check, plan, did(ToolCall(name="pay", arguments={"fee": 40})))
    assert "missing: pay (fee: wanted 0, got 40)" in one.reason


@pytest.mark.parametrize(("least", "passed"), [(0.5, True), (2 / 3, True), (0.67, False)])
def test_the_score_must_reach_min_score(
    check: Checked, did: Did, least: float, passed: bool
) -> None:
    plan = {"steps": ["a", "b", "c"], "min_score": least}
    one = planned(check, plan, did("a", "b"))
    assert (one.passed, one.score) == (passed, 2 / 3)


def test_parallel_calls_suit_any_order_and_steps_do_not(check: Checked, did: Did) -> None:
    plan = ["weather", "events", "mail"]
    assert planned(check, plan, did(["events", "weather"], "mail")).passed is True
    assert planned(check, plan, did("mail", ["events", "weather"])).passed is False
    assert planned(check, plan, did("events", "weather", "mail")).passed is False


def test_two_equal_items_need_two_calls(check: Checked, did: Did) -> None:
    plan = {"mode": "any_order", "steps": ["ping", "ping"]}
    assert planned(check, plan, did("ping", "ping")).score == 1.0
    assert planned(check, plan, did("ping")).score == 0.5


@pytest.mark.parametrize(
    ("mode", "passed"), [("in_order", True), ("any_order", True), ("exact", False)]
)
def test_the_mode_decides_whether_a_retry_hurts(
    check: Checked, did: Did, mode: str, passed: bool
) -> None:
    failed = ToolCall(name="fx", error="timeout")
    one = planned(check, {"mode": mode, "steps": ["fx"]}, did(failed, "fx", "fx"))
    assert (one.passed, one.extra) == (passed, 2)
    assert one.score is not None
    assert 0 <= one.score <= 1


def test_an_empty_plan_expects_no_call(check: Checked, did: Did) -> None:
    assert figures(planned(check, [], did(Step()))) == (True, 1.0, 1.0, 1.0, 0)
    one = planned(check, [], did("wipe_disk"))
    assert figures(one) == (False, 0.0, 0.0, 0.0, 1)
    assert one.reason == "no call was planned; not planned: wipe_disk"


def test_a_plan_that_was_not_written_is_no_check(grade: Graded, did: Did) -> None:
    names = [check.name for check in grade(did("wipe_disk")).checks]
    assert names == ["finished", "tools.repeats", "text_tool_call"]


def test_no_calls_against_a_plan_have_no_precision(check: Checked, did: Did) -> None:
    assert figures(planned(check, ["lookup"], did())) == (False, 0.0, 0.0, 0.0, 0)


def test_of_the_alternatives_the_best_counts(check: Checked, did: Did) -> None:
    plan = {"any": [["a", "b"], ["c"], ["c", "d"]]}
    one = planned(check, plan, did("c", "d"))
    assert figures(one) == (True, 1.0, 1.0, 1.0, 0)
    assert [pair.item for pair in one.alignment or ()] == ["c", "d"]


def test_a_plan_with_unknown_steps_cannot_be_told(check: Checked) -> None:
    one = planned(check, ["a"], Trajectory(case="c", answer="x"))
    assert (one.passed, one.score, one.decides) == (None, None, True)


def test_a_decision_is_met_exactly_and_in_any_order(check: Checked, did: Did) -> None:
    assert decided(check, ["a", "b"], did(["b", "a"])).passed is True
    assert decided(check, ["a", "b"], did(["a"])).passed is False
    assert decided(check, ["a", "b"], did(["a", "b", "c"])).passed is False
    assert decided(check, ["a"], did(["a", "a"])).passed is False


def test_a_decision_is_about_the_first_step_alone(check: Checked, did: Did) -> None:
    one = decided(check, "a", did("a", "b", "c"))
    assert figures(one) == (True, 1.0, 1.0, 1.0, 0)
    assert decided(check, "b", did("a", "b")).passed is False


def test_a_decision_may_have_alternatives(check: Checked, did: Did) -> None:
    plan = {"any": [["a"], [], [{"name": "b", "args": {"x": 1}}]]}
    assert decided(check, plan, did("a")).passed is True
    assert decided(check, plan, did(ToolCall(name="b", arguments={"x": 1}))).passed is True
    assert decided(check, plan, did("b")).passed is False
    assert decided(check, plan, did(Step(text="No."))).passed is True


def test_an_empty_decision_means_an_answer_and_no_call(check: Checked, did: Did) -> None:
    assert decided(check, [], did(answer="No.")).passed is True
    assert decided(check, [], did(Step(text="No."), answer=None)).passed is True
    assert decided(check, [], did("a", answer="No.")).passed is False
    for empty in (None, "", " \n"):
        one = decided(check, [], did(Step(), answer=empty))
        assert (one.passed, one.score) == (False, 0.0)
        assert one.reason == "neither a call nor an answer, wanted an answer"


def test_a_decision_with_calls_needs_no_answer(grade: Graded, did: Did) -> None:
    trial = grade(did(["a"], answer=None), expect=Expectation(next=["a"]))
    assert trial.verdict == "passed"


def test_which_calls_were_the_first_steps_is_not_known_of_inferred_steps(
    check: Checked, did: Did
) -> None:
    assert decided(check, ["a", "b"], did("a", "b", inferred=True)).passed is None
    assert decided(check, ["a"], did("a", inferred=True)).passed is True
    assert decided(check, ["a"], did(inferred=True)).passed is False


def test_a_decision_with_unknown_steps_cannot_be_told(check: Checked) -> None:
    assert decided(check, [], Trajectory(case="c", answer="x")).passed is None


def test_many_calls_make_a_short_reason(check: Checked, did: Did) -> None:
    calls = [ToolCall(name=f"{number}" + "n" * 1000) for number in range(2000)]
    assert len(planned(check, ["a"] * 300, did(*calls)).reason) < 1000


def test_one_grader_tells_trials_apart_that_took_the_same_path(did: Did) -> None:
    pay = {"name": "pay", "args": {"fee": 0}}
    expect = Expectation(tools=ToolsExpectation(plan=["get", pay]))
    case_grader = CaseGrader(Case(id="c", hash="0", source=Source("a.yaml", 1), expect=expect))
    verdicts = [
        case_grader.grade(did("get", ToolCall(name="pay", arguments={"fee": fee})), 0).verdict
        for fee in (0, 40, 0)
    ]
    assert verdicts == ["passed", "failed", "passed"]


def test_one_grader_tells_paths_apart_that_differ_in_their_steps_alone(did: Did) -> None:
    expect = Expectation(tools=ToolsExpectation(plan=["a", "b"]))
    case_grader = CaseGrader(Case(id="c", hash="0", source=Source("a.yaml", 1), expect=expect))
    paths = [did(["b", "a"]), did("b", "a"), did("a", "b"), did(["b", "a"])]
    graded = [case_grader.grade(path, 0) for path in paths]
    fresh = [CaseGrader(case_grader.case).grade(path, 0) for path in paths]
    assert graded == fresh


def test_a_call_that_was_never_run_meets_no_item_and_shifts_no_other_trials_alignment(
    did: Did,
) -> None:
    expect = Expectation(tools=ToolsExpectation(plan=["pay"]))
    case = Case(id="c", hash="0", source=Source("a.yaml", 1), expect=expect)
    grader = CaseGrader(case)
    whole, late = did("pay"), did([ToolCall(name="pay", executed=False), ToolCall(name="pay")])
    for trajectory, call in ((whole, 0), (late, 1), (whole, 0)):
        trial = grader.grade(trajectory, 0)
        (plan,) = [check for check in trial.checks if check.name == "tools.plan"]
        assert (plan.passed, plan.alignment) == (True, (Pairing(item="pay", call=call),))
    none = grader.grade(did(ToolCall(name="pay", executed=False)), 0)
    assert next(check for check in none.checks if check.name == "tools.plan").passed is False
