"""Measured tolerance: known factors, the chances that they promise, and closed forms."""

import math
from random import Random
from statistics import fmean, stdev
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats import (
    between_run_variance,
    c4_d2,
    nonparametric_tolerance_min,
    prediction_factor_one_sided,
    tolerance_factor_one_sided,
    tolerance_from_runs,
)

RUNS = st.lists(st.floats(0, 1), min_size=2, max_size=12)


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


@pytest.mark.parametrize(
    ("runs", "alpha", "candidate_runs", "factor"),
    [
        (2, 0.05, 1, 7.732734786993318),
        # With 4 degrees t has a closed form; to 12 digits it gives 2.131846786327 at 0.05.
        (5, 0.05, 1, 2.131846786327 * math.sqrt(6 / 5)),
        (5, 0.05, 5, 2.131846786327 * math.sqrt(2 / 5)),
        (20, 0.01, 3, 1.5722935589737612),
    ],
)
def test_known_prediction_factors(
    runs: int, alpha: float, candidate_runs: int, factor: float
) -> None:
    found = prediction_factor_one_sided(R=runs, alpha=alpha, candidate_runs=candidate_runs)
    assert found == pytest.approx(factor, abs=1e-9)


@pytest.mark.parametrize(
    ("runs", "alpha", "confidence", "factor"),
    [
        (3, 0.05, 0.95, 7.655900133153338),
        (5, 0.01, 0.95, 5.741084517227307),
        (10, 0.01, 0.9, 3.5316587507606014),
        (30, 0.05, 0.95, 2.2198375320350565),
    ],
)
def test_known_tolerance_factors(runs: int, alpha: float, confidence: float, factor: float) -> None:
    found = tolerance_factor_one_sided(R=runs, alpha=alpha, confidence=confidence)
    assert found == pytest.approx(factor, abs=1e-9)


@pytest.mark.parametrize(
    ("n", "c4", "d2"),
    [
        (2, 0.7978845608028655, 1.1283791670955126),
        (4, 0.9213177319235613, 2.058750746007928),
        (6, 0.9515328619481445, 2.534412721222943),
        (10, 0.9726592741215883, 3.077505461670346),
        (25, 0.9896403755857051, 3.930629219507113),
    ],
)
def test_known_small_sample_factors(n: int, c4: float, d2: float) -> None:
    assert tuple(c4_d2(n).values()) == pytest.approx((c4, d2), abs=1e-12)


@pytest.mark.parametrize(
    ("runs", "figures"),
    [
        (
            [0.81, 0.79, 0.83, 0.8, 0.82],
            [
                0.81,
                0.0158113883,
                0.04,
                0.0369246694,
                0.7730753306,
                0.0094731267,
                0.0454349039,
                1 / 6,
            ],
        ),
        (
            [0.702, 0.688, 0.711],
            [
                0.7003333333,
                0.01159022577,
                0.023,
                0.03907886762,
                0.6612544657,
                0.00603454686,
                0.0728414940,
                0.25,
            ],
        ),
    ],
)
def test_known_tolerances(runs: list[float], figures: list[float]) -> None:
    found = tolerance_from_runs(runs, alpha=0.05)
    flat = [*list(found.values())[:5], *found["sd_ci95"], found["false_alarm_of_below_min_rule"]]
    assert flat == pytest.approx(figures, abs=1e-9)


@pytest.mark.parametrize(
    ("runs", "alpha", "confidence"),
    [(59, 0.05, 0.9515054747505769), (299, 0.01, 0.9504637433623376)],
)
def test_known_minimum_bounds(runs: int, alpha: float, confidence: float) -> None:
    found = nonparametric_tolerance_min(R=runs, alpha=alpha)
    assert found["confidence_min_is_bound"] == pytest.approx(confidence, abs=1e-12)


@settings(max_examples=30)
@given(st.integers(2, 300), st.floats(0.001, 0.3), st.integers(1, 20))
def test_factors_fall_with_runs_and_rise_with_certainty(runs: int, alpha: float, many: int) -> None:
    one = prediction_factor_one_sided(runs, alpha)
    assert prediction_factor_one_sided(runs + 1, alpha) < one
    assert prediction_factor_one_sided(runs, alpha / 2) > one
    assert prediction_factor_one_sided(runs, alpha, many) <= one
    sure = tolerance_factor_one_sided(runs, alpha)
    assert tolerance_factor_one_sided(runs + 1, alpha) < sure
    assert tolerance_factor_one_sided(runs, alpha, 0.5) < sure


