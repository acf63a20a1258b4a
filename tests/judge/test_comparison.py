"""Pairs into rates, leanings and strengths: by hand, by the vectors, and at the edges."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.judge import place_bias, run_pair, strengths_of
from fairtrial.judge.comparison import length_effect
from fairtrial.records import JudgedPair, RunPair, Winner
from fairtrial.stats import bradley_terry, wilson


def pair(winner: Winner | None, case: str = "c", **fields: object) -> JudgedPair:
    places = {"a": ("FIRST", "SECOND"), "b": ("SECOND", "FIRST"), "tie": ("TIE", "TIE")}
    first, second = places.get(str(winner), (None, None))
    told = {"case": case, "trial": 0, "winner": winner, "a_first": first, "b_first": second}
    return JudgedPair(**(told | fields))  # type: ignore[arg-type]  # fields by name


def flip(place: str, case: str = "c") -> JudgedPair:
    return pair("tie", case, flip=True, a_first=place, b_first=place)


def test_wins_ties_flips_and_what_was_not_judged_are_counted_with_wilson_intervals() -> None:
    pairs = [pair("a", f"c{n}") for n in range(7)] + [pair("b", f"d{n}") for n in range(2)]
    pairs += [pair("tie", "e"), flip("FIRST", "f"), pair(None, "g")]
    told = run_pair("old", "new", pairs)
    assert (told.wins_a, told.wins_b, told.ties, told.flips, told.unjudged) == (7, 2, 2, 1, 1)
    assert (told.judged, told.rate_a) == (11, 7 / 11)
    assert told.interval_a == wilson(7, 11)
    assert told.interval_ties == wilson(2, 11)


def test_trials_of_one_case_are_worth_less_than_as_many_cases() -> None:
    alike = run_pair("old", "new", [pair("a" if n < 10 else "b", f"c{n // 5}") for n in range(20)])
    cases = run_pair("old", "new", [pair("a" if n < 10 else "b", f"c{n}") for n in range(20)])
    assert alike.interval_a is not None
    assert cases.interval_a is not None
    assert alike.interval_a[0] < cases.interval_a[0]


@pytest.mark.parametrize("pairs", [[], [pair(None)]])
def test_nothing_judged_is_null_and_never_zero(pairs: list[JudgedPair]) -> None:
    told = run_pair("old", "new", pairs)
    assert (told.rate_a, told.rate_b, told.rate_ties, told.interval_a) == (None,) * 4
    assert (told.place, told.length) == (None, None)


def test_the_favoured_place_is_told_as_the_vectors_have_it() -> None:
    pairs = [flip("FIRST")] * 14 + [flip("SECOND")] * 4 + [pair("a")] * 82
    told = place_bias(pairs)
    assert told is not None
    assert (told.pairs, told.flips, told.first, told.second) == (100, 18, 14, 4)
    assert told.interval == pytest.approx((0.117002254989, 0.266673583863), abs=1e-9)
    assert (told.net, told.net_error) == pytest.approx((0.1, 0.0412310562562), abs=1e-9)
    assert told.p == pytest.approx(0.0308837890625, abs=1e-12)


def test_a_tie_in_one_order_alone_is_a_flip_that_favours_no_place() -> None:
    told = place_bias([pair("tie", flip=True, a_first="FIRST", b_first="TIE")])
    assert told is not None
    assert (told.flips, told.first, told.second) == (1, 0, 0)


def test_identical_records_say_nothing_of_the_place() -> None:
    assert place_bias([pair("tie", identical=True)]) is None


def test_the_length_of_winners_is_a_geometric_mean() -> None:
    told = length_effect(
        [
            pair("a", length_a=400, length_b=100),
            pair("b", length_a=100, length_b=100),
            pair("tie", length_a=900, length_b=1),
            pair("a", length_a=10, length_b=0),
        ]
    )
    assert told is not None
    assert (told.pairs, told.ratio, told.longer_won, told.differ) == (2, 2.0, 1, 1)
    assert told.logit is None
    assert told.logit_why is not None
    assert told.logit_why.startswith("not measured: ")


def test_a_judge_that_prefers_the_longer_answer_shows_in_the_logit() -> None:
    pairs = [
        pair(
            "a" if (n % 2 == 0) is (n % 7 != 0) else "b",
            f"c{n}",
            length_a=300 if n % 2 == 0 else 100,
            length_b=100 if n % 2 == 0 else 300,
            checks=(n % 3) - 1,
        )
        for n in range(60)
    ]
    told = length_effect(pairs)
    assert told is not None
    assert told.logit is not None
    assert told.logit_p is not None
    assert told.logit > 0
    assert told.logit_p < 0.05
    assert told.ratio > 1.5


WINS = {"01": (7, 3), "02": (6, 2), "03": (9, 1), "12": (5, 4), "13": (6, 3), "23": (4, 4)}


def fields_of(wins: dict[str, tuple[int, int]]) -> list[RunPair]:
    return [
        run_pair(
            key[0],
            key[1],
            [pair("a" if n < won else "b", f"c{n}") for n in range(won + lost)],
        )
        for key, (won, lost) in wins.items()
    ]


def test_strengths_are_those_of_bradley_and_terry() -> None:
    found, why_not = strengths_of([*"0123"], fields_of(WINS))
    assert why_not is None
    wins = {f"{key[0]}>{key[1]}": won for key, (won, _) in WINS.items()}
    wins |= {f"{key[1]}>{key[0]}": lost for key, (_, lost) in WINS.items()}
    expected = bradley_terry(4, wins)["log_strength_centred"]
    assert expected is not None
    assert [one.run for one in found] == [*"0123"]
    assert [one.log_strength for one in found] == pytest.approx(expected, abs=1e-7)


def test_strengths_have_bounds_from_drawing_the_cases_again_always_the_same() -> None:
    wins = {"01": (50, 30), "02": (45, 35), "12": (38, 42)}
    found, _ = strengths_of([*"012"], fields_of(wins))
    again, _ = strengths_of([*"012"], fields_of(wins))
    assert found == again
    for one in found:
        assert one.interval is not None
        assert one.interval[0] < one.log_strength < one.interval[1]
    assert math.fsum(one.log_strength for one in found) == pytest.approx(0)


def test_bounds_that_many_draws_do_not_have_are_none() -> None:
    found, _ = strengths_of([*"012"], fields_of({"01": (2, 1), "02": (1, 2), "12": (1, 1)}))
    assert {one.interval for one in found} == {None}


@pytest.mark.parametrize(
    "wins",
    [
        {"01": (3, 2), "02": (5, 0), "12": (4, 0)},  # 2 never won
        {"01": (3, 2), "02": (0, 0), "12": (0, 0)},  # 2 met nobody
        {"01": (0, 0), "02": (0, 0), "12": (0, 0)},
    ],
)
def test_without_a_connected_graph_there_are_no_strengths_which_is_said(
    wins: dict[str, tuple[int, int]],
) -> None:
    found, why_not = strengths_of([*"012"], fields_of(wins))
    assert found == ()
    assert why_not is not None
    assert why_not.startswith("no finite strengths")


def test_ties_count_as_ties_and_not_as_half_wins() -> None:
    tied = [run_pair(a, b, [pair("tie", f"c{n}") for n in range(5)]) for a, b in ("01", "02", "12")]
    assert strengths_of([*"012"], tied)[0] == ()
    some = fields_of({"01": (5, 3), "02": (4, 4), "12": (3, 5)})
    found, why_not = strengths_of([*"012"], [*some, *tied])
    assert (len(found), why_not) == (3, None)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "tie", None]), st.integers(0, 4))))
def test_every_pair_is_counted_once_and_shares_add_up(
    drawn: list[tuple[Winner | None, int]],
) -> None:
    told = run_pair("old", "new", [pair(winner, f"c{case}") for winner, case in drawn])
    assert told.wins_a + told.wins_b + told.ties + told.unjudged == len(drawn)
    if told.judged:
        shares = [told.rate_a, told.rate_b, told.rate_ties]
        assert math.fsum(share for share in shares if share is not None) == pytest.approx(1)
