"""The special functions: tables, closed forms and inverses."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import beta_cdf, beta_quantile, normal_quantile, t_quantile

SHAPES = st.floats(0.3, 2000)


@pytest.mark.parametrize(
    ("tail", "z"),
    [
        (0.5, 0.0),
        (0.1, 1.2815515655446004),
        (0.05, 1.6448536269514722),
        (0.025, 1.959963984540054),
        (0.005, 2.5758293035489004),
        (1e-9, 5.997807015007773),
    ],
)
def test_normal_quantiles_are_those_of_the_tables(tail: float, z: float) -> None:
    assert normal_quantile(tail) == pytest.approx(z, abs=1e-12)


@pytest.mark.parametrize(
    ("df", "t"),
    [
        (1, 12.706204736174694),
        (2, 4.302652729749462),
        (3, 3.1824463052837078),
        (5, 2.5705818356363146),
        (10, 2.2281388519862735),
        (30, 2.0422724563012378),
        (299, 1.9679296690653618),
        (10**6, 1.9599663568018998),
    ],
)
def test_t_quantiles_are_those_of_the_tables(df: int, t: float) -> None:
    assert t_quantile(0.025, df) == pytest.approx(t, rel=1e-9)


@given(st.floats(1e-8, 0.5))
def test_t_with_one_and_two_degrees_has_a_closed_form(tail: float) -> None:
    assert t_quantile(tail, 1) == pytest.approx(1 / math.tan(math.pi * tail), rel=1e-8, abs=1e-9)
    side = 1 - 2 * tail
    closed = side * math.sqrt(2 / (1 - side * side))
    assert t_quantile(tail, 2) == pytest.approx(closed, rel=1e-6, abs=1e-9)


def test_t_comes_to_the_normal_without_a_step() -> None:
    near = [t_quantile(0.01, df) for df in (1e3, 1e4, 0.99e5, 1.01e5, 1e6, 1e12)]
    assert near == sorted(near, reverse=True)
    assert near[-1] == pytest.approx(normal_quantile(0.01), abs=1e-9)


@given(st.integers(0, 4096), SHAPES, SHAPES)
def test_the_beta_distribution_turns_over(part: int, a: float, b: float) -> None:
    x = part / 4096  # so that 1 - x is exact
    assert beta_cdf(x, a, b) == pytest.approx(1 - beta_cdf(1 - x, b, a), abs=1e-9)


@given(st.floats(0, 1), st.integers(1, 60))
def test_a_beta_with_a_one_has_a_closed_form(x: float, n: int) -> None:
    assert beta_cdf(x, n, 1) == pytest.approx(x**n, abs=1e-12)


@given(st.floats(0, 1), st.integers(1, 40), st.integers(1, 40))
def test_the_beta_distribution_is_the_binomial_tail(x: float, a: int, b: int) -> None:
    n = a + b - 1
    tail = sum(math.comb(n, i) * x**i * (1 - x) ** (n - i) for i in range(a, n + 1))
    assert beta_cdf(x, a, b) == pytest.approx(tail, abs=1e-11)


@given(st.floats(1e-6, 1 - 1e-6), SHAPES, SHAPES)
def test_the_beta_quantile_is_the_inverse(chance: float, a: float, b: float) -> None:
    x = beta_quantile(chance, a, b)
    assert 0 <= x <= 1
    near = [beta_cdf(min(1, max(0, x + step)), a, b) for step in (-1e-12, 1e-12)]
    assert near[0] - 1e-8 <= chance <= near[1] + 1e-8


def test_the_ends_are_exact() -> None:
    assert [beta_cdf(x, 2, 3) for x in (0, 1)] == [0, 1]
    assert [beta_quantile(x, 2, 3) for x in (0, 1)] == [0, 1]
    assert t_quantile(0.5, 7) == 0


@pytest.mark.parametrize("bad", [0.0, 0.6, -1.0, math.nan])
def test_a_tail_outside_its_range_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="tail"):
        normal_quantile(bad)
    with pytest.raises(ValueError, match="tail"):
        t_quantile(bad, 3)


def test_what_is_no_distribution_is_refused() -> None:
    with pytest.raises(ValueError, match="no beta distribution"):
        beta_cdf(0.5, 0, 1)
    with pytest.raises(ValueError, match="no beta distribution"):
        beta_quantile(0.5, 1, math.inf)
    with pytest.raises(ValueError, match="chance must lie within 0 to 1"):
        beta_quantile(1.5, 1, 1)
    with pytest.raises(ValueError, match="no t quantile"):
        t_quantile(0.1, 0)
