"""Two arms: known answers, exact sums over all tables, and what a test must obey."""

import math
from types import ModuleType
from typing import TypeAlias

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairtrial.stats import (
    barnard_exact,
    boschloo_exact,
    fisher_exact,
    fisher_power_exact,
    fisher_trials_needed,
)

Table: TypeAlias = tuple[int, int, int, int]
ARM = st.integers(1, 14).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
TABLES = st.tuples(ARM, ARM).map(lambda arms: (*arms[0], *arms[1]))
FISHER: list[tuple[Table, tuple[float, float, float]]] = [
    ((5, 5, 5, 5), (1.0, 1.0, 0.5)),
    ((5, 5, 3, 5), (0.2222222222222222, 0.4444444444444445, 0.1111111111111111)),
    ((5, 5, 1, 5), (0.023809523809523808, 0.047619047619047616, 0.011904761904761904)),
    ((4, 5, 2, 5), (0.2619047619047619, 0.5238095238095238, 0.14285714285714285)),
    ((10, 10, 5, 10), (0.016253869969040248, 0.032507739938080496, 0.008126934984520124)),
    ((50, 50, 3, 5), (0.006734006734006734, 0.006734006734006734, 0.003367003367003367)),
]
BOSCHLOO: list[tuple[Table, tuple[float]]] = [
    ((5, 5, 5, 5), (1,)),
    ((5, 5, 3, 5), (0.09368844999130066,)),
    ((5, 5, 1, 5), (0.010742187499999998,)),
    ((4, 5, 2, 5), (0.17187499999999994,)),
    ((10, 10, 5, 10), (0.00638961791992188,)),
    ((50, 50, 3, 5), (0.002362058502336527,)),
]
BARNARD: list[tuple[Table, tuple[float]]] = [
    ((5, 5, 4, 5), (0.2578141933079374,)),
    ((5, 5, 2, 5), (0.03092404517251115,)),
    ((5, 5, 0, 5), (0.0009765624999999993,)),
    ((10, 10, 7, 10), (0.04379395340373661,)),
    ((20, 20, 3, 5), (0.012351988272562727,)),
    ((25, 25, 19, 25), (0.004852016336434618,)),
]


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


def fishers_p(table: Table) -> float:
    """Sum the hypergeometric chances in whole numbers."""
    base, base_n, cand, cand_n = table
    passes = base + cand
    ways = sum(
        math.comb(cand_n, c) * math.comb(base_n, passes - c)
        for c in range(max(0, passes - base_n), cand + 1)
    )
    return ways / math.comb(base_n + cand_n, passes)


def chance_of(region: list[tuple[int, int]], base_n: int, cand_n: int, rate: float) -> float:
    """Sum the binomial chances of tables, given as (baseline's passes, candidate's passes)."""
    return math.fsum(
        math.comb(base_n, b)
        * math.comb(cand_n, c)
        * rate ** (b + c)
        * (1 - rate) ** (base_n + cand_n - b - c)
        for b, c in region
    )


def worst_on_a_grid(region: list[tuple[int, int]], base_n: int, cand_n: int) -> float:
    rates = [math.sin(at / 300 * math.pi / 2) ** 2 for at in range(301)]
    return max(chance_of(region, base_n, cand_n, rate) for rate in rates)


@pytest.mark.parametrize(("table", "figures"), FISHER)
def test_known_fisher_tests(table: Table, figures: tuple[float, ...]) -> None:
    assert tuple(fisher_exact(*table).values()) == pytest.approx(figures, abs=1e-9)


@pytest.mark.parametrize(("table", "figures"), BOSCHLOO)
def test_known_boschloo_tests(table: Table, figures: tuple[float, ...]) -> None:
    assert tuple(boschloo_exact(*table).values()) == pytest.approx(figures, abs=1e-9)


@pytest.mark.parametrize(("table", "figures"), BARNARD)
def test_known_barnard_tests(table: Table, figures: tuple[float, ...]) -> None:
    assert tuple(barnard_exact(*table).values()) == pytest.approx(figures, abs=1e-9)


@given(TABLES)
def test_fishers_p_is_the_share_of_the_draws(table: Table) -> None:
    test = fisher_exact(*table)
    assert test["p_candidate_worse"] == pytest.approx(fishers_p(table), rel=1e-12)
    assert 0 <= test["p_mid_candidate_worse"] < test["p_candidate_worse"] <= 1
    assert 0 < test["p_two_sided"] <= 1


