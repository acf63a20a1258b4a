"""Costs: known answers, and what a ratio must obey."""

import math
from random import Random
from types import ModuleType
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import (
    geometric_ratio,
    paired_cost,
    quantile_order_ci,
    runaway_cases,
    unpaired_cost,
)

Arms: TypeAlias = tuple[list[float], list[float]]
COSTS = st.floats(0.01, 1000)
ARMS = st.lists(st.tuples(COSTS, COSTS), min_size=2, max_size=20).map(
    lambda pairs: ([base for base, _ in pairs], [cand for _, cand in pairs])
)
DOLLARS = (
    [0.021, 0.034, 0.018, 0.12, 0.045, 0.03, 0.027, 0.09],
    [0.025, 0.036, 0.017, 0.21, 0.05, 0.041, 0.026, 0.088],
)
TOKENS = (
    [1200.0, 800, 950, 4000, 1500, 700, 2200, 1000, 1800, 900, 1250, 6000],
    [1300.0, 820, 900, 5200, 1700, 760, 2100, 1150, 1900, 1000, 1400, 9000],
)
APART = (
    [10.0, 12, 8, 30, 11, 9, 15, 22, 7, 13],
    [11.0, 15, 8, 29, 14, 9, 18, 40, 8, 13, 12, 60],
)
TEN = [3, 1, 4, 1, 5, 9, 2, 6, 5, 35]


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


@pytest.mark.parametrize(
    ("arms", "expected"),
    [
        (
            DOLLARS,
            {
                "ratio_of_means": 1.2805194805194804,
                "ratio_delta_se": 0.17891373856183895,
                "ratio_fieller95": (0.42557760327689387, 1.6363054856240697),
                "ratio_jackknife_se": 0.22024213469701673,
                "geo_mean_ratio": 1.1461819771297463,
                "geo_mean_ratio_t95": (0.9607845573785173, 1.3673545381303283),
                "p_candidate_more_log_t": 0.055094797953369724,
                "hodges_lehmann_ratio": 1.1169013598382505,
                "hodges_lehmann_ratio_ci95_exact": (0.9629629629629629, 1.3944333775567925),
                "median_ratio": 1.0846522890932808,
                "wilcoxon_p_greater_exact": None,
                "trimmed_mean_log_ratio_10pct": 1.1461819771297463,
            },
        ),
        (
            TOKENS,
            {
                "ratio_of_means": 1.2210762331838565,
                "ratio_delta_se": 0.0877447925538614,
                "ratio_fieller95": (0.8336795165077103, 1.3575870893666444),
                "ratio_jackknife_se": 0.10593788887355601,
                "geo_mean_ratio": 1.1136669047368413,
                "geo_mean_ratio_t95": (1.027879638610644, 1.2066140121060802),
                "p_candidate_more_log_t": 0.006534087388152614,
                "hodges_lehmann_ratio": 1.1016401768823982,
                "hodges_lehmann_ratio_ci95_exact": (1.0298573010888745, 1.2066482503198686),
                "median_ratio": 1.098339294730552,
                "wilcoxon_p_greater_exact": None,
                "trimmed_mean_log_ratio_10pct": 1.0986145846307516,
            },
        ),
    ],
)
def test_known_paired_costs(arms: Arms, expected: dict[str, object]) -> None:
    found = dict(paired_cost(*arms))
    assert set(found) == set(expected)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-9), name


def test_known_costs_of_cases_that_are_not_shared() -> None:
    figures = [0.9025682482121887, 0.19507007457386472, 73.5, 0.19506516606558066, 2.0, 0.6125]
    assert list(unpaired_cost(*APART).values()) == pytest.approx(figures, abs=1e-9)


@pytest.mark.parametrize(("q", "figures"), [(0.5, (4.5, 2, 9)), (0.95, (23.3, 8, None))])
def test_known_quantiles(q: float, figures: tuple[float | None, ...]) -> None:
    ends = quantile_order_ci(TEN, q, 0.05)
    assert list(ends.values())[:3] == pytest.approx(list(figures), abs=1e-9)
    assert ends["note_ranks"] == "1-based; null = no finite bound"


@given(ARMS, st.floats(0.01, 100))
def test_twice_the_cost_is_twice_every_ratio(arms: Arms, times: float) -> None:
    once, often = paired_cost(*arms), paired_cost(arms[0], [cost * times for cost in arms[1]])
    names = ("ratio_of_means", "geo_mean_ratio", "hodges_lehmann_ratio", "median_ratio")
    for name in names:
        value = dict(once)[name]
        assert isinstance(value, float)
        assert dict(often)[name] == pytest.approx(value * times, rel=1e-9)


