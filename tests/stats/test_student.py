"""Student's t, shifted or not, and chi-square: tables, closed forms and inverses."""

import math
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats.special import normal_quantile, t_quantile
from fairtrial.stats.student import (
    chi_square_quantile,
    noncentral_t_quantile,
    normal_above,
    normal_point,
    t_above,
)
from fairtrial.stats.tails import chi_square_above


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


@given(st.floats(1e-12, 1 - 1e-12))
def test_a_normal_point_has_its_chance_above_it(tail: float) -> None:
    assert normal_above(normal_point(tail)) == pytest.approx(tail, rel=1e-9)


@given(st.floats(-1e6, 1e6))
def test_t_with_one_and_two_degrees_has_a_closed_form(t: float) -> None:
    assert t_above(t, 1) == pytest.approx(0.5 - math.atan(t) / math.pi, abs=1e-12)
    assert t_above(t, 2) == pytest.approx(0.5 - t / math.sqrt(8 + 4 * t * t), abs=1e-12)


@given(st.floats(1e-9, 0.5), st.sampled_from([1, 3, 4, 9, 99, 299, 5000, 10**6]))
def test_t_above_is_the_inverse_of_the_quantile(tail: float, df: int) -> None:
    assert t_above(t_quantile(tail, df), df) == pytest.approx(tail, rel=1e-7)


def test_t_comes_to_the_normal_without_a_step() -> None:
    near = [t_above(2.0, df) for df in (1e3, 1e4, 0.99e5, 1.01e5, 1e6, 1e12)]
    assert near == sorted(near, reverse=True)
    assert near[-1] == pytest.approx(normal_above(2.0), abs=1e-10)
    assert near[3] == pytest.approx(near[2], abs=1e-7)
    assert t_above(math.inf, 5) == 0


@given(st.floats(1e-6, 1 - 1e-6), st.sampled_from([1, 2, 4, 9, 99, 4999]))
def test_the_chi_square_quantile_is_the_inverse(chance: float, df: int) -> None:
    x = chi_square_quantile(chance, df)
    assert chi_square_above(x, df) == pytest.approx(1 - chance, abs=1e-9)


@given(st.floats(0.001, 0.999))
def test_chi_square_with_two_degrees_has_a_closed_form(chance: float) -> None:
    assert chi_square_quantile(chance, 2) == pytest.approx(-2 * math.log1p(-chance))


@settings(max_examples=20)
@given(st.floats(0.51, 0.999), st.sampled_from([1, 4, 29, 300]))
def test_unshifted_it_is_students_own(chance: float, df: int) -> None:
    assert noncentral_t_quantile(chance, df, 0.0) == pytest.approx(t_quantile(1 - chance, df))
    assert noncentral_t_quantile(1 - chance, df, 0.0) == pytest.approx(-t_quantile(1 - chance, df))


@settings(max_examples=20)
@given(st.floats(0.01, 0.99), st.sampled_from([1, 2, 4, 29, 300]), st.floats(0, 20))
def test_the_shifted_quantile_is_that_of_scipy(
    scipy_stats: ModuleType, chance: float, df: int, shift: float
) -> None:
    t = noncentral_t_quantile(chance, df, shift)
    assert scipy_stats.nct.cdf(t, df, shift) == pytest.approx(chance, abs=1e-8)


def test_a_shift_on_many_degrees_is_a_shifted_normal() -> None:
    t = noncentral_t_quantile(0.95, 10**8, 3.0)
    assert t == pytest.approx(3 + normal_quantile(0.05), abs=1e-6)


def test_what_is_no_distribution_is_refused() -> None:
    with pytest.raises(ValueError, match="df must lie above 0, got 0"):
        t_above(1.0, 0)
    with pytest.raises(ValueError, match="chance must lie between 0 and 1"):
        chi_square_quantile(1.0, 3)
    with pytest.raises(ValueError, match="df must lie above 0"):
        chi_square_quantile(0.5, math.inf)
    with pytest.raises(ValueError, match="df must lie above 0, got nan"):
        noncentral_t_quantile(0.5, math.nan, 1.0)
    with pytest.raises(ValueError, match="tail must lie between 0 and 1"):
        normal_point(0.0)
