"""The first thing that is not the same in two trajectories, in words."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.match import first_parting, indexes_aside
from fairtrial.records import Json, Parting, Step, ToolCall, Trajectory, TrajectoryError


def call(name: str, result: Json = None, error: str | None = None, **arguments: Json) -> ToolCall:
    return ToolCall(name=name, arguments=arguments, result=result, error=error)


def trajectory(*steps: ToolCall | list[ToolCall], answer: str | None = "Done.") -> Trajectory:
    calls = [step if isinstance(step, list) else [step] for step in steps]
    made = tuple(Step(calls=tuple(step)) for step in calls)
    last = () if answer is None else (Step(text=answer),)
    return Trajectory(case="c", trial=0, answer=answer, steps=(*made, *last))


GET, PAY, MAIL = call("get", {"fee": 0}, order="A"), call("pay", fee=0), call("mail")
LONG = [call(name) for name in ("look", "find", "look", "read", "read")]


@pytest.mark.parametrize(
    ("a", "b", "text", "cause"),
    [
        (
            trajectory(GET, PAY),
            trajectory(GET, MAIL),
            "at step 2, after get in both: a calls pay(fee=0), b calls mail()",
            "a calls pay, b calls mail",
        ),
        (
            trajectory(*LONG, [PAY, GET]),
            trajectory(*LONG, [GET, MAIL]),
            "at step 6, after 5 calls, the last read, in both: a calls pay(fee=0), b calls mail()",
            "a calls pay, b calls mail",
        ),
        (
            trajectory([GET, PAY], MAIL),
            trajectory(GET, MAIL),
            "at step 2 (step 1 of a), after get in both: a calls pay(fee=0), b calls mail()",
            "a calls pay, b calls mail",
        ),
        (
            trajectory(call("pay", fee=0, to=[{"id": 7}, {"id": 8}])),
            trajectory(call("pay", fee=40, to=[{"id": 7}, {"id": "8"}])),
            "at step 1: the argument fee of pay is 0 in a, 40 in b, and 1 more differs",
            "another argument fee of pay",
        ),
        (
            trajectory(call("pay", to=[{"id": 7}, {"id": 8}])),
            trajectory(call("pay", to=[{"id": 7}, {"id": "8"}])),
            'at step 1: the argument to[1].id of pay is 8 (a number) in a, "8" (text) in b',
            "another argument to[].id of pay",
        ),
        (
            trajectory(call("pay")),
            trajectory(call("pay", fee=None)),
            "at step 1: the argument fee of pay is nothing in a, null in b",
            "another argument fee of pay",
        ),
        (
            trajectory(PAY),
            trajectory(ToolCall(name="pay", arguments='{"fee"')),
            'at step 1: the arguments of pay are {"fee": 0} in a, "{\\"fee\\"" (no JSON object) '
            "in b",
            "other arguments of pay",
        ),
        (
            trajectory(call("get", {"rows": [{"fee": 0}]})),
            trajectory(call("get", {"rows": [{"fee": 40}]})),
            "at step 1: rows[0].fee in the result of get is 0 in a, 40 in b",
            "another result of get: rows[].fee",
        ),
        (
            trajectory(call("get", [1])),
            trajectory(call("get", [1, 2])),
            "at step 1: [1] in the result of get is nothing in a, 2 in b",
            "another result of get: []",
        ),
        (
            trajectory(call("get", "x")),
            trajectory(call("get", None)),
            'at step 1: the result of get is "x" in a, null in b',
            "another result of get",
        ),
        (
            trajectory(PAY, GET),
            trajectory(PAY, call("get", error="down", order="A")),
            'at step 2, after pay in both: get fails in b alone: "down"',
            "get fails in b alone",
        ),
        (
            trajectory(call("get", error="down")),
            trajectory(call("get", error="gone")),
            'at step 1: get fails in both: "down" in a, "gone" in b',
            "another error of get",
        ),
        (
            trajectory(ToolCall(name="get", executed=False)),
            trajectory(ToolCall(name="get")),
            "at step 1: get fails in a alone: it reached no tool",
            "get fails in a alone",
        ),
        (
            trajectory(GET, PAY),
            trajectory(GET),
            "at step 2, after get in both: a calls pay(fee=0), b answers",
            "a calls pay, b answers",
        ),
        (
            trajectory(answer=None),
            trajectory(PAY, answer=None),
            "at step 1: a ends without an answer, b calls pay(fee=0)",
            "a ends without an answer, b calls pay",
        ),
        (
            trajectory(GET),
            trajectory(GET, answer="No."),
            'at step 2, after get in both: the answer is "Done." in a, "No." in b',
            "another answer",
        ),
        (
            trajectory([GET, PAY]),
            trajectory(GET, PAY),
            "at step 1: the same calls in other steps (2 in a, 3 in b)",
            "the same calls in other steps",
        ),
        (
            trajectory([GET, PAY], MAIL),
            trajectory(GET, [PAY, MAIL]),
            "at step 1: the same calls in other steps (3 in both)",
            "the same calls in other steps",
        ),
        (
            trajectory(GET),
            trajectory(GET),
            "nowhere: the same calls, results and answer",
            "the same calls, results and answer",
        ),
    ],
)
def test_the_first_difference_is_said_in_words(
    a: Trajectory, b: Trajectory, text: str, cause: str
) -> None:
    found = first_parting(a, b)
    assert (found.text, found.cause) == (text, cause)


def ended(**fields: Json) -> Trajectory:
    return msgspec.structs.replace(trajectory(GET), **fields)


RAISED = TrajectoryError(kind="agent", message="KeyError: 'x'")


@pytest.mark.parametrize(
    ("a", "b", "text", "cause"),
    [
        (
            ended(),
            ended(stop="timeout"),
            "at step 2, after get in both: a answers, b runs out of time",
            "a answers, b runs out of time",
        ),
        (
            ended(error=RAISED),
            ended(error=TrajectoryError(kind="agent", message="y")),
            "at step 2, after get in both: a ends with an error of the agent: \"KeyError: 'x'\", "
            'b ends with an error of the agent: "y"',
            "another error at the end",
        ),
        (
            ended(state={"rows": []}),
            ended(state={"rows": [1]}),
            "after the last step: rows[0] in the final state is nothing in a, 1 in b",
            "another final state: rows[]",
        ),
        (
            ended(),
            ended(steps=None),
            "at an unknown step, if at all: the steps of b are not known",
            "the steps of b are not known",
        ),
        (
            ended(steps=None, answer="No."),
            ended(steps=None),
            "at the end, if not before, as the steps of both are not known: the answer is "
            '"No." in a, "Done." in b',
            "another answer",
        ),
    ],
)
def test_how_it_ends_is_compared_last(a: Trajectory, b: Trajectory, text: str, cause: str) -> None:
    found = first_parting(a, b)
    assert (found.text, found.cause) == (text, cause)


def test_steps_made_up_from_the_calls_are_not_counted() -> None:
    told = trajectory([GET, PAY])
    inferred = msgspec.structs.replace(trajectory(GET, PAY), inferred=True)
    assert first_parting(told, inferred).kind == "same"


def test_the_parting_holds_both_values_and_where_they_stand() -> None:
    found = first_parting(trajectory(GET, PAY), trajectory(GET, call("pay", fee=40)))
    assert found == Parting(
        case="c",
        trial_a=0,
        trial_b=0,
        step=2,
        kind="argument",
        tool="pay",
        path="fee",
        a="0",
        b="40",
        text="at step 2, after get in both: the argument fee of pay is 0 in a, 40 in b",
        cause="another argument fee of pay",
    )


def test_of_several_calls_of_one_tool_the_most_alike_are_compared() -> None:
    a = trajectory([call("get", order=1, deep=True), call("get", order=2)])
    b = trajectory([call("get", order=3, deep=True), call("get", order=2)])
    assert first_parting(a, b).path == "order"
    c = trajectory([ToolCall(name="get", arguments="{"), call("get", order=4, deep=True)])
    assert first_parting(a, c).path == "order"


def test_indexes_are_put_aside() -> None:
    assert indexes_aside('a[0][12].b["x"]') == 'a[][].b["x"]'


def test_very_large_values_make_short_texts() -> None:
    big = {f"k{n}": "x" * 1000 for n in range(1000)}
    nested: Json = 1
    for _ in range(90):
        nested = {"k" * 1000: [nested]}
    a = trajectory(call("n" * 10_000, **big))
    b = trajectory(call("m" * 10_000, **big), *[call("z", nested)] * 50)
    c = trajectory(call("n" * 10_000, **big, deep=nested))
    d = ended(error=TrajectoryError(kind="agent", message="e" * 10**6))
    for one, other in ((a, b), (a, c), (a, d), (c, b)):
        found = first_parting(one, other)
        assert len(found.text) < 1000
        assert len(found.cause) < 500
        assert len(found.path or "") < 200


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.floats(allow_nan=False)
    | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=1), inner),
    max_leaves=5,
)
CALLS = st.builds(
    ToolCall,
    name=st.sampled_from(["get", "pay", "x\ny"]),
    arguments=st.dictionaries(st.sampled_from(["p", "q"]), VALUES)
    | st.sampled_from(["{", "", None]),
    result=VALUES,
    error=st.none() | st.sampled_from(["down", "\x1b[31m"]),
    executed=st.booleans(),
)
STEPS = st.lists(
    st.lists(CALLS, max_size=3).map(lambda calls: Step(calls=tuple(calls))), max_size=4
)
TRAJECTORIES = st.builds(
    Trajectory,
    case=st.just("c"),
    answer=st.none() | st.sampled_from(["yes", "no"]),
    stop=st.none() | st.sampled_from(["answer", "timeout"]),
    steps=st.none() | STEPS.map(tuple),
    state=st.none() | st.dictionaries(st.sampled_from(["s"]), VALUES),
    error=st.none() | st.builds(TrajectoryError, kind=st.just("agent"), message=st.text("ab")),
)


@given(TRAJECTORIES)
def test_a_trajectory_never_parts_from_itself(one: Trajectory) -> None:
    copy = msgspec.msgpack.decode(msgspec.msgpack.encode(one), type=Trajectory)
    assert first_parting(one, copy).kind == ("unknown" if one.steps is None else "same")


@given(TRAJECTORIES, TRAJECTORIES)
def test_what_parts_them_is_the_same_seen_from_either_side(a: Trajectory, b: Trajectory) -> None:
    there, back = first_parting(a, b), first_parting(b, a)
    assert (there.kind, there.path) == (back.kind, back.path)
    if there.kind not in {"answer", "argument", "result", "state"}:  # one side of these has a note
        assert (there.a, there.b) == (back.b, back.a)


@given(TRAJECTORIES, TRAJECTORIES, st.randoms())
def test_a_permutation_of_parallel_calls_changes_nothing(
    a: Trajectory, b: Trajectory, chance: Random
) -> None:
    def shuffled(step: Step) -> Step:
        return Step(calls=tuple(chance.sample(step.calls, len(step.calls))))

    steps = None if b.steps is None else tuple(map(shuffled, b.steps))
    other = msgspec.structs.replace(b, steps=steps)
    assert first_parting(a, other) == first_parting(a, b)
    assert first_parting(other, a) == first_parting(b, a)


@given(TRAJECTORIES, TRAJECTORIES)
def test_trajectories_that_do_not_part_make_the_same_calls(a: Trajectory, b: Trajectory) -> None:
    if first_parting(a, b).kind == "same":
        counts = [[len(step.calls) for step in one.steps or ()] for one in (a, b)]
        assert counts[0] == counts[1]
        assert a.answer == b.answer
