"""Rates over cases with several trials: known answers and what they must obey."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import clustered_se, t_interval, variance_components, wilson_effective_n

FULL = [[1, 1, 1, 1, 1], [1, 1, 0, 1, 1], [1, 0, 1, 0, 1], [0] * 5, [1] * 5, [0, 1, 0, 0, 1]]
RAGGED = [[1, 1, 1, 1, 1], [1, 1], [0, 1, 0], [1], [0, 0, 0, 0], [1, 1, 1, 1, 0]]
DOZEN = [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]]
DOZEN += [[1, 0, 1, 1], [0, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 1], [1, 1, 1, 1]]
OUTCOMES = st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=6), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        (
            FULL,
            {
                "mean_over_trials": 0.6333333333333333,
                "se_no_correction": 0.14465796184768373,
                "se_G_over_Gm1": 0.15846485765339616,
                "se_naive_iid": 0.08948554539839962,
                "design_effect": 3.1358851674641155,
                "t95": (0.22598644850777294, 1.0406802181588937),
                "mean_over_cases": 0.6333333333333333,
                "se_case_means": 0.15846485765339616,
            },
        ),
        (
            RAGGED,
            {
                "mean_over_trials": 0.65,
                "se_no_correction": 0.17248188310660337,
                "se_G_over_Gm1": 0.1889444362769118,
                "se_naive_iid": 0.1094243309804831,
                "design_effect": 2.981538461538461,
                "t95": (0.16430286397715949, 1.1356971360228405),
                "mean_over_cases": 0.688888888888889,
                "se_case_means": 0.17356110390903676,
            },
        ),
    ],
)
def test_known_clustered_errors(groups: list[list[int]], expected: dict[str, object]) -> None:
    given_back = dict(clustered_se(groups))
    assert given_back.pop("t95") == pytest.approx(expected["t95"], abs=1e-9)
    assert given_back == pytest.approx({k: v for k, v in expected.items() if k != "t95"}, abs=1e-9)


@pytest.mark.parametrize(
    ("groups", "size", "interval"),
    [
        (FULL, 9.24778761061947, (0.3302245855822988, 0.8581802022033114)),
        (RAGGED, 6.372549019607846, (0.2956849542692077, 0.8914859130116062)),
        ([[1] * 5] * 7, 7, (0.6456695649333126, 1.0)),
    ],
)
def test_known_effective_sizes(
    groups: list[list[int]], size: float, interval: tuple[float, float]
) -> None:
    bound = wilson_effective_n(groups, 0.05)
    assert bound["n_effective"] == pytest.approx(size, abs=1e-9)
    assert bound["interval"] == pytest.approx(interval, abs=1e-9)


@pytest.mark.parametrize(
    ("groups", "figures"),
    [
        (
            FULL,
            (
                0.7533333333333334,
                0.13333333333333333,
                0.13333333333333333,
                0.12400000000000003,
                0.48186528497409337,
                2.9274611398963737,
            ),
        ),
        (
            DOZEN,
            (
                0.5378787878787878,
                0.1111111111111111,
                0.1111111111111111,
                0.10669191919191919,
                0.48985507246376814,
                2.4695652173913043,
            ),
        ),
    ],
)
def test_known_variance_components(groups: list[list[int]], figures: tuple[float, ...]) -> None:
    parts = variance_components(groups)
    assert parts is not None
    assert tuple(parts.values()) == pytest.approx(figures, abs=1e-9)


@given(OUTCOMES, st.integers(1, 5))
def test_with_equal_counts_the_case_is_the_unit(groups: list[list[int]], k: int) -> None:
    equal = [(group * k)[:k] for group in groups]
    error = clustered_se(equal)
    assert error["mean_over_trials"] == pytest.approx(error["mean_over_cases"])
    if len(equal) > 1:
        assert error["se_G_over_Gm1"] == pytest.approx(error["se_case_means"], abs=1e-9)
        means = [sum(group) / k for group in equal]
        assert error["t95"] == pytest.approx(t_interval(means), abs=1e-9)


@given(OUTCOMES)
def test_the_effective_size_is_no_more_than_the_trials_and_the_interval_holds_the_rate(
    groups: list[list[int]],
) -> None:
    bound = wilson_effective_n(groups)
    trials = sum(map(len, groups))
    low, high = bound["interval"]
    assert 0 < bound["n_effective"] <= trials
    assert 0 <= low <= sum(map(sum, groups)) / trials <= high <= 1


@given(OUTCOMES, st.integers(2, 20))
def test_repeating_each_trial_adds_no_evidence(groups: list[list[int]], times: int) -> None:
    once, often = [wilson_effective_n([g * n for g in groups]) for n in (1, times)]
    if once["n_effective"] < sum(map(len, groups)):
        assert often["n_effective"] == pytest.approx(once["n_effective"])


@given(OUTCOMES)
def test_groups_without_a_trial_are_left_out(groups: list[list[int]]) -> None:
    holed: list[list[int]] = [[], *groups, []]
    assert clustered_se(holed) == clustered_se(groups)
    assert wilson_effective_n(holed) == wilson_effective_n(groups)
    assert variance_components(holed) == variance_components(groups)


def test_cases_that_are_all_alike_count_as_one_trial_each() -> None:
    assert wilson_effective_n([[0, 1, 1]] * 3)["n_effective"] == 3
    assert wilson_effective_n([[1, 1, 0, 1]])["n_effective"] == 1


@given(OUTCOMES)
def test_the_variances_are_those_of_the_sums_of_squares(groups: list[list[int]]) -> None:
    parts = variance_components(groups)
    trials = [value for group in groups for value in group]
    if parts is None:
        assert len(groups) < 2 or len(trials) == len(groups)
        return
    mean = sum(trials) / len(trials)
    whole = math.fsum((value - mean) ** 2 for value in trials)
    within = parts["ms_within"] * (len(trials) - len(groups))
    assert parts["ms_between"] * (len(groups) - 1) + within == pytest.approx(whole)


def test_what_one_case_cannot_tell_is_none() -> None:
    error = clustered_se([[1, 0]])
    assert (error["se_G_over_Gm1"], error["t95"], error["se_case_means"]) == (None, None, None)
    assert clustered_se([[1]])["se_naive_iid"] is None
    assert clustered_se([[1, 1], [1, 1]])["design_effect"] is None
    assert variance_components([[1, 0]]) is None
    assert variance_components([[1], [0]]) is None
    alike = variance_components([[1, 1], [1, 1]])
    assert alike is not None
    assert alike["icc1"] is None


def test_no_trial_at_all_is_refused() -> None:
    for estimate in (clustered_se, wilson_effective_n, variance_components):
        with pytest.raises(ValueError, match="no group holds a trial"):
            estimate([[], []])
    with pytest.raises(ValueError, match="outcomes must lie within 0 to 1"):
        wilson_effective_n([[2]])
