from typing import Any

import pytest

from fairtrial.graders.subject import Amount, Subject
from fairtrial.match import compile_matcher
from fairtrial.records import Step, Tokens, ToolCall, Trajectory, TrajectoryError


def subject(**fields: Any) -> Subject:
    return Subject(Trajectory(case="c", **fields))


def told(*pairs: tuple[int | None, int | None]) -> tuple[Step, ...]:
    return tuple(Step(tokens=Tokens(input=one, output=other)) for one, other in pairs)


def test_a_missing_stop_is_answer_where_there_is_one_else_error() -> None:
    assert subject(answer="x").stop == "answer"
    assert subject().stop == "error"
    assert subject(steps=(Step(calls=(ToolCall(name="a"),)),)).stop == "error"


def test_a_stop_that_was_recorded_wins() -> None:
    assert subject(answer="x", stop="timeout").stop == "timeout"
    assert subject(stop="answer").stop == "answer"


def test_a_single_decision_without_a_stop_ended_after_its_step() -> None:
    steps = (Step(calls=(ToolCall(name="a"),)),)
    assert Subject(Trajectory(case="c", steps=steps), decision=True).stop == "steps"
    assert Subject(Trajectory(case="c", steps=()), decision=True).stop == "error"


def test_tokens_are_summed_over_the_steps() -> None:
    assert subject(steps=told((100, 10), (50, 5))).tokens() == Amount(165, 0)


def test_tokens_that_nobody_told_are_not_zero() -> None:
    assert subject().tokens() == Amount(0, 1)
    assert subject(steps=(Step(), *told((100, 10), (50, None)))).tokens() == Amount(160, 2)


def test_no_steps_used_no_tokens_unless_the_steps_were_inferred() -> None:
    assert subject(steps=()).tokens() == Amount(0, 0)
    assert subject(steps=(), inferred=True).tokens() == Amount(0, 1)
    assert subject(steps=(), inferred=True).seconds().unknown == 1


def test_a_stated_total_wins_and_a_difference_is_named() -> None:
    one = subject(steps=told((100, 10)), tokens=Tokens(input=300, output=20))
    assert one.tokens() == Amount(320, 0)
    assert one.token_note() == "320 are stated, the steps sum to 110"
    same = subject(steps=told((300, 20)), tokens=Tokens(input=300, output=20))
    assert same.token_note() == ""


def test_what_a_stated_total_leaves_out_is_summed_from_the_steps() -> None:
    steps = told((100, 10), (50, 5))
    assert subject(steps=steps, tokens=Tokens(input=300)).tokens() == Amount(315, 0)
    assert subject(steps=steps, tokens=Tokens(output=20)).tokens() == Amount(170, 0)
    assert subject(tokens=Tokens(input=300)).tokens() == Amount(300, 1)
    assert subject(steps=(Step(),), tokens=Tokens(input=300)).tokens() == Amount(300, 1)


def test_an_estimate_is_marked_and_not_compared_with_a_told_count() -> None:
    estimate = Tokens(input=5, output=5, estimated=True)
    assert subject(tokens=estimate).tokens() == Amount(10, 0, estimated=True)
    mixed = subject(tokens=estimate, steps=told((100, 10)))
    assert mixed.token_note() == ""
    assert subject(steps=(Step(tokens=estimate), *told((1, 1)))).tokens().estimated is True


def test_an_unknown_cost_is_not_zero() -> None:
    assert subject().cost() == Amount(0.0, 1)
    assert subject(cost=0.0).cost() == Amount(0.0, 0)


def test_a_cost_in_another_currency_is_unknown() -> None:
    foreign = Trajectory(case="c", cost=5.0, currency="EUR")
    assert Subject(foreign).cost().unknown == 1
    assert "EUR" in Subject(foreign).cost().note
    assert Subject(foreign, currency="EUR").cost() == Amount(5.0, 0)


@pytest.mark.parametrize("amount", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_is_no_amount(amount: float) -> None:
    assert subject(cost=amount).cost().unknown == 1
    assert subject(seconds=amount).seconds().unknown == 1
    assert subject(steps=(Step(seconds=amount),)).seconds().unknown == 1


def test_seconds_are_stated_or_summed() -> None:
    steps = (Step(seconds=1.5), Step(seconds=0.5), Step())
    assert subject(steps=steps, seconds=9.0).seconds() == Amount(9.0, 0)
    assert subject(steps=steps).seconds() == Amount(2.0, 1)
    assert subject(steps=steps[:2]).seconds() == Amount(2.0, 0)
    assert subject().seconds() == Amount(0.0, 1)


def test_inferred_steps_are_not_counted() -> None:
    assert subject(steps=(Step(), Step())).step_count() == 2
    assert subject(steps=(Step(), Step()), inferred=True).step_count() is None
    assert subject().step_count() is None


def test_a_suite_may_say_which_results_are_errors() -> None:
    call = ToolCall(name="a", result={"status": "failed"})
    marks = compile_matcher({"status": "failed"})
    one = Subject(Trajectory(case="c", steps=(Step(calls=(call,)),)), tool_error=marks)
    assert one.calls is not None
    assert one.calls[0].failed


def test_an_error_in_words_is_no_failed_call() -> None:
    call = ToolCall(name="a", result="Error: the search found no error")
    one = subject(steps=(Step(calls=(call,)),))
    assert one.calls is not None
    assert not one.calls[0].failed


def test_nothing_is_made_of_the_answer_before_it_is_asked_for() -> None:
    one = subject(answer="It is **$1,280**", error=TrajectoryError(kind="agent", message="x"))
    assert one.text == "it is $1,280"
    assert one.numbers(None) is one.numbers(None)
    assert [number.value for number in one.numbers(None)] == [1280]
    assert [number.value for number in one.numbers("de")] == [1.28]


def test_the_tools_that_were_called_are_known_in_order_and_as_a_set() -> None:
    calls = tuple(ToolCall(name=name) for name in ("get", "pay", "get"))
    one = subject(steps=(Step(calls=calls),))
    assert one.names == ("get", "pay", "get")
    assert one.called == {"get", "pay"}
    assert subject().called == frozenset()
