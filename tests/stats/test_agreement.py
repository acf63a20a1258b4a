"""Agreement of two raters: known answers, limits, and what swapping must not change."""

import math
from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import binary_agreement, krippendorff_alpha, weighted_kappa

SMALL = (
    [1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1],
    [1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1],
)
EVEN = ([1] * 50 + [0] * 50, [1] * 46 + [0] * 4 + [1] + [0] * 49)
HUMAN = [1, 2, 3, 4, 5, 3, 2, 4, 5, 1, 2, 3, 4, 4, 5, 2]
JUDGE = [1, 2, 4, 4, 5, 2, 2, 5, 5, 1, 3, 3, 3, 4, 4, 2]
BINARY = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=60)
SCALE = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        (
            SMALL,
            {
                "accuracy": 0.8,
                "cohen_kappa": 0.4666666666666668,
                "kappa_se": 0.22766663955316793,
                "kappa_se_null": 0.22360679774997896,
                "pabak": 0.6,
                "gwet_ac1": 0.68,
                "scott_pi": 0.4666666666666668,
                "krippendorff_alpha_nominal": 0.48,
                "sensitivity": 0.8666666666666667,
                "specificity": 0.6,
                "balanced_accuracy": 0.7333333333333334,
                "mcc": 0.4666666666666667,
                "f1": 0.8666666666666667,
            },
        ),
        (
            EVEN,
            {
                "accuracy": 0.95,
                "cohen_kappa": 0.9,
                "kappa_se": 0.043510458512867944,
                "kappa_se_null": 0.09981983770774223,
                "pabak": 0.9,
                "gwet_ac1": 0.9000899190728343,
                "scott_pi": 0.8999099189270342,
                "krippendorff_alpha_nominal": 0.9004103693323992,
                "sensitivity": 0.92,
                "specificity": 0.98,
                "balanced_accuracy": 0.95,
                "mcc": 0.9016243871634686,
                "f1": 0.9484536082474226,
            },
        ),
    ],
)
def test_known_agreement(
    ratings: tuple[Sequence[int], Sequence[int]], expected: dict[str, float]
) -> None:
    measured = dict(binary_agreement(*ratings))
    measured.pop("accuracy_wilson95")
    assert measured == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("ratings", "interval"),
    [
        (SMALL, (0.5839825677481064, 0.919342337420202)),
        (EVEN, (0.8882495307680808, 0.9784563208456319)),
    ],
)
def test_known_bounds_of_the_accuracy(
    ratings: tuple[Sequence[int], Sequence[int]], interval: tuple[float, float]
) -> None:
    measured = binary_agreement(*ratings)
    assert measured["accuracy_wilson95"] == pytest.approx(interval, abs=1e-9)


def test_a_judge_that_passes_everything_agrees_and_knows_nothing() -> None:
    measured = binary_agreement([1] * 95 + [0] * 5, [1] * 100)
    assert measured["accuracy"] == 0.95
    assert (measured["cohen_kappa"], measured["specificity"], measured["mcc"]) == (0, 0, None)
    assert measured["gwet_ac1"] > 0.9


def test_what_divides_by_an_empty_class_is_none() -> None:
    passed = dict(binary_agreement([1, 1], [1, 1]))
    assert {name for name, value in passed.items() if value is None} == {
        *("cohen_kappa", "kappa_se", "kappa_se_null", "scott_pi", "krippendorff_alpha_nominal"),
        *("specificity", "balanced_accuracy", "mcc"),
    }
    assert (passed["pabak"], passed["gwet_ac1"], passed["f1"]) == (1, 1, 1)
    assert binary_agreement([0], [0])["f1"] is None


@given(BINARY)
def test_swapping_the_raters_swaps_nothing_but_who_is_right(pairs: list[tuple[int, int]]) -> None:
    human, judge = zip(*pairs, strict=True)
    one, other = binary_agreement(human, judge), binary_agreement(judge, human)
    for name in ("accuracy", "cohen_kappa", "gwet_ac1", "scott_pi", "mcc", "f1"):
        assert one[name] == other[name]
    assert one["kappa_se"] == pytest.approx(other["kappa_se"], abs=1e-12)


@given(BINARY)
def test_every_coefficient_is_in_its_range_and_one_where_all_agree(
    pairs: list[tuple[int, int]],
) -> None:
    human, judge = zip(*pairs, strict=True)
    measured, same = dict(binary_agreement(human, judge)), dict(binary_agreement(human, human))
    for name in ("cohen_kappa", "pabak", "gwet_ac1", "scott_pi", "mcc"):
        assert measured[name] is None or -1 <= float(str(measured[name])) <= 1
        assert same[name] in (None, 1)
    assert same["kappa_se"] in (None, 0)


