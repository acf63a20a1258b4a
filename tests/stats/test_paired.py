"""The same cases in both arms: known answers, all ways by hand, and what tests must obey."""

import math
from itertools import product
from random import Random
from types import ModuleType
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats import (
    difference_across_days,
    mcnemar,
    paired_difference,
    sign_flip_permutation,
    sign_flip_permutation_exact,
    t_interval,
)

Arms: TypeAlias = tuple[list[float], list[float]]
FIFTHS = ([1, 1, 0.8, 0.6, 1, 0, 0.4, 1, 0.8, 0.2], [1, 0.8, 0.8, 0.2, 1, 0, 0.2, 1, 0.4, 0.4])
FOURTHS = ([1, 0.5, 0.75, 1, 0, 0.25, 1, 1], [0.75, 0.5, 0.25, 1, 0, 0.5, 0.75, 1])
RATES = st.sampled_from([at / 5 for at in range(6)] + [at / 3 for at in range(4)])
SCORES = st.floats(-100, 100)


def arms_of(values: st.SearchStrategy[float], least: int, most: int) -> st.SearchStrategy[Arms]:
    pairs = st.lists(st.tuples(values, values), min_size=least, max_size=most)
    return pairs.map(lambda pair: ([base for base, _ in pair], [cand for _, cand in pair]))


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


@pytest.mark.parametrize(
    ("arms", "expected"),
    [
        (
            FIFTHS,
            {
                "delta": -0.1,
                "se": 0.061463629715285906,
                "t": -1.626978433639921,
                "df": 9,
                "p_two_sided": 0.13818475535118346,
                "p_candidate_worse": 0.06909237767559173,
                "ci95_t": (-0.23904039020849405, 0.03904039020849409),
                "ci95_z": (-0.2204665006010662, 0.02046650060106625),
                "se_unpaired": 0.16772994167212166,
                "corr": 0.8663947700767713,
            },
        ),
        (
            FOURTHS,
            {
                "delta": -0.09375,
                "se": 0.08097480869293328,
                "t": -1.1577674774819398,
                "df": 7,
                "p_two_sided": 0.2849313808423218,
                "p_candidate_worse": 0.1424656904211609,
                "ci95_t": (-0.2852249963562296, 0.09772499635622961),
                "ci95_z": (-0.2524577086931701, 0.06495770869317011),
                "se_unpaired": 0.18712760638513115,
                "corr": 0.8182286168902121,
            },
        ),
    ],
)
def test_known_differences(arms: Arms, expected: dict[str, object]) -> None:
    found = dict(paired_difference(*arms))
    assert set(found) == set(expected)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-9), name


@pytest.mark.parametrize(("arms", "figures"), [(FIFTHS, (0.125, 0.25)), (FOURTHS, (0.25, 0.5))])
def test_known_sign_flips(arms: Arms, figures: tuple[float, float]) -> None:
    assert tuple(sign_flip_permutation_exact(*arms).values()) == figures


@given(arms_of(SCORES, 2, 20))
def test_the_other_way_round_all_signs_turn(arms: Arms) -> None:
    one, other = paired_difference(*arms), paired_difference(*reversed(arms))
    assert one["delta"] == pytest.approx(-other["delta"])
    assert one["se"] == other["se"]
    if one["p_candidate_worse"] is not None and other["p_candidate_worse"] is not None:
        both = one["p_candidate_worse"] + other["p_candidate_worse"]
        assert both == pytest.approx(1, abs=1e-9)
        smaller = min(one["p_candidate_worse"], other["p_candidate_worse"])
        assert one["p_two_sided"] == pytest.approx(2 * smaller, abs=1e-9)


@given(arms_of(SCORES, 2, 20))
def test_the_interval_is_students_on_the_differences(arms: Arms) -> None:
    found = paired_difference(*arms)
    interval = t_interval([cand - base for base, cand in zip(*arms, strict=True)])
    assert found["ci95_t"] == pytest.approx(interval, abs=1e-8)
    assert found["corr"] is None or -1 <= found["corr"] <= 1


