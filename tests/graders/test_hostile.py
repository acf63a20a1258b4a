"""A case with every kind of check, and trajectories of weird JSON."""

import copy
from collections.abc import Sequence

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.graders import CaseGrader
from fairtrial.records import (
    AnswerExpectation,
    Case,
    Check,
    Expectation,
    Json,
    Limits,
    NumberExpectation,
    RubricItem,
    Rule,
    Source,
    Span,
    SpanExpectation,
    Step,
    Tokens,
    ToolCall,
    ToolsExpectation,
    Trajectory,
    TrajectoryError,
    Turn,
)

EVERYTHING = Case(
    id="c",
    hash="0",
    source=Source("a.yaml", 1),
    fixtures={"a": [{"x": 1}], "b": {"k": [1, 2]}},
    faults={"a": []},
    expect=Expectation(
        answer=AnswerExpectation(
            contains=(("a", "0"), ("a",)),
            excludes=("b",),
            numbers=(NumberExpectation(value=0), NumberExpectation(value=1, unit="$", percent=5)),
            equals="a",
            matches=("a+b*$",),
            json={"a": {"min": 1}},
        ),
        tools=ToolsExpectation(
            required=(
                {"name": "a", "args": {"x": {"min": 0}}},
                {"name": "a", "result": {"contains": "a"}},
                {"name": "b", "which": "first", "args": {"x": {"unordered": [1, {"a": 1}]}}},
                {"name": "b", "which": "last", "ok": True, "args": {"a": {"absent": True}}},
                "a",
            ),
            forbidden=("c", {"name": "a", "args": {"b": {"matches": "a+"}}}),
            before=({"tool": "b", "needs": {"name": "a", "result": {"a": 1}}, "same": {"x": "y"}},),
            plan={"any": [["a", {"any_order": ["b", "a"]}, "c"], {"mode": "exact", "steps": []}]},
            only=True,
        ),
        state={"exactly": {"a": [{"x": 1}, {"x": {"approx": 2}}], "b": {"k": {"each": 1}}}},
        unchanged=True,
        spans=(
            SpanExpectation(name="a", seconds={"max": 1}, attributes={"a": 1}, count={"max": 1}),
            SpanExpectation(name="a", documents={"of": ["a", 1], "recall": 1, "precision": 1}),
        ),
        stop="refused",
        rubric=(RubricItem(item="a"),),
        next={"any": [["a", "b"], []]},
    ),
    limits=Limits(
        steps=2,
        tool_calls=2,
        tokens=2,
        cost=1.0,
        seconds=1.0,
        repeats={"a": 1},
        retries=0,
        path_factor=1.5,
    ),
    rules=(
        Rule(number=1, required=("b",), forbidden=("c",), before=({"tool": "a", "needs": "b"},)),
    ),
    informs=("limits.cost",),
)

TEXTS = st.sampled_from(
    ["", "a", "b", "0", "1", "a b 0 $1 5%", '{"a": 1}', "```\n{}\n```", "\ud800", "\x00\x1b[31m"]
) | st.text(max_size=5)
NAMES = st.sampled_from(["a", "b", "c", "", "\ud800"])
NUMBERS = st.sampled_from([0, 1, 1.0, -1, 2**70, 10**400, float("nan"), float("inf"), 0.1])
ODD_JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "x", "y", "k", "documents", "id"]), inner)
    ),
    max_leaves=8,
)
OBJECTS: st.SearchStrategy[dict[str, Json]] = st.dictionaries(
    st.sampled_from(["a", "b", "x", "y", "\ud800"]), ODD_JSON, max_size=3
)
CALLS = st.builds(
    ToolCall,
    name=NAMES,
    arguments=st.none() | OBJECTS | TEXTS,
    result=st.just(msgspec.UNSET) | ODD_JSON,
    error=st.none() | TEXTS,
    changed=st.none() | st.booleans(),
    executed=st.booleans(),
)
COUNTS = st.none() | st.integers(-1, 3)
TOKENS = st.none() | st.builds(Tokens, input=COUNTS, output=COUNTS, estimated=st.booleans())
AMOUNTS = st.none() | st.sampled_from([0.0, 0.5, 2.0, float("nan"), float("inf"), -1.0])
STEPS = st.builds(
    Step,
    text=st.none() | TEXTS,
    calls=st.lists(CALLS, max_size=3).map(tuple),
    tokens=TOKENS,
    seconds=AMOUNTS,
)
SPANS = st.builds(Span, name=NAMES, seconds=AMOUNTS, attributes=OBJECTS)
TURNS = st.builds(Turn, first=st.integers(-2, 5), last=st.none() | st.integers(-2, 5))
TRAJECTORIES = st.builds(
    Trajectory,
    case=st.just("c"),
    answer=st.none() | TEXTS,
    stop=st.none() | st.sampled_from(["answer", "steps", "budget", "refused", "error"]),
    error=st.none() | st.builds(TrajectoryError, kind=st.just("agent"), message=TEXTS),
    model=st.sampled_from(["none", "scripted", "live", "replayed"]),
    steps=st.none() | st.lists(STEPS, max_size=5).map(tuple),
    inferred=st.booleans(),
    state=st.none() | OBJECTS,
    initial_state=st.none() | OBJECTS,
    tokens=TOKENS,
    cost=AMOUNTS,
    currency=st.none() | st.sampled_from(["USD", "EUR"]),
    seconds=AMOUNTS,
    turns=st.none() | st.lists(TURNS, max_size=3).map(tuple),
    spans=st.none() | st.lists(SPANS, max_size=3).map(tuple),
)


