"""From who beat whom to one scale of strength."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypedDict

from fairtrial.stats.inputs import LARGEST, need_numbers, need_within
from fairtrial.stats.likelihood import Slopes, maximise

_ELO_UNIT = 400 / math.log(10)
_COLUMNS = "i,j,wins_i,wins_j,ties"

DavidsonPair: TypeAlias = Sequence[int]
"""Two items by number, the wins of the first, those of the second, and their ties."""


class BradleyTerry(TypedDict):
    """What `bradley_terry` gives."""

    log_strength_centred: list[float] | None
    p_0_beats_1: float | None
    elo_scale_differences_vs_item0: list[float] | None


class DavidsonTies(TypedDict):
    """What `davidson_ties` gives."""

    log_strength_item0_ref: list[float] | None
    nu: float | None


class _Match(NamedTuple):
    i: int
    j: int
    wins_i: float
    wins_j: float
    ties: float


def bradley_terry(items: int, wins: Mapping[str, float]) -> BradleyTerry:
    """Find the strengths that make the wins likeliest: i beats j with chance s_i/(s_i + s_j).

    Bound them by resampling prompts, not battles.

    Source: Bradley and Terry (1952), Biometrika 39, 324-345; a logistic regression, by Newton.

    Args:
        items: How many there are, at least 2, numbered from 0.
        wins: How often i beat j, under the key "i>j"; a missing key is 0.

    Returns:
        Log strengths with mean 0, the chance that item 0 beats item 1, and the distances from
        item 0 on the scale of Elo, where 400 is odds of ten. None where no finite strengths are
        likeliest: some items never lost to the others, or never met them.

    Raises:
        ValueError: There are fewer than two items, or a key or count makes no sense.

    >>> strengths = bradley_terry(2, {"0>1": 3, "1>0": 1})
    >>> round(strengths["p_0_beats_1"], 9), round(strengths["elo_scale_differences_vs_item0"][1])
    (0.75, -191)
    """
    need_within("items", items, 2)
    beaten: dict[tuple[int, int], float] = {}
    for key, count in wins.items():
        i, j = _winner_and_loser(key, items)
        need_within(f"wins[{key!r}]", count, 0, LARGEST)
        beaten[i, j] = beaten.get((i, j), 0) + count
    matches = [
        _Match(i, j, beaten.get((i, j), 0), beaten.get((j, i), 0), 0)
        for i, j in sorted({(min(pair), max(pair)) for pair in beaten})
    ]
    strengths = _strengths(items, matches)
    if strengths is None:
        return BradleyTerry(
            log_strength_centred=None, p_0_beats_1=None, elo_scale_differences_vs_item0=None
        )
    mean = math.fsum(strengths) / items
    return BradleyTerry(
        log_strength_centred=[strength - mean for strength in strengths],
        p_0_beats_1=_logistic(strengths[0] - strengths[1]),
        elo_scale_differences_vs_item0=[_ELO_UNIT * s for s in strengths],
    )


def davidson_ties(pairs: Sequence[DavidsonPair], columns: str = _COLUMNS) -> DavidsonTies:
    """Find strengths as `bradley_terry` does, where two items can also tie.

    Source: Davidson (1970), JASA 65, 317-328: with strengths s_i and s_j the chances of a win of
    i, a win of j and a tie are as s_i : s_j : nu sqrt(s_i s_j).

    Args:
        pairs: One row a pair: i, j, wins of i, wins of j, ties; items are numbered from 0.
        columns: What the columns are; it can only be said, not changed.

    Returns:
        Log strengths, item 0 at 0, and nu, the odds of a tie between equals against one of them
        winning; 0 where nothing tied. None where no finite numbers are likeliest: some items
        never lost to the others (ties do not help), never met them, or everything tied.

    Raises:
        ValueError: There is no pair, a row is no such row, or the columns are others.

    >>> fit = davidson_ties([(0, 1, 4, 1, 2)])
    >>> round(fit["log_strength_item0_ref"][1], 6), round(fit["nu"], 6)
    (-1.386294, 1.0)
    """
    if columns != _COLUMNS:
        raise ValueError(f"columns must be {_COLUMNS!r}, got {columns!r}")
    matches = [_match(at, row) for at, row in enumerate(pairs)]
    if not matches:
        raise ValueError("there is no pair")
    items = 1 + max(max(match.i, match.j) for match in matches)
    if not any(match.ties for match in matches):
        strengths = _strengths(items, matches)
        return DavidsonTies(log_strength_item0_ref=strengths, nu=None if strengths is None else 0.0)
    if _met(matches) < items:
        return DavidsonTies(log_strength_item0_ref=None, nu=None)
    top = maximise([0.0] * items, lambda point: _davidson_slopes(matches, point))
    if top is None:
        return DavidsonTies(log_strength_item0_ref=None, nu=None)
    return DavidsonTies(log_strength_item0_ref=[0.0, *top.point[:-1]], nu=math.exp(top.point[-1]))


def elo_sequential(
    games_a_b_score: Sequence[tuple[str, str, float]], k: float = 32, base: float = 1500
) -> dict[str, float]:
    """Rate players game by game, as chess does: for display only.

    The ratings depend on the order of the games. For a set of games use `bradley_terry`.

    Source: Elo (1978): a rating moves by k times (score - expected score).

    Args:
        games_a_b_score: Two players and the score of the first: 1 won, 0.5 tied, 0 lost.
        k: How far one game can move a rating.
        base: What everybody starts at.

    Returns:
        The rating of each player, in order of appearance.

    Raises:
        ValueError: Somebody plays against themselves, a score lies outside 0 to 1, or k or base
            is no number.

    >>> elo_sequential([("A", "B", 1)])
    {'A': 1516.0, 'B': 1484.0}
    """
    need_numbers("k and base", [k, base])
    ratings: dict[str, float] = {}
    for at, (a, b, score) in enumerate(games_a_b_score):
        if a == b:
            raise ValueError(f"game {at}: {a!r} cannot play against itself")
        need_within(f"game {at}: score", score, 0, 1)
        rating_a, rating_b = ratings.get(a, base), ratings.get(b, base)
        move = k * (score - _logistic((rating_a - rating_b) / _ELO_UNIT))
        ratings[a], ratings[b] = rating_a + move, rating_b - move
    return ratings


def _winner_and_loser(key: str, items: int) -> tuple[int, int]:
    winner, _, loser = key.partition(">")
    known = all(re.fullmatch("[0-9]{1,9}", item) and int(item) < items for item in (winner, loser))
    if not known or int(winner) == int(loser):
        raise ValueError(f"a key must be like '0>1', of items below {items}, got {key!r}")
    return int(winner), int(loser)


def _match(at: int, row: DavidsonPair) -> _Match:
    whole = all(float(value).is_integer() for value in row[:2])
    if len(row) != 5 or not whole or min(row[:2]) < 0 or row[0] == row[1]:
        raise ValueError(f"pair {at} must be two items and three counts, got {list(row)!r}")
    for value in row[2:]:
        need_within(f"pair {at}: a count", value, 0, LARGEST)
    return _Match(*row)


def _strengths(items: int, matches: Sequence[_Match]) -> list[float] | None:
    """Fit log strengths without ties, item 0 at 0; None where they are not finite."""
    if _met(matches) < items:
        return None
    won: list[set[int]] = [set() for _ in range(items)]
    lost: list[set[int]] = [set() for _ in range(items)]
    for match in matches:
        for winner, loser, count in (
            (match.i, match.j, match.wins_i),
            (match.j, match.i, match.wins_j),
        ):
            if count > 0:
                won[winner].add(loser)
                lost[loser].add(winner)
    # Finite strengths exist exactly where everybody reaches everybody along wins (Ford 1957).
    if len(_reached(won)) < items or len(_reached(lost)) < items:
        return None
    top = maximise([0.0] * (items - 1), lambda point: _strength_slopes(matches, point))
    return None if top is None else [0.0, *top.point]


def _met(matches: Sequence[_Match]) -> int:
    """Count the items that met another."""
    return len({item for match in matches for item in (match.i, match.j)})


def _reached(edges: Sequence[set[int]]) -> set[int]:
    """Give the items that item 0 reaches."""
    reached, ahead = {0}, [0]
    while ahead:
        new = edges[ahead.pop()] - reached
        reached |= new
        ahead.extend(new)
    return reached


def _strength_slopes(matches: Sequence[_Match], point: Sequence[float]) -> Slopes:
    strengths = [0.0, *point]
    slopes = Slopes(0.0, [0.0] * len(strengths), [[0.0] * len(strengths) for _ in strengths])
    value = 0.0
    for i, j, wins_i, wins_j, _ in matches:
        lead = strengths[i] - strengths[j]
        p, q = _logistic(lead), _logistic(-lead)
        likely, upsets = (wins_i, wins_j) if lead > 0 else (wins_j, wins_i)
        value -= (likely + upsets) * math.log1p(math.exp(-abs(lead))) + upsets * abs(lead)
        _add_pair(slopes, i, j, wins_i * q - wins_j * p, (wins_i + wins_j) * p * q)
    return _without_item_0(value, slopes)


def _davidson_slopes(matches: Sequence[_Match], point: Sequence[float]) -> Slopes:
    """Compute the log-likelihood of strengths and log nu, which comes last."""
    strengths, log_nu = [0.0, *point[:-1]], point[-1]
    size = len(point) + 1
    slopes = Slopes(0.0, [0.0] * size, [[0.0] * size for _ in range(size)])
    value = 0.0
    for i, j, wins_i, wins_j, ties in matches:
        half = (strengths[i] - strengths[j]) / 2
        logs = _log_chances(half, -half, log_nu)
        value += wins_i * logs[0] + wins_j * logs[1] + ties * logs[2]
        p_i, p_j, p_tie = map(math.exp, logs)
        games, win = wins_i + wins_j + ties, p_i + p_j
        # Written without 1 - p, which would end at 0 far out and look like the top.
        pull = wins_i * (2 * p_j + p_tie) - wins_j * (2 * p_i + p_tie) - ties * (p_i - p_j)
        _add_pair(slopes, i, j, pull / 2, games * (win * p_tie + 4 * p_i * p_j) / 4)
        slopes.gradient[-1] += ties * win - (wins_i + wins_j) * p_tie
        slopes.information[-1][-1] += games * p_tie * win
        lean = games * p_tie * (p_i - p_j) / 2
        for item, sign in ((i, -1), (j, 1)):
            slopes.information[item][-1] += sign * lean
            slopes.information[-1][item] += sign * lean
    return _without_item_0(value, slopes)


def _add_pair(slopes: Slopes, i: int, j: int, pull: float, weight: float) -> None:
    slopes.gradient[i] += pull
    slopes.gradient[j] -= pull
    slopes.information[i][i] += weight
    slopes.information[j][j] += weight
    slopes.information[i][j] -= weight
    slopes.information[j][i] -= weight


def _without_item_0(value: float, slopes: Slopes) -> Slopes:
    """Hold item 0 fixed, for only differences of strengths are told by who beat whom."""
    return Slopes(value, slopes.gradient[1:], [row[1:] for row in slopes.information[1:]])


def _log_chances(*weights: float) -> list[float]:
    """Give the logs of chances that are as the exponentials of the weights."""
    *others, most = sorted(weights)
    whole = most + math.log1p(sum(math.exp(other - most) for other in others))
    return [weight - whole for weight in weights]


def _logistic(x: float) -> float:
    """Give 1/(1 + exp(-x)), with its digits kept far out on either side."""
    small = math.exp(-abs(x))
    return (1.0 if x > 0 else small) / (1 + small)