@given(TABLES)
def test_worse_and_better_overlap_in_the_table_itself(table: Table) -> None:
    base, base_n, cand, cand_n = table
    worse, better = fisher_exact(*table), fisher_exact(cand, cand_n, base, base_n)
    both = worse["p_mid_candidate_worse"] + better["p_mid_candidate_worse"]
    assert both == pytest.approx(1, abs=1e-12)
    assert worse["p_two_sided"] == pytest.approx(better["p_two_sided"], abs=1e-12)


@given(TABLES)
def test_a_fall_in_passes_is_a_rise_in_failures(table: Table) -> None:
    base, base_n, cand, cand_n = table
    turned = (cand_n - cand, cand_n, base_n - base, base_n)
    for test in (fisher_exact, boschloo_exact, barnard_exact):
        p = test(*table)["p_candidate_worse"]
        assert p == pytest.approx(test(*turned)["p_candidate_worse"], rel=1e-9)


@given(TABLES)
def test_one_more_pass_of_the_candidate_never_makes_it_look_worse(table: Table) -> None:
    base, base_n, cand, cand_n = table
    if cand < cand_n:
        more = (base, base_n, cand + 1, cand_n)
        for test in (fisher_exact, boschloo_exact):
            p, higher = test(*table)["p_candidate_worse"], test(*more)["p_candidate_worse"]
            assert p <= higher * (1 + 1e-9)


@settings(max_examples=40)
@given(TABLES)
@example((1, 1, 20, 28))  # the region ends below one passes and goes on above it
@example((5, 5, 5, 5))
@example((0, 3, 3, 3))
def test_boschloos_p_is_the_worst_chance_of_fishers(table: Table) -> None:
    _, base_n, _, cand_n = table
    seen = fishers_p(table) * (1 + 1e-9)
    tables = [(b, c) for b in range(base_n + 1) for c in range(cand_n + 1)]
    region = [(b, c) for b, c in tables if fishers_p((b, base_n, c, cand_n)) <= seen]
    worst = worst_on_a_grid(region, base_n, cand_n)
    p = boschloo_exact(*table)["p_candidate_worse"]
    assert worst * (1 - 1e-9) <= p <= worst * (1 + 1e-3)
    assert p <= seen


@settings(max_examples=40)
@given(TABLES)
@example((3, 5, 3, 5))
@example((0, 2, 2, 2))
@example((2, 2, 0, 9))
def test_barnards_p_is_the_worst_chance_of_as_great_a_z(table: Table) -> None:
    base_pass, base_n, cand_pass, cand_n = table

    def z(b: int, c: int) -> float:
        pooled = (b + c) / (base_n + cand_n)
        error = math.sqrt(pooled * (1 - pooled) * (1 / base_n + 1 / cand_n))
        return (b / base_n - c / cand_n) / error if error else 0.0

    tables = [(b, c) for b in range(base_n + 1) for c in range(cand_n + 1)]
    region = [(b, c) for b, c in tables if z(b, c) >= z(base_pass, cand_pass) - 1e-9]
    worst = worst_on_a_grid(region, base_n, cand_n)
    p = barnard_exact(*table)["p_candidate_worse"]
    assert min(1, worst * (1 - 1e-9)) <= p <= worst * (1 + 1e-3)


@pytest.mark.parametrize("table", [(19, 20, 14, 20), (30, 31, 20, 27), (6, 9, 2, 12)])
def test_the_tests_are_those_of_scipy(scipy_stats: ModuleType, table: Table) -> None:
    base, base_n, cand, cand_n = table
    counts = [[base, cand], [base_n - base, cand_n - cand]]
    own = fisher_exact(*table)
    fisher = scipy_stats.fisher_exact(counts, alternative="greater").pvalue
    assert own["p_candidate_worse"] == pytest.approx(fisher, rel=1e-9)
    assert own["p_two_sided"] == pytest.approx(scipy_stats.fisher_exact(counts).pvalue, rel=1e-9)
    boschloo = scipy_stats.boschloo_exact(counts, alternative="greater", n=128).pvalue
    assert boschloo_exact(*table)["p_candidate_worse"] == pytest.approx(boschloo, rel=1e-9)
    barnard = scipy_stats.barnard_exact(counts, alternative="greater", n=128).pvalue
    assert barnard_exact(*table)["p_candidate_worse"] == pytest.approx(barnard, rel=1e-9)


