"""Plans: known answers, and that a plan and its reverse agree."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import (
    cases_needed,
    mde_paired,
    sampling_variance,
    se_single_mean,
    trials_needed,
    true_difference_variance,
    variance_components,
    within_variance,
)

COUNTS = st.lists(
    st.integers(0, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), max_size=12
)


@pytest.mark.parametrize(
    ("inputs", "two_sided", "figures"),
    [
        (
            (100, 1, 1, 0.01, 0.08, 0.08, 0.05, 0.8),
            True,
            (0.1155123177344886, 0.0412310562561766, 1483),
        ),
        (
            (300, 5, 5, 0.005, 0.06, 0.06, 0.02, 0.8),
            False,
            (0.028467049951749045, 0.00983192080250175, 271),
        ),
        (
            (50, 10, 10, 0.02, 0.1, 0.1, 0.05, 0.8),
            False,
            (0.07032812940506673, 0.0282842712474619, 275),
        ),
    ],
)
def test_known_plans(
    inputs: tuple[int, int, int, float, float, float, float, float],
    two_sided: bool,
    figures: tuple[float, ...],
) -> None:
    found = mde_paired(*inputs, two_sided=two_sided)
    assert tuple(found.values()) == pytest.approx(figures, abs=1e-9)


@pytest.mark.parametrize(
    ("inputs", "figures"),
    [
        ((100, 1, 0.08, 0.09), (0.0412310562561766, 0.4705882352941177, 1.0, 0.0412310562561766)),
        (
            (300, 3, 0.05, 0.06),
            (0.015275252316519468, 0.4545454545454546, 1.9090909090909092, 0.011055415967851333),
        ),
    ],
)
def test_known_errors_of_a_mean(
    inputs: tuple[int, int, float, float], figures: tuple[float, ...]
) -> None:
    assert tuple(se_single_mean(*inputs).values()) == pytest.approx(figures, abs=1e-9)


@given(st.integers(1, 500), st.integers(1, 20), st.floats(0.001, 0.3), st.floats(0.001, 0.25))
def test_the_design_effect_is_what_independence_leaves_out(
    cases: int, k: int, between: float, within: float
) -> None:
    planned = se_single_mean(cases, k, between, within)
    assert planned["design_effect"] is not None
    whole = planned["se_if_trials_treated_iid"] ** 2 * planned["design_effect"]
    assert planned["se"] ** 2 == pytest.approx(whole)


def test_cases_that_never_vary_have_no_icc() -> None:
    assert list(se_single_mean(10, 5, 0, 0).values()) == [0, None, None, 0]


@given(st.floats(0.005, 0.5), st.floats(0.0001, 0.5), st.floats(0.001, 0.3), st.floats(0.5, 0.99))
def test_the_cases_needed_are_the_first_that_do(
    difference: float, variance: float, alpha: float, power: float
) -> None:
    needed = cases_needed(difference, variance, alpha, power)
    reach = mde_paired(needed, 1, 1, variance, 0, 0, alpha, power)["mde"]
    assert reach <= difference * (1 + 1e-6)
    if needed > 1:
        assert mde_paired(needed - 1, 1, 1, variance, 0, 0, alpha, power)["mde"] > difference


@given(st.floats(0.01, 0.3), st.integers(2, 400), st.floats(0, 0.02), st.floats(0.001, 0.25))
def test_the_trials_needed_are_the_first_that_do(
    difference: float, cases: int, true: float, within: float
) -> None:
    def reach(k: int) -> float:
        return mde_paired(cases, k, k, true, within, within)["mde"]

    needed = trials_needed(difference, cases, true, within)
    if needed is None:
        assert reach(10**9) > difference * (1 - 1e-4)
    else:
        assert reach(needed) <= difference * (1 + 1e-6)
        assert needed == 1 or reach(needed - 1) > difference * (1 - 1e-6)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=12))
def test_the_variance_within_is_that_of_the_analysis_of_variance(passes: list[int]) -> None:
    groups = [[1] * count + [0] * (5 - count) for count in passes]
    parts = variance_components(groups)
    assert parts is not None
    counts = [(5, count) for count in passes]
    assert within_variance(counts) == pytest.approx(parts["sigma2_within"])
    expected = parts["sigma2_within"] / 5 / len(passes)
    assert sampling_variance(counts) == pytest.approx(expected)


@given(COUNTS)
def test_variances_are_none_or_within_their_range(counts: list[tuple[int, int]]) -> None:
    within, sampling = within_variance(counts), sampling_variance(counts)
    several = any(n > 1 for n, _ in counts)
    assert (within is not None) == (sampling is not None) == several
    assert within is None or 0 <= within <= 0.5
    assert sampling is None or 0 <= sampling <= 0.5


def test_a_case_with_one_trial_takes_the_others_noise() -> None:
    assert sampling_variance([(2, 1), (1, 1), (0, 0)]) == pytest.approx((0.5 / 2 + 0.5) / 4)


def test_the_estimates_find_what_was_put_in() -> None:
    draw = Random(8)

    def passes(rate: float) -> tuple[int, int]:
        return 5, sum(draw.random() < rate for _ in range(5))

    rates = [draw.uniform(0.3, 0.7) for _ in range(6000)]
    drops = [draw.choice([-0.2, 0.2]) for _ in rates]
    baseline = [passes(rate) for rate in rates]
    candidate = [passes(rate + drop) for rate, drop in zip(rates, drops, strict=True)]
    assert true_difference_variance(baseline, candidate) == pytest.approx(0.04, rel=0.15)
    expected = math.fsum(rate * (1 - rate) for rate in rates) / len(rates)
    assert within_variance(baseline) == pytest.approx(expected, rel=0.05)


def test_noise_alone_is_no_true_difference_and_one_case_tells_nothing() -> None:
    assert true_difference_variance([(4, 2), (4, 2)], [(4, 2), (4, 2)]) == 0
    assert true_difference_variance([(4, 2), (1, 1)], [(4, 2), (4, 2)]) is None


def test_plans_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="cases must be at least 1, got 0"):
        mde_paired(0, 1, 1, 0.01, 0.1, 0.1)
    with pytest.raises(ValueError, match="within_var_cand must be at least 0"):
        mde_paired(5, 1, 1, 0.01, 0.1, -0.1)
    with pytest.raises(ValueError, match=r"power must be more than alpha=0\.05, got 0\.04"):
        cases_needed(0.03, 0.1, power=0.04)
    with pytest.raises(ValueError, match="power must lie between 0 and 1"):
        cases_needed(0.03, 0.1, power=1.0)
    with pytest.raises(ValueError, match="difference must lie above 0"):
        cases_needed(0.0, 0.1)
    with pytest.raises(ValueError, match="difference must lie above 0"):
        trials_needed(-0.1, 5, 0.0, 0.1)
    with pytest.raises(ValueError, match="k must be at least 1"):
        se_single_mean(5, 0, 0.1, 0.1)
    with pytest.raises(ValueError, match="the passes of case 1 must be within 0 to 2, got 3"):
        within_variance([(2, 1), (2, 3)])
    with pytest.raises(ValueError, match="1 in baseline_n_c, 2 in candidate_n_c"):
        true_difference_variance([(2, 1)], [(2, 1), (2, 1)])
