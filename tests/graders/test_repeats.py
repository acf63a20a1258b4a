from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.repeats import repeats_question
from fairtrial.graders.subject import Subject
from fairtrial.records import Check, Limits, Step, ToolCall, Trajectory, Turn

Checked = Callable[..., Check]
Did = Callable[..., Trajectory]


def call(name: str, *, failed: bool = False, changed: bool | None = None, **args: Any) -> ToolCall:
    error = "boom" if failed else None
    return ToolCall(name=name, arguments=args, error=error, changed=changed)


NOTHING_SAID = Limits()


def passes(*items: Any, limits: Limits = NOTHING_SAID, **fields: Any) -> bool | None:
    steps = tuple(Step(calls=tuple(item if isinstance(item, list) else [item])) for item in items)
    trajectory = Trajectory(case="c", steps=steps, **fields)
    return repeats_question(limits).ask(Subject(trajectory)).passed


GET, PAY = call("get", id=1), call("pay")
GET_FAILED = call("get", id=1, failed=True)


def test_a_call_again_without_need_is_a_repeat() -> None:
    assert passes(GET, GET) is False
    assert passes(GET) is True
    assert passes(GET, call("get", id=2)) is True
    assert passes(GET, call("get", id=1.0)) is False
    assert passes(GET, call("get", id=True)) is True
    assert passes(GET, call("get", id="1")) is True


def test_the_keys_order_of_the_arguments_does_not_matter() -> None:
    assert passes(call("get", a=1, b=[2]), call("get", b=[2], a=1)) is False
    assert passes(call("get", a=[1, 2]), call("get", a=[2, 1])) is True


def test_no_arguments_are_equal_however_they_are_written() -> None:
    nothing: tuple[Any, ...] = (None, "", {}, "{}")
    raw = [ToolCall(name="get", arguments=one) for one in nothing]
    assert passes(*raw, limits=Limits(repeats=2)) is False
    assert passes(*raw, limits=Limits(repeats=3)) is True


def test_parallel_equal_calls_are_repeats() -> None:
    assert passes([GET, GET]) is False
    assert passes([GET, call("get", id=2)]) is True


def test_a_change_of_state_between_makes_a_call_new() -> None:
    write, read = call("write", changed=True), call("read", changed=False)
    assert passes(GET, write, GET) is True
    assert passes(GET, read, GET) is False
    assert passes(GET, GET, write) is False


def test_the_change_that_a_repeated_call_makes_itself_is_not_between() -> None:
    pay = call("pay", changed=True)
    assert passes(pay, pay) is False
    assert passes(pay, call("get", changed=False), pay) is False


def test_where_changes_are_told_another_new_call_is_none() -> None:
    assert passes(call("get", changed=False), call("look"), call("get")) is False


def test_where_nobody_told_changes_a_new_succeeded_call_counts_as_one() -> None:
    assert passes(GET, PAY, GET) is True
    assert passes(GET, call("pay", failed=True), GET) is False
    assert passes(GET, PAY, GET, PAY) is False  # the second pay is no new call


def test_a_call_after_its_own_error_is_a_retry() -> None:
    assert passes(GET_FAILED, GET) is True
    assert passes(GET_FAILED, GET_FAILED, GET) is True
    assert passes(GET_FAILED, GET_FAILED, GET_FAILED, GET) is False


@pytest.mark.parametrize("most", [0, 1, 3])
def test_a_call_may_be_retried_as_often_as_the_limit_says(most: int) -> None:
    assert passes(*[GET_FAILED] * most, GET, limits=Limits(retries=most)) is True
    assert passes(*[GET_FAILED] * (most + 1), GET, limits=Limits(retries=most)) is False


def test_retries_are_counted_for_each_call_apart() -> None:
    other = call("get", id=2, failed=True)
    assert passes(GET_FAILED, other, GET_FAILED, other, GET, other) is True


def test_a_success_ends_the_count_of_retries() -> None:
    run = (GET_FAILED, GET_FAILED, GET)
    assert passes(*run, PAY, *run) is True


def test_a_retry_that_worked_must_not_be_repeated() -> None:
    assert passes(GET_FAILED, GET, GET) is False


def test_malformed_and_unexecuted_calls_failed() -> None:
    malformed = ToolCall(name="get", arguments='{"id": 1')
    assert passes(malformed, malformed) is True
    assert passes(malformed, malformed, malformed, malformed) is False
    assert passes(ToolCall(name="get", executed=False), call("get")) is True


def test_only_calls_of_the_same_user_turn_are_repeats() -> None:
    turns = (Turn(first=0, last=0), Turn(first=1))
    assert passes(GET, GET, turns=turns) is True
    assert passes(GET, GET, GET, turns=turns) is False
    assert passes(GET, GET, turns=(Turn(first=0),)) is False
    assert passes(GET, GET, turns=()) is False


def test_a_limit_of_repeats_counts_them_all() -> None:
    assert passes(GET, GET, [PAY, PAY], limits=Limits(repeats=2)) is True
    assert passes(GET, GET, [PAY, PAY], limits=Limits(repeats=1)) is False


def test_a_limit_by_tool_leaves_the_others_at_none() -> None:
    limits = Limits(repeats={"get": 3})
    assert passes(GET, GET, GET, GET, limits=limits) is True
    assert passes(GET, GET, GET, GET, GET, limits=limits) is False
    assert passes(GET, PAY, PAY, limits=limits) is False


def test_the_reason_says_what_was_repeated(check: Checked, did: Did) -> None:
    one = check("tools.repeats", did("get", "get", "get"))
    assert (one.passed, one.reason) == (False, "get was repeated 2 times, 0 allowed")
    one = check("tools.repeats", did(*[GET_FAILED] * 4))
    assert one.reason == "get was retried 3 times after its error, 2 allowed"


@pytest.mark.parametrize(
    ("limits", "asked"),
    [(Limits(), False), (Limits(repeats=0), True), (Limits(retries=0), True)],
)
def test_unknown_steps_decide_only_where_a_limit_was_asked_for(
    check: Checked, limits: Limits, asked: bool
) -> None:
    one = check("tools.repeats", Trajectory(case="c", answer="x"), limits=limits)
    assert (one.passed, one.decides, one.asked is not False) == (None, asked, asked)


def test_a_repeat_decides_without_being_asked_for(check: Checked, did: Did) -> None:
    one = check("tools.repeats", did("get", "get"))
    assert (one.passed, one.decides, one.asked) == (False, True, False)


def test_many_repeats_make_a_short_reason(check: Checked, did: Did) -> None:
    calls = [ToolCall(name=f"{number}" + "n" * 1000) for number in range(500)]
    assert len(check("tools.repeats", did(*calls, *calls)).reason) < 1000


@given(st.lists(st.sampled_from("abc"), max_size=8))
def test_calls_that_all_differ_from_the_one_before_are_no_retries(tools: list[str]) -> None:
    calls = [call(name, changed=False) for name in tools]
    repeats = len(tools) - len(set(tools))
    assert passes(*calls, limits=Limits(repeats=repeats)) is True
    if repeats:
        assert passes(*calls, limits=Limits(repeats=repeats - 1)) is False
