"""Charts: known answers, the chances that limits promise, and days that say nothing."""

import math
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import cusum_llr_low, ewma_low, laney_p_prime, p_chart, shewhart_alpha

WEEK = [46, 44, 43, 45, 42, 41, 43]
TEN_DAYS = [45, 44, 46, 38, 47, 45, 43, 40, 46, 44]
DAYS = st.lists(st.integers(0, 50), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


@pytest.mark.parametrize(
    ("center", "n", "figures"),
    [
        (0.9, 50, (0.7727207793864215, 1, 0.0032199211359099067, 37, 0.001004619861786328)),
        (0.92, 37, (0.7861990183044134, 1, 0.007884542847836944, 27, 0.0004966609031320981)),
    ],
)
def test_known_limits(center: float, n: int, figures: tuple[float, ...]) -> None:
    assert tuple(p_chart(center=center, n=n).values()) == pytest.approx(figures, abs=1e-9)


@given(st.integers(1, 60), st.floats(0, 1))
def test_the_limits_have_the_chances_that_they_state(n: int, center: float) -> None:
    chart = p_chart(center, n)
    chances = [math.comb(n, i) * center**i * (1 - center) ** (n - i) for i in range(n + 1)]
    exact = chart["exact_low_count_alarm_at_or_below"]
    alarm = 0 if exact is None else exact + 1
    assert chart["false_alarm_exact_low"] == pytest.approx(sum(chances[:alarm]), abs=1e-9)
    assert sum(chances[:alarm]) <= 0.00135 + 1e-9
    assert sum(chances[: alarm + 1]) > 0.00135 - 1e-9
    assert 0 <= chart["lcl_3sigma"] <= center <= chart["ucl_3sigma"] <= 1


def test_a_count_on_the_limit_is_no_alarm() -> None:
    below_81 = sum(math.comb(100, i) * 0.9**i * 0.1 ** (100 - i) for i in range(81))
    assert p_chart(0.9, 100)["false_alarm_low_3sigma"] == pytest.approx(below_81)


def test_a_day_too_small_to_alarm_has_no_exact_count() -> None:
    chart = p_chart(0.5, 5)
    assert (chart["exact_low_count_alarm_at_or_below"], chart["false_alarm_exact_low"]) == (None, 0)


def test_a_hundred_thousand_trials_a_day_are_charted() -> None:
    chart = p_chart(0.9, 100_000)
    assert chart["false_alarm_low_3sigma"] == pytest.approx(0.00135, rel=0.1)
    assert chart["false_alarm_exact_low"] == pytest.approx(0.00135, rel=0.03)


@pytest.mark.parametrize(
    ("days", "figures"),
    [
        (90, (0.011111111111111112, 2.2865479513109808, 0.28480426459680963)),
        (370, (0.002702702702702703, 2.7818257479417383, 0.07798229052114136)),
    ],
)
def test_known_budgets(days: int, figures: tuple[float, ...]) -> None:
    assert tuple(shewhart_alpha(in_control_arl_days=days).values()) == pytest.approx(
        figures, abs=1e-9
    )


@given(st.floats(1.001, 1e12))
def test_a_month_holds_the_alarms_that_its_days_do(days: float) -> None:
    daily = shewhart_alpha(days)
    z, alpha = daily["z_one_sided"], daily["alpha_per_day"]
    assert math.erfc(z / math.sqrt(2)) / 2 == pytest.approx(alpha, rel=1e-9)
    assert daily["p_alarm_in_30_days"] <= min(1, 30 * alpha)


def test_the_known_weighted_mean() -> None:
    chart = ewma_low(daily_passes=WEEK, n=50, center=0.9, L=2.7, **{"lambda": 0.2})
    assert chart["z"] == pytest.approx(
        [0.904, 0.8992, 0.89136, 0.893088, 0.8824704, 0.86997632, 0.867981056], abs=1e-9
    )
    assert chart["lcl"] == pytest.approx(
        [
            0.8770897402895559,
            0.8706605521524348,
            0.867200700495285,
            0.8651662779663155,
            0.8639244065598249,
            0.8631515671578979,
            0.8626653447602887,
        ],
        abs=1e-9,
    )
    assert chart["alarm"] == [False] * 7


def test_the_weight_has_two_names_and_there_is_no_third() -> None:
    assert ewma_low(WEEK, 50, 0.9, lambda_=0.3) == ewma_low(WEEK, 50, 0.9, **{"lambda": 0.3})
    with pytest.raises(TypeError, match="unexpected keyword argument 'weight'"):
        ewma_low(WEEK, 50, 0.9, weight=0.3)  # type: ignore[call-arg]  # that is the test


@given(DAYS, st.floats(0.05, 0.95), st.floats(0.01, 1))
def test_the_weighted_mean_and_its_spread_are_sums_over_all_days(
    days: list[int], center: float, weight: float
) -> None:
    chart = ewma_low(days, 50, center, L=1, lambda_=weight)
    shares = [weight * (1 - weight) ** age for age in range(len(days))][::-1]
    start = (1 - weight) ** len(days) * center
    mean = start + sum(share * day / 50 for share, day in zip(shares, days, strict=True))
    spread = math.sqrt(sum(share**2 for share in shares) * center * (1 - center) / 50)
    assert chart["z"][-1] == pytest.approx(mean)
    assert chart["lcl"][-1] == pytest.approx(center - spread)
    assert chart["alarm"] == [z < low for z, low in zip(chart["z"], chart["lcl"], strict=True)]


def test_the_known_evidence() -> None:
    path = cusum_llr_low(daily_passes=WEEK, n=50, p0=0.9, p1=0.82)["S"]
    expected = [0, 0, 0.1116184624763168, 0, 0.7924955504444484, 2.2658681888570285]
    assert path == pytest.approx([*expected, 2.3774866513333452], abs=1e-9)


@given(DAYS, st.floats(0.5, 0.99), st.floats(0.01, 0.49))
def test_evidence_is_the_most_that_any_stretch_up_to_today_gives(
    days: list[int], p0: float, p1: float
) -> None:
    def ratio(passes: int) -> float:
        return passes * math.log(p1 / p0) + (50 - passes) * math.log((1 - p1) / (1 - p0))

    stretches = [sum(map(ratio, days[start:])) for start in range(len(days))]
    assert cusum_llr_low(days, 50, p0, p1)["S"][-1] == pytest.approx(
        max(0, *stretches), rel=1e-9, abs=1e-9
    )


def test_the_known_widened_limit() -> None:
    chart = laney_p_prime(daily_passes=TEN_DAYS, n=50)
    figures = (0.876, 1.4793418295128384, 0.669144208037825, 13.183090293121221)
    assert tuple(chart.values()) == pytest.approx((*figures, 0.15449512402537893), abs=1e-9)


@given(DAYS)
def test_dispersion_is_the_chi_square_of_passes_and_fails(days: list[int]) -> None:
    chart = laney_p_prime(days, 50)
    mean = sum(days) / len(days)
    if len(days) == 1 or mean in (0, 50):
        assert list(chart.values()) == [mean / 50, None, None, None, None]
        return
    cells = sum((day - mean) ** 2 * (1 / mean + 1 / (50 - mean)) for day in days)
    assert chart["dispersion_chi2"] == pytest.approx(cells, abs=1e-9)
    assert chart["dispersion_p"] is not None
    assert 0 <= chart["dispersion_p"] <= 1
    assert chart["lcl"] is not None
    assert 0 <= chart["lcl"] <= chart["pbar"]


@given(days=DAYS)
def test_the_dispersion_test_is_scipys(scipy_stats: ModuleType, days: list[int]) -> None:
    chart = laney_p_prime(days, 50)
    if chart["dispersion_p"] is not None:
        table = [days, [50 - day for day in days]]
        expected = scipy_stats.chi2_contingency(table, correction=False)
        assert chart["dispersion_p"] == pytest.approx(expected.pvalue, abs=1e-9)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match=r"daily_passes\[1\] must be within 0 to 5, got 6"):
        laney_p_prime([5, 6], 5)
    with pytest.raises(ValueError, match="there is no day"):
        laney_p_prime([], 5)
    with pytest.raises(ValueError, match="center must be within 0 to 1, got 2"):
        p_chart(2, 5)
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        p_chart(0.5, 0)
    with pytest.raises(ValueError, match="in_control_arl_days must lie between 1 and inf, got 1"):
        shewhart_alpha(1)
    with pytest.raises(ValueError, match="lambda must lie between 0 and inf, got 0"):
        ewma_low([1], 1, 0.5, lambda_=0)
    with pytest.raises(ValueError, match="lambda must be within 0 to 1, got 2"):
        ewma_low([1], 1, 0.5, lambda_=2)
    with pytest.raises(ValueError, match=r"p1 must lie between 0 and 0\.8, got 0\.9"):
        cusum_llr_low([1], 1, 0.8, 0.9)