def verdict_of(checks: Sequence[Check]) -> str:
    """Apply the rules of the verdict, written once more."""
    deciding = [check for check in checks if check.decides]
    if any(check.passed is False for check in deciding):
        return "failed"
    if any(check.passed is None for check in deciding):
        return "error"
    return "passed" if any(check.asked is not False for check in deciding) else "error"


FULL = CaseGrader(EVERYTHING)


@settings(max_examples=300, deadline=None)
@given(TRAJECTORIES)
def test_no_trajectory_is_too_odd_to_be_graded(trajectory: Trajectory) -> None:
    trial = FULL.grade(trajectory, 3)
    assert trial.verdict == verdict_of(trial.checks)
    assert (trial.error is None) or trial.verdict == "error" or trajectory.error is not None
    assert len({check.name for check in trial.checks}) == len(trial.checks)
    for check in trial.checks:
        assert (check.score is None) is (check.passed is None)
        assert check.score is None or 0 <= check.score <= 1
        assert len(check.reason) <= 2000
    assert msgspec.json.encode(trial.checks)


@settings(max_examples=100, deadline=None)
@given(TRAJECTORIES)
def test_grading_changes_nothing_and_always_says_the_same(trajectory: Trajectory) -> None:
    before, case = repr(trajectory), copy.deepcopy(EVERYTHING)
    fresh = CaseGrader(case).grade(trajectory, 0)
    assert repr(FULL.grade(trajectory, 0)) == repr(fresh) == repr(FULL.grade(trajectory, 0))
    assert (repr(trajectory), case) == (before, EVERYTHING)


SMALL = st.builds(
    Expectation,
    answer=st.sampled_from([None, *(AnswerExpectation(contains=((one,),)) for one in "ab")]),
    state=st.sampled_from([msgspec.UNSET, {"a": 1}]),
    stop=st.sampled_from([None, "answer", "refused"]),
    rubric=st.sampled_from([(), (RubricItem(item="a"),)]),
)
INFORMS = st.lists(
    st.sampled_from(["answer", "state.a", "finished", "tools.repeats", "limits", "text_tool_call"])
).map(tuple)


@settings(max_examples=200, deadline=None)
@given(SMALL, INFORMS, TRAJECTORIES, st.sampled_from([Limits(), Limits(cost=1.0), Limits(steps=1)]))
def test_the_verdict_follows_from_the_checks(
    expect: Expectation, informs: tuple[str, ...], trajectory: Trajectory, limits: Limits
) -> None:
    source = Source("a.yaml", 1)
    case = Case(id="c", hash="0", source=source, expect=expect, informs=informs, limits=limits)
    trial = CaseGrader(case).grade(trajectory, 0)
    assert trial.verdict == verdict_of(trial.checks)
    if trial.verdict == "error":
        assert trial.error


def nested(depth: int) -> Json:
    value: Json = 1
    for number in range(depth):
        value = {"a": value} if number % 2 else [value]
    return value


def test_deep_and_huge_values_are_graded() -> None:
    deep, wide = nested(3000), {f"k{number}": "v" * 1000 for number in range(1000)}
    huge: Sequence[Json] = (deep, wide, "x" * 10**6, 10**5000, [0] * 10**5)
    for value in huge:
        call = ToolCall(name="a", arguments={"x": value, "b": value}, result=value)
        trajectory = Trajectory(
            case="c",
            answer="x",
            steps=(Step(calls=(call, call)),),
            state={"a": [{"x": value}], "b": value, "z": value},
            spans=(Span(name="a", attributes={"a": value, "documents": [value]}),),
        )
        trial = FULL.grade(trajectory, 0)
        assert trial.verdict == "failed"
        assert max(len(check.reason) for check in trial.checks) <= 2000
