from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.records import (
    Check,
    Expectation,
    Limits,
    Rule,
    Step,
    Tokens,
    ToolsExpectation,
    Trajectory,
    Trial,
)

Checked = Callable[..., Check]
Did = Callable[..., Trajectory]
Graded = Callable[..., Trial]


@pytest.mark.parametrize(
    ("name", "most", "fields"),
    [
        ("steps", 2, {"steps": (Step(), Step())}),
        ("tokens", 320, {"tokens": Tokens(input=300, output=20)}),
        ("cost", 0.05, {"cost": 0.05}),
        ("seconds", 2.5, {"seconds": 2.5}),
    ],
)
def test_the_limit_itself_is_allowed_and_more_is_not(
    check: Checked, name: str, most: float, fields: dict[str, Any]
) -> None:
    trajectory = Trajectory(case="c", **fields)
    same: dict[str, Any] = {name: most}
    one = check(f"limits.{name}", trajectory, limits=Limits(**same))
    assert (one.passed, one.reason) == (True, f"at most {most}")
    tight: dict[str, Any] = {name: type(most)(most * 0.8)}
    one = check(f"limits.{name}", trajectory, limits=Limits(**tight))
    assert one.passed is False
    assert one.reason.startswith(f"{most}, at most ")


def test_amounts_are_said_in_full(check: Checked, did: Did) -> None:
    told = Tokens(input=1_234_567, output=1)
    trajectory = did(steps=None, tokens=told, seconds=0.1 + 0.2)
    limits = Limits(tokens=1_234_000, seconds=0.1)
    one = check("limits.tokens", trajectory, limits=limits)
    assert one.reason == "1234568, at most 1234000 wanted"
    assert check("limits.seconds", trajectory, limits=limits).reason == "0.3, at most 0.1 wanted"


def test_tool_calls_are_counted_whatever_came_of_them(check: Checked, did: Did) -> None:
    limits = Limits(tool_calls=2)
    assert check("limits.tool_calls", did(["a", "b"]), limits=limits).passed is True
    assert check("limits.tool_calls", did(["a", "b"], "c"), limits=limits).passed is False


@pytest.mark.parametrize("name", ["steps", "tool_calls", "tokens", "cost", "seconds"])
def test_an_unknown_amount_is_null_and_says_how_to_get_it(check: Checked, name: str) -> None:
    fields: dict[str, Any] = {name: 5}
    one = check(f"limits.{name}", Trajectory(case="c"), limits=Limits(**fields))
    assert (one.passed, one.decides) == (None, True)
    assert "record `" in one.reason
    assert f"`informs: [limits.{name}]`" in one.reason


def test_inferred_steps_are_unknown_and_their_calls_are_known(check: Checked, did: Did) -> None:
    inferred = did("a", "b", inferred=True)
    one = check("limits.steps", inferred, limits=Limits(steps=1))
    assert one.passed is None
    assert "inferred" in one.reason
    assert check("limits.tool_calls", inferred, limits=Limits(tool_calls=1)).passed is False


def test_a_limit_that_the_known_part_exceeds_is_false(check: Checked, did: Did) -> None:
    steps = (Step(tokens=Tokens(input=100, output=10)), Step(tokens=Tokens(input=50)), Step())
    trajectory = did(*steps)
    one = check("limits.tokens", trajectory, limits=Limits(tokens=159))
    assert (one.passed, one.reason) == (False, "at least 160, at most 159 wanted")
    one = check("limits.tokens", trajectory, limits=Limits(tokens=160))
    assert one.passed is None
    assert one.reason.startswith("the amount is unknown in 2 parts")


def test_a_budget_with_an_unknown_part_is_not_passed(check: Checked, did: Did) -> None:
    trajectory = did(Step(seconds=1.0), Step(), Step(seconds=2.0))
    assert check("limits.seconds", trajectory, limits=Limits(seconds=5)).passed is None
    assert check("limits.seconds", trajectory, limits=Limits(seconds=2.5)).passed is False


def test_a_cost_in_another_currency_is_unknown_and_says_so(check: Checked, did: Did) -> None:
    trajectory = did(cost=1.0, currency="EUR")
    one = check("limits.cost", trajectory, limits=Limits(cost=0.5))
    assert one.passed is None
    assert "EUR" in one.reason


