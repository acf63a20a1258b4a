"""Values as multiples of a unit, and sums counted in whole numbers."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.grid import coefficients, count_subsets, on_grid


@given(st.lists(st.tuples(st.integers(0, 10), st.sampled_from([1, 2, 3, 5, 7, 10])), min_size=1))
def test_pass_rates_of_few_trials_share_a_unit(counts: list[tuple[int, int]]) -> None:
    rates = [passes / trials for passes, trials in counts]
    grid = on_grid(rates)
    assert grid is not None
    assert [count * grid.unit for count in grid.counts] == pytest.approx(rates, abs=1e-12)


def test_a_difference_of_rates_is_what_it_stands_for() -> None:
    assert on_grid([0.8 - 1, 0.3 - 0.1, -0.2]) == ([-1, 1, -1], 0.2)


@pytest.mark.parametrize("values", [[2**0.5], [0.1234567], [1 / 5039, 1 / 5038], [0.2, 1e-7]])
def test_values_off_any_grid_have_none(values: list[float]) -> None:
    assert on_grid(values) is None


@given(st.lists(st.integers(0, 6), max_size=9))
def test_the_subsets_are_counted_by_their_sums(sizes: list[int]) -> None:
    ways = product(*([0, size] for size in sizes))
    counted = Counter(map(sum, ways))
    assert count_subsets(sizes, width=2) == [counted[total] for total in range(sum(sizes) + 1)]


@given(st.lists(st.integers(0, 255), min_size=1), st.integers(1, 3))
def test_coefficients_are_taken_out_as_they_were_put_in(counts: list[int], width: int) -> None:
    packed = sum(count << (8 * width * at) for at, count in enumerate(counts))
    assert coefficients(packed, len(counts) - 1, width) == counts
