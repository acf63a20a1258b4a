"""Tests from the order of values: all orders by hand, and pairs that are not listed."""

import math
from itertools import combinations, product
from random import Random
from statistics import median
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats.rank_tests import (
    MOST_EXACT,
    hodges_lehmann,
    median_gap,
    pair_sums,
    rank_sum,
    signed_rank_p_greater,
)

VALUES = st.lists(st.integers(-20, 20).map(float), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


@settings(max_examples=30)
@given(st.permutations(range(8)), st.integers(1, 7))
def test_untied_rank_sums_are_counted_over_all_orders(order: list[int], cut: int) -> None:
    candidate, baseline = order[:cut], order[cut:]
    found = rank_sum(list(map(float, baseline)), list(map(float, candidate)))
    wins = sum(c > b for c, b in product(candidate, baseline))
    ways = [
        sum(c > b for c, b in product(chosen, set(range(8)) - set(chosen)))
        for chosen in combinations(range(8), cut)
    ]
    assert found.wins == wins
    assert found.p_greater == pytest.approx(sum(way >= wins for way in ways) / len(ways))


@given(VALUES, VALUES)
def test_the_rank_sum_is_that_of_scipy(
    scipy_stats: ModuleType, baseline: list[float], candidate: list[float]
) -> None:
    if len({*baseline, *candidate}) > 1:
        expected = scipy_stats.mannwhitneyu(candidate, baseline, alternative="greater")
        found = rank_sum(baseline, candidate)
        assert found.wins == expected.statistic
        assert found.p_greater == pytest.approx(expected.pvalue, abs=1e-12)


def test_equal_values_alone_are_no_evidence() -> None:
    assert rank_sum([1.0, 1.0], [1.0, 1.0]) == (2.0, 1.0)


@settings(max_examples=30)
@given(st.permutations(range(1, 8)), st.integers(0, 127))
def test_untied_signed_ranks_are_counted_over_all_signs(sizes: list[int], signs: int) -> None:
    differences = [float(size if signs >> at & 1 else -size) for at, size in enumerate(sizes)]
    risen = sum(value for value in differences if value > 0)
    ways = [sum(kept) for kept in product(*((0, size) for size in sizes))]
    expected = sum(way >= risen for way in ways) / len(ways)
    assert signed_rank_p_greater(differences) == pytest.approx(expected)


@pytest.mark.parametrize(
    "differences",
    [[], [0.0, 1.0], [1.0, -1.0], [0.1 + 0.2, -0.3, 1.0], [*range(1, MOST_EXACT + 2)]],
)
def test_ties_zeros_and_too_many_have_no_exact_chance(differences: list[float]) -> None:
    assert signed_rank_p_greater(differences) is None


@given(VALUES)
def test_the_estimate_is_the_median_of_the_pairs_means(values: list[float]) -> None:
    means = [(values[i] + values[j]) / 2 for i in range(len(values)) for j in range(i, len(values))]
    estimate, ends = hodges_lehmann(values)
    assert estimate == pytest.approx(median(means))
    if ends is not None:
        assert min(values) <= ends[0] <= estimate <= ends[1] <= max(values)


def test_five_values_are_too_few_for_a_bound_and_six_are_enough() -> None:
    assert hodges_lehmann([1.0, 2.0, 3.0, 4.0, 5.0])[1] is None
    assert hodges_lehmann([1.0, 2.0, 3.0, 4.0, 5.0, 7.0])[1] == (1.0, 7.0)


def test_the_expansion_goes_on_where_the_counting_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Random(1)
    values = [draw.gauss(0, 1) for _ in range(150)]
    counted = [hodges_lehmann(values, alpha) for alpha in (0.05, 0.01, 0.002)]
    monkeypatch.setattr("fairtrial.stats.rank_tests.MOST_EXACT", 10)
    assert [hodges_lehmann(values, alpha) for alpha in (0.05, 0.01, 0.002)] == counted


@given(VALUES, VALUES)
def test_the_gap_is_the_median_of_all_differences(
    baseline: list[float], candidate: list[float]
) -> None:
    gaps = [cand - base for cand, base in product(candidate, baseline)]
    assert median_gap(baseline, candidate) == pytest.approx(median(gaps))
    assert median_gap(candidate, baseline) == pytest.approx(-median(gaps))


@given(VALUES, VALUES)
def test_pair_sums_stand_in_order(xs: list[float], ys: list[float]) -> None:
    sums = sorted(x + y for x, y in product(xs, ys))
    assert pair_sums(sorted(xs), sorted(ys), range(len(sums))) == sums
    once = sorted(xs[i] + xs[j] for i in range(len(xs)) for j in range(i, len(xs)))
    assert pair_sums(sorted(xs), sorted(xs), range(len(once)), each_once=True) == once


def test_many_pairs_are_not_listed() -> None:
    draw = Random(1)
    xs, ys = (sorted(draw.random() for _ in range(30_000)) for _ in range(2))
    (middle,) = pair_sums(xs, ys, [450_000_000])
    assert middle == pytest.approx(1, abs=0.02)
    tied = [0.0] * 500 + [1.0] * 500
    assert pair_sums(tied, tied, [0, 500_000, 999_999]) == [0, 1, 2]
    assert math.isclose(hodges_lehmann(tied)[0], 0.5)
