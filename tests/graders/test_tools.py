from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.subject import Subject
from fairtrial.graders.tools import required_questions
from fairtrial.records import (
    Check,
    Expectation,
    Json,
    Step,
    ToolCall,
    ToolsExpectation,
    Trajectory,
    Trial,
)

Checked = Callable[..., Check]
Did = Callable[..., Trajectory]
Graded = Callable[..., Trial]


def call(name: str, *, failed: bool = False, result: Json = None, **args: Json) -> ToolCall:
    return ToolCall(name=name, arguments=args, error="boom" if failed else None, result=result)


@pytest.fixture
def asked(check: Checked) -> Callable[..., Check]:
    """Give what asks one `tools.*` check of a trajectory."""

    def ask(name: str, trajectory: Trajectory, **tools: Any) -> Check:
        expect = Expectation(tools=ToolsExpectation(**tools))
        return check(f"tools.{name}", trajectory, expect=expect)

    return ask


NAMES = ("required", "arguments", "forbidden", "before", "plan", "only")


def test_each_list_is_a_check_and_an_empty_one_none(grade: Graded, did: Did) -> None:
    tools = ToolsExpectation(
        required=({"name": "a", "args": {}},),
        forbidden=("b",),
        before=({"tool": "a", "needs": "b"},),
        plan=["a"],
        only=True,
    )
    names = [check.name for check in grade(did(), expect=Expectation(tools=tools)).checks]
    assert names[1:7] == [f"tools.{name}" for name in NAMES]
    bare = grade(did(), expect=Expectation(tools=ToolsExpectation(required=("a",))))
    assert [one.name for one in bare.checks if one.asked is not False] == ["tools.required"]


@pytest.mark.parametrize("name", NAMES)
def test_unknown_steps_cannot_be_told_and_decide(asked: Checked, name: str) -> None:
    tools: dict[str, Any] = {
        "required": ({"name": "a", "args": {}},),
        "forbidden": ("b",),
        "before": ({"tool": "a", "needs": "b"},),
        "plan": ["a"],
        "only": True,
    }
    one = asked(name, Trajectory(case="c", answer="x"), **tools)
    assert (one.passed, one.score, one.decides) == (None, None, True)


def test_no_calls_are_known_calls(asked: Checked, did: Did) -> None:
    assert asked("required", did(), required=("a",)).passed is False
    assert asked("forbidden", did(), forbidden=("a",)).passed is True
    assert asked("only", did(), only=True).passed is True


def test_every_required_tool_must_be_called(asked: Checked, did: Did) -> None:
    assert asked("required", did("b", "x", "a"), required=("a", "b")).passed is True
    one = asked("required", did("b", "x", "x"), required=("a", "b"))
    assert (one.passed, one.reason) == (False, "not called: a (called: b, x)")
    assert asked("required", did(), required=("a",)).reason == "not called: a (called: nothing)"


def test_a_name_listed_twice_needs_two_calls(asked: Checked, did: Did) -> None:
    twice = ("a", {"name": "a", "args": {"x": 1}})
    assert asked("required", did("a", "a"), required=twice).passed is True
    one = asked("required", did("a"), required=twice)
    assert (one.passed, one.reason) == (False, "not called: a 2 times, only 1 (called: a)")


def test_a_failed_call_counts_as_made(asked: Checked, did: Did) -> None:
    malformed = ToolCall(name="a", arguments='{"x": ')
    for made in (call("a", failed=True), malformed):
        assert asked("required", did(made), required=("a",)).passed is True
        assert asked("required", did(made), required=({"name": "a", "ok": True},)).passed is False
        assert asked("required", did(made), required=({"name": "a", "ok": False},)).passed is True


def test_a_call_that_never_came_to_a_tool_was_not_made(asked: Checked, did: Did) -> None:
    written = did(ToolCall(name="a", executed=False))
    one = asked("required", written, required=("a",))
    assert (one.passed, one.reason) == (False, "not called: a (called: nothing; never run: a)")
    assert asked("forbidden", written, forbidden=("a",)).passed is False  # it was tried


