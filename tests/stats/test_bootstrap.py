"""Drawing cases again: all ways by hand, and seeded draws that come to the same."""

import math
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats import bootstrap_mean, bootstrap_ratio, ideal_bootstrap_mean

SIX = [1, 0.6, 0.2, 0, 1, 0.4]
FEW_RATES = st.lists(st.sampled_from([0, 0.2, 0.5, 0.8, 1]), min_size=1, max_size=5)
FEW_SCORES = st.lists(st.integers(-9, 9).map(lambda at: at * 2**0.5), min_size=1, max_size=5)


def test_a_known_bootstrap() -> None:
    figures = (0.15396007178390023, 0.2333333333333333, 0.8333333333333334)
    assert tuple(ideal_bootstrap_mean(SIX).values()) == pytest.approx(figures, abs=1e-9)


@settings(max_examples=50)
@given(FEW_RATES | FEW_SCORES)
def test_all_ways_are_counted_on_a_grid_and_off_it(values: list[float]) -> None:
    size = len(values)
    means = sorted(math.fsum(drawn) / size for drawn in product(values, repeat=size))
    ideal = ideal_bootstrap_mean(values)
    for name, share in (("q025", 0.025), ("q975", 0.975)):
        expected = means[math.ceil(share * len(means)) - 1]
        assert dict(ideal)[name] == pytest.approx(expected, abs=1e-9)
    mean = math.fsum(means) / len(means)
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in means) / len(means))
    assert ideal["se"] == pytest.approx(error, abs=1e-9)


def test_three_hundred_cases_of_five_trials_are_counted_exactly() -> None:
    draw = Random(1)
    rates = [draw.randint(0, 5) / 5 for _ in range(300)]
    ideal = ideal_bootstrap_mean(rates)
    mean = math.fsum(rates) / 300
    assert ideal["q025"] == pytest.approx(mean - 1.96 * ideal["se"], abs=0.002)
    assert ideal["q975"] == pytest.approx(mean + 1.96 * ideal["se"], abs=0.002)


def test_too_many_uneven_values_are_left_to_a_sample() -> None:
    draw = Random(1)
    with pytest.raises(ValueError, match="drawing 20 such values again are too many"):
        ideal_bootstrap_mean([draw.random() for _ in range(20)])


def test_seeded_draws_come_to_the_ideal_and_to_the_same_again() -> None:
    one, other = (bootstrap_mean(SIX, draw=Random(4), draws=20_000) for _ in range(2))
    ideal = ideal_bootstrap_mean(SIX)
    assert one == other
    assert one["estimate"] == pytest.approx(math.fsum(SIX) / 6)
    assert one["se"] == pytest.approx(ideal["se"], rel=4 / math.sqrt(2 * 20_000))
    assert one["interval"] == pytest.approx((ideal["q025"], ideal["q975"]), abs=0.04)


@given(
    st.lists(st.tuples(st.floats(0.1, 9), st.floats(0, 9)), min_size=1, max_size=8),
    st.integers(1, 60),
)
def test_a_ratio_lies_within_the_cases_ratios(pairs: list[tuple[float, float]], draws: int) -> None:
    baseline, candidate = ([pair[at] for pair in pairs] for at in (0, 1))
    bound = bootstrap_ratio(baseline, candidate, draw=Random(1), draws=draws)
    ratios = [cand / base for base, cand in pairs]
    low, high = bound["interval"]
    assert min(ratios) - 1e-9 <= low <= high <= max(ratios) + 1e-9
    assert min(ratios) - 1e-9 <= bound["estimate"] <= max(ratios) + 1e-9


def test_less_certainty_narrows_the_bounds() -> None:
    wide, narrow = (
        bootstrap_mean(SIX, draw=Random(4), draws=2000, alpha=alpha)["interval"]
        for alpha in (0.02, 0.5)
    )
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_a_draw_without_a_baseline_is_drawn_anew() -> None:
    bound = bootstrap_ratio([0.0, 0.0, 1.0], [1.0, 1.0, 1.0], draw=Random(1), draws=50)
    assert all(math.isfinite(end) for end in bound["interval"])


def test_values_that_make_no_sense_are_refused() -> None:
    for bootstrap in (ideal_bootstrap_mean, lambda values: bootstrap_mean(values, draw=Random(1))):
        with pytest.raises(ValueError, match="a bootstrap needs one value, got 0"):
            bootstrap([])
        with pytest.raises(ValueError, match=r"values\[0\] must be a number"):
            bootstrap([math.inf])
    with pytest.raises(ValueError, match="draws must be at least 1"):
        bootstrap_mean(SIX, draw=Random(1), draws=0)
    with pytest.raises(ValueError, match="1 in baseline, 2 in candidate"):
        bootstrap_ratio([1.0], [1.0, 2.0], draw=Random(1))
    with pytest.raises(ValueError, match="the baseline not all 0"):
        bootstrap_ratio([0.0], [1.0], draw=Random(1))
