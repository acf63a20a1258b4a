"""Scores: known answers, order by brute force, and thresholds tried one by one."""

import math
import random
from itertools import combinations
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import score_errors, threshold_metrics

HUMAN = [1, 2, 3, 4, 5, 3, 2, 4, 5, 1, 2, 3, 4, 4, 5, 2]
JUDGE = [1, 2, 4, 4, 5, 2, 2, 5, 5, 1, 3, 3, 3, 4, 4, 2]
LABELS = [0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1]
SCORES = [0.1, 0.35, 0.4, 0.8, 0.65, 0.9, 0.55, 0.2, 0.75, 0.6, 0.45, 0.95]
PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=40)
JUDGED = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), min_size=1, max_size=40)


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


def test_known_errors() -> None:
    errors = dict(score_errors(human=HUMAN, judge=JUDGE))
    assert errors.pop("bias_t95") == pytest.approx(
        (-0.33701176408491457, 0.33701176408491457), abs=1e-9
    )
    assert errors == pytest.approx(
        {
            "mae": 0.375,
            "rmse": 0.6123724356957945,
            "bias": 0.0,
            "spearman": 0.8870967741935486,
            "kendall_tau_b": 0.8118811881188119,
        },
        abs=1e-9,
    )


def test_known_thresholds() -> None:
    metrics = dict(threshold_metrics(human=LABELS, score=SCORES, thresholds=[0.3, 0.5, 0.7]))
    assert metrics.pop("accuracy") == pytest.approx([0.75, 0.8333333333333334, 0.75], abs=1e-9)
    assert metrics == pytest.approx(
        {
            "roc_auc": 0.9428571428571428,
            "brier": 0.11958333333333332,
            "youden_J": 0.8571428571428571,
            "youden_best_threshold": 0.6,
        },
        abs=1e-9,
    )


def test_a_lenient_judge_has_a_bias_above_zero() -> None:
    assert score_errors([1, 2], [2, 3])["bias"] == 1


@given(PAIRS)
def test_tau_is_that_of_all_pairs(pairs: list[tuple[int, int]]) -> None:
    human, judge = zip(*pairs, strict=True)
    signs = [((a > c) - (a < c), (b > d) - (b < d)) for (a, b), (c, d) in combinations(pairs, 2)]
    untied = [sum(sign[at] != 0 for sign in signs) for at in (0, 1)]
    tau = score_errors(human, judge)["kendall_tau_b"]
    if 0 in untied:
        assert tau is None
    else:
        balance = sum(a * b for a, b in signs)
        assert tau == pytest.approx(balance / math.sqrt(untied[0] * untied[1]))


@given(pairs=PAIRS)
def test_the_correlations_are_those_of_scipy(
    scipy_stats: ModuleType, pairs: list[tuple[int, int]]
) -> None:
    human, judge = zip(*pairs, strict=True)
    errors = score_errors(human, judge)
    if errors["spearman"] is None:
        assert len(set(human)) == 1 or len(set(judge)) == 1
    else:
        assert errors["spearman"] == pytest.approx(scipy_stats.spearmanr(human, judge)[0], abs=1e-9)
        assert errors["kendall_tau_b"] == pytest.approx(
            scipy_stats.kendalltau(human, judge)[0], abs=1e-9
        )


@given(PAIRS)
def test_swapping_the_raters_turns_the_bias_over(pairs: list[tuple[int, int]]) -> None:
    human, judge = zip(*pairs, strict=True)
    one, other = score_errors(human, judge), score_errors(judge, human)
    assert one["bias"] == -other["bias"]
    assert (one["mae"], one["rmse"]) == (other["mae"], other["rmse"])
    assert one["mae"] <= one["rmse"] + 1e-12
    assert (one["spearman"], one["kendall_tau_b"]) == (other["spearman"], other["kendall_tau_b"])


@given(JUDGED)
def test_thresholds_are_those_tried_one_by_one(pairs: list[tuple[int, int]]) -> None:
    human, score = zip(*pairs, strict=True)
    metrics = threshold_metrics(human, score, range(-1, 10))
    hits = [sum((s >= t) == h for h, s in pairs) / len(pairs) for t in range(-1, 10)]
    assert metrics["accuracy"] == pytest.approx(hits)
    passed, failed = [[s for h, s in pairs if h == label] for label in (1, 0)]
    if not passed or not failed:
        assert (metrics["roc_auc"], metrics["youden_J"]) == (None, None)
        return
    wins = sum((p > f) + (p == f) / 2 for p in passed for f in failed)
    assert metrics["roc_auc"] == pytest.approx(wins / len(passed) / len(failed))
    gains = {
        t: sum(s >= t for s in passed) * len(failed) - sum(s >= t for s in failed) * len(passed)
        for t in score
    }
    best = max(gains, key=lambda t: (gains[t], t))
    assert metrics["youden_best_threshold"] == best
    assert metrics["youden_J"] == pytest.approx(gains[best] / len(passed) / len(failed))


def test_scores_that_are_no_chances_have_no_brier_score() -> None:
    assert threshold_metrics([0, 1], [1, 5], [])["brier"] is None
    assert threshold_metrics([0, 1], [0, 1], [])["brier"] == 0


def test_one_item_has_neither_interval_nor_order() -> None:
    errors = score_errors([3], [5])
    assert (errors["mae"], errors["rmse"], errors["bias"]) == (2, 2, 2)
    assert (errors["bias_t95"], errors["spearman"], errors["kendall_tau_b"]) == (None, None, None)


def test_huge_scores_and_many_of_them_are_measured() -> None:
    assert score_errors([-1e100, 1e100], [1e100, -1e100])["rmse"] == pytest.approx(2e100)
    draw = random.Random(0)  # seeded
    scores = [draw.random() for _ in range(20_000)]
    assert score_errors(scores, scores)["kendall_tau_b"] == 1


def test_scores_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match=r"judge\[0\] must be a number"):
        score_errors([1], [math.nan])
    with pytest.raises(ValueError, match=r"human\[0\] must be 0 or 1, got 3"):
        threshold_metrics([3], [1], [])
    with pytest.raises(ValueError, match=r"thresholds\[0\] must be a number"):
        threshold_metrics([1], [1], [math.inf])
    with pytest.raises(ValueError, match="got 1 in human, 0 in score"):
        threshold_metrics([1], [], [])
