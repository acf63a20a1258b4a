"""Intervals: known answers, and what every interval must obey."""

import math
from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import (
    clopper_pearson,
    clopper_pearson_one_sided_lower,
    jeffreys,
    standard_error,
    t_interval,
    wilson,
    wilson_rate,
)

Bounds: TypeAlias = Callable[[int, int, float], tuple[float, float]]
ALL: list[Bounds] = [wilson, clopper_pearson, jeffreys]
COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("bounds", "x", "n", "low", "high"),
    [
        (wilson, 0, 5, 0.0, 0.43448246478317487),
        (clopper_pearson, 0, 5, 0.0, 0.5218237501049815),
        (jeffreys, 0, 5, 0.0, 0.37937714229903935),
        (wilson, 3, 5, 0.2307242812760129, 0.8823792257673522),
        (clopper_pearson, 3, 5, 0.14663279963467313, 0.9472550494736831),
        (jeffreys, 3, 5, 0.20941666407600484, 0.905609672655656),
        (wilson, 4, 5, 0.3755346297625252, 0.9637758913675698),
        (clopper_pearson, 4, 5, 0.2835820638819105, 0.9949492366205319),
        (jeffreys, 4, 5, 0.3713735993680057, 0.9774872340008449),
        (wilson, 10, 10, 0.7224672001371106, 1.0),
        (clopper_pearson, 10, 10, 0.6915028921812392, 1.0),
        (jeffreys, 10, 10, 0.7828037324907894, 1.0),
        (wilson, 27, 30, 0.7437891742081592, 0.9654001112526659),
        (clopper_pearson, 27, 30, 0.7347115495257919, 0.9788828629702774),
        (jeffreys, 27, 30, 0.7565983910150729, 0.9710193809672735),
        (wilson, 45, 50, 0.7863976856252034, 0.9565242350681095),
        (clopper_pearson, 45, 50, 0.7818646335657977, 0.9667249064109775),
        (jeffreys, 45, 50, 0.7946451719769524, 0.9608056356058162),
    ],
)
def test_known_answers(bounds: Bounds, x: int, n: int, low: float, high: float) -> None:
    assert bounds(x, n, 0.05) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize(
    ("x", "n", "low"), [(5, 5, 0.5492802716530593), (28, 30, 0.804673956345074), (0, 9, 0.0)]
)
def test_known_one_sided_bounds(x: int, n: int, low: float) -> None:
    assert clopper_pearson_one_sided_lower(x, n, 0.05) == pytest.approx(low, abs=1e-9)


@given(st.integers(1, 400), st.floats(0.001, 0.5))
def test_where_all_passed_the_one_sided_bound_is_a_root(n: int, alpha: float) -> None:
    assert clopper_pearson_one_sided_lower(n, n, alpha) == pytest.approx(alpha ** (1 / n))


@pytest.mark.parametrize("bounds", ALL)
@given(counts=COUNTS, alpha=st.floats(1e-4, 0.3))
def test_an_interval_holds_the_rate_it_bounds(
    bounds: Bounds, counts: tuple[int, int], alpha: float
) -> None:
    x, n = counts
    low, high = bounds(x, n, alpha)
    assert 0 <= low <= x / n <= high <= 1
    assert low < high
    assert (low == 0) == (x == 0)
    assert (high == 1) == (x == n)


@pytest.mark.parametrize("bounds", ALL)
@given(counts=COUNTS)
def test_failures_are_bounded_as_passes_are(bounds: Bounds, counts: tuple[int, int]) -> None:
    x, n = counts
    low, high = bounds(x, n, 0.05)
    assert bounds(n - x, n, 0.05) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize("bounds", ALL)
@given(counts=COUNTS)
def test_one_more_pass_raises_both_ends(bounds: Bounds, counts: tuple[int, int]) -> None:
    x, n = counts
    if x < n:
        ends, more = bounds(x, n, 0.05), bounds(x + 1, n, 0.05)
        assert ends[0] < more[0]
        assert ends[1] < more[1]


@pytest.mark.parametrize("bounds", ALL)
@given(counts=COUNTS)
def test_more_trials_and_less_certainty_narrow_an_interval(
    bounds: Bounds, counts: tuple[int, int]
) -> None:
    x, n = counts
    low, high = bounds(x, n, 0.05)
    for narrower in (bounds(2 * x, 2 * n, 0.05), bounds(x, n, 0.2)):
        assert narrower[1] - narrower[0] < high - low


@given(COUNTS)
def test_the_exact_interval_ends_where_the_binomial_tail_is_a_fortieth(
    counts: tuple[int, int],
) -> None:
    x, n = min(counts[0], 40), min(counts[1], 40)
    low = clopper_pearson(min(x, n), n, 0.05)[0]
    tail = sum(math.comb(n, i) * low**i * (1 - low) ** (n - i) for i in range(min(x, n), n + 1))
    assert tail == pytest.approx(0.025 if x else 1)


@given(st.floats(0, 1), st.floats(0.1, 1e4))
def test_a_rate_of_any_effective_size_is_bounded(rate: float, size: float) -> None:
    low, high = wilson_rate(rate, size)
    assert 0 <= low <= rate <= high <= 1


@pytest.mark.parametrize("bounds", [*ALL, clopper_pearson_one_sided_lower])
@pytest.mark.parametrize(
    ("x", "n", "alpha", "message"),
    [
        (0, 0, 0.05, "n must be at least 1, got 0"),
        (3, 2, 0.05, "x must lie within 0 to n=2, got 3"),
        (-1, 2, 0.05, "x must lie within 0 to n=2, got -1"),
        (1, 2, 0.0, r"alpha must lie between 0 and 1, got 0\.0"),
        (1, 2, 1.0, r"alpha must lie between 0 and 1, got 1\.0"),
        (1, 2, math.nan, "alpha must lie between 0 and 1, got nan"),
    ],
)
def test_counts_that_make_no_sense_are_refused(
    bounds: Bounds, x: int, n: int, alpha: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        bounds(x, n, alpha)


@pytest.mark.parametrize(("rate", "size"), [(1.1, 5), (0.5, 0), (0.5, math.inf), (math.nan, 5)])
def test_a_rate_that_is_none_is_refused(rate: float, size: float) -> None:
    with pytest.raises(ValueError, match="no rate to bound"):
        wilson_rate(rate, size)


def test_the_mean_of_a_case_or_none_has_no_interval() -> None:
    assert t_interval([]) is None
    assert t_interval([0.5]) is None
    with pytest.raises(ValueError, match="a standard error needs two values, got 1"):
        standard_error([0.5])


def test_the_mean_of_cases_has_students_interval() -> None:
    interval = t_interval([1.0, 0.8, 0.6, 0.0, 1.0, 0.4])
    assert interval == pytest.approx((0.22598644850777294, 1.0406802181588937), abs=1e-9)
    assert t_interval([0.5] * 4) == (0.5, 0.5)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_students_interval_is_centred_on_the_mean(values: list[float]) -> None:
    interval = t_interval(values)
    assert interval is not None
    assert sum(interval) / 2 == pytest.approx(sum(values) / len(values), abs=1e-9)
