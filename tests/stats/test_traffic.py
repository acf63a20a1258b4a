"""Rates of traffic from samples: known answers, and samples that are everything or nothing."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import fpc_rate, standard_error, stratified_rate

STRATA = [(0.6, 120, 110), (0.3, 60, 48), (0.1, 40, 22)]
SAMPLE = st.integers(2, 200).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


def test_the_known_stratified_rate() -> None:
    rate = dict(stratified_rate(strata_weight_n_passes=STRATA))
    assert rate.pop("neyman_share") == pytest.approx(
        [0.4941621592476259, 0.3575891929780862, 0.14824864777428776], abs=1e-9
    )
    assert rate == pytest.approx(
        {"estimate": 0.845, "se": 0.023208226387350196, "unweighted_pooled": 0.8181818181818182},
        abs=1e-9,
    )


@given(SAMPLE)
def test_one_kind_of_traffic_is_a_plain_sample(sample: tuple[int, int]) -> None:
    n, passes = sample
    rate = stratified_rate([(1, n, passes)])
    outcomes = [1.0] * passes + [0.0] * (n - passes)
    assert rate["estimate"] == rate["unweighted_pooled"] == passes / n
    assert rate["se"] == pytest.approx(standard_error(outcomes), abs=1e-12)
    assert rate["neyman_share"] == (None if passes in (0, n) else [1.0])


@given(st.lists(SAMPLE, min_size=1, max_size=6))
def test_shares_sum_to_one_and_errors_add_as_squares(samples: list[tuple[int, int]]) -> None:
    weight = 1 / len(samples)
    rate = stratified_rate([(weight, n, passes) for n, passes in samples])
    parts = [stratified_rate([(1, n, passes)])["se"] or 0.0 for n, passes in samples]
    assert rate["se"] == pytest.approx(weight * math.hypot(*parts), abs=1e-12)
    if rate["neyman_share"] is not None:
        assert sum(rate["neyman_share"]) == pytest.approx(1)


def test_a_kind_with_one_trace_leaves_the_error_open() -> None:
    rate = stratified_rate([(0.5, 10, 5), (0.5, 1, 1)])
    assert (rate["estimate"], rate["se"]) == (0.75, None)


def test_the_known_finite_rate() -> None:
    rate = fpc_rate(traffic=1000, sampled=50, passes=45)
    figures = (0.9, 0.04177197576346698, 0.04285714285714285)
    assert tuple(rate.values()) == pytest.approx(figures, abs=1e-9)


@given(SAMPLE, st.integers(0, 10**6))
def test_looking_at_more_of_the_traffic_is_surer(sample: tuple[int, int], rest: int) -> None:
    n, passes = sample
    rate = fpc_rate(n + rest, n, passes)
    assert rate["se_fpc"] is not None
    assert rate["se_no_fpc"] is not None
    assert 0 <= rate["se_fpc"] <= rate["se_no_fpc"]
    assert rest or rate["se_fpc"] == 0


def test_a_single_trace_has_no_error_unless_it_is_all() -> None:
    assert fpc_rate(2, 1, 1) == {"rate": 1, "se_fpc": None, "se_no_fpc": None}
    assert fpc_rate(1, 1, 1)["se_fpc"] == 0


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the weights must sum to 1, got 0\.5"):
        stratified_rate([(0.5, 1, 1)])
    with pytest.raises(ValueError, match=r"the weights must sum to 1, got 0\.0"):
        stratified_rate([])
    with pytest.raises(ValueError, match="stratum 1: n must be at least 1, got 0"):
        stratified_rate([(0.5, 1, 1), (0.5, 0, 0)])
    with pytest.raises(ValueError, match="stratum 0: passes must be within 0 to 1, got 2"):
        stratified_rate([(1, 1, 2)])
    with pytest.raises(ValueError, match="traffic must be at least 5, got 4"):
        fpc_rate(4, 5, 5)
    with pytest.raises(ValueError, match="passes must be within 0 to 5, got 6"):
        fpc_rate(10, 5, 6)
