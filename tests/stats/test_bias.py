"""What sways a judge: known answers, symmetry, and verdicts that tell nothing."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import (
    judge_test_retest,
    length_bias_logit,
    position_bias_direction,
    position_flip_rate,
    self_preference,
    wilson,
)
from fairtrial.stats.bias import FamilyVerdicts

LENGTHS = [-1.2, -0.8, -0.5, -0.3, -0.1, 0.0, 0.1, 0.2, 0.4, 0.5]
LENGTHS += [0.7, 0.9, 1.1, 1.3, -0.6, 0.3, -0.2, 0.8, -0.9, 0.6]
PEOPLE = [-1, 0, -1, 0, 1, 0, -1, 1, 0, -1, 1, 0, 1, 0, 0, -1, 1, 0, -1, 1]
JUDGED = [0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 1]
UNKNOWN = dict.fromkeys(["intercept", "beta_length", "beta_human", "se", "p_length"])
SPLIT = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(1, 40))


def family(judge: int, human: int, both: int, n: int) -> FamilyVerdicts:
    return {"judge_pass": judge, "human_pass": human, "both_pass": both, "n": n}


@pytest.mark.parametrize(
    ("flips", "n", "rate", "interval"),
    [
        (6, 40, 0.15, (0.07061187717320357, 0.2907232436648971)),
        (18, 100, 0.18, (0.11700225498946347, 0.2666735838630073)),
    ],
)
def test_known_flip_rates(flips: int, n: int, rate: float, interval: tuple[float, float]) -> None:
    measured = position_flip_rate(inconsistent_pairs=flips, n_pairs=n, alpha=0.05)
    assert measured["rate"] == pytest.approx(rate, abs=1e-9)
    assert measured["wilson95"] == pytest.approx(interval, abs=1e-9)


@pytest.mark.parametrize(
    ("first", "second", "n", "figures"),
    [
        (14, 4, 100, (0.7777777777777778, 0.0308837890625, 0.1, 0.0412310562561766)),
        (6, 0, 30, (1.0, 0.03125, 0.2, 0.07302967433402215)),
    ],
)
def test_known_directions(first: int, second: int, n: int, figures: tuple[float, ...]) -> None:
    bias = position_bias_direction(
        inconsistent_first_both_times=first, inconsistent_second_both_times=second, n_pairs=n
    )
    assert tuple(bias.values()) == pytest.approx(figures, abs=1e-9)


@given(SPLIT)
def test_the_other_place_has_the_opposite_bias(split: tuple[int, int, int]) -> None:
    first, second, rest = split
    one = position_bias_direction(first, second, first + second + rest)
    other = position_bias_direction(second, first, first + second + rest)
    assert one["net_bias"] == -other["net_bias"]
    assert one["p_exact_two_sided"] == other["p_exact_two_sided"]
    assert one["net_bias_se"] == other["net_bias_se"]
    ways = [math.comb(first + second, i) for i in range(min(first, second) + 1)]
    both_tails = min(1, 2 * sum(ways) / 2 ** (first + second))
    assert one["p_exact_two_sided"] == pytest.approx(both_tails)


def test_verdicts_that_never_change_have_no_direction() -> None:
    assert position_bias_direction(0, 0, 5) == {
        "first_share_of_inconsistent": None,
        "p_exact_two_sided": 1.0,
        "net_bias": 0.0,
        "net_bias_se": 0.0,
    }


def test_known_length_bias() -> None:
    bias = dict(
        length_bias_logit(log_length_ratio=LENGTHS, human_preference=PEOPLE, judge_prefers_A=JUDGED)
    )
    errors = (0.6861887519315695, 1.4882679724909684, 0.8610553511010512)
    assert bias.pop("se") == pytest.approx(errors, abs=1e-7)
    assert bias == pytest.approx(
        {
            "intercept": -0.4453680655767474,
            "beta_length": 2.871002337755182,
            "beta_human": 1.364217020540292,
            "p_length": 0.05371973403394382,
        },
        abs=1e-7,
    )


@given(
    st.lists(
        st.tuples(st.integers(-3, 3), st.integers(-1, 1), st.integers(0, 1)),
        min_size=4,
        max_size=30,
    )
)
def test_swapping_the_two_answers_turns_only_the_place_over(
    pairs: list[tuple[int, int, int]],
) -> None:
    lengths, people, judged = zip(*pairs, strict=True)
    one = length_bias_logit(lengths, people, judged)
    other = length_bias_logit([-x for x in lengths], [-x for x in people], [1 - x for x in judged])
    if one["intercept"] is None or one["beta_length"] is None:
        assert one == other == UNKNOWN
        return
    assert other["intercept"] == pytest.approx(-one["intercept"], abs=1e-7)
    assert other["beta_length"] == pytest.approx(one["beta_length"], abs=1e-7)
    # At the top the residuals have no part in any column.
    gaps = [
        y - 1 / (1 + math.exp(-one["intercept"] - one["beta_length"] * x - one["beta_human"] * h))
        for x, h, y in pairs
        if one["beta_human"] is not None
    ]
    for column in ([1] * len(pairs), lengths, people):
        parts = [gap * x for gap, x in zip(gaps, column, strict=True)]
        assert sum(parts) == pytest.approx(0, abs=1e-7)


def test_the_unit_of_length_changes_only_its_own_figures() -> None:
    plain = length_bias_logit(LENGTHS, PEOPLE, JUDGED)
    large = length_bias_logit([1e6 * x for x in LENGTHS], PEOPLE, JUDGED)
    assert large["p_length"] == pytest.approx(plain["p_length"])
    assert large["beta_human"] == pytest.approx(plain["beta_human"])


@pytest.mark.parametrize(
    ("lengths", "people", "judged"),
    [
        ([1, 2, 3, -1, -2, -3], [0, 1, -1, 0, 1, -1], [1, 1, 1, 0, 0, 0]),  # length says all
        ([0, 1, 2, -1, -2, 0], [0, 1, -1, 0, 1, 0], [1, 1, 1, 0, 0, 0]),  # all but for ties
        ([1, 2, 1, 4], [0, 1, -1, 0], [1, 1, 1, 1]),  # A always won
        ([1, 1, 1, 1], [0, 1, -1, 0], [1, 0, 1, 0]),  # no variety in length
        ([1, 2, 1, 4], [0, 0, 0, 0], [1, 0, 0, 1]),  # none in what people said
        ([1, 2], [0, 1], [1, 0]),  # too few
    ],
)
def test_verdicts_that_do_not_tell_give_none(
    lengths: list[float], people: list[float], judged: list[float]
) -> None:
    assert length_bias_logit(lengths, people, judged) == UNKNOWN


def test_known_self_preference() -> None:
    bias = self_preference(own_family=family(46, 38, 37, 50), other_family=family(36, 37, 33, 50))
    figures = (0.16, -0.02, 0.18, 0.0792464510246358)
    assert tuple(bias.values()) == pytest.approx(figures, abs=1e-9)


def test_a_family_that_is_better_in_the_eyes_of_people_too_is_not_preferred() -> None:
    bias = self_preference(family(9, 9, 9, 10), family(5, 5, 5, 10))
    assert (bias["difference_in_differences"], bias["se"]) == (0, 0)


def test_known_retest() -> None:
    again = judge_test_retest(discordant_10=3, discordant_01=4, n=60)
    assert again["flip_rate"] == pytest.approx(0.11666666666666667, abs=1e-9)
    interval = (0.0576772064005603, 0.22178788024170865)
    assert again["wilson95"] == pytest.approx(interval, abs=1e-9)
    assert again["per_call_noise_if_symmetric"] == pytest.approx(0.062202482114543434, abs=1e-9)


@given(SPLIT)
def test_the_noise_of_a_call_makes_the_flips_that_were_seen(split: tuple[int, int, int]) -> None:
    up, down, rest = split
    again = judge_test_retest(up, down, up + down + rest)
    noise = again["per_call_noise_if_symmetric"]
    assert again["wilson95"] == wilson(up + down, up + down + rest)
    assert (noise is None) == (up + down > rest)
    if noise is not None:
        assert 0 <= noise <= 0.5
        assert 2 * noise * (1 - noise) == pytest.approx(again["flip_rate"])


def test_counts_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="inconsistent_pairs must be within 0 to 2, got 3"):
        position_flip_rate(3, 2)
    with pytest.raises(ValueError, match="inconsistent_second_both_times must be within 0 to 1"):
        position_bias_direction(2, 2, 3)
    with pytest.raises(ValueError, match="own_family: both_pass must be within 1 to 5, got 0"):
        self_preference(family(6, 5, 0, 10), family(1, 1, 1, 1))
    with pytest.raises(ValueError, match="other_family: n must be at least 1, got 0"):
        self_preference(family(1, 1, 1, 1), family(0, 0, 0, 0))
    with pytest.raises(ValueError, match="discordant_01 must be within 0 to 1, got 2"):
        judge_test_retest(1, 2, 2)
    with pytest.raises(ValueError, match=r"judge_prefers_A\[0\] must be 0 or 1"):
        length_bias_logit([1], [0], [0.5])
    with pytest.raises(ValueError, match="got 1 in log_length_ratio, 2 in human_preference"):
        length_bias_logit([1], [0, 1], [0])
