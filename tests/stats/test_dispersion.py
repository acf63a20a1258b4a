"""Independence: counted by hand, by shuffling, and for what makes trials depend on each other."""

import itertools
import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import pass_dispersion, variance_above
from fairtrial.stats.dispersion import _pair_moments


def drawn(seed: int, cases: int, k: int, runs: int, kind: str) -> list[list[tuple[int, int]]]:
    """Draw the passes of cases whose true rates lie between 0.4 and 1."""
    random = Random(seed)
    rows = []
    for _ in range(cases):
        rate = random.uniform(0.4, 1)
        once = sum(random.random() < rate for _ in range(k))
        rows.append(
            [
                (k, once)
                if kind == "alike"
                else (k, k * (random.random() < rate))
                if kind == "clumped"
                else (k, sum(random.random() < rate for _ in range(k)))
                for _ in range(runs)
            ]
        )
    return rows


def test_independent_trials_have_a_spread_near_one() -> None:
    found = [pass_dispersion(drawn(seed, 40, 5, 5, "independent")) for seed in range(60)]
    chances = [one["p_clumped"] for one in found if one is not None]
    assert len(chances) == 60
    assert 0.35 < sum(chances) / 60 < 0.65
    assert sum(chance < 0.01 for chance in chances) <= 3
    assert sum(chance > 0.99 for chance in chances) <= 3


@pytest.mark.parametrize("seed", range(5))
def test_trials_of_one_run_that_go_together_are_found(seed: int) -> None:
    found = pass_dispersion(drawn(seed, 12, 5, 5, "clumped"))
    assert found is not None
    assert (found["ratio"] > 2, found["p_clumped"] < 0.001) == (True, True)


@pytest.mark.parametrize("seed", range(5))
def test_trials_that_come_out_the_same_in_every_run_are_found(seed: int) -> None:
    found = pass_dispersion(drawn(seed, 12, 5, 5, "alike"))
    assert found is not None
    assert (found["ratio"] < 0.1, found["p_alike"] < 0.001) == (True, True)


@pytest.mark.parametrize(
    "cases",
    [
        [],
        [[(5, 5), (5, 5)]],
        [[(5, 0), (5, 0)]],
        [[(5, 3)]],
        [[(1, 1), (1, 0)]],
        [[(5, 4), (0, 0)]],
    ],
)
def test_where_nothing_can_vary_nothing_is_told(cases: list[list[tuple[int, int]]]) -> None:
    assert pass_dispersion(cases) is None


@given(st.lists(st.integers(0, 4), min_size=2, max_size=3), st.data())
def test_the_moments_are_those_of_every_way_to_deal_the_passes(
    sizes: list[int], data: st.DataObject
) -> None:
    passes = data.draw(st.integers(0, sum(sizes)))
    counts: list[float] = []
    edges = list(itertools.accumulate(sizes, initial=0))
    for dealt in itertools.combinations(range(sum(sizes)), passes):
        in_runs = [sum(a <= at < b for at in dealt) for a, b in itertools.pairwise(edges)]
        counts.append(sum(c * (c - 1) for c in in_runs))
    mean = math.fsum(counts) / len(counts)
    variance = math.fsum((count - mean) ** 2 for count in counts) / len(counts)
    found = _pair_moments(tuple(sorted(sizes)), passes)
    if found is None:
        assert variance == pytest.approx(0) or sum(n > 0 for n in sizes) < 2
    else:
        assert found[:2] == pytest.approx((mean, variance))


def test_passes_beyond_the_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="the passes of run 1"):
        pass_dispersion([[(5, 5), (5, 6)]])


def test_runs_that_differ_as_their_trials_make_them_are_nothing_odd() -> None:
    assert variance_above(0.0003, 0.0003, 5) == pytest.approx(0.406, abs=0.001)  # 4 on 4 degrees
    assert variance_above(0.0, 0.0003, 5) == 1.0
    for variance, expected, runs in ((-1, 1, 5), (1, 0, 5), (1, 1, 1)):
        with pytest.raises(ValueError, match="must"):
            variance_above(variance, expected, runs)
