"""What replies took together: with one part unknown the whole is unknown, and never 0."""

import math

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.judge.amounts import total, total_tokens
from fairtrial.records import Tokens

counts = st.none() | st.integers(min_value=0, max_value=10**9)
tokens = st.builds(Tokens, input=counts, output=counts, estimated=st.booleans())


def test_nothing_is_not_known_and_not_zero() -> None:
    assert total([]) is None
    assert total_tokens([]) is None


def test_zero_is_known() -> None:
    assert total([0.0, 0]) == 0
    assert total_tokens([Tokens(input=0, output=0)]) == Tokens(input=0, output=0)


@given(st.lists(st.none() | st.floats(min_value=0, max_value=1e6)))
def test_a_sum_is_known_where_all_of_its_parts_are(amounts: list[float | None]) -> None:
    known = [amount for amount in amounts if amount is not None]
    if not amounts or len(known) < len(amounts):
        assert total(amounts) is None
    else:
        assert math.isclose(total(amounts) or 0.0, math.fsum(known), rel_tol=1e-9)


@given(st.lists(st.none() | tokens, min_size=1))
def test_tokens_are_known_where_both_counts_of_all_are(several: list[Tokens | None]) -> None:
    told = total_tokens(several)
    if any(one is None or one.input is None or one.output is None for one in several):
        assert told is None
        return
    assert told is not None
    assert told.input == sum(one.input or 0 for one in several if one is not None)
    assert told.output == sum(one.output or 0 for one in several if one is not None)


def test_one_estimate_makes_the_sum_an_estimate() -> None:
    told, guessed = Tokens(input=1, output=1), Tokens(input=1, output=1, estimated=True)
    assert total_tokens([told, guessed]) == Tokens(input=2, output=2, estimated=True)
    assert total_tokens([told, told]) == Tokens(input=2, output=2)
