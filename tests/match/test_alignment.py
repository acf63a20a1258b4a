"""Alignment of patterns with calls, against brute force."""

import random
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.match import Call, CallPattern, compile_pattern, compile_plan
from fairtrial.match.alignment import pair_any_order, pair_in_order
from fairtrial.records import Json, ToolCall

NAMES = st.sampled_from("abc")


@st.composite
def patterns(draw: st.DrawFn) -> CallPattern:
    """Give a pattern: a name alone, or one with bounds that overlap those of others."""
    name = draw(NAMES)
    if draw(st.booleans()):
        return compile_pattern(name)
    low = draw(st.integers(0, 2))
    bounds = {"min": low, "max": low + draw(st.integers(0, 1))}
    return compile_pattern({"name": name, "args": {"x": bounds}})


@st.composite
def made_calls(draw: st.DrawFn, *, parallel: bool) -> list[Call]:
    count = draw(st.integers(0, 6))
    steps = list(range(count))
    if parallel:
        steps = sorted(draw(st.lists(st.integers(0, 3), min_size=count, max_size=count)))
    return [
        Call.of(index, step, ToolCall(name=draw(NAMES), arguments={"x": draw(st.integers(0, 3))}))
        for index, step in enumerate(steps)
    ]


UNITS = st.lists(st.lists(patterns(), min_size=1, max_size=3), max_size=3)
SINGLES = st.lists(patterns().map(lambda pattern: [pattern]), max_size=5)


def most_in_order(units: list[list[CallPattern]], calls: list[Call]) -> int:
    items = [(number, item) for number, unit in enumerate(units) for item in unit]

    def best(index: int, used: frozenset[int], closed: int, latest: int, unit: int) -> int:
        if index == len(items):
            return 0
        number, item = items[index]
        if number != unit:
            closed, unit = max(closed, latest), number
        most = best(index + 1, used, closed, latest, unit)
        for position, call in enumerate(calls):
            if position not in used and call.step >= closed and item.matches(call):
                rest = best(index + 1, used | {position}, closed, max(latest, call.step), unit)
                most = max(most, 1 + rest)
        return most

    return best(0, frozenset(), 0, 0, 0)


def check_in_order(units: list[list[CallPattern]], calls: list[Call]) -> None:
    pairs = pair_in_order(units, calls)
    items = [(number, item) for number, unit in enumerate(units) for item in unit]
    taken = [pair for pair in pairs if pair is not None]
    assert len(pairs) == len(items)
    assert len(set(taken)) == len(taken) == most_in_order(units, calls)
    placed = [
        (number, calls[pair].step)
        for (number, item), pair in zip(items, pairs, strict=True)
        if pair is not None and item.matches(calls[pair])
    ]
    assert len(placed) == len(taken)
    assert all(one[0] >= other[0] or one[1] <= other[1] for one in placed for other in placed)


@settings(max_examples=400)
@given(UNITS, made_calls(parallel=True))
def test_groups_over_parallel_steps_are_aligned_best(
    units: list[list[CallPattern]], calls: list[Call]
) -> None:
    check_in_order(units, calls)


@settings(max_examples=300)
@given(SINGLES, made_calls(parallel=False))
def test_single_items_over_single_calls_are_aligned_best(
    units: list[list[CallPattern]], calls: list[Call]
) -> None:
    check_in_order(units, calls)


@settings(max_examples=300)
@given(SINGLES, made_calls(parallel=True))
def test_single_items_over_parallel_steps_are_aligned_best(
    units: list[list[CallPattern]], calls: list[Call]
) -> None:
    check_in_order(units, calls)


@settings(max_examples=200)
@given(UNITS, made_calls(parallel=False))
def test_groups_over_single_calls_are_aligned_best(
    units: list[list[CallPattern]], calls: list[Call]
) -> None:
    check_in_order(units, calls)


