"""pass@k and pass^k: known answers, and the meaning of the estimators by brute force."""

from itertools import combinations
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import (
    naive_plugin,
    pass_at_k,
    pass_hat_k,
    plugin_expectation,
    posterior_mean_pass_hat_k,
    suite_pass_k,
)

COUNTS = st.integers(1, 60).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))
)
FULL = [(5, 5), (5, 4), (5, 3), (5, 0), (5, 5), (5, 2)]
RAGGED = [(5, 5), (4, 4), (3, 2), (5, 1), (2, 2), (1, 0), (5, 4), (0, 0)]
MIXED = [(5, 3), (5, 5), (4, 2), (5, 5), (3, 3), (5, 0), (5, 5), (2, 1)]


@pytest.mark.parametrize(
    ("n", "c", "k", "at", "hat"),
    [
        (5, 3, 1, 0.6, 0.6),
        (5, 3, 3, 1.0, 0.1),
        (5, 0, 3, 0.0, 0.0),
        (5, 4, 4, 1.0, 0.2),
        (10, 7, 3, 0.9916666666666667, 0.2916666666666667),
        (200, 3, 100, 0.8768844221105527, 0.0),
        (4, 1, 2, 0.5, 0.0),
        (4, 3, 2, 1.0, 0.5),
        (3, 3, 3, 1.0, 1.0),
        (4, 2, 2, 0.8333333333333334, 0.16666666666666666),
    ],
)
def test_known_answers(n: int, c: int, k: int, at: float, hat: float) -> None:
    assert pass_at_k(n, c, k) == pytest.approx(at, abs=1e-12)
    assert pass_hat_k(n, c, k) == pytest.approx(hat, abs=1e-12)


@pytest.mark.parametrize(("n", "c", "k"), [(2, 0, 5), (2, 2, 5), (0, 0, 1)])
def test_fewer_trials_than_k_give_no_estimate(n: int, c: int, k: int) -> None:
    assert pass_at_k(n, c, k) is None
    assert pass_hat_k(n, c, k) is None


@pytest.mark.parametrize(
    ("n", "c", "k", "message"),
    [
        (5, 3, 0, "k must be at least 1, got 0"),
        (5, 6, 1, "c must lie within 0 to n=5, got 6"),
        (5, -1, 1, "c must lie within 0 to n=5, got -1"),
        (-1, 0, 1, "n must be at least 0, got -1"),
    ],
)
def test_counts_that_make_no_sense_are_refused(n: int, c: int, k: int, message: str) -> None:
    for estimate in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match=message):
            estimate(n, c, k)
    with pytest.raises(ValueError, match=message):
        posterior_mean_pass_hat_k(n, c, k, a=1, b=1)


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_the_estimators_are_the_shares_of_all_draws_of_k_trials(counts: tuple[int, int]) -> None:
    n, c = counts
    trials = [True] * c + [False] * (n - c)
    for k in range(1, n + 1):
        draws = list(combinations(trials, k))
        assert pass_at_k(n, c, k) == pytest.approx(mean(map(any, draws)))
        assert pass_hat_k(n, c, k) == pytest.approx(mean(map(all, draws)))


@given(COUNTS)
def test_all_of_k_is_rarer_than_one_and_one_of_k_is_commoner(counts: tuple[int, int, int]) -> None:
    n, c, k = counts
    at, hat = pass_at_k(n, c, k), pass_hat_k(n, c, k)
    assert at is not None
    assert hat is not None
    assert 0 <= hat <= c / n <= at <= 1


@given(COUNTS)
def test_one_of_k_passes_where_not_all_of_k_fail(counts: tuple[int, int, int]) -> None:
    n, c, k = counts
    all_fail = pass_hat_k(n, n - c, k)
    assert all_fail is not None
    assert pass_at_k(n, c, k) == pytest.approx(1 - all_fail, abs=1e-12)


