"""The search for the best alignment, against brute force over all ways to pair."""

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.match.search import StepSearch


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[int], list[set[int]], list[int]]:
    """Give sizes of units, the calls that each item matches, and the step of each call."""
    sizes = draw(st.lists(st.integers(1, 4), max_size=3))
    calls = draw(st.integers(0, 6))
    steps = sorted(draw(st.lists(st.integers(0, 3), min_size=calls, max_size=calls)))
    fits = st.sets(st.integers(0, calls - 1)) if calls else st.just(set())
    kinds = draw(st.lists(fits, min_size=1, max_size=4))  # few, so that many items are alike
    rows = [draw(st.sampled_from(kinds)) for _ in range(sum(sizes))]
    return sizes, rows, steps


def most_in_order(sizes: list[int], rows: list[set[int]], steps: list[int]) -> int:
    """Try every choice of a call, or of none, for every item."""
    unit_of = [unit for unit, size in enumerate(sizes) for _ in range(size)]

    def best(item: int, used: frozenset[int], closed: int, here: int) -> int:
        # closed: no call of an earlier step than this; here: the latest step of the current unit
        if item == len(rows):
            return 0
        if item and unit_of[item] != unit_of[item - 1]:
            closed = max(closed, here)
        most = best(item + 1, used, closed, here)
        for call in rows[item] - used:
            if steps[call] >= closed:
                rest = best(item + 1, used | {call}, closed, max(here, steps[call]))
                most = max(most, 1 + rest)
        return most

    return best(0, frozenset(), 0, 0)


def searched(sizes: list[int], rows: list[set[int]], steps: list[int]) -> list[int | None]:
    useful = set().union(*rows)
    by_step = [
        sum(1 << call for call in useful if steps[call] == step) for step in sorted(set(steps))
    ]
    bits = [sum(1 << call for call in row) for row in rows]
    return StepSearch(sizes, bits, [calls for calls in by_step if calls]).best()


@settings(max_examples=500)
@given(problems())
def test_as_many_are_paired_as_can_be(problem: tuple[list[int], list[set[int]], list[int]]) -> None:
    pairs = searched(*problem)
    assert sum(call is not None for call in pairs) == most_in_order(*problem)


@settings(max_examples=300)
@given(problems())
def test_the_pairs_keep_the_rules(problem: tuple[list[int], list[set[int]], list[int]]) -> None:
    sizes, rows, steps = problem
    pairs = searched(*problem)
    taken = [call for call in pairs if call is not None]
    assert len(set(taken)) == len(taken)
    assert all(call is None or call in rows[item] for item, call in enumerate(pairs))
    unit_of = [unit for unit, size in enumerate(sizes) for _ in range(size)]
    placed = [(unit_of[item], steps[call]) for item, call in enumerate(pairs) if call is not None]
    assert all(one[0] >= other[0] or one[1] <= other[1] for one in placed for other in placed)


def test_items_that_are_alike_are_used_together_in_one_step_and_once_more_later() -> None:
    alike = 0b1011
    pairs = StepSearch(
        [3, 1], rows=[alike, alike, alike, 0b100], steps=[0b11, 0b100, 0b1000]
    ).best()
    assert pairs.count(None) == 1
    pairs = StepSearch([3, 1], rows=[alike, alike, alike, 0], steps=[0b11, 0b1000]).best()
    assert pairs == [0, 1, 3, None]


def test_a_group_is_closed_once_a_later_unit_was_met() -> None:
    pairs = StepSearch([2, 1], rows=[0b100, 0b001, 0b010], steps=[0b001, 0b010, 0b100]).best()
    assert pairs.count(None) == 1
