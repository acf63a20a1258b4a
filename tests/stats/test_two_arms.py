"""Two independent arms: known answers, exact sums, and what a chance of being worse must obey."""

import math
from fractions import Fraction
from types import ModuleType
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats import (
    difference_two_independent,
    prob_worse_by_margin,
    prob_worse_jeffreys_prior,
    prob_worse_uniform_prior,
)

Table: TypeAlias = tuple[int, int, int, int]
ARM = st.integers(0, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
TABLES = st.tuples(ARM, ARM).map(lambda arms: (*arms[0], *arms[1]))
PRIORS = st.sampled_from([(1.0, 1.0), (0.5, 0.5), (2.0, 0.7)])
DIFFERENCES = [
    (
        (45, 50, 38, 50, 0.05),
        (-0.2855506705896387, 0.009397279766490796, -0.28087484156786185, 0.011644072337092692),
    ),
    (
        (280, 300, 262, 300, 0.05),
        (-0.1082965928376573, -0.012595884676011464, -0.10707398764225007, -0.012131310370994915),
    ),
]
UNIFORM = [
    ((5, 5, 3, 5, 1, 1), (0.9090909090909091,)),
    ((5, 5, 2, 5, 1, 1), (0.9696969696969697,)),
    ((10, 10, 7, 10, 1, 1), (0.9548872180451128,)),
    ((20, 20, 4, 5, 1, 1), (0.9572649572649573,)),
]
JEFFREYS = [
    ((5, 5, 3, 5, 0.5, 0.5), (0.9461365644534643,)),
    ((5, 5, 2, 5, 0.5, 0.5), (0.9851735138431423,)),
]
MARGIN = [
    ((5, 5, 3, 5, 1, 1, 0.1), (0.8088017315940584,)),
    ((10, 10, 7, 10, 1, 1, 0.1), (0.8438775910600506,)),
]


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


@pytest.mark.parametrize(("inputs", "ends"), DIFFERENCES)
def test_known_differences(
    inputs: tuple[int, int, int, int, float], ends: tuple[float, ...]
) -> None:
    found = difference_two_independent(*inputs)
    assert (*found["newcombe"], *found["agresti_caffo"]) == pytest.approx(ends, abs=1e-9)


@given(TABLES.filter(lambda table: table[1] * table[3] > 0))
def test_a_difference_lies_within_its_bounds_and_turns_over(table: Table) -> None:
    x_base, n_base, x_cand, n_cand = table
    found = difference_two_independent(*table)
    low, high = found["newcombe"]
    assert -1 <= low <= x_cand / n_cand - x_base / n_base <= high <= 1
    turned = difference_two_independent(x_cand, n_cand, x_base, n_base)
    assert turned["newcombe"] == pytest.approx((-high, -low), abs=1e-12)
    low, high = found["agresti_caffo"]
    assert turned["agresti_caffo"] == pytest.approx((-high, -low), abs=1e-12)


@pytest.mark.parametrize(("inputs", "figures"), UNIFORM)
def test_known_chances_from_uniform_priors(
    inputs: tuple[int, int, int, int, float, float], figures: tuple[float]
) -> None:
    assert prob_worse_uniform_prior(*inputs)["p_worse"] == pytest.approx(figures[0], abs=1e-12)


@pytest.mark.parametrize(("inputs", "figures"), JEFFREYS)
def test_known_chances_from_jeffreys_priors(
    inputs: tuple[int, int, int, int, float, float], figures: tuple[float]
) -> None:
    assert prob_worse_jeffreys_prior(*inputs)["p_worse"] == pytest.approx(figures[0], abs=1e-12)


@pytest.mark.parametrize(("inputs", "figures"), MARGIN)
def test_known_chances_of_a_fall_by_a_margin(
    inputs: tuple[int, int, int, int, float, float, float], figures: tuple[float]
) -> None:
    assert prob_worse_by_margin(*inputs)["p_worse"] == pytest.approx(figures[0], abs=1e-10)


def exactly(table: Table, a: int, b: int) -> Fraction:
    """Sum the chance that the candidate is worse, in whole numbers."""
    base, base_n, cand, cand_n = table
    up, down = base + a, base_n - base + b
    left, right = cand + a, cand_n - cand + b

    def beta(x: int, y: int) -> Fraction:
        return Fraction(math.factorial(x - 1) * math.factorial(y - 1), math.factorial(x + y - 1))

    whole = left + right - 1
    return sum(
        (
            math.comb(whole, at) * beta(up + at, down + whole - at) / beta(up, down)
            for at in range(left, whole + 1)
        ),
        Fraction(0),
    )


@settings(max_examples=50)
@given(TABLES, st.integers(1, 3), st.integers(1, 3))
def test_with_whole_priors_the_chance_is_a_finite_sum(table: Table, a: int, b: int) -> None:
    chance = prob_worse_uniform_prior(*table, a, b)["p_worse"]
    assert chance == pytest.approx(float(exactly(table, a, b)), abs=1e-13)


@given(TABLES, PRIORS)
def test_one_of_two_arms_is_the_worse_one(table: Table, prior: tuple[float, float]) -> None:
    base, base_n, cand, cand_n = table
    worse = prob_worse_jeffreys_prior(*table, *prior)["p_worse"]
    better = prob_worse_jeffreys_prior(cand, cand_n, base, base_n, *prior)["p_worse"]
    assert 0 <= worse <= 1
    assert worse + better == pytest.approx(1, abs=1e-12)


@given(TABLES, PRIORS, st.floats(0.01, 0.98))
def test_a_greater_margin_is_less_likely(
    table: Table, prior: tuple[float, float], margin: float
) -> None:
    none, some, more = (
        prob_worse_by_margin(*table, *prior, margin=by)["p_worse"]
        for by in (0, margin, margin + 0.01)
    )
    assert 1 >= none >= some - 1e-10 >= more - 2e-10
    assert more >= 0
    assert prob_worse_by_margin(*table, *prior, margin=1)["p_worse"] == 0


@given(TABLES, PRIORS)
def test_no_margin_is_the_limit_of_small_ones(table: Table, prior: tuple[float, float]) -> None:
    none = prob_worse_by_margin(*table, *prior, margin=0)["p_worse"]
    assert none == prob_worse_uniform_prior(*table, *prior)["p_worse"]
    assert prob_worse_by_margin(*table, *prior, margin=1e-12)["p_worse"] == pytest.approx(
        none, abs=1e-9
    )


@given(TABLES, st.floats(0.01, 0.9))
def test_the_margin_is_asked_of_failures_alike(table: Table, margin: float) -> None:
    base, base_n, cand, cand_n = table
    turned = (cand_n - cand, cand_n, base_n - base, base_n)
    assert prob_worse_by_margin(*table, margin=margin)["p_worse"] == pytest.approx(
        prob_worse_by_margin(*turned, margin=margin)["p_worse"], abs=1e-10
    )


@pytest.mark.parametrize("prior", [(1.0, 1.0), (0.5, 0.5), (0.3, 2.0)])
@pytest.mark.parametrize(
    "table", [(5, 5, 3, 5), (45, 50, 33, 50), (9, 10, 700, 1000), (0, 0, 1, 3)]
)
def test_the_margin_is_that_of_a_sum_over_scipys_quantiles(
    scipy_stats: ModuleType, table: Table, prior: tuple[float, float]
) -> None:
    base, base_n, cand, cand_n = table
    a, b = prior
    shares = [(at + 0.5) / 20_000 for at in range(20_000)]
    base_rates = scipy_stats.beta.ppf(shares, base + a, base_n - base + b)
    below = scipy_stats.beta.cdf(base_rates - 0.1, cand + a, cand_n - cand + b).mean()
    found = prob_worse_by_margin(*table, a, b, margin=0.1)["p_worse"]
    assert found == pytest.approx(below, abs=1e-6)


def test_a_hundred_thousand_trials_an_arm_are_compared() -> None:
    z = 0.001 / math.sqrt(2 * 0.5 * 0.5 / 100_000)
    normal = 1 - math.erfc(z / math.sqrt(2)) / 2
    near = prob_worse_jeffreys_prior(50_000, 100_000, 49_900, 100_000)["p_worse"]
    assert near == pytest.approx(normal, abs=1e-5)
    off = prob_worse_by_margin(60_000, 100_000, 49_900, 100_000, margin=0.1)["p_worse"]
    z = 0.001 / math.sqrt((0.6 * 0.4 + 0.5 * 0.5) / 100_000)
    assert off == pytest.approx(1 - math.erfc(z / math.sqrt(2)) / 2, abs=1e-3)
    assert prob_worse_uniform_prior(100_000, 100_000, 0, 100_000)["p_worse"] == pytest.approx(1)


def test_arms_and_priors_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="n_base must be at least 1, got 0"):
        difference_two_independent(0, 0, 1, 2)
    with pytest.raises(ValueError, match="alpha must lie between 0 and 1"):
        difference_two_independent(1, 2, 1, 2, 0.0)
    with pytest.raises(ValueError, match="cand_pass must be within 0 to 2, got 3"):
        prob_worse_uniform_prior(1, 2, 3, 2)
    with pytest.raises(ValueError, match="a and b above 0, got a=0, b=1"):
        prob_worse_jeffreys_prior(1, 2, 1, 2, 0, 1)
    with pytest.raises(ValueError, match=r"margin must be within 0 to 1, got 1\.5"):
        prob_worse_by_margin(1, 2, 1, 2, margin=1.5)
