"""Tails: closed forms, sums by hand, and other people's programs."""

import math
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.tails import binomial_at_most, chi_square_above


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


@given(st.integers(0, 30), st.integers(-2, 32), st.floats(0, 1))
def test_the_binomial_tail_is_the_sum_of_its_chances(n: int, x: int, p: float) -> None:
    chances = [math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]
    assert binomial_at_most(x, n, p) == pytest.approx(sum(chances[: max(0, x + 1)]), abs=1e-12)


def test_a_tiny_binomial_tail_keeps_its_digits() -> None:
    assert binomial_at_most(0, 100, 0.9) == pytest.approx(1e-100, rel=1e-9)


@given(st.floats(0, 200))
def test_two_degrees_of_freedom_are_an_exponential(x: float) -> None:
    assert chi_square_above(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)


@given(st.floats(0, 200))
def test_one_degree_of_freedom_is_a_squared_normal(x: float) -> None:
    assert chi_square_above(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-10)


@given(st.floats(0, 100), st.integers(1, 60))
def test_two_more_degrees_add_one_term(x: float, df: int) -> None:
    term = math.exp(df / 2 * math.log(x / 2 or 1e-300) - x / 2 - math.lgamma(df / 2 + 1))
    assert chi_square_above(x, df + 2) - chi_square_above(x, df) == pytest.approx(term, abs=1e-12)


@pytest.mark.parametrize("df", [1, 3, 49, 999, 99_999])
@pytest.mark.parametrize("times", [0.01, 0.9, 1.0, 1.02, 1.5])
def test_the_tails_are_those_of_scipy(scipy_stats: ModuleType, df: int, times: float) -> None:
    expected = scipy_stats.chi2.sf(times * df, df)
    assert chi_square_above(times * df, df) == pytest.approx(expected, rel=1e-8, abs=1e-300)
    x = round(0.3 * df * times)
    expected = scipy_stats.binom.cdf(x, df, 0.3)
    assert binomial_at_most(x, df, 0.3) == pytest.approx(expected, rel=1e-8, abs=1e-300)