def test_patterns_that_differ_in_ok_take_different_calls(asked: Checked, did: Did) -> None:
    wanted = ("a", {"name": "a", "ok": True})
    assert asked("required", did(call("a", failed=True), "a"), required=wanted).passed is True
    assert asked("required", did("a", call("a", failed=True)), required=wanted).passed is True
    fails = [call("a", failed=True)] * 2
    assert asked("required", did(*fails), required=wanted).passed is False


def test_patterns_with_a_which_need_one_call_together(asked: Checked, did: Did) -> None:
    ends: tuple[Json, ...] = tuple(
        {"name": "a", "which": one, "args": {}} for one in ("first", "last", "every")
    )
    assert asked("required", did("a"), required=ends).passed is True
    assert asked("required", did("b"), required=ends).passed is False
    assert asked("required", did("a"), required=("a", *ends)).passed is True


def pay(**args: Json) -> dict[str, Json]:
    return {"name": "pay", "args": args}


def test_arguments_are_as_wanted(asked: Checked, did: Did) -> None:
    wanted = (pay(fee={"max": 5}),)
    assert asked("arguments", did(call("pay", fee=5)), required=wanted).passed is True
    one = asked("arguments", did(call("pay", fee=40)), required=wanted)
    assert (one.passed, one.reason) == (False, "pay: fee: wanted at most 5, got 40")
    assert asked("required", did(call("pay", fee=40)), required=wanted).passed is True


def test_results_are_as_wanted(asked: Checked, did: Did) -> None:
    wanted = ({"name": "pay", "result": {"paid": True}},)
    assert asked("arguments", did(call("pay", result={"paid": True})), required=wanted).passed
    one = asked("arguments", did(call("pay", result={"paid": False})), required=wanted)
    assert (one.passed, one.reason) == (False, "pay: result.paid: wanted true, got false")


def test_the_closest_call_is_told(asked: Checked, did: Did) -> None:
    calls = [call("pay", a=0, b=0), call("pay", a=1, b=9), call("pay")]
    one = asked("arguments", did(*calls), required=(pay(a=1, b=1),))
    assert one.reason == "pay: b: wanted 1, got 9"


def test_every_pattern_is_met_by_a_different_call(asked: Checked, did: Did) -> None:
    same = (pay(a=1), pay(a=1))
    assert asked("arguments", did(call("pay", a=1), call("pay", a=1)), required=same).passed
    assert (
        asked("arguments", did(call("pay", a=1), call("pay", a=2)), required=same).passed is False
    )
    wide = (pay(), pay(a=1))
    assert asked("arguments", did(call("pay", a=1), call("pay", a=2)), required=wide).passed is True
    assert asked("arguments", did(call("pay", a=2), call("pay", a=1)), required=wide).passed is True


def test_arguments_are_null_where_the_call_is_missing(asked: Checked, did: Did) -> None:
    one = asked("arguments", did("x"), required=(pay(a=1),))
    assert (one.passed, one.score, one.decides) == (None, None, True)
    assert "pay" in one.reason
    twice = (pay(a=1), pay(a=2))
    assert asked("arguments", did(call("pay", a=1)), required=twice).passed is None


def test_a_missing_other_tool_leaves_the_arguments_to_be_told(asked: Checked, did: Did) -> None:
    wanted = (pay(a=1), "other", {"name": "third", "args": {}})
    assert asked("arguments", did(call("pay", a=2)), required=wanted).passed is False
    assert asked("arguments", did(call("pay", a=1)), required=wanted).passed is None
    assert asked("arguments", did(call("pay", a=1), "third"), required=wanted).passed is True


def test_a_trial_without_the_required_call_has_failed(grade: Graded, did: Did) -> None:
    tools = ToolsExpectation(required=(pay(a=1),))
    assert grade(did("x"), expect=Expectation(tools=tools)).verdict == "failed"


def test_malformed_arguments_are_said_as_such(asked: Checked, did: Did) -> None:
    raw = ToolCall(name="pay", arguments='{"a": 1')
    for wanted in (pay(), pay(a=1), {**pay(a=1), "which": "last"}):
        one = asked("arguments", did(raw), required=(wanted,))
        assert (one.passed, one.reason) == (False, "pay: malformed arguments '{\"a\": 1'")


def test_arguments_written_as_text_are_read(asked: Checked, did: Did) -> None:
    raw = ToolCall(name="pay", arguments='{"a": 1}')
    assert asked("arguments", did(raw), required=(pay(a=1),)).passed is True
    for nothing in (None, ""):
        one = ToolCall(name="pay", arguments=nothing)
        assert asked("arguments", did(one), required=(pay(),)).passed is True