@given(UNITS, made_calls(parallel=True), st.randoms(use_true_random=False))
def test_order_inside_a_step_and_inside_a_group_never_matters(
    units: list[list[CallPattern]], calls: list[Call], rng: random.Random
) -> None:
    shuffled_calls = sorted(rng.sample(calls, len(calls)), key=lambda call: call.step)
    shuffled_units = [rng.sample(unit, len(unit)) for unit in units]
    assert pair_in_order(units, calls).count(None) == pair_in_order(
        shuffled_units, shuffled_calls
    ).count(None)


@given(
    st.lists(patterns(), max_size=4), made_calls(parallel=True), st.randoms(use_true_random=False)
)
def test_any_order_pairs_as_many_as_can_be_whatever_the_order(
    items: list[CallPattern], calls: list[Call], rng: random.Random
) -> None:
    pairs = pair_any_order(items, calls)
    paired = len(pairs) - pairs.count(None)
    assert paired == most_in_order([items], calls)  # one group has no order
    again = pair_any_order(rng.sample(items, len(items)), rng.sample(calls, len(calls)))
    assert len(again) - again.count(None) == paired


def calls_named(names: str, *, at_once: int = 1) -> list[Call]:
    return [Call.of(i, i // at_once, ToolCall(name=name)) for i, name in enumerate(names)]


def in_order(plan: Json, names: str, *, at_once: int = 1) -> list[int | None]:
    return list(compile_plan(plan).align(calls_named(names, at_once=at_once)).pairs)


def test_a_greedy_choice_is_taken_back_where_another_pairs_more() -> None:
    plan = [{"name": "a", "args": {"x": {"min": 0}}}, {"name": "a", "args": {"x": 0}}, "b"]
    calls = [
        Call.of(index, index, ToolCall(name=name, arguments={"x": 0}))
        for index, name in enumerate("bab")
    ]
    assert compile_plan(plan).align(calls).pairs in {(1, None, 2), (None, 1, 2)}
    # c first would cost both others
    assert in_order(["c", "a", "b"], "abc") == [None, 0, 1]


def test_parallel_calls_suit_any_order() -> None:
    assert in_order(["a", "b"], "ba") == [1, None]
    assert in_order(["a", "b"], "ba", at_once=2) == [1, 0]


def test_a_group_suits_any_order_but_not_its_neighbours() -> None:
    plan = ["a", {"any_order": ["b", "c"]}, "d"]
    assert in_order(plan, "acbd") == [0, 2, 1, 3]
    assert in_order(plan, "cabd").count(None) == 1
    assert in_order(plan, "acdb").count(None) == 1


def test_steps_need_not_be_numbered_without_gaps() -> None:
    calls = [Call.of(0, 3, ToolCall(name="b")), Call.of(1, 7, ToolCall(name="a"))]
    assert compile_plan(["a", "b"]).align(calls).score == 0.5


def seconds_for(plan: Json, calls: list[Call]) -> float:
    compiled = compile_plan(plan)
    started = time.process_time()
    compiled.align(calls)
    return time.process_time() - started


def test_long_plans_over_many_calls_take_no_long_time() -> None:
    rng = random.Random(1)
    for at_once in (1, 2, 10, 100):
        calls = calls_named("".join(rng.choice("abc") for _ in range(300)), at_once=at_once)
        assert seconds_for([rng.choice("abc") for _ in range(300)], calls) < 5
    calls = calls_named("baa" * 100, at_once=3)
    assert seconds_for(["a"] * 280 + ["b"] * 20, calls) < 5


def test_many_groups_over_many_calls_take_no_long_time() -> None:
    rng = random.Random(2)

    def bounded() -> Json:
        low = rng.randrange(60)
        return {"name": "t", "args": {"x": {"min": low, "max": low + 25}}}

    plan = [{"any_order": [bounded() for _ in range(8)]} for _ in range(20)]
    for at_once in (1, 4, 12):
        calls = [
            Call.of(i, i // at_once, ToolCall(name="t", arguments={"x": rng.randrange(60)}))
            for i in range(60)
        ]
        assert seconds_for(plan, calls) < 10