def test_a_median_run_is_predicted_at_the_mean_and_a_rise_above_it() -> None:
    assert prediction_factor_one_sided(5, 0.5) == 0
    assert prediction_factor_one_sided(5, 0.9) == -prediction_factor_one_sided(5, 0.1)


def test_many_runs_come_to_the_normal_quantile() -> None:
    assert prediction_factor_one_sided(10**6) == pytest.approx(1.6448536, abs=1e-5)
    assert tolerance_factor_one_sided(10**6) == pytest.approx(1.6448536, abs=5e-3)


def test_the_false_alarms_are_as_many_as_promised() -> None:
    draw = Random(6)
    alarms = caught = 0
    for _ in range(4000):
        runs = [draw.gauss(0.8, 0.02) for _ in range(5)]
        mean, spread = fmean(runs), stdev(runs)
        alarms += draw.gauss(0.8, 0.02) < mean - prediction_factor_one_sided(5) * spread
        below = (mean - tolerance_factor_one_sided(5) * spread - 0.8) / 0.02
        caught += math.erfc(-below / math.sqrt(2)) / 2 <= 0.05
    assert alarms / 4000 == pytest.approx(0.05, abs=0.015)
    assert caught / 4000 == pytest.approx(0.95, abs=0.015)


@given(RUNS, st.integers(1, 9))
def test_a_tolerance_is_measured_from_the_mean(runs: list[float], many: int) -> None:
    found = tolerance_from_runs(runs, candidate_runs=many)
    assert found["alarm_below"] == pytest.approx(found["mean"] - found["tolerance"])
    assert found["sd_ci95"][0] <= found["sd"] <= found["sd_ci95"][1]
    assert found["tolerance"] <= tolerance_from_runs(runs)["tolerance"]


@settings(max_examples=20)
@given(st.integers(2, 3000))
def test_c4_is_that_of_the_chi_distribution(scipy_stats: ModuleType, n: int) -> None:
    expected = scipy_stats.chi.mean(n - 1) / math.sqrt(n - 1)
    assert c4_d2(n)["c4"] == pytest.approx(expected, rel=1e-9)


@given(st.integers(2, 10**5))
def test_the_factors_rise_with_n(n: int) -> None:
    fewer, more = c4_d2(n), c4_d2(n + 1)
    assert fewer["c4"] < more["c4"] < 1
    assert fewer["d2"] < more["d2"]


def test_the_known_ranges_of_three_and_a_thousand() -> None:
    assert c4_d2(3)["d2"] == pytest.approx(3 / math.sqrt(math.pi), abs=1e-12)
    assert c4_d2(1000)["d2"] == pytest.approx(6.482867, abs=1e-5)


def test_what_sampling_does_not_explain_is_between_runs() -> None:
    parts = between_run_variance([0.80, 0.86, 0.83], [0.0003, 0.0002, 0.0001])
    assert tuple(parts.values()) == pytest.approx((0.0009, 0.0002, 0.0007))
    assert between_run_variance([0.8, 0.8], [0.1, 0.1])["tau2"] == 0


def test_runs_that_make_no_sense_are_refused() -> None:
    for give in (prediction_factor_one_sided, tolerance_factor_one_sided):
        with pytest.raises(ValueError, match="R must be at least 2, got 1"):
            give(1)
        with pytest.raises(ValueError, match="alpha must lie between 0 and 1"):
            give(5, 0.0)
    with pytest.raises(ValueError, match="candidate_runs must be at least 1"):
        prediction_factor_one_sided(5, candidate_runs=0)
    with pytest.raises(ValueError, match="confidence must lie between 0 and 1"):
        tolerance_factor_one_sided(5, confidence=1.0)
    with pytest.raises(ValueError, match=r"runs\[1\] must be a number"):
        tolerance_from_runs([0.5, math.nan])
    with pytest.raises(ValueError, match="n must be at least 2"):
        c4_d2(1)
    with pytest.raises(ValueError, match="one variance a run is needed, got 1 for 2 runs"):
        between_run_variance([0.5, 0.6], [0.1])
    with pytest.raises(ValueError, match="the lowest of sampling must be at least 0"):
        between_run_variance([0.5, 0.6], [0.1, -0.1])