@pytest.mark.parametrize("name", ["tokens", "cost", "seconds"])
def test_what_the_script_set_only_informs(check: Checked, did: Did, name: str) -> None:
    one_each: dict[str, Any] = {name: 1}
    limits = Limits(**one_each)
    fields = {"tokens": Tokens(input=9, output=9), "cost": 9.0, "seconds": 9.0}
    for mode, decides in [("scripted", False), ("replayed", True), ("live", True), ("none", True)]:
        one = check(f"limits.{name}", did(model=mode, **fields), limits=limits)
        assert (one.passed, one.decides) == (False, decides)


@pytest.mark.parametrize("name", ["steps", "tool_calls"])
def test_steps_and_calls_decide_also_where_the_model_was_scripted(
    check: Checked, did: Did, name: str
) -> None:
    one_each: dict[str, Any] = {name: 1}
    limits = Limits(**one_each)
    one = check(f"limits.{name}", did("a", "b", model="scripted"), limits=limits)
    assert (one.passed, one.decides) == (False, True)


def test_an_estimate_is_marked(check: Checked, did: Did) -> None:
    trajectory = did(tokens=Tokens(input=5, output=5, estimated=True))
    one = check("limits.tokens", trajectory, limits=Limits(tokens=10))
    assert (one.passed, one.reason) == (True, "10 (estimated), at most 10 wanted")


def test_a_total_that_differs_from_its_steps_is_named(check: Checked, did: Did) -> None:
    step = Step(tokens=Tokens(input=100, output=10))
    trajectory = did(step, tokens=Tokens(input=300, output=20))
    one = check("limits.tokens", trajectory, limits=Limits(tokens=320))
    assert one.passed is True
    assert "320 are stated, the steps sum to 110" in one.reason


def factor(check: Checked, trajectory: Trajectory, tools: ToolsExpectation, most: float) -> Check:
    expect = Expectation(tools=tools)
    return check("limits.path_factor", trajectory, expect=expect, limits=Limits(path_factor=most))


def test_a_path_is_measured_by_the_shortest_alternative_of_the_plan(
    check: Checked, did: Did
) -> None:
    tools = ToolsExpectation(plan={"any": [["a", "b", "c"], ["d", "e"]]}, required=("a", "b"))
    assert factor(check, did("a", "b", "c"), tools, 1.5).passed is True
    assert factor(check, did("a", "b", "c", "d"), tools, 1.5).passed is False


def test_a_path_without_a_plan_is_measured_by_the_required_calls(check: Checked, did: Did) -> None:
    tools = ToolsExpectation(required=("a", {"name": "a", "args": {"x": 1}}))
    assert factor(check, did("a", "a", "b", "b"), tools, 2).passed is True
    assert factor(check, did("a", "a", "b", "b", "b"), tools, 2).passed is False


def test_patterns_that_need_one_call_together_count_as_one(check: Checked, did: Did) -> None:
    ends: tuple[Any, ...] = tuple(
        {"name": "a", "which": which, "args": {}} for which in ("first", "last")
    )
    assert factor(check, did("a", "b"), ToolsExpectation(required=ends), 1).passed is False


def test_what_a_rule_requires_lengthens_the_path(check: Checked, did: Did) -> None:
    rule = Rule(number=1, required=("a", "c"))
    expect = Expectation(tools=ToolsExpectation(required=("a",)))
    fields = {"expect": expect, "rules": (rule,), "limits": Limits(path_factor=1)}
    assert check("limits.path_factor", did("a", "c"), **fields).passed is True
    assert check("limits.path_factor", did("a", "c", "d"), **fields).passed is False


@pytest.mark.parametrize("expect", [Expectation(), Expectation(tools=ToolsExpectation())])
def test_without_a_plan_and_required_calls_there_is_no_check_of_the_path(
    grade: Graded, did: Did, expect: Expectation
) -> None:
    trial = grade(did("a"), expect=expect, limits=Limits(path_factor=1, steps=5))
    names = [check.name for check in trial.checks]
    assert "limits.steps" in names
    assert "limits.path_factor" not in names


def test_repeats_and_retries_are_no_limits_of_their_own(grade: Graded, did: Did) -> None:
    trial = grade(did("a"), limits=Limits(repeats=0, retries=0))
    assert [check.name for check in trial.checks if check.name.startswith("limits")] == []
