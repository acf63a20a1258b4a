"""The smallest drop: known values, that plans and their reverse agree, and what cannot be told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import (
    SuiteSight,
    cases_for_drop,
    mde_paired,
    power_for_drop,
    resized_sight,
    smallest_drop,
    suite_sight,
    trials_for_drop,
)

NOISY = SuiteSight(300, 0.77, 1.0, 0.092, 0.092 / 5 / 300, 1 / 5)
COUNTS = st.lists(
    st.integers(2, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    min_size=2,
    max_size=40,
)


def test_a_sight_is_of_the_measured_cases() -> None:
    sight = suite_sight([(5, 5), (0, 0), (5, 4), (5, 0), (1, 1)])
    assert sight is not None
    assert (sight.cases, sight.able) == (4, 0.75)
    assert sight.rate == pytest.approx((1 + 0.8 + 0 + 1) / 4)
    assert sight.inverse_trials == pytest.approx((3 / 5 + 1) / 4)


@pytest.mark.parametrize("counts", [[], [(5, 4)], [(5, 4), (0, 0)], [(1, 1), (1, 0)]])
def test_one_case_or_one_trial_a_case_tells_no_drop(counts: list[tuple[int, int]]) -> None:
    assert suite_sight(counts) is None


def test_many_cases_and_trials_come_to_the_plain_formula() -> None:
    many = resized_sight(NOISY, 100_000, 50)
    plain = mde_paired(100_000, 50, 50, 0.0, 0.092, 0.092)["mde"]
    assert smallest_drop(many) == pytest.approx(plain, rel=0.003)


def test_the_worse_arm_varies_more_so_the_plain_formula_is_too_sure() -> None:
    plain = mde_paired(300, 5, 5, 0.0, 0.092, 0.092)["mde"]
    found = smallest_drop(NOISY)
    assert found is not None
    assert 1.03 * plain < found < 1.06 * plain


# Drops that simulated pairs of such runs told apart in 79 to 82 of 100.
@pytest.mark.parametrize(
    ("cases", "k", "drop"), [(6, 5, 0.255), (20, 5, 0.096), (50, 3, 0.072), (300, 5, 0.018)]
)
def test_drops_of_a_suite_that_nearly_always_passes(cases: int, k: int, drop: float) -> None:
    steady = resized_sight(SuiteSight(300, 0.95, 1.0, 0.031, 0.0, 0.2), cases, k)
    assert smallest_drop(steady) == pytest.approx(drop, rel=0.04)


def test_a_suite_that_never_disagreed_with_itself_still_sees_no_drop_of_nothing() -> None:
    sight = suite_sight([(5, 5)] * 20)
    assert sight is not None
    assert smallest_drop(sight) == pytest.approx(0.063, abs=0.001)


def test_cases_that_never_pass_cannot_fall_and_help_little() -> None:
    half = suite_sight([(5, 5)] * 10 + [(5, 0)] * 10)
    assert half is not None
    drop = smallest_drop(half)
    assert drop is not None
    assert drop > 0.06
    few = suite_sight([(5, 5)] * 3 + [(5, 0)] * 3)
    assert few is not None
    assert smallest_drop(few) is None


def test_where_nothing_passes_nothing_can_get_worse() -> None:
    sight = suite_sight([(5, 0)] * 9)
    assert sight is not None
    assert smallest_drop(sight) is None
    assert power_for_drop(sight, 0.05) is None
    assert cases_for_drop(sight, 5, 0.05) is None
    assert trials_for_drop(sight, 0.05) is None


def test_days_that_differ_hide_more() -> None:
    drops = [smallest_drop(NOISY, tau2=tau * tau) for tau in (0, 0.01, 0.05)]
    assert drops == sorted(drops, key=lambda drop: drop or 1.0)
    assert (drops[0] or 0) < (drops[1] or 0) < (drops[2] or 0)


@given(COUNTS, st.floats(0.01, 0.2), st.floats(0.5, 0.95))
def test_the_smallest_drop_is_seen_with_just_that_power(
    counts: list[tuple[int, int]], alpha: float, power: float
) -> None:
    sight = suite_sight(counts)
    assert sight is not None
    drop = smallest_drop(sight, alpha, power)
    if drop is None or drop >= 1:
        return
    assert 0 < drop <= sight.rate
    seen = power_for_drop(sight, drop, alpha)
    assert seen == pytest.approx(power, abs=1e-6)


@given(st.integers(1, 20), st.floats(0.01, 0.3))
def test_one_case_fewer_than_planned_is_too_few(k: int, drop: float) -> None:
    cases = cases_for_drop(NOISY, k, drop)
    assert cases is not None
    enough = smallest_drop(resized_sight(NOISY, cases, k))
    assert enough is not None
    assert enough <= drop
    if cases > 2:
        less = smallest_drop(resized_sight(NOISY, cases - 1, k))
        assert less is None or less > drop


@given(st.integers(2, 400), st.floats(0.01, 0.3))
def test_one_trial_fewer_than_planned_is_too_few(cases: int, drop: float) -> None:
    sight = resized_sight(NOISY, cases, 5)
    k = trials_for_drop(sight, drop)
    assert k is not None  # an even drop needs no more cases than two
    if k > 1:
        less = smallest_drop(resized_sight(sight, cases, k - 1))
        assert less is None or less > drop


@pytest.mark.parametrize(
    ("alpha", "power", "tau2"), [(0.0, 0.8, 0.0), (0.05, 0.05, 0), (0.05, 1.0, 0), (0.05, 0.8, -1)]
)
def test_plans_that_are_none_are_refused(alpha: float, power: float, tau2: float) -> None:
    with pytest.raises(ValueError, match="must"):
        smallest_drop(NOISY, alpha, power, tau2)


@pytest.mark.parametrize("drop", [0.0, 1.0, float("nan")])
def test_a_drop_that_is_none_is_refused(drop: float) -> None:
    for asked in (
        lambda: power_for_drop(NOISY, drop),
        lambda: cases_for_drop(NOISY, 5, drop),
        lambda: trials_for_drop(NOISY, drop),
    ):
        with pytest.raises(ValueError, match="drop must"):
            asked()
