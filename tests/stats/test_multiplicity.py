"""Many tests at once: known answers, and what adjusted chances must obey."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import multiple_comparisons

CHANCES = st.lists(st.floats(0, 1), min_size=1, max_size=12)
FEW = [0.01, 0.01, 0.03, 0.03, 0.2, 1.0]
MANY = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205]
MANY += [0.212, 0.216, 0.222, 0.251, 0.269, 0.275, 0.34]


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


def test_known_adjustments_of_few() -> None:
    tests = multiple_comparisons(FEW, 0.05)
    assert tests["holm_adjusted"] == pytest.approx([0.06, 0.06, 0.12, 0.12, 0.4, 1])
    assert tests["bh_adjusted"] == pytest.approx([0.03, 0.03, 0.045, 0.045, 0.24, 1])
    assert tests["by_adjusted"] == pytest.approx([0.0735, 0.0735, 0.11025, 0.11025, 0.588, 1])
    assert tests["bonferroni_adjusted"] == pytest.approx([0.06, 0.06, 0.18, 0.18, 1, 1])
    assert tests["holm_reject"] == [False] * 6
    assert tests["bh_reject"] == [True] * 4 + [False] * 2


def test_known_adjustments_of_many() -> None:
    tests = multiple_comparisons(MANY, 0.05)
    holm = [0.015, 0.112, 0.507, 0.507, 0.507, 0.6, 0.666, *[1.0] * 8]
    bh = [0.015, 0.06, 0.126, 0.126, 0.126, 0.15, 0.15857142857142856, *[0.29464285714285715] * 7]
    by = [0.0497734348984349, 0.1990937395937396, *[0.41809685314685324] * 3, 0.497734348984349]
    by += [0.5261763117834546, *[0.9776924712192571] * 7, 1.0]
    assert tests["holm_adjusted"] == pytest.approx(holm, abs=1e-12)
    assert tests["bh_adjusted"] == pytest.approx([*bh, 0.34], abs=1e-12)
    assert tests["by_adjusted"] == pytest.approx(by, abs=1e-12)
    bonferroni = [0.015, 0.12, 0.585, 0.615, 0.63, 0.9, *[1.0] * 9]
    assert tests["bonferroni_adjusted"] == pytest.approx(bonferroni, abs=1e-12)
    assert tests["holm_reject"] == tests["bh_reject"] == [True, *[False] * 14]


@given(CHANCES, st.floats(0.001, 0.5))
def test_holm_rejects_step_by_step(p: list[float], alpha: float) -> None:
    rejected = multiple_comparisons(p, alpha)["holm_reject"]
    left = sorted(p)
    while left and left[0] * len(left) <= alpha * (1 + 1e-12):
        left.pop(0)
    assert sum(rejected) == len(p) - len(left)


@given(CHANCES, st.floats(0.001, 0.5))
def test_bh_rejects_all_up_to_the_last_one_under_the_line(p: list[float], alpha: float) -> None:
    ranked = sorted(p)
    under = [at for at, value in enumerate(ranked, 1) if value * len(p) / at <= alpha * (1 + 1e-12)]
    assert sum(multiple_comparisons(p, alpha)["bh_reject"]) == max(under, default=0)


@given(CHANCES)
def test_the_adjustments_stand_in_order_of_their_caution(p: list[float]) -> None:
    tests = multiple_comparisons(p)
    rows = zip(
        p,
        tests["bh_adjusted"],
        tests["holm_adjusted"],
        tests["bonferroni_adjusted"],
        tests["by_adjusted"],
        strict=True,
    )
    for own, bh, holm, bonferroni, by in rows:
        assert 0 <= own <= bh * (1 + 1e-12)
        assert bh <= holm * (1 + 1e-12)
        assert holm <= bonferroni * (1 + 1e-12) <= 1 + 1e-9
        assert bh <= by <= 1


@given(CHANCES.flatmap(st.permutations))
def test_each_chance_keeps_its_place(p: list[float]) -> None:
    tests, ranked = multiple_comparisons(p), multiple_comparisons(sorted(p))
    for name in ("holm_adjusted", "bh_adjusted", "by_adjusted"):
        assert sorted(tests[name]) == ranked[name]
        assert [x for _, x in sorted(zip(p, tests[name], strict=True))] == ranked[name]


@given(CHANCES)
def test_bh_and_by_are_those_of_scipy(scipy_stats: ModuleType, p: list[float]) -> None:
    tests = multiple_comparisons(p)
    bh, by = (scipy_stats.false_discovery_control(p, method=method) for method in ("bh", "by"))
    assert tests["bh_adjusted"] == pytest.approx(list(bh), abs=1e-12)
    assert tests["by_adjusted"] == pytest.approx(list(by), abs=1e-12)


def test_no_test_and_one_test_need_no_adjusting() -> None:
    assert multiple_comparisons([])["holm_adjusted"] == []
    assert multiple_comparisons([0.05])["holm_reject"] == [True]


def test_what_is_no_chance_is_refused() -> None:
    with pytest.raises(ValueError, match=r"p\[1\] must be within 0 to 1, got 1\.5"):
        multiple_comparisons([0.5, 1.5])
    with pytest.raises(ValueError, match="alpha must lie between 0 and 1"):
        multiple_comparisons([0.5], 0)