@pytest.mark.parametrize(
    ("which", "passed"),
    [("any", True), ("first", False), ("every", False), ("last", True)],
)
def test_which_says_whose_arguments_count(
    asked: Checked, did: Did, which: str, passed: bool
) -> None:
    calls = [call("pay", a=0), call("pay", a=2), call("pay", a=1)]
    one = asked("arguments", did(*calls), required=({**pay(a=1), "which": which},))
    assert one.passed is passed


def test_every_call_that_is_wrong_is_told(asked: Checked, did: Did) -> None:
    calls = [call("pay", a=number) for number in range(6)]
    one = asked("arguments", did(*calls), required=({**pay(a=1), "which": "every"},))
    assert one.reason.startswith("pay: a: wanted 1, got 0; pay: a: wanted 1, got 2; ")
    assert one.reason.endswith("; and 2 more")


def test_the_first_call_is_the_first_whose_arguments_parse(asked: Checked, did: Did) -> None:
    raw = ToolCall(name="pay", arguments="{")
    first = ({**pay(a=1), "which": "first"},)
    assert asked("arguments", did(raw, call("pay", a=1)), required=first).passed is True
    one = asked("arguments", did(raw, raw), required=first)
    assert (one.passed, one.reason) == (False, "pay: every call has malformed arguments")
    assert asked("required", did(raw, raw), required=first).passed is True


def test_which_chooses_after_ok(asked: Checked, did: Did) -> None:
    last = ({**pay(a=1), "which": "last", "ok": True},)
    calls = [call("pay", a=1), call("pay", a=2, failed=True)]
    assert asked("arguments", did(*calls), required=last).passed is True
    failed = did(call("pay", a=1, failed=True))
    assert asked("required", failed, required=last).passed is False
    assert asked("arguments", failed, required=last).passed is None


def test_which_uses_no_call_up(asked: Checked, did: Did) -> None:
    wanted = (
        pay(a=1),
        {**pay(a=1), "which": "last"},
        {**pay(b={"absent": True}), "which": "every"},
    )
    assert asked("arguments", did(call("pay", a=1)), required=wanted).passed is True


PATTERNS = st.sampled_from([0, 1, None])


@given(st.lists(PATTERNS, max_size=4), st.lists(st.integers(0, 1), max_size=4), st.randoms())
def test_the_order_of_lists_and_calls_does_not_matter(
    wanted: list[int | None], made: list[int], chance: Any
) -> None:
    def outcomes() -> list[bool | None]:
        specs = [pay() if value is None else pay(a=value) for value in wanted]
        calls = tuple(call("pay", a=value) for value in made)
        subject = Subject(Trajectory(case="c", steps=(Step(calls=calls),)))
        return [question.ask(subject).passed for question in required_questions(specs)]

    before = outcomes()
    chance.shuffle(wanted)
    chance.shuffle(made)
    assert outcomes() == before


def test_no_forbidden_call_may_be_made(asked: Checked, did: Did) -> None:
    assert asked("forbidden", did("a"), forbidden=("b", "c")).passed is True
    one = asked("forbidden", did("a", call("refund", amount=40)), forbidden=("b", "refund"))
    assert (one.passed, one.reason) == (False, "called: refund(amount=40) in step 2")


def test_a_forbidden_call_may_be_a_certain_one(asked: Checked, did: Did) -> None:
    wanted = ({"name": "refund", "args": {"amount": {"above": 320}}},)
    assert asked("forbidden", did(call("refund", amount=320)), forbidden=wanted).passed is True
    assert asked("forbidden", did(call("refund", amount=321)), forbidden=wanted).passed is False
    assert asked("forbidden", did("refund"), forbidden=wanted).passed is True


def test_a_forbidden_call_that_failed_was_made(asked: Checked, did: Did) -> None:
    raw = ToolCall(name="refund", arguments="{oops")
    assert (
        asked("forbidden", did(call("refund", failed=True)), forbidden=("refund",)).passed is False
    )
    one = asked("forbidden", did(raw), forbidden=("refund",))
    assert (one.passed, one.reason) == (False, "called: refund({oops) in step 1")
    worked = ({"name": "refund", "ok": True},)
    assert asked("forbidden", did(call("refund", failed=True)), forbidden=worked).passed is True


