"""Ranks: what they sum to, and how ties share."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.ranks import doubled_ranks

SCORES = st.lists(st.integers(-4, 4), max_size=40)


@pytest.fixture(scope="module")
def scipy_stats() -> ModuleType:
    """Give scipy's statistics, where they are installed, to compare with."""
    module: ModuleType = pytest.importorskip("scipy.stats")
    return module


@given(SCORES)
def test_a_rank_is_one_more_than_those_below_with_ties_shared(values: list[int]) -> None:
    expected = [
        2 * sum(other < value for other in values) + sum(other == value for other in values) + 1
        for value in values
    ]
    assert doubled_ranks(values) == expected


@given(values=SCORES)
def test_ranks_are_those_of_scipy(scipy_stats: ModuleType, values: list[int]) -> None:
    assert doubled_ranks(values) == [2 * rank for rank in scipy_stats.rankdata(values)]
