"""Agreement of many raters: known answers, and the definitions by brute force."""

import math
from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import fleiss_kappa, krippendorff_alpha

Ratings = list[list[float | None]]

FLEISS = [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1]]
FLEISS += [[7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]
FOUR: Ratings = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
THREE: Ratings = [
    [1, 2, 3, 4, 5, 1, 2, 3],
    [1, 2, 3, 5, 5, 2, 2, 3],
    [2, 2, None, 4, 4, 1, 2, 3],
]
RATED = st.integers(1, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.none() | st.integers(1, 4), min_size=raters, max_size=raters), max_size=8
    )
)


def by_definition(items: Ratings, distance: Callable[[float, float], float]) -> float | None:
    """Compute 1 - Do/De from all pairs of ratings."""
    units = [[r for r in item if r is not None] for item in items]
    units = [unit for unit in units if len(unit) > 1]
    pooled = [rating for unit in units for rating in unit]
    expected = sum(distance(a, b) for a, b in permutations(pooled, 2))
    if not expected:
        return None
    seen = sum(distance(a, b) / (len(unit) - 1) for unit in units for a, b in permutations(unit, 2))
    return 1 - seen * (len(pooled) - 1) / expected


def test_known_fleiss() -> None:
    assert fleiss_kappa(FLEISS) == pytest.approx(0.20993070442195522, abs=1e-9)


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        (FOUR, (0.743421052631579, 0.8153875037548814, 0.8491071428571428)),
        (THREE, (0.5665024630541872, 0.9094774379371828, 0.8962264150943396)),
    ],
)
def test_known_alpha(ratings: Ratings, expected: tuple[float, ...]) -> None:
    alpha = krippendorff_alpha(ratings_by_rater=ratings)
    assert tuple(alpha) == ("nominal", "ordinal", "interval")
    assert tuple(alpha.values()) == pytest.approx(expected, abs=1e-9)


@given(RATED)
def test_alpha_is_that_of_all_pairs(items: Ratings) -> None:
    if not items:
        return
    pooled = [
        r for item in items if sum(r is not None for r in item) > 1 for r in item if r is not None
    ]

    def between(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        inside = sum(low <= rating <= high for rating in pooled)
        return (inside - (pooled.count(low) + pooled.count(high)) / 2) ** 2 if a != b else 0

    alpha = krippendorff_alpha([list(ratings) for ratings in zip(*items, strict=True)])
    for name, distance in (
        ("nominal", lambda a, b: float(a != b)),
        ("ordinal", between),
        ("interval", lambda a, b: (a - b) ** 2),
    ):
        expected = by_definition(items, distance)
        found = alpha[name]  # type: ignore[literal-required]  # a loop over names
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


@given(st.lists(st.integers(0, 3).map(lambda yes: [yes, 3 - yes]), min_size=1, max_size=20))
def test_fleiss_is_the_share_of_agreeing_pairs_beyond_chance(counts: list[list[int]]) -> None:
    agreeing = sum(math.comb(count, 2) for row in counts for count in row) / (3 * len(counts))
    shares = [sum(column) / (3 * len(counts)) for column in zip(*counts, strict=True)]
    chance = sum(share**2 for share in shares)
    kappa = fleiss_kappa(counts)
    expected = None if 1 in shares else pytest.approx((agreeing - chance) / (1 - chance), abs=1e-9)
    assert kappa == expected


def test_ratings_that_cannot_tell_give_none() -> None:
    nothing = {"nominal": None, "ordinal": None, "interval": None}
    assert krippendorff_alpha([[1, None], [None, 2]]) == nothing
    assert krippendorff_alpha([[0.1, 0.1], [0.1, 0.1], [0.1, 0.1]]) == nothing
    assert fleiss_kappa([[3, 0], [3, 0]]) is None


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([], "there is no item"),
        ([[1, 1], [2, 1]], "item 1 must have 2 ratings in 2 categories"),
        ([[1, 1], [2]], "item 1 must have 2 ratings in 2 categories"),
        ([[3, -1]], "item 0 must have 2 ratings in 2 categories"),
        ([[1, 0]], "at least two ratings, got 1"),
    ],
)
def test_counts_that_make_no_sense_are_refused(counts: list[list[int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fleiss_kappa(counts)


def test_raters_of_different_items_are_refused() -> None:
    with pytest.raises(ValueError, match="all of the same length"):
        krippendorff_alpha([[1, 2], [1]])
    with pytest.raises(ValueError, match="all of the same length"):
        krippendorff_alpha([])
    with pytest.raises(ValueError, match="must be a number"):
        krippendorff_alpha([[1], [math.nan]])
