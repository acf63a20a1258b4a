"""The path, with plans, rules and many calls; test_tools has the rest."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET

from fairtrial.graders.tools import calls_needed
from fairtrial.records import (
    Check,
    Expectation,
    Json,
    Rule,
    ToolCall,
    ToolsExpectation,
    Trajectory,
    Trial,
)

Checked = Callable[..., Check]
Did = Callable[..., Trajectory]
Graded = Callable[..., Trial]


BEFORE = ({"tool": "cancel", "needs": "get"},)


def call(name: str, *, failed: bool = False, result: Json = None, **args: Json) -> ToolCall:
    return ToolCall(name=name, arguments=args, error="boom" if failed else None, result=result)


def pay(**args: Json) -> dict[str, Json]:
    return {"name": "pay", "args": args}


@pytest.fixture
def asked(check: Checked) -> Callable[..., Check]:
    """Give what asks one `tools.*` check of a trajectory."""

    def ask(name: str, trajectory: Trajectory, **tools: Any) -> Check:
        expect = Expectation(tools=ToolsExpectation(**tools))
        return check(f"tools.{name}", trajectory, expect=expect)

    return ask


def test_only_takes_the_best_alternative_of_the_plan(asked: Checked, did: Did) -> None:
    plan = {"any": [["a", "b"], ["c"]]}
    assert asked("only", did("c"), plan=plan, only=True).passed is True
    assert asked("only", did("c", "a"), plan=plan, only=True).passed is False


def test_what_a_rule_requires_is_required(check: Checked, did: Did) -> None:
    expect = Expectation(tools=ToolsExpectation(required=("a",), only=True))
    rule = Rule(number=1, required=("escalate",))
    trajectory = did("a", "escalate")
    assert check("tools.only", trajectory, expect=expect, rules=(rule,)).passed is True
    assert check("tools.only", trajectory, expect=expect).passed is False


def test_a_rules_checks_carry_its_number(grade: Graded, did: Did) -> None:
    rule = Rule(
        number=3,
        required=({"name": "a", "args": {"x": 1}},),
        forbidden=("b",),
        before=({"tool": "b", "needs": "a"},),
    )
    trial = grade(did(call("a", x=2), "b"), rules=(rule, Rule(number=4, forbidden=("c",))))
    asked_for = {one.name: one.passed for one in trial.checks if one.asked is not False}
    assert asked_for == {
        "tools.required[rule 3]": True,
        "tools.arguments[rule 3]": False,
        "tools.forbidden[rule 3]": False,
        "tools.before[rule 3]": True,
        "tools.forbidden[rule 4]": True,
    }


def test_the_needed_calls_are_those_of_the_longest_need_of_each_tool() -> None:
    every: Json = {"name": "a", "which": "every", "args": {}}
    assert calls_needed([]) == 0
    assert calls_needed(["a", every], [every, every]) == 1
    assert calls_needed(["a", "a", "b"], ["a", "c"]) == 4


def test_many_calls_make_short_reasons(grade: Graded, did: Did) -> None:
    calls = [ToolCall(name=f"{number}" + "n" * 1000, arguments="{") for number in range(500)]
    tools = ToolsExpectation(
        required=tuple(pay(a=number) for number in range(50)), only=True, before=BEFORE
    )
    trial = grade(did(*calls, *["cancel"] * 500), expect=Expectation(tools=tools))
    assert max(len(one.reason) for one in trial.checks) < 1000


def paid(amount: int, to: str = "A") -> ToolCall:
    return call("pay", amount=amount, to=to)


@pytest.mark.parametrize(
    ("name", "tools", "calls"),
    [
        ("forbidden", {"forbidden": ("wipe",)}, (1, 3)),
        ("before", {"before": ({"tool": "wipe", "needs": "ask"},)}, (1, 3)),
        ("only", {"required": ("pay",), "only": True}, (1, 3)),
        ("plan", {"plan": ["pay", "ask", "pay"]}, (1, 3)),
        # the one of the right amount is the closest, though it is not the last
        ("arguments", {"required": ({"name": "pay", "args": {"amount": 5, "to": "B"}},)}, (0,)),
        (
            "arguments",
            {"required": ({"name": "pay", "which": "every", "args": {"amount": 5}},)},
            (2,),
        ),
        ("required", {"required": ("ask",)}, UNSET),
        ("required", {"required": ("pay",)}, UNSET),
    ],
)
def test_a_check_names_the_calls_that_decided_it(
    check: Checked, did: Did, name: str, tools: dict[str, Any], calls: tuple[int, ...]
) -> None:
    expect = Expectation(tools=ToolsExpectation(**tools))
    one = check(f"tools.{name}", did([paid(5), "wipe"], paid(4), "wipe"), expect=expect)
    assert one.calls == calls


def test_a_plan_that_was_followed_blames_no_call(check: Checked, did: Did) -> None:
    expect = Expectation(tools=ToolsExpectation(plan={"steps": ["pay"], "min_score": 0.1}))
    assert check("tools.plan", did(paid(5), "wipe"), expect=expect).calls is UNSET


def test_repeats_and_retries_name_their_calls(check: Checked, did: Did) -> None:
    failed = call("get", failed=True)
    assert check("tools.repeats", did("look", "look", paid(1))).calls == (1,)
    retried = did("look", failed, failed, failed, failed)
    assert check("tools.repeats", retried).calls == (4,)


def test_however_many_calls_decide_few_are_named(check: Checked, did: Did) -> None:
    expect = Expectation(tools=ToolsExpectation(forbidden=("wipe",)))
    named = check("tools.forbidden", did(*["wipe"] * 500), expect=expect).calls
    assert named == tuple(range(20))
