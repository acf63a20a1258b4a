"""Kappa on categories without an order: as two categories have it, its limits, its bounds."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import binary_agreement, bootstrap_kappa, nominal_kappa

PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=60))
def test_two_categories_have_the_kappa_of_passes_and_fails(pairs: list[tuple[int, int]]) -> None:
    human, judge = [one for one, _ in pairs], [other for _, other in pairs]
    expected = binary_agreement(human, judge)["cohen_kappa"]
    told = nominal_kappa([str(one) for one in human], [str(one) for one in judge])
    assert told == (None if expected is None else pytest.approx(expected, abs=1e-12))


@given(PAIRS, st.permutations("abc"))
def test_names_and_sides_do_not_matter(pairs: list[tuple[str, str]], names: list[str]) -> None:
    renamed = dict(zip("abc", names, strict=True))
    human, judge = [one for one, _ in pairs], [other for _, other in pairs]
    told = nominal_kappa(human, judge)
    assert nominal_kappa(judge, human) == told
    assert nominal_kappa([renamed[one] for one in human], [renamed[one] for one in judge]) == told


def test_full_agreement_is_one_and_a_single_category_has_none() -> None:
    assert nominal_kappa(["a", "b", "c"], ["a", "b", "c"]) == 1.0
    assert nominal_kappa(["a", "a"], ["a", "a"]) is None
    assert nominal_kappa(["a", "a"], ["b", "b"]) == 0.0


@given(PAIRS, st.integers(0, 5))
def test_bounds_hold_kappa_and_come_again_with_the_seed(
    pairs: list[tuple[str, str]], seed: int
) -> None:
    human, judge = [one for one, _ in pairs], [other for _, other in pairs]
    told = [bootstrap_kappa(human, judge, draw=Random(seed), draws=50) for _ in range(2)]
    assert told[0] == told[1]
    assert told[0]["kappa"] == nominal_kappa(human, judge)
    interval = told[0]["interval"]
    assert interval is None or -1 <= interval[0] <= interval[1] <= 1


def test_where_most_draws_have_no_kappa_there_are_no_bounds() -> None:
    told = bootstrap_kappa(["p"] * 9 + ["f"], ["p"] * 9 + ["f"], draw=Random(1))
    assert (told["kappa"], told["interval"]) == (1.0, None)


@pytest.mark.parametrize(
    ("human", "judge", "draws", "alpha"),
    [([], [], 10, 0.05), (["a"], [], 10, 0.05), (["a"], ["a"], 0, 0.05), (["a"], ["a"], 9, 1.0)],
)
def test_what_makes_no_sense_is_refused(
    human: list[str], judge: list[str], draws: int, alpha: float
) -> None:
    with pytest.raises(ValueError, match=r"."):
        bootstrap_kappa(human, judge, draw=Random(1), draws=draws, alpha=alpha)