def test_many_forbidden_calls_are_told_in_few_words(asked: Checked, did: Did) -> None:
    odd: dict[str, Any] = {"k" * 10**5: "v" * 10**6, "n": 10**5000, "l": [[[0] * 9**4]]}
    hostile = call("x" * 10**5, **odd)
    one = asked("forbidden", did(*[hostile] * 50), forbidden=("x" * 10**5,))
    assert one.reason.endswith(" and 47 more")
    assert len(one.reason) < 600


BEFORE = ({"tool": "cancel", "needs": "get"},)


def test_a_guarded_call_needs_the_other_in_an_earlier_step(asked: Checked, did: Did) -> None:
    assert asked("before", did("get", "cancel"), before=BEFORE).passed is True
    assert asked("before", did("get"), before=BEFORE).passed is True
    for wrong in (did("cancel", "get"), did(["get", "cancel"]), did("cancel")):
        one = asked("before", wrong, before=BEFORE)
        assert one.passed is False
        assert "without an earlier get" in one.reason


def test_one_needed_call_serves_many(asked: Checked, did: Did) -> None:
    assert asked("before", did("get", "cancel", ["cancel", "cancel"]), before=BEFORE).passed is True
    one = asked("before", did("cancel", "get", "cancel"), before=BEFORE)
    assert one.reason == "cancel() in step 1 without an earlier get"


def test_the_needed_call_must_have_succeeded(asked: Checked, did: Did) -> None:
    one = asked("before", did(call("get", failed=True), "cancel"), before=BEFORE)
    assert one.reason == "cancel() in step 2 though the earlier get had failed"
    retried = did(call("get", failed=True), "get", "cancel")
    assert asked("before", retried, before=BEFORE).passed is True


def test_a_guarded_call_that_failed_is_guarded_too(asked: Checked, did: Did) -> None:
    failed = did(call("cancel", failed=True))
    assert asked("before", failed, before=BEFORE).passed is False
    worked = ({"tool": {"name": "cancel", "ok": True}, "needs": "get"},)
    assert asked("before", failed, before=worked).passed is True


def test_the_needed_call_must_be_as_needed(asked: Checked, did: Did) -> None:
    rule = {"tool": "refund", "needs": {"name": "check", "result": {"eligible": True}}}
    yes, no = call("check", result={"eligible": True}), call("check", result={"eligible": False})
    assert asked("before", did(yes, "refund"), before=(rule,)).passed is True
    one = asked("before", did(no, "refund"), before=(rule,))
    assert (one.passed, "was not as needed" in one.reason) == (False, True)


def test_bound_parameters_must_be_equal(asked: Checked, did: Did) -> None:
    rule = {"tool": "cancel", "needs": "get", "same": {"booking": "id"}}
    get = call("get", id=1)
    assert asked("before", did(get, call("cancel", booking=1.0)), before=(rule,)).passed is True
    for wrong in (call("cancel", booking=2), call("cancel"), call("cancel", booking=True)):
        one = asked("before", did(get, wrong), before=(rule,))
        assert one.passed is False
        assert "without an earlier get for the same booking" in one.reason
    assert asked("before", did("get", call("cancel", booking=1)), before=(rule,)).passed is False


def test_only_planned_and_required_calls_may_be_made(asked: Checked, did: Did) -> None:
    lists: dict[str, Any] = {"required": ("a",), "plan": ["b"], "only": True}
    assert asked("only", did("a", "b", "b"), **lists).passed is True
    one = asked("only", did("a", "b", "x", "x", "y"), **lists)
    assert (one.passed, one.reason) == (
        False,
        "calls besides the required and planned: x x2, y",
    )


def test_only_looks_at_the_whole_pattern(asked: Checked, did: Did) -> None:
    assert asked("only", did(call("pay", a=1)), required=(pay(a=1),), only=True).passed is True
    assert asked("only", did(call("pay", a=2)), required=(pay(a=1),), only=True).passed is False
    raw = ToolCall(name="pay", arguments="{")
    assert asked("only", did(raw), required=("pay",), only=True).passed is True
    assert asked("only", did(raw), required=(pay(),), only=True).passed is False
