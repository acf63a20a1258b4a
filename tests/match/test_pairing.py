"""Maximum pairing against brute force."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.match import maximum_pairing
from fairtrial.match.pairing import Assignment, pair_rows

GRIDS = st.integers(0, 5).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), max_size=5)
)


def most_pairs(grid: list[list[bool]], taken: frozenset[int] = frozenset()) -> int:
    """Try every free right one, and none, for the first left one, and so on."""
    if not grid:
        return 0
    most = most_pairs(grid[1:], taken)
    for right, fits in enumerate(grid[0]):
        if fits and right not in taken:
            most = max(most, 1 + most_pairs(grid[1:], taken | {right}))
    return most


@settings(max_examples=500)
@given(GRIDS)
def test_as_many_are_paired_as_can_be(grid: list[list[bool]]) -> None:
    width = len(grid[0]) if grid else 0
    pairs = maximum_pairing(len(grid), width, lambda left, right: grid[left][right])
    taken = [right for right in pairs if right is not None]
    assert len(set(taken)) == len(taken) == most_pairs(grid)
    assert all(right is None or grid[left][right] for left, right in enumerate(pairs))


@given(GRIDS)
def test_no_pair_is_asked_about_twice(grid: list[list[bool]]) -> None:
    asked: list[tuple[int, int]] = []

    def fits(left: int, right: int) -> bool:
        asked.append((left, right))
        return grid[left][right]

    maximum_pairing(len(grid), len(grid[0]) if grid else 0, fits)
    assert len(set(asked)) == len(asked)


@given(GRIDS, st.randoms(use_true_random=False))
def test_the_number_of_pairs_does_not_depend_on_order(
    grid: list[list[bool]], rng: random.Random
) -> None:
    shuffled = grid.copy()
    rng.shuffle(shuffled)

    def count(rows: list[list[bool]]) -> int:
        width = len(rows[0]) if rows else 0
        return sum(
            x is not None for x in maximum_pairing(len(rows), width, lambda i, j: rows[i][j])
        )

    assert count(grid) == count(shuffled)


def test_the_earliest_is_taken_where_there_is_a_choice() -> None:
    assert maximum_pairing(2, 4, lambda *_: True) == [0, 1]
    assert pair_rows([0b110, 0b010], 3) == [2, 1]


def test_thousands_that_all_fit_are_paired_at_once() -> None:
    assert maximum_pairing(2_000, 2_000, lambda *_: True) == list(range(2_000))


def test_a_long_chain_of_moves_needs_no_recursion() -> None:
    size = 3_000
    rows = [0b11 << left for left in range(size - 1)] + [1]
    assert None not in pair_rows(rows, size)


def test_what_once_led_nowhere_says_nothing_about_the_rest() -> None:
    assert pair_rows([0b1000, 0b1000, 0b0011, 0b0001], 4) == [3, None, 1, 0]


def test_a_copy_grows_apart() -> None:
    first = Assignment(0b11)
    first.add(0, [0b11])
    second = first.copy()
    second.add(1, [0b11, 0b11])
    assert (len(first.owner), len(second.owner), first.free) == (1, 2, 0b10)