@given(ARMS)
def test_bounds_hold_what_they_bound(arms: Arms) -> None:
    found = paired_cost(*arms)
    pairs = (
        ("ratio_of_means", "ratio_fieller95"),
        ("geo_mean_ratio", "geo_mean_ratio_t95"),
        ("hodges_lehmann_ratio", "hodges_lehmann_ratio_ci95_exact"),
    )
    for estimate, bounds in pairs:
        value, ends = dict(found)[estimate], dict(found)[bounds]
        if isinstance(value, float) and isinstance(ends, tuple):
            assert ends[0] * (1 - 1e-9) <= value <= ends[1] * (1 + 1e-9)


def test_a_cost_that_doubles_everywhere_has_no_spread() -> None:
    found = paired_cost([0.6, 0.7, 0.8], [1.2, 1.4, 1.6])
    assert found["ratio_fieller95"] == pytest.approx((2, 2))
    assert found["geo_mean_ratio_t95"] == pytest.approx((2, 2))
    assert (found["ratio_delta_se"], found["p_candidate_more_log_t"]) == (0, 0)
    assert paired_cost([1.0, 2.0], [1.0, 2.0])["p_candidate_more_log_t"] is None


def test_the_exact_chance_of_untied_ratios_is_that_of_scipy(scipy_stats: ModuleType) -> None:
    draw = Random(1)
    baseline = [draw.uniform(1, 2) for _ in range(25)]
    candidate = [cost * draw.uniform(0.9, 1.3) for cost in baseline]
    logs = [math.log(cand / base) for base, cand in zip(baseline, candidate, strict=True)]
    expected = scipy_stats.wilcoxon(logs, alternative="greater", method="exact").pvalue
    found = paired_cost(baseline, candidate)
    assert found["wilcoxon_p_greater_exact"] == pytest.approx(expected, abs=1e-12)
    assert found["p_candidate_more_log_t"] == pytest.approx(
        scipy_stats.ttest_1samp(logs, 0, alternative="greater").pvalue, abs=1e-9
    )
    assert found["trimmed_mean_log_ratio_10pct"] == pytest.approx(
        math.exp(scipy_stats.trim_mean(logs, 0.1))
    )


def test_free_cases_are_in_the_bill_and_not_in_the_ratios() -> None:
    arms = ([0.0, 1.0, 2.0, 3.0], [5.0, 1.0, 4.0, 0.0])
    assert paired_cost(*arms)["ratio_of_means"] == pytest.approx(10 / 6)
    typical = geometric_ratio(*arms)
    assert (typical["cases"], typical["left_out"]) == (2, 2)
    assert typical["ratio"] == pytest.approx(math.sqrt(2))
    assert geometric_ratio([1.0, 0.0], [0.0, 1.0]) == {
        "ratio": None,
        "lower": None,
        "upper": None,
        "p_candidate_more": None,
        "cases": 0,
        "left_out": 2,
    }


def test_ratios_beyond_a_float_are_none_and_never_an_error() -> None:
    found = paired_cost([1e-300, 1e-290, 2.0], [1e100, 1e90, 1.0])
    assert found["geo_mean_ratio_t95"] is None
    assert geometric_ratio([1e-320], [1e100])["ratio"] is None
    assert geometric_ratio([1.0, 1.0], [1.0, 86.0], alpha=0.001)["upper"] is None


def test_one_case_has_a_ratio_and_no_bound() -> None:
    found = paired_cost([2.0], [3.0])
    assert found["ratio_of_means"] == 1.5
    assert found["geo_mean_ratio"] == pytest.approx(1.5)
    assert (found["ratio_delta_se"], found["ratio_fieller95"], found["ratio_jackknife_se"]) == (
        None,
        None,
        None,
    )
    assert (found["geo_mean_ratio_t95"], found["p_candidate_more_log_t"]) == (None, None)


def test_a_bill_of_one_case_has_no_finite_bound() -> None:
    found = paired_cost([0.0, 0.0, 5.0], [1.0, 0.0, 5.0])
    assert (found["ratio_fieller95"], found["ratio_jackknife_se"]) == (None, None)


@given(ARMS, st.floats(0.001, 0.2))
def test_a_one_sided_bound_and_its_chance_are_one_question(arms: Arms, alpha: float) -> None:
    typical = geometric_ratio(*arms, alpha=alpha)
    chance, lower = typical["p_candidate_more"], typical["lower"]
    if chance is not None and lower is not None and abs(chance - alpha) > 1e-9:
        assert (chance < alpha) == (lower > 1)