@given(arms_of(RATES, 3, 20))
def test_the_test_is_that_of_scipy(scipy_stats: ModuleType, arms: Arms) -> None:
    found = paired_difference(*arms)
    if found["t"] is not None:
        expected = scipy_stats.ttest_rel(arms[1], arms[0])
        assert found["t"] == pytest.approx(expected.statistic, abs=1e-9)
        assert found["p_two_sided"] == pytest.approx(expected.pvalue, abs=1e-9)


def test_differences_that_are_all_equal_have_no_t() -> None:
    fell = paired_difference([1.0, 0.8, 0.6], [0.8, 0.6, 0.4])
    assert (fell["t"], fell["se"], fell["p_candidate_worse"], fell["p_two_sided"]) == (
        None,
        0,
        0,
        0,
    )
    assert paired_difference([0.1, 0.2], [0.4, 0.5])["p_candidate_worse"] == 1
    same = paired_difference([0.1 + 0.2, 0.5], [0.3, 0.5])
    assert (same["delta"], same["t"], same["p_candidate_worse"]) == (0, None, None)
    assert paired_difference([1, 1], [0, 1])["corr"] is None


def test_a_hundred_thousand_cases_are_compared() -> None:
    draw = Random(3)
    baseline = [draw.randint(0, 5) / 5 for _ in range(100_000)]
    found = paired_difference(baseline, [rate * 0.99 for rate in baseline])
    assert found["delta"] == pytest.approx(-0.005, rel=0.02)
    assert found["p_candidate_worse"] == pytest.approx(0, abs=1e-300)


@given(st.floats(-1, 1), st.floats(0.001, 1), st.integers(1, 500), st.floats(0.001, 0.49))
def test_without_drift_the_days_do_not_matter(
    delta: float, se: float, df: int, alpha: float
) -> None:
    same, apart = (difference_across_days(delta, se, df, tau2, alpha) for tau2 in (0.0, 0.01))
    assert same["se"] == pytest.approx(se)
    assert apart["se"] == pytest.approx(math.sqrt(se * se + 0.02))
    assert apart["lower"] < same["lower"] < delta < same["upper"] < apart["upper"]


def test_a_bound_across_days_and_its_chance_are_one_question() -> None:
    found = difference_across_days(-0.03, 0.01, 299, tau2=0.0002)
    assert found["p_candidate_worse"] is not None
    at_zero = difference_across_days(-0.03, 0.01, 299, 0.0002, alpha=found["p_candidate_worse"])
    assert at_zero["upper"] == pytest.approx(0, abs=1e-9)
    assert difference_across_days(0.0, 0.0, 5, 0.0)["p_candidate_worse"] is None
    assert difference_across_days(-0.1, 0.0, 5, 0.0)["p_candidate_worse"] == 0


