"""Strengths: known answers, the top of the likelihood, and comparisons that have none."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import bradley_terry, davidson_ties, elo_sequential

WINS = {"0>1": 7, "1>0": 3, "0>2": 6, "2>0": 2, "1>2": 5, "2>1": 4}
WINS |= {"3>0": 1, "0>3": 9, "1>3": 6, "3>1": 3, "2>3": 4, "3>2": 4}
PAIRS = [(0, 1, 8, 3, 4), (0, 2, 9, 2, 3), (1, 2, 6, 5, 5)]
GAMES = [
    ("A", "B", 1),
    ("B", "C", 0.5),
    ("A", "C", 1),
    ("C", "A", 1),
    ("B", "A", 0),
    ("C", "B", 0.5),
]
THREE = st.lists(st.integers(0, 5), min_size=6, max_size=6)
TIED = st.lists(st.integers(0, 4), min_size=9, max_size=9)
EDGES = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]


def test_known_strengths() -> None:
    strengths = bradley_terry(items=4, wins=WINS)
    assert strengths["log_strength_centred"] == pytest.approx(
        [0.9927129079184625, 0.014549035156547707, -0.3439137132577219, -0.6633482298172884],
        abs=1e-7,
    )
    assert strengths["p_0_beats_1"] == pytest.approx(0.7267437366774272, abs=1e-7)
    assert strengths["elo_scale_differences_vs_item0"] == pytest.approx(
        [0.0, -169.92446893504564, -232.19582637672198, -287.68728552522305], rel=1e-7
    )


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_two_items_are_as_strong_as_they_won(wins: int, losses: int) -> None:
    strengths = bradley_terry(2, {"0>1": wins, "1>0": losses})
    assert strengths["p_0_beats_1"] == pytest.approx(wins / (wins + losses), rel=1e-9)
    assert strengths["log_strength_centred"] == pytest.approx(
        [math.log(wins / losses) / 2, -math.log(wins / losses) / 2], abs=1e-9
    )


@given(THREE)
def test_everybody_wins_as_often_as_their_strength_says(counts: list[int]) -> None:
    wins = {f"{i}>{j}": count for (i, j), count in zip(EDGES, counts, strict=True)}
    strengths = bradley_terry(3, wins)["log_strength_centred"]
    reach = {(i, j) for (i, j), count in zip(EDGES, counts, strict=True) if count}
    for middle in range(3):
        reach |= {(i, j) for i, m in reach for n, j in reach if m == n == middle}
    assert (strengths is None) == (not set(EDGES) <= reach)
    if strengths is None:
        return
    assert sum(strengths) == pytest.approx(0, abs=1e-9)
    for item in range(3):
        won = sum(count for (i, _), count in zip(EDGES, counts, strict=True) if i == item)
        foretold = sum(
            (wins[f"{item}>{other}"] + wins[f"{other}>{item}"])
            / (1 + math.exp(strengths[other] - strengths[item]))
            for other in range(3)
            if other != item
        )
        assert foretold == pytest.approx(won, abs=1e-7)


def test_an_item_that_never_lost_or_was_never_met_has_no_strength() -> None:
    nothing = {
        "log_strength_centred": None,
        "p_0_beats_1": None,
        "elo_scale_differences_vs_item0": None,
    }
    assert bradley_terry(3, {"0>1": 5, "1>2": 1, "2>1": 1}) == nothing
    assert bradley_terry(3, {"0>1": 5, "1>0": 1}) == nothing
    assert bradley_terry(10**8, {"0>1": 5, "1>0": 1}) == nothing
    assert bradley_terry(2, {}) == nothing


def test_far_apart_strengths_keep_their_digits() -> None:
    wins = {"0>1": 1e9, "1>0": 1, "1>2": 1e9, "2>1": 1}
    log = math.log(1e9)
    assert bradley_terry(3, wins)["log_strength_centred"] == pytest.approx([log, 0, -log])


def test_known_strengths_with_ties() -> None:
    fit = davidson_ties(pairs=PAIRS, columns="i,j,wins_i,wins_j,ties")
    assert fit["log_strength_item0_ref"] == pytest.approx(
        [0.0, -1.1170505061909495, -1.402888718734573], abs=1e-6
    )
    assert fit["nu"] == pytest.approx(0.8217935196332754, abs=1e-6)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(0, 10**6))
def test_two_items_tie_as_often_as_they_tied(wins: int, losses: int, ties: int) -> None:
    fit = davidson_ties([(0, 1, wins, losses, ties)])
    assert fit["log_strength_item0_ref"] == pytest.approx([0, math.log(losses / wins)], abs=1e-7)
    assert fit["nu"] == pytest.approx(ties / math.sqrt(wins * losses), rel=1e-7)


@given(TIED)
def test_ties_and_wins_come_out_as_often_as_foretold(counts: list[int]) -> None:
    rows = [(i, j, *counts[3 * at : 3 * at + 3]) for at, (i, j) in enumerate(EDGES[::2])]
    fit = davidson_ties(rows)
    strengths, nu = fit["log_strength_item0_ref"], fit["nu"]
    if strengths is None or nu is None:
        assert (strengths, nu) == (None, None)
        return
    excess, balance = 0.0, [0.0] * 3
    for i, j, wins_i, wins_j, ties in rows:
        games = wins_i + wins_j + ties
        half = (strengths[i] - strengths[j]) / 2
        odds = [math.exp(half), math.exp(-half), nu]
        excess += ties - games * nu / sum(odds)
        lead = (wins_i - wins_j) - games * (odds[0] - odds[1]) / sum(odds)
        balance[i], balance[j] = balance[i] + lead, balance[j] - lead
    assert [excess, *balance] == pytest.approx([0] * 4, abs=1e-6)


def test_without_a_tie_the_strengths_are_bradleys_and_terrys() -> None:
    fit = davidson_ties([(0, 1, 3, 1, 0), (1, 2, 2, 5, 0)])
    plain = bradley_terry(3, {"0>1": 3, "1>0": 1, "1>2": 2, "2>1": 5})["log_strength_centred"]
    assert plain is not None
    assert fit["nu"] == 0
    assert fit["log_strength_item0_ref"] == pytest.approx([s - plain[0] for s in plain])


@pytest.mark.parametrize(
    "rows",
    [
        [(0, 1, 5, 0, 3)],  # never lost, and ties do not help
        [(0, 1, 5, 0, 0)],
        [(0, 1, 0, 0, 3)],  # everything tied
        [(0, 2, 1, 1, 3)],  # nobody met item 1
        [(0, 1, 1, 1, 1), (2, 3, 1, 1, 1)],  # two groups that never met
        [(0, 10**8, 1, 1, 1)],
    ],
)
def test_comparisons_that_fix_no_strengths_give_none(rows: list[tuple[int, ...]]) -> None:
    assert davidson_ties(rows) == {"log_strength_item0_ref": None, "nu": None}


def test_known_elo_and_its_dependence_on_the_order() -> None:
    ratings = elo_sequential(games_a_b_score=GAMES, k=32, base=1500)
    assert ratings == pytest.approx(
        {"A": 1527.767758702844, "B": 1471.5148372187998, "C": 1500.7174040783561}, rel=1e-9
    )
    assert elo_sequential(GAMES[::-1])["A"] == pytest.approx(1530.6286, abs=1e-4)


@given(st.lists(st.tuples(st.sampled_from("AB"), st.sampled_from("CD"), st.floats(0, 1))))
def test_what_one_player_gains_another_loses(games: list[tuple[str, str, float]]) -> None:
    ratings = elo_sequential(games)
    assert sum(ratings.values()) == pytest.approx(1500 * len(ratings))


def test_players_worlds_apart_are_rated() -> None:
    assert elo_sequential([("A", "B", 1)] * 3, k=1e99)["A"] == pytest.approx(5e98)


@pytest.mark.parametrize("key", ["0", "0>0", "0>2", "a>1", "0>1>0", "-1>0", "٠>1", "0>" + "1" * 99])
def test_a_key_that_names_no_pair_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="a key must be like '0>1', of items below 2, got"):
        bradley_terry(2, {key: 1})


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="items must be at least 2, got 1"):
        bradley_terry(1, {})
    with pytest.raises(ValueError, match=r"wins\['0>1'\] must be within 0 to 1e\+100, got -1"):
        bradley_terry(2, {"0>1": -1})
    with pytest.raises(ValueError, match="columns must be 'i,j,wins_i,wins_j,ties', got 'i,j'"):
        davidson_ties(PAIRS, "i,j")
    with pytest.raises(ValueError, match="there is no pair"):
        davidson_ties([])
    for row in ((0, 1, 2, 3), (0, 0, 1, 1, 1), (-1, 0, 1, 1, 1)):
        with pytest.raises(ValueError, match="pair 0 must be two items and three counts"):
            davidson_ties([row])
    with pytest.raises(ValueError, match="pair 0: a count must be within 0"):
        davidson_ties([(0, 1, 1, -1, 1)])
    with pytest.raises(ValueError, match="game 1: 'A' cannot play against itself"):
        elo_sequential([("A", "B", 1), ("A", "A", 1)])
    with pytest.raises(ValueError, match="game 0: score must be within 0 to 1, got 2"):
        elo_sequential([("A", "B", 2)])
