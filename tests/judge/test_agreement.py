"""Agreement by weight: what a sample that was enriched says of the trials it was drawn from."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.judge.agreement import Pair, agreement_of
from fairtrial.stats import wilson


def pairs(*rows: tuple[str, str | None, float | None, int]) -> list[Pair]:
    """Give pairs of label, verdict and weight, so many times each."""
    return [
        Pair((f"c{row}-{at}", 0, ""), label, verdict, weight)
        for row, (label, verdict, weight, times) in enumerate(rows)
        for at in range(times)
    ]


def test_the_natural_mix_is_that_of_the_population() -> None:
    # Of 1,000 the judge fails 50, all of which are labelled, and passes 950, of which 50 are.
    told = agreement_of(
        pairs(
            ("fail", "fail", 1.0, 40),
            ("pass", "fail", 1.0, 10),
            ("pass", "pass", 19.0, 48),
            ("fail", "pass", 19.0, 2),
        )
    )
    assert (told.accuracy, told.false_pass) == (0.88, 2 / 42)
    natural = told.natural
    assert natural is not None
    assert natural.accuracy == pytest.approx((40 + 48 * 19) / 1000)
    assert natural.false_pass == pytest.approx(2 * 19 / (40 + 2 * 19))
    assert natural.base_rate == pytest.approx((10 + 48 * 19) / 1000)
    assert natural.false_pass_interval is not None
    assert told.false_pass_interval is not None
    assert natural.false_pass_interval[1] > told.false_pass_interval[1]


def test_what_could_not_be_read_counts_as_wrong_in_the_natural_mix_and_the_strict_bound() -> None:
    told = agreement_of(pairs(("pass", "pass", 1.0, 30), ("pass", None, 2.0, 10)))
    assert told.accuracy_strict_interval == wilson(30, 40)
    assert told.natural is not None
    assert told.natural.accuracy == pytest.approx(30 / 50)


@pytest.mark.parametrize("weights", [(None, None), (2.0, None), (2.0, 2.0)])
def test_without_weights_that_differ_there_is_no_natural_mix(
    weights: tuple[float | None, float | None],
) -> None:
    one, other = weights
    assert agreement_of(pairs(("pass", "pass", one, 3), ("fail", "fail", other, 3))).natural is None


def test_names_have_a_weighted_accuracy_and_no_more() -> None:
    natural = agreement_of(pairs(("tie", "tie", 1.0, 3), ("left", "tie", 3.0, 1))).natural
    assert natural is not None
    assert (natural.accuracy, natural.base_rate, natural.false_pass) == (0.5, None, None)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["pass", "fail"]),
            st.sampled_from(["pass", "fail", None]),
            st.floats(1e-3, 1e6),
            st.integers(1, 3),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_every_weighted_share_lies_within_its_interval(
    rows: list[tuple[str, str | None, float | None, int]],
) -> None:
    natural = agreement_of(pairs(*rows)).natural
    if natural is None:
        return
    shares = [
        (natural.accuracy, natural.accuracy_interval),
        (natural.false_pass, natural.false_pass_interval),
        (natural.false_fail, natural.false_fail_interval),
    ]
    for share, bounds in shares:
        if share is not None and bounds is not None:
            assert 0 <= bounds[0] <= share <= bounds[1] <= 1
