"""Labels beside a judge: known answers, and what a better judge or more labels must do."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import (
    labels_for_wilson_half_width,
    normal_quantile,
    ppi_mean,
    rogan_gladen,
    wilson_rate,
)

Z = normal_quantile(0.025)
LABELS = [1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1]
LABELLED = [1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1]
OTHERS = [1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1]
OTHERS += [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1]
PART = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
SCORE = st.floats(-5, 5)
PAIRED = st.lists(st.tuples(SCORE, SCORE), min_size=2, max_size=20)


@pytest.mark.parametrize(("rate", "half", "n"), [(0.9, 0.05, 141), (0.95, 0.03, 215)])
def test_known_numbers_of_labels(rate: float, half: float, n: int) -> None:
    assert labels_for_wilson_half_width(expected_rate=rate, half_width=half, alpha=0.05) == {"n": n}


@given(st.floats(0, 1), st.floats(0.01, 0.6), st.floats(0.001, 0.5))
def test_the_labels_are_enough_and_one_less_is_not(rate: float, half: float, alpha: float) -> None:
    n = labels_for_wilson_half_width(rate, half, alpha)["n"]
    z2 = normal_quantile(alpha / 2) ** 2

    def width(size: int) -> float:
        return math.sqrt(z2 * (rate * (1 - rate) / size + z2 / (4 * size**2))) / (1 + z2 / size)

    assert width(n) <= half * (1 + 1e-9)
    assert n == 1 or width(n - 1) > half * (1 - 1e-9)


def test_the_width_is_that_of_wilsons_interval() -> None:
    low, high = wilson_rate(0.9, 141)
    assert (high - low) / 2 <= 0.05
    low, high = wilson_rate(0.9, 140)
    assert (high - low) / 2 > 0.05


def test_the_finest_width_is_found_at_once() -> None:
    assert labels_for_wilson_half_width(0.5, 1e-9)["n"] > 9e17
    with pytest.raises(ValueError, match="half_width must be within 1e-09 to 1, got 0"):
        labels_for_wilson_half_width(0.5, 0)
    with pytest.raises(ValueError, match="expected_rate must be within 0 to 1, got 2"):
        labels_for_wilson_half_width(2, 0.1)


@pytest.mark.parametrize(
    ("counts", "figures", "delta", "adjusted"),
    [
        (
            (400, 1000, 180, 200, 140, 200),
            (0.4, 0.1666666666666668, 0.1666666666666668, 0.052219267055865985),
            (0.06431878393809053, 0.26901454939524305),
            (0.16564417101173512, 0.05635072484160894, 0.2627330257859588),
        ),
        (
            (85, 100, 28, 30, 15, 20),
            (0.85, 0.878048780487805, 0.878048780487805, 0.08033432092129593),
            (0.7205964047595824, 1.0355011562160277),
            (0.8907730987484278, 0.7176239584912882, 1),
        ),
        (
            (30, 300, 45, 50, 45, 50),
            (0.1, 0.0, 0, 0.05728219618694799),
            (-0.11227104148177568, 0.11227104148177568),
            (-0.013425654963236156, 0, 0.09396641173450637),
        ),
    ],
)
def test_known_corrected_rates(
    counts: tuple[int, int, int, int, int, int],
    figures: tuple[float, ...],
    delta: tuple[float, float],
    adjusted: tuple[float, float, float],
) -> None:
    right = rogan_gladen(*counts, alpha=0.05)
    assert tuple(right.values())[:4] == pytest.approx(figures, abs=1e-9)
    assert right["ci_delta"] == pytest.approx(delta, abs=1e-9)
    assert right["theta_tilde"] == pytest.approx(adjusted[0], abs=1e-9)
    assert right["ci_lang_reiczigel"] == pytest.approx(adjusted[1:], abs=1e-9)


@given(PART, PART, PART)
def test_a_rate_is_corrected_where_the_judge_tells_passes_from_fails(
    judged: tuple[int, int], passes: tuple[int, int], fails: tuple[int, int]
) -> None:
    right = rogan_gladen(*judged, *passes, *fails)
    theta = right["corrected"]
    sens, spec = passes[0] / passes[1], fails[0] / fails[1]
    assert (theta is None) == (passes[0] * fails[1] + fails[0] * passes[1] <= passes[1] * fails[1])
    if theta is not None:
        assert theta * sens + (1 - theta) * (1 - spec) == pytest.approx(right["naive_rate"])
        assert right["corrected_clipped"] == min(1, max(0, theta))
    interval = right["ci_lang_reiczigel"]
    assert interval is None or 0 <= interval[0] <= interval[1] <= 1


@given(PART, st.integers(1, 300), st.integers(1, 300))
def test_a_judge_without_errors_needs_no_correction(
    judged: tuple[int, int], passes: int, fails: int
) -> None:
    right = rogan_gladen(*judged, passes, passes, fails, fails)
    assert right["corrected"] == right["naive_rate"]
    rate = right["naive_rate"]
    assert right["se_delta"] == pytest.approx(math.sqrt(rate * (1 - rate) / judged[1]))


def test_a_judge_that_guesses_corrects_nothing() -> None:
    right = rogan_gladen(40, 100, 25, 50, 25, 50)
    assert right["naive_rate"] == 0.4
    assert [value for value in right.values() if value is not None] == [0.4]


def test_a_judge_that_hardly_tells_is_corrected_without_a_division_by_zero() -> None:
    half = 10**9
    right = rogan_gladen(half, 2 * half, half + 1, 2 * half, half, 2 * half)
    assert right["corrected"] == 0
    assert right["se_delta"] is not None
    assert right["se_delta"] > 1e4


def test_few_labels_of_one_class_can_take_the_adjusted_interval_away() -> None:
    right = rogan_gladen(50, 100, 1, 1, 100, 1000)
    assert right["corrected"] is not None
    assert (right["theta_tilde"], right["ci_lang_reiczigel"]) == (None, None)


def test_counts_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="judge_pass must be within 0 to 10, got 11"):
        rogan_gladen(11, 10, 1, 1, 1, 1)
    with pytest.raises(ValueError, match="the whole of true_fail_judged_fail must be at least 1"):
        rogan_gladen(1, 10, 1, 1, 0, 0)


def test_known_prediction_powered_means() -> None:
    both = ppi_mean(
        labels=LABELS, judge_on_labelled=LABELLED, judge_on_unlabelled=OTHERS, alpha=0.05
    )
    assert both["estimate_lam1"] == pytest.approx(0.8, abs=1e-9)
    assert both["estimate_power_tuned"] == pytest.approx(0.8, abs=1e-9)
    for name, interval in (
        ("ci_lam1", (0.6283865264846951, 0.971613473515305)),
        ("ci_lam0_labels_only", (0.6246954918846838, 0.9753045081153163)),
        ("ci_power_tuned", (0.6591481783924453, 0.9408518216075548)),
    ):
        found = both[name]  # type: ignore[literal-required]  # a loop over names
        assert found == pytest.approx(interval, abs=1e-9)


@given(PAIRED, st.lists(SCORE, min_size=2, max_size=20))
def test_a_judge_that_is_off_by_a_constant_changes_nothing(
    pairs: list[tuple[float, float]], others: list[float]
) -> None:
    labels, labelled = zip(*pairs, strict=True)
    one = ppi_mean(labels, labelled, others)
    off = ppi_mean(labels, [x + 3 for x in labelled], [x + 3 for x in others])
    assert off["estimate_lam1"] == pytest.approx(one["estimate_lam1"], abs=1e-9)
    assert off["ci_lam1"] == pytest.approx(one["ci_lam1"], abs=1e-9)
    assert sum(one["ci_power_tuned"]) / 2 == pytest.approx(one["estimate_power_tuned"], abs=1e-9)


@given(st.lists(SCORE, min_size=2, max_size=20), st.lists(SCORE, min_size=2, max_size=20))
def test_a_judge_without_errors_is_trusted_for_all_items(
    labels: list[float], others: list[float]
) -> None:
    mean = math.fsum(others) / len(others)
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in others)) / len(others)
    both = ppi_mean(labels, labels, others)
    assert both["estimate_lam1"] == pytest.approx(mean, abs=1e-9)
    assert both["ci_lam1"] == pytest.approx((mean - Z * error, mean + Z * error), abs=1e-9)


@given(st.lists(SCORE, min_size=2, max_size=20))
def test_a_judge_that_never_varies_is_left_out(labels: list[float]) -> None:
    both = ppi_mean(labels, [0.1] * len(labels), [0.1] * 3)
    assert both["ci_power_tuned"] == both["ci_lam0_labels_only"]


def test_too_few_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="got 1, 1 and 2"):
        ppi_mean([1], [1], [1, 0])
    with pytest.raises(ValueError, match="got 2, 3 and 2"):
        ppi_mean([1, 0], [1, 0, 1], [1, 0])
    with pytest.raises(ValueError, match=r"labels\[0\] must be a number"):
        ppi_mean([math.nan, 1], [1, 1], [1, 1])
    with pytest.raises(ValueError, match="alpha must lie between 0 and 1, got 1"):
        ppi_mean([0, 1], [1, 1], [1, 1], alpha=1)
