"""Seeds never change: a run of last year can be run again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.trials import seed_of, whole_seed


@pytest.mark.parametrize(
    ("suite_seed", "case", "trial", "wanted"),
    [
        (7, "cancel", 0, "c51df358482f31ddddb56c3e3c7587b4b9737bcf3b17fa83d4105539ba3141bb"),
        (0, "", 0, "390feabc786e369e55b904251d643b52b52b691c60eb74a498ef7c6df993bf12"),
        (-3, "größe:1", 12, "5c64d323488f4a4067f2c9c8dee9fe7946b38d3ce7d2c0c6f90f1d00d672a673"),
    ],
)
def test_a_seed_is_what_it_always_was(suite_seed: int, case: str, trial: int, wanted: str) -> None:
    assert seed_of(suite_seed, case, trial).hex() == wanted


def test_the_whole_seed_is_what_it_always_was() -> None:
    assert whole_seed(seed_of(7, "cancel", 0)) == 1653537196


@given(st.binary(min_size=32, max_size=32))
def test_a_whole_seed_is_in_range(digest: bytes) -> None:
    assert 0 <= whole_seed(digest) < 2**31


ONE = st.tuples(st.integers(), st.text("0123:-\ud800"), st.integers(0))


@given(ONE, ONE)
def test_different_trials_never_share_a_seed(
    one: tuple[int, str, int], other: tuple[int, str, int]
) -> None:
    assert (seed_of(*one) == seed_of(*other)) is (one == other)
