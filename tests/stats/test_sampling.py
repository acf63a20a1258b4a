"""Which traces are looked at: known answers, and what a sample must obey."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import hash_sampling


@pytest.mark.parametrize(
    ("trace_id", "u"),
    [
        ("trace-0001", 0.9156023921899639),
        ("trace-0003", 0.7351194620367019),
        ("conv-42", 0.2874030252748609),
    ],
)
def test_known_numbers(trace_id: str, u: float) -> None:
    words = "u = first 8 bytes of sha256(utf8 id), big endian, / 2^64; keep if u < rate"
    sample = hash_sampling(trace_id=trace_id, rate=0.05, definition=words)
    assert sample == {"u": pytest.approx(u, abs=1e-15), "keep": False}


@given(st.text(), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_rate_keeps_what_a_lower_one_keeps(name: str, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert hash_sampling(name, low)["keep"] <= hash_sampling(name, high)["keep"]
    assert hash_sampling(name, high)["u"] == hash_sampling(name, low)["u"]


@given(st.text(alphabet=st.characters(codec=None)))
def test_a_rate_of_1_keeps_all_and_one_of_0_none(name: str) -> None:
    assert hash_sampling(name, 1)["keep"]
    assert not hash_sampling(name, 0)["keep"]


def test_a_lone_surrogate_is_a_name_too() -> None:
    assert 0 <= hash_sampling("\ud800", 0.5)["u"] <= 1


def test_the_share_that_is_kept_is_the_rate() -> None:
    kept = sum(hash_sampling(f"conversation {at}", 0.2)["keep"] for at in range(5000))
    assert kept == pytest.approx(1000, abs=120)


def test_another_rule_or_rate_is_refused() -> None:
    with pytest.raises(ValueError, match="rate must be within 0 to 1, got 5"):
        hash_sampling("x", 5)
    with pytest.raises(ValueError, match="the one rule is 'u = first 8 bytes"):
        hash_sampling("x", 0.5, "md5")