@given(st.integers(1, 9), st.integers(1, 9), st.floats(0, 1))
def test_the_estimators_are_unbiased_and_the_plug_in_is_not(n: int, k: int, p: float) -> None:
    k = min(n, k)
    bias = plugin_expectation(n, k, p)
    ways = [1]
    for c in range(n):
        ways.append(ways[-1] * (n - c) // (c + 1))
    chances = [way * p**c * (1 - p) ** (n - c) for c, way in enumerate(ways)]
    expected = sum(chance * (pass_hat_k(n, c, k) or 0) for c, chance in enumerate(chances))
    assert expected == pytest.approx(bias["true_pass_hat_k"], abs=1e-9)
    assert bias["E_plugin_pass_hat_k"] >= bias["true_pass_hat_k"] - 1e-9
    assert bias["E_plugin_pass_at_k"] <= bias["true_pass_at_k"] + 1e-9


@pytest.mark.parametrize(
    ("n", "c", "k", "at", "hat"),
    [
        (5, 4, 3, 0.992, 0.512),
        (10, 9, 8, 0.99999999, 0.43046721),
        (20, 19, 8, 0.9999999999609375, 0.6634204312890625),
        (4, 2, 2, 0.75, 0.25),
    ],
)
def test_the_plug_in_is_another_number(n: int, c: int, k: int, at: float, hat: float) -> None:
    assert naive_plugin(n, c, k) == pytest.approx({"pass_at_k": at, "pass_hat_k": hat}, abs=1e-9)


@pytest.mark.parametrize(
    ("n", "k", "p", "figures"),
    [
        (5, 3, 0.9, (0.99072, 0.999, 0.77472, 0.729)),
        (5, 3, 0.5, (0.8, 0.875, 0.2, 0.125)),
        (3, 3, 0.7, (0.9006666666666663, 0.973, 0.48066666666666646, 0.343)),
    ],
)
def test_the_bias_of_the_plug_in_is_known(
    n: int, k: int, p: float, figures: tuple[float, ...]
) -> None:
    bias = plugin_expectation(n, k, p)
    assert tuple(bias.values()) == pytest.approx(figures, abs=1e-9)


@pytest.mark.parametrize(
    ("cases", "k", "at", "hat", "eligible", "se_at", "se_hat", "pooled"),
    [
        (
            FULL,
            1,
            0.6333333333333333,
            0.6333333333333333,
            6,
            0.15846485765339619,
            0.15846485765339619,
            0.6333333333333333,
        ),
        (
            FULL,
            3,
            0.8166666666666667,
            0.4166666666666667,
            6,
            0.1641476300299351,
            0.19393584277051806,
            0.6333333333333333,
        ),
        (RAGGED, 2, 0.9, 0.6555555555555556, 6, 0.1, 0.17249082995844472, 0.72),
        (MIXED, 1, 0.7, 0.7, 8, 0.12955969390869326, 0.12955969390869326, 0.7058823529411765),
        (
            MIXED,
            3,
            0.8571428571428571,
            0.5857142857142857,
            7,
            0.14285714285714288,
            0.19570211988604302,
            0.7058823529411765,
        ),
    ],
)
def test_a_suite_is_the_mean_over_its_eligible_cases(
    cases: list[tuple[int, int]],
    k: int,
    at: float,
    hat: float,
    eligible: int,
    se_at: float,
    se_hat: float,
    pooled: float,
) -> None:
    assert suite_pass_k(cases, k) == pytest.approx(
        {
            "pass_at_k": at,
            "pass_hat_k": hat,
            "eligible_cases": eligible,
            "excluded_cases": len(cases) - eligible,
            "se_pass_at_k": se_at,
            "se_pass_hat_k": se_hat,
            "pooled_trials_rate": pooled,
        },
        abs=1e-9,
    )


def test_a_suite_without_an_eligible_case_has_no_rate() -> None:
    suite = suite_pass_k([(1, 1), (0, 0)], 2)
    assert (suite["pass_at_k"], suite["pass_hat_k"], suite["se_pass_hat_k"]) == (None, None, None)
    assert (suite["eligible_cases"], suite["excluded_cases"]) == (0, 2)
    assert suite_pass_k([], 1)["pooled_trials_rate"] is None
    assert suite_pass_k([(2, 1)], 1)["se_pass_at_k"] is None
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        suite_pass_k([], 0)


@pytest.mark.parametrize(
    ("n", "c", "k", "a", "b", "value"),
    [
        (5, 5, 5, 1, 1, 0.5454545454545454),
        (3, 3, 8, 0.5, 0.5, 0.538201904296875),
        (20, 19, 8, 0.5, 0.5, 0.6003620695533802),
    ],
)
def test_the_posterior_mean_is_defined_beyond_n(
    n: int, c: int, k: int, a: float, b: float, value: float
) -> None:
    assert posterior_mean_pass_hat_k(n, c, k, a, b) == pytest.approx(value, abs=1e-12)


def test_what_the_model_numbers_need_is_said() -> None:
    with pytest.raises(ValueError, match="a and b above 0, got a=0, b=1"):
        posterior_mean_pass_hat_k(1, 1, 1, a=0, b=1)
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        naive_plugin(0, 0, 1)
    with pytest.raises(ValueError, match=r"p must lie within 0 to 1, got 1\.5"):
        plugin_expectation(1, 1, 1.5)
