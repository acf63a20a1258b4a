"""Reported calls are paired with those that the world saw: as many as possible, and in order."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.match import equal
from fairtrial.records import Json, ToolCall
from fairtrial.trials.pairing import pair_calls


def call(name: str, arguments: dict[str, Json] | str | None = None) -> ToolCall:
    return ToolCall(name=name, arguments=arguments)


CALLS = st.builds(
    call, st.sampled_from("ab"), st.sampled_from([None, {}, {"n": 1}, {"n": 1.0}, {"n": True}])
)
STEPS = st.lists(st.lists(CALLS, max_size=3), max_size=3)
WORLD = st.lists(CALLS, max_size=5)


def alike(one: ToolCall, other: ToolCall) -> bool:
    return one.name == other.name and equal(one.arguments or {}, other.arguments or {})


def every_pairing(
    reported: Sequence[tuple[int, ToolCall]], seen: Sequence[ToolCall]
) -> Iterator[list[tuple[int, int]]]:
    """Give all ways to pair, as (step, index of the world's call)."""
    options = [
        [None, *(index for index, other in enumerate(seen) if alike(one, other))]
        for _, one in reported
    ]
    for chosen in itertools.product(*options):
        used = [index for index in chosen if index is not None]
        if len(set(used)) == len(used):
            yield [
                (step, index)
                for (step, _), index in zip(reported, chosen, strict=True)
                if index is not None
            ]


def in_order(pairs: Sequence[tuple[int, int]]) -> int:
    """Count the most pairs of which none of an earlier step is of a later call of the world."""
    longest: list[int] = []
    ordered = sorted(pairs, key=lambda pair: pair[1])
    for place, (step, _) in enumerate(ordered):
        before = [longest[i] for i in range(place) if ordered[i][0] <= step]
        longest.append(1 + max(before, default=0))
    return max(longest, default=0)


def flat(pairs: Sequence[Sequence[int | None]]) -> list[tuple[int, int]]:
    return [
        (number, index) for number, step in enumerate(pairs) for index in step if index is not None
    ]


@given(STEPS, WORLD)
@settings(max_examples=150, deadline=None)
def test_pairs_are_as_many_and_as_much_in_order_as_trying_all_ways_finds(
    steps: list[list[ToolCall]], seen: list[ToolCall]
) -> None:
    reported = [(number, one) for number, step in enumerate(steps) for one in step][:6]
    steps = [[one for at, one in reported if at == number] for number in range(len(steps))]
    ways = [*every_pairing(reported, seen)]
    found = flat(pair_calls(steps, seen))
    assert len(found) == max(len(way) for way in ways)
    assert in_order(found) == max(in_order(way) for way in ways)


@given(STEPS, WORLD)
def test_pairs_are_of_equal_calls_and_use_each_call_of_the_world_once(
    steps: list[list[ToolCall]], seen: list[ToolCall]
) -> None:
    pairs = pair_calls(steps, seen)
    assert [len(step) for step in pairs] == [len(step) for step in steps]
    assert max(Counter(index for _, index in flat(pairs)).values(), default=1) == 1
    for step, partners in zip(steps, pairs, strict=True):
        for one, index in zip(step, partners, strict=True):
            assert index is None or alike(one, seen[index])


@given(STEPS, WORLD)
def test_the_order_within_a_step_changes_nothing(
    steps: list[list[ToolCall]], seen: list[ToolCall]
) -> None:
    before, after = pair_calls(steps, seen), pair_calls([step[::-1] for step in steps], seen)
    assert [Counter(step) for step in before] == [Counter(step) for step in after]


def test_of_equal_calls_those_in_order_are_taken() -> None:
    get, pay = call("get"), call("pay")
    assert pair_calls([[pay], [get]], [get, pay, get]) == [[1], [2]]
    assert pair_calls([[get], [pay]], [get, pay, get]) == [[0], [1]]


def test_calls_out_of_order_are_paired_all_the_same() -> None:
    assert pair_calls([[call("a")], [call("b")]], [call("b"), call("a")]) == [[1], [0]]


def test_true_is_not_1_and_1_is_1_0() -> None:
    seen = [call("a", {"n": 1})]
    assert pair_calls([[call("a", {"n": True})]], seen) == [[None]]
    assert pair_calls([[call("a", {"n": 1.0})]], seen) == [[0]]


def test_null_empty_text_and_no_arguments_are_the_same() -> None:
    seen = [call("a", {}), call("a"), call("a", "")]
    assert pair_calls([[call("a", ""), call("a", "{}"), call("a")]], seen) == [[0, 1, 2]]


def test_text_that_is_an_object_is_that_object() -> None:
    assert pair_calls([[call("a", '{"n": 1}')]], [call("a", {"n": 1})]) == [[0]]


def test_malformed_text_is_equal_as_text_alone() -> None:
    seen = [call("a", '{"n": 1'), call("a", '{"n": 2')]
    assert pair_calls([[call("a", '{"n": 2')]], seen) == [[1]]
    assert pair_calls([[call("a", '{"n": 3')]], seen) == [[None]]


def test_text_that_was_mended_on_its_way_goes_by_the_name() -> None:
    assert pair_calls([[call("a", '{"n": 1')]], [call("b"), call("a", {"n": 1})]) == [[1]]
    assert pair_calls([[call("a", {"n": 1})]], [call("a", '{"n": 1')]) == [[0]]


def test_an_equal_call_comes_before_one_that_was_mended() -> None:
    reported = [[call("a", '{"n": 1')], [call("a", {"n": 2})]]
    assert pair_calls(reported, [call("a", {"n": 2}), call("a", {"n": 1})]) == [[1], [0]]


def test_very_many_equal_calls_are_paired_in_good_time() -> None:
    steps, seen = [[call("a")]] * 2000, [call("a")] * 1990
    assert len(flat(pair_calls(steps, seen))) == 1990