@given(BINARY)
def test_alpha_of_two_raters_is_krippendorffs(pairs: list[tuple[int, int]]) -> None:
    human, judge = zip(*pairs, strict=True)
    nominal = krippendorff_alpha([human, judge])["nominal"]
    assert binary_agreement(human, judge)["krippendorff_alpha_nominal"] == pytest.approx(
        nominal, abs=1e-12
    )


@given(BINARY)
def test_the_error_of_kappa_is_the_formula_of_the_paper(pairs: list[tuple[int, int]]) -> None:
    human, judge = zip(*pairs, strict=True)
    measured = binary_agreement(human, judge)
    kappa = measured["cohen_kappa"]
    if kappa is None:
        return
    size = len(pairs)
    p = [[pairs.count((i, j)) / size for j in (0, 1)] for i in (0, 1)]
    row, column = [sum(line) for line in p], [p[0][j] + p[1][j] for j in (0, 1)]
    chance = sum(row[i] * column[i] for i in (0, 1))
    same = sum(p[i][i] * (1 - (row[i] + column[i]) * (1 - kappa)) ** 2 for i in (0, 1))
    other = (1 - kappa) ** 2 * sum(p[i][1 - i] * (column[i] + row[1 - i]) ** 2 for i in (0, 1))
    square = same + other - (kappa - chance * (1 - kappa)) ** 2
    error = math.sqrt(max(0, square) / size) / (1 - chance)
    assert measured["kappa_se"] == pytest.approx(error, abs=1e-6)


def test_known_weighted_kappa() -> None:
    measured = weighted_kappa(HUMAN, JUDGE, categories=[1, 2, 3, 4, 5], weights="linear")
    expected = {"kappa": 0.7473684210526316, "kappa_se": 0.09508319832620012}
    assert measured == pytest.approx(expected, abs=1e-9)


@given(BINARY)
def test_on_two_categories_weights_change_nothing(pairs: list[tuple[int, int]]) -> None:
    human, judge = zip(*pairs, strict=True)
    plain = binary_agreement(human, judge)
    for weights in ("linear", "quadratic"):
        kappa = weighted_kappa(human, judge, [0, 1], weights)
        assert kappa == {"kappa": plain["cohen_kappa"], "kappa_se": plain["kappa_se"]}


@given(SCALE, st.sampled_from(["linear", "quadratic"]))
def test_a_scale_turned_over_or_with_words_gives_the_same(
    pairs: list[tuple[int, int]], weights: Literal["linear", "quadratic"]
) -> None:
    human, judge = zip(*pairs, strict=True)
    scale = [1, 2, 3, 4, 5]
    kappa = weighted_kappa(human, judge, scale, weights)
    assert kappa["kappa"] is None or -1 <= kappa["kappa"] <= 1
    assert weighted_kappa(human, judge, scale[::-1], weights) == pytest.approx(kappa, abs=1e-12)
    words = [[str(rating) for rating in ratings] for ratings in (human, judge, scale)]
    assert weighted_kappa(words[0], words[1], words[2], weights) == kappa


@given(SCALE)
def test_quadratic_weights_are_one_less_the_squared_distances(pairs: list[tuple[int, int]]) -> None:
    human, judge = zip(*pairs, strict=True)
    seen = sum((a - b) ** 2 for a, b in pairs) / len(pairs)
    expected = sum((a - b) ** 2 for a in human for b in judge) / len(pairs) ** 2
    kappa = weighted_kappa(human, judge, [1, 2, 3, 4, 5], "quadratic")["kappa"]
    assert kappa == (pytest.approx(1 - seen / expected, abs=1e-12) if expected else None)


def test_ratings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match=r"human\[1\] must be 0 or 1, got 2"):
        binary_agreement([1, 2], [1, 0])
    with pytest.raises(ValueError, match="got 1 in human, 2 in judge"):
        binary_agreement([1], [1, 0])
    with pytest.raises(ValueError, match=r"no such category: 6; known: \[1, 2\]"):
        weighted_kappa([1, 6], [1, 2], [1, 2])
    with pytest.raises(ValueError, match="a category stands twice"):
        weighted_kappa([1], [1], [1, 1])
    with pytest.raises(ValueError, match="weights must be 'linear' or 'quadratic', got 'cubic'"):
        weighted_kappa([1], [1], [1], "cubic")  # type: ignore[arg-type]  # that is the test