def test_runaways_are_weighed_against_those_that_ran_away_before() -> None:
    baseline, candidate = [1.0] * 8 + [10.0, 0.0], [9.0] * 6 + [4.0, 1.0, 1.0, 0.0]
    found = runaway_cases(baseline, candidate)
    assert (found["above"], found["below"]) == (6, 1)
    assert found["p_candidate_more"] == pytest.approx(8 / 128)
    assert runaway_cases([1.0], [1.0])["p_candidate_more"] == 1


@pytest.mark.parametrize("sizes", [(2, 9), (7, 7), (25, 40), (300, 11)])
def test_the_trimmed_test_is_that_of_scipy(scipy_stats: ModuleType, sizes: tuple[int, int]) -> None:
    draw = Random(sum(sizes))
    baseline, candidate = ([draw.lognormvariate(0, 1) for _ in range(size)] for size in sizes)
    found = unpaired_cost(baseline, candidate)
    expected = scipy_stats.ttest_ind(
        candidate, baseline, trim=0.2, equal_var=False, alternative="greater"
    )
    assert found["yuen_trim20_t"] == pytest.approx(expected.statistic, rel=1e-9)
    assert found["yuen_p_greater"] == pytest.approx(expected.pvalue, rel=1e-9)


@given(st.lists(COSTS, min_size=1, max_size=20), st.lists(COSTS, min_size=1, max_size=20))
def test_the_chance_of_costing_more_turns_over(one: list[float], other: list[float]) -> None:
    here, there = unpaired_cost(one, other), unpaired_cost(other, one)
    assert here["prob_candidate_larger"] + there["prob_candidate_larger"] == pytest.approx(1)
    assert here["hodges_lehmann_shift"] == pytest.approx(-there["hodges_lehmann_shift"])


def test_arms_without_spread_have_no_trimmed_t() -> None:
    for arms in (([1.0], [2.0, 3.0]), ([1.0, 1.0], [2.0, 2.0])):
        found = unpaired_cost(*arms)
        assert (found["yuen_trim20_t"], found["yuen_p_greater"]) == (None, None)


@given(st.integers(1, 60), st.floats(0.01, 0.99), st.floats(0.01, 0.3))
def test_the_ranks_miss_a_quantile_as_seldom_as_said(n: int, q: float, alpha: float) -> None:
    chances = [math.comb(n, i) * q**i * (1 - q) ** (n - i) for i in range(n + 1)]
    ends = quantile_order_ci([float(at) for at in range(n)], q, alpha)
    assert ends["quantile_linear"] == pytest.approx(q * (n - 1))
    lower, upper = ends["lower_rank"] or 0, ends["upper_rank"] or n + 1
    assert math.fsum(chances[:lower]) <= alpha / 2 + 1e-9
    assert math.fsum(chances[: lower + 1]) > alpha / 2 - 1e-9
    assert math.fsum(chances[upper:]) <= alpha / 2 + 1e-9
    assert math.fsum(chances[upper - 1 :]) > alpha / 2 - 1e-9


def test_a_hundred_thousand_costs_have_a_quantile() -> None:
    ends = quantile_order_ci([float(at) for at in range(100_000)], 0.95)
    assert ends["lower_rank"] == pytest.approx(95_000 - 135, abs=2)
    assert ends["upper_rank"] == pytest.approx(95_000 + 136, abs=2)


def test_costs_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="1 in baseline, 2 in candidate"):
        paired_cost([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="the lowest of candidate must be at least 0"):
        paired_cost([1.0], [-1.0])
    with pytest.raises(ValueError, match="must not all be 0"):
        paired_cost([0.0], [1.0])
    with pytest.raises(ValueError, match=r"alpha must lie between 0 and 0\.5"):
        geometric_ratio([1.0], [1.0], alpha=0.7)
    with pytest.raises(ValueError, match="times must lie above 1"):
        runaway_cases([1.0], [1.0], times=1.0)
    with pytest.raises(ValueError, match="each arm needs a cost, got 0 and 1"):
        unpaired_cost([], [1.0])
    with pytest.raises(ValueError, match="a quantile needs one value"):
        quantile_order_ci([], 0.5)
    with pytest.raises(ValueError, match="q must lie between 0 and 1"):
        quantile_order_ci([1.0], 1.0)
