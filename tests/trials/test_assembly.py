"""What the agent says and what was seen become one trajectory, and what was seen stands above."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from fairtrial.records import Span, Step, Tokens, ToolCall, Trajectory, TrajectoryError, Turn
from fairtrial.trials import assemble


def merged(returned: Trajectory | None = None, **known: Any) -> Trajectory:
    evidence: dict[str, Any] = {
        "seen": (),
        "calls": (),
        "world_known": True,
        "state": None,
        "initial_state": None,
        "stop": None,
        "error": None,
        "seconds": None,
        "mode": "none",
    }
    return assemble(case="c1", trial=3, returned=returned, **(evidence | known))


def told(*steps: Step, **fields: Any) -> Trajectory:
    return Trajectory(case="c1", steps=steps, **fields)


def call(name: str, **fields: Any) -> ToolCall:
    return ToolCall(name=name, **fields)


PAID = call("pay", arguments={"sum": 5}, result={"ok": True}, seconds=0.1, changed=True)
BROKEN = TrajectoryError(kind="agent", message="KeyError: 'x'")


def test_the_worlds_record_of_a_call_stands_above_the_agents_and_keeps_its_id() -> None:
    said = call("pay", arguments={"sum": 5.0}, id="c1", result="something else", seconds=9.0)
    got = merged(told(Step(text="I pay.", calls=(said,))), calls=(PAID,))
    assert got.steps == (
        Step(
            text="I pay.",
            calls=(
                call(
                    "pay",
                    arguments={"sum": 5},
                    id="c1",
                    result={"ok": True},
                    seconds=0.1,
                    changed=True,
                ),
            ),
        ),
    )


def test_a_call_that_the_world_never_saw_is_marked_and_kept() -> None:
    said = call("refund", id="c9", result="done")
    got = merged(told(Step(calls=(said,))), calls=())
    assert got.steps == (Step(calls=(call("refund", id="c9", result="done", executed=False),)),)


def test_without_a_world_nobody_can_say_that_a_call_did_not_happen() -> None:
    steps = (Step(calls=(call("search", result=1),)),)
    assert merged(told(*steps), world_known=False).steps == steps


def test_true_for_1_is_another_call() -> None:
    got = merged(
        told(Step(calls=(call("pay", arguments={"n": True}),))),
        calls=(call("pay", arguments={"n": 1}),),
    )
    assert got.steps is not None
    assert sorted(one.executed for one in got.steps[0].calls) == [False, True]


def test_a_call_that_nobody_reported_stands_after_the_one_before_it() -> None:
    a, b, hidden = call("a"), call("b"), call("log")
    got = merged(told(Step(calls=(a,)), Step(calls=(b,))), calls=(a, hidden, b))
    assert got.steps == (Step(calls=(a, hidden)), Step(calls=(b,)))


def test_a_call_that_nobody_reported_and_came_first_stands_first() -> None:
    a, hidden = call("a"), call("log")
    got = merged(told(Step(), Step(calls=(a,))), calls=(hidden, a))
    assert got.steps == (Step(calls=(hidden,)), Step(calls=(a,)))


def test_without_reported_steps_the_completions_that_were_seen_are_the_steps() -> None:
    seen = [Step(text="Hm.", calls=(call("pay", arguments={"sum": 5}, id="x"),)), Step(text="Ok")]
    got = merged(Trajectory(case="c1", answer="Ok"), seen=seen, calls=(PAID,))
    assert got.steps is not None
    assert (len(got.steps), got.inferred) == (2, False)
    assert (got.steps[0].calls[0].id, got.steps[0].calls[0].result) == ("x", {"ok": True})


def test_with_neither_there_is_one_inferred_step_a_call() -> None:
    got = merged(Trajectory(case="c1", answer="Ok"), calls=(PAID, PAID))
    assert (got.steps, got.inferred) == ((Step(calls=(PAID,)), Step(calls=(PAID,))), True)


def test_where_nothing_was_seen_nothing_is_known_of_steps() -> None:
    got = merged(None)
    assert (got.steps, got.inferred) == ((), True)


def test_no_steps_that_were_told_are_known_to_be_none() -> None:
    got = merged(told(answer="Hello."))
    assert (got.steps, got.inferred) == ((), False)


def test_tokens_are_those_that_its_models_side_saw_and_seconds_too_where_it_tells_none() -> None:
    own, other = Tokens(input=1, output=2), Tokens(input=10, output=20)
    got = merged(
        told(Step(tokens=own), Step(seconds=0.5)),
        seen=[Step(tokens=other, seconds=1.0), Step(tokens=other, seconds=2.0)],
    )
    assert got.steps == (Step(tokens=other, seconds=1.0), Step(tokens=other, seconds=0.5))
    assert got.tokens == Tokens(input=20, output=40)


def test_where_the_steps_are_counted_otherwise_only_the_total_is_taken() -> None:
    seen = [Step(tokens=Tokens(input=10, output=2, estimated=True))] * 2
    got = merged(told(Step(text="one")), seen=seen)
    assert got.steps == (Step(text="one"),)
    assert got.tokens == Tokens(input=20, output=4, estimated=True)


def test_a_total_that_was_told_stands_and_a_half_known_one_is_none() -> None:
    stated = Tokens(input=7, output=7)
    assert merged(told(Step(tokens=Tokens(input=1, output=1)), tokens=stated)).tokens == stated
    assert merged(told(Step(tokens=Tokens(input=1)), Step())).tokens is None


@pytest.mark.parametrize(
    ("stop", "said", "answer", "error", "wanted"),
    [
        ("timeout", "answer", "Ok", None, "timeout"),
        (None, "refused", "No.", None, "refused"),
        (None, None, "Ok", None, "answer"),
        (None, None, "", None, "answer"),
        (None, None, None, BROKEN, "error"),
        (None, None, None, None, None),
        ("steps", None, None, BROKEN, "steps"),
    ],
)
def test_why_it_stopped(stop: Any, said: Any, answer: Any, error: Any, wanted: Any) -> None:
    got = merged(Trajectory(case="c1", stop=said, answer=answer), stop=stop, error=error)
    assert got.stop == wanted


def test_an_error_that_is_known_stands_above_one_that_was_told() -> None:
    other = TrajectoryError(kind="provider", message="503")
    assert merged(Trajectory(case="c1", error=other), error=BROKEN).error == BROKEN
    assert merged(Trajectory(case="c1", error=other)).error == other


def test_the_worlds_state_stands_above_one_that_was_told() -> None:
    said = Trajectory(case="c1", state={"a": 1}, initial_state={"a": 0})
    got = merged(said, state={}, initial_state={"b": 1})
    assert (got.state, got.initial_state) == ({}, {"b": 1})
    assert (merged(said).state, merged(said).initial_state) == ({"a": 1}, {"a": 0})


def test_everything_else_that_was_told_is_kept() -> None:
    rest: dict[str, Any] = {
        "turns": (Turn(user="Hi"),),
        "spans": (Span(name="find"),),
        "extra": {"a": 1},
        "cost": 0.5,
        "currency": "EUR",
        "seconds": 3.0,
        "answer": "Ok",
    }
    got = merged(Trajectory(case="other", trial=9, **rest), cost=0.1)
    assert {name: getattr(got, name) for name in rest} == rest
    assert (got.case, got.trial) == ("c1", 3)


def test_measured_seconds_and_the_known_mode_stand_and_a_cost_fills_a_gap() -> None:
    got = merged(Trajectory(case="c1", seconds=99.0), seconds=1.5, mode="scripted", cost=0.1)
    assert (got.seconds, got.model, got.cost) == (1.5, "scripted", 0.1)


@pytest.mark.parametrize(
    ("extra", "wanted"),
    [
        (None, {"notes": ["new"]}),
        ({"a": 1}, {"a": 1, "notes": ["new"]}),
        ({"notes": ["old"]}, {"notes": ["old", "new"]}),
        ({"notes": "old"}, {"notes": ["old", "new"]}),
    ],
)
def test_notes_are_added_to_what_is_there(extra: Any, wanted: Any) -> None:
    assert merged(Trajectory(case="c1", extra=extra), notes=("new",)).extra == wanted


@pytest.mark.parametrize("text", ["\ud800", "NaN", "[" * 3000])
def test_arguments_that_no_encoder_takes_are_merged(text: str) -> None:
    deep: Any = {}
    for _ in range(3000):
        deep = {"a": deep}
    for arguments in ({"a": text}, text, {"n": 10**400}, {"n": float("nan")}, deep):
        one = call("pay", arguments=arguments)
        got = merged(told(Step(calls=(one,))), calls=(call("pay", arguments=arguments),))
        assert got.steps is not None
        assert any(other.executed for other in got.steps[0].calls)


ARGUMENTS = st.sampled_from([None, {}, {"n": 1}, {"n": 1.0}, {"n": True}, "{", '{"n": 1}', '{"n'])
REPORTED = st.builds(call, st.sampled_from("ab"), arguments=ARGUMENTS, id=st.none() | st.just("i"))
WORLD = st.lists(st.builds(call, st.sampled_from("ab"), arguments=ARGUMENTS), max_size=6).map(
    lambda calls: [call(one.name, arguments=one.arguments, result=n) for n, one in enumerate(calls)]
)
STEPS = st.lists(st.lists(REPORTED, max_size=3).map(lambda c: Step(calls=tuple(c))), max_size=4)


def calls_in(got: Trajectory) -> list[ToolCall]:
    return [one for step in got.steps or () for one in step.calls]


@given(STEPS, WORLD, STEPS)
def test_every_call_of_the_world_is_there_exactly_once_and_executed(
    steps: list[Step], world: list[ToolCall], seen: list[Step]
) -> None:
    got = merged(told(*steps), calls=world, seen=seen)
    results = [one.result for one in calls_in(got) if one.executed]
    assert sorted(results, key=str) == [*range(len(world))]
    assert all(one.result is UNSET for one in calls_in(got) if not one.executed)


@given(STEPS, WORLD)
def test_no_reported_call_is_lost(steps: list[Step], world: list[ToolCall]) -> None:
    got = merged(told(*steps), calls=world)
    if not any(step.calls for step in steps):
        return
    assert got.steps is not None
    for before, after in zip(steps, got.steps, strict=True):
        names = Counter(one.name for one in before.calls)
        assert names <= Counter(one.name for one in after.calls)
        marked = Counter(one.id for one in before.calls if one.id)
        assert marked == Counter(one.id for one in after.calls if one.id)


# No two of them are equal: of two that are, either may be the one that the world saw.
DIFFERENT = st.builds(
    call, st.sampled_from("ab"), arguments=st.sampled_from([{}, {"n": 1}, {"n": True}, "{", '{"n'])
)


@given(
    st.lists(st.lists(DIFFERENT, max_size=3).map(lambda c: Step(calls=tuple(c))), max_size=4), WORLD
)
def test_the_order_of_parallel_calls_changes_nothing(
    steps: list[Step], world: list[ToolCall]
) -> None:
    turned = [Step(calls=step.calls[::-1]) for step in steps]
    before, after = merged(told(*steps), calls=world), merged(told(*turned), calls=world)
    assert [Counter(map(repr, step.calls)) for step in before.steps or ()] == [
        Counter(map(repr, step.calls)) for step in after.steps or ()
    ]


def test_an_agent_that_returns_only_the_end_of_its_talk_has_the_steps_that_were_seen() -> None:
    look, pay = ToolCall(name="look", id="1"), ToolCall(name="pay", id="2")
    seen = [Step(calls=(look,)), Step(calls=(pay,)), Step(text="Paid.")]
    world = [ToolCall(name="look", result=1), ToolCall(name="pay", result=2)]
    got = merged(told(Step(text="Paid."), answer="Paid."), seen=seen, calls=world)
    assert [[call.name for call in step.calls] for step in got.steps or ()] == [
        ["look"],
        ["pay"],
        [],
    ]
    assert (got.answer, got.inferred) == ("Paid.", False)


def test_completions_beside_the_agents_own_loop_are_no_steps_of_it() -> None:
    look = ToolCall(name="look", id="1")
    seen = [Step(calls=(look,)), Step(text="a summary for itself"), Step(text="Done.")]
    got = merged(
        told(Step(calls=(look,)), Step(text="Done.")),
        seen=seen,
        calls=[ToolCall(name="look", result=1)],
    )
    assert len(got.steps or ()) == 2