def flipped_by_hand(arms: Arms) -> tuple[float, float]:
    differences = [cand - base for base, cand in zip(*arms, strict=True)]
    near = 1e-9 * (1 + math.fsum(map(abs, differences)))
    seen = math.fsum(differences)
    sums = [
        math.fsum(sign * value for sign, value in zip(signs, differences, strict=True))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    low = sum(total <= seen + near for total in sums) / len(sums)
    return low, sum(abs(total) >= abs(seen) - near for total in sums) / len(sums)


@settings(max_examples=60)
@given(arms_of(RATES, 1, 9) | arms_of(st.integers(-9, 9).map(lambda at: at * 2**0.5), 1, 9))
def test_all_ways_are_counted_on_a_grid_and_off_it(arms: Arms) -> None:
    flips = sign_flip_permutation_exact(*arms)
    assert tuple(flips.values()) == pytest.approx(flipped_by_hand(arms), abs=1e-12)


@given(arms_of(RATES, 1, 60))
def test_unchanged_cases_say_nothing(arms: Arms) -> None:
    more = tuple([*arm, 0.4, 0.4, 1.0] for arm in arms)
    assert sign_flip_permutation_exact(*more) == sign_flip_permutation_exact(*arms)
    assert list(sign_flip_permutation_exact([0.2], [0.2]).values()) == [1, 1]


def test_three_hundred_cases_of_five_trials_are_counted_exactly() -> None:
    draw = Random(1)
    baseline = [draw.randint(0, 5) / 5 for _ in range(300)]
    candidate = [max(0, rate - 0.2 * (draw.random() < 0.3)) for rate in baseline]
    candidate[:40] = [min(1, rate + 0.2) for rate in baseline[:40]]
    exact = sign_flip_permutation_exact(baseline, candidate)
    fell = sum(cand < base - 0.1 for base, cand in zip(baseline, candidate, strict=True))
    rose = sum(cand > base + 0.1 for base, cand in zip(baseline, candidate, strict=True))
    coins = mcnemar(fell, rose, 0, 0)  # all differences being of one size, their signs are coins
    assert exact["p_candidate_worse"] == pytest.approx(coins["p_exact_candidate_worse"], rel=1e-9)
    assert exact["p_two_sided"] == pytest.approx(coins["p_exact_two_sided"], rel=1e-9)


def test_too_many_uneven_differences_are_left_to_a_sample() -> None:
    draw = Random(1)
    values = [draw.gauss(-0.1, 1) for _ in range(37)]
    with pytest.raises(ValueError, match="37 such differences are too many"):
        sign_flip_permutation_exact([0.0] * 37, values)
    counted = sign_flip_permutation_exact([0.0] * 30, values[:30])
    sampled = sign_flip_permutation([0.0] * 30, values[:30], draw=Random(2), draws=5000)
    for name, chance in counted.items():
        assert dict(sampled)[name] == pytest.approx(chance, abs=0.03)


def test_a_sample_is_the_same_for_the_same_seed_and_never_0() -> None:
    arms = ([1.0] * 40, [0.0] * 40)
    one, other = (sign_flip_permutation(*arms, draw=Random(5), draws=99) for _ in range(2))
    assert one == other == {"p_candidate_worse": 0.01, "p_two_sided": 0.01}


@pytest.mark.parametrize(
    ("counts", "figures"),
    [
        (
            (9, 2, 80, 9),
            (0.0654296875, 0.03271484375, 0.038574218750000014, 3.2727272727, 0.070440429272088),
        ),
        ((8, 1, 30, 11), (0.0390625, 0.01953125, 0.02148437500000003, 4.0, 0.04550026389635857)),
        ((0, 0, 10, 5), (1, 1, 1, None, None)),
    ],
)
def test_known_mcnemar_tests(
    counts: tuple[int, int, int, int], figures: tuple[float | None, ...]
) -> None:
    assert list(mcnemar(*counts).values()) == pytest.approx(list(figures), abs=1e-9)


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_exact_chances_are_those_of_coins(fallen: int, risen: int) -> None:
    test = mcnemar(fallen, risen, 3, 4)
    changed = fallen + risen
    ways = [math.comb(changed, at) for at in range(changed + 1)]
    tail, own = sum(ways[fallen:]), ways[fallen]
    assert test["p_exact_candidate_worse"] == pytest.approx(tail / 2**changed, rel=1e-9)
    two_sided = min(1, 2 * sum(ways[max(fallen, risen) :]) / 2**changed)
    assert test["p_exact_two_sided"] == pytest.approx(two_sided, rel=1e-9)
    if fallen != risen:
        assert test["p_mid_two_sided"] == pytest.approx(two_sided - own / 2**changed, abs=1e-12)


def test_a_hundred_thousand_changed_cases_are_counted() -> None:
    z = (300 - 0.5) / math.sqrt(100_000 / 4)
    worse = mcnemar(50_300, 49_700, 0, 0)["p_exact_candidate_worse"]
    assert worse == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, rel=1e-3)


def test_arms_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="2 in baseline, 1 in candidate"):
        paired_difference([1.0, 0.5], [1.0])
    with pytest.raises(ValueError, match="a paired test needs two cases, got 1"):
        paired_difference([1.0], [1.0])
    with pytest.raises(ValueError, match=r"candidate\[0\] must be a number"):
        sign_flip_permutation_exact([1.0], [math.nan])
    with pytest.raises(ValueError, match="draws must be at least 1"):
        sign_flip_permutation([1.0], [0.5], draw=Random(1), draws=0)
    with pytest.raises(ValueError, match="base_fail_cand_pass must be at least 0, got -1"):
        mcnemar(1, -1, 0, 0)
    with pytest.raises(ValueError, match="tau2 must be at least 0"):
        difference_across_days(0.1, 0.1, 5, -1.0)
    with pytest.raises(ValueError, match=r"alpha must lie between 0 and 0\.5"):
        difference_across_days(0.1, 0.1, 5, 0.0, alpha=0.5)