def test_a_hundred_thousand_trials_an_arm_are_compared() -> None:
    table = (95_000, 100_000, 94_700, 100_000)
    z = 300 / math.sqrt(2 * 100_000 * 0.9485 * 0.0515)
    p = fisher_exact(*table)["p_candidate_worse"]
    assert p == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, rel=0.05)
    assert 0.98 * p < boschloo_exact(*table)["p_candidate_worse"] <= p
    assert barnard_exact(*table)["p_candidate_worse"] == pytest.approx(p, rel=0.05)


def test_a_fall_beyond_all_chance_has_a_p_of_nothing() -> None:
    for test in (fisher_exact, boschloo_exact, barnard_exact):
        assert 0 <= test(5000, 5000, 0, 5000)["p_candidate_worse"] < 1e-300


@pytest.mark.parametrize(
    ("plan", "power"),
    [((1.0, 0.6, 5, 0.05), 0.08704), ((0.95, 0.65, 25, 0.05), 0.8198597298181651)],
)
def test_known_powers(plan: tuple[float, float, int, float], power: float) -> None:
    assert fisher_power_exact(*plan)["power"] == pytest.approx(power, abs=1e-9)


@settings(max_examples=40)
@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 12), st.floats(0.001, 0.5))
def test_the_power_is_the_chance_of_the_tables_that_reject(
    p_base: float, p_cand: float, n: int, alpha: float
) -> None:
    def chance(passes: int, rate: float) -> float:
        return math.comb(n, passes) * rate**passes * (1 - rate) ** (n - passes)

    power = math.fsum(
        chance(b, p_base) * chance(c, p_cand)
        for b in range(n + 1)
        for c in range(n + 1)
        if fishers_p((b, n, c, n)) <= alpha * (1 + 1e-9)
    )
    assert fisher_power_exact(p_base, p_cand, n, alpha)["power"] == pytest.approx(power, abs=1e-9)


@given(st.floats(0, 1), st.integers(1, 60), st.floats(0.001, 0.5))
def test_without_a_drop_the_power_is_within_alpha(rate: float, n: int, alpha: float) -> None:
    assert 0 <= fisher_power_exact(rate, rate, n, alpha)["power"] <= alpha + 1e-9


@pytest.mark.parametrize(
    ("p_base", "p_cand", "alpha", "power"),
    [
        (0.95, 0.65, 0.05, 0.8),
        (1.0, 0.5, 0.01, 0.9),
        (0.9, 0.6, 0.0001, 0.9),
        (1.0, 0.0, 0.05, 0.5),
    ],
)
def test_the_trials_needed_are_the_first_that_do(
    p_base: float, p_cand: float, alpha: float, power: float
) -> None:
    needed = fisher_trials_needed(p_base, p_cand, alpha, power)
    assert needed is not None
    powers = [fisher_power_exact(p_base, p_cand, n, alpha)["power"] for n in range(1, needed + 1)]
    assert [at for at, reached in enumerate(powers, 1) if reached >= power] == [needed]


def test_a_drop_that_is_none_or_too_small_has_no_number_of_trials() -> None:
    assert fisher_trials_needed(0.8, 0.8) is None
    assert fisher_trials_needed(0.8, 0.9) is None
    assert fisher_trials_needed(0.8, 0.7, most=50) is None


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ((0, 0, 1, 2), "base_n must be at least 1, got 0"),
        ((1, 2, 0, 0), "cand_n must be at least 1, got 0"),
        ((3, 2, 1, 2), "base_pass must be within 0 to 2, got 3"),
        ((1, 2, -1, 2), "cand_pass must be within 0 to 2, got -1"),
    ],
)
def test_arms_that_make_no_sense_are_refused(table: Table, message: str) -> None:
    for test in (fisher_exact, boschloo_exact, barnard_exact):
        with pytest.raises(ValueError, match=message):
            test(*table)


def test_a_plan_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="p_base must be within 0 to 1"):
        fisher_power_exact(1.5, 0.5, 5)
    with pytest.raises(ValueError, match="n_each must be at least 1"):
        fisher_power_exact(0.5, 0.5, 0)
    with pytest.raises(ValueError, match="alpha must lie between 0 and 1"):
        fisher_power_exact(0.5, 0.5, 5, 1.0)
    with pytest.raises(ValueError, match="power must lie between 0 and 1"):
        fisher_trials_needed(0.9, 0.5, power=1.0)
