"""Pairs of answers into rates with intervals, the judge's leanings, and strengths of runs."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from random import Random  # noqa: TID251 - seeded here, so that the same pairs give the same bounds
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from fairtrial.records import JudgedPair, LengthEffect, PlaceBias, RunPair, Strength
from fairtrial.stats import (
    davidson_ties,
    length_bias_logit,
    position_bias_direction,
    position_flip_rate,
    wilson,
    wilson_effective_n,
)

_SEED: Final = 1
_DRAWS: Final = 1000
_TAIL: Final = 0.025
_FEWEST_RUNS: Final = 3


def run_pair(a: str, b: str, pairs: Iterable[JudgedPair]) -> RunPair:
    """Sum up the pairs of two runs.

    >>> won = JudgedPair(case="c", trial=0, winner="a", a_first="FIRST", b_first="SECOND")
    >>> summed = run_pair("old", "new", [won])
    >>> summed.wins_a, summed.rate_a, summed.rate_b
    (1, 1.0, 0.0)
    """
    pairs = tuple(pairs)
    judged = [pair for pair in pairs if pair.winner is not None]
    won_a, won_b, tied = (_share(judged, winner) for winner in ("a", "b", "tie"))
    return RunPair(
        a=a,
        b=b,
        pairs=pairs,
        judged=len(judged),
        wins_a=won_a.won,
        wins_b=won_b.won,
        ties=tied.won,
        flips=sum(pair.flip for pair in judged),
        identical=sum(pair.identical for pair in judged),
        unjudged=len(pairs) - len(judged),
        rate_a=won_a.rate,
        interval_a=won_a.interval,
        rate_b=won_b.rate,
        interval_b=won_b.interval,
        rate_ties=tied.rate,
        interval_ties=tied.interval,
        place=place_bias(judged),
        length=length_effect(judged),
    )


class _Share(NamedTuple):
    won: int
    rate: float | None
    interval: tuple[float, float] | None


def _share(judged: Sequence[JudgedPair], winner: str) -> _Share:
    if not judged:
        return _Share(0, None, None)
    by_case: dict[str, list[int]] = defaultdict(list)
    for pair in judged:
        by_case[pair.case].append(pair.winner == winner)
    count, size = sum(map(sum, by_case.values())), len(judged)
    if len(by_case) == size:
        return _Share(count, count / size, wilson(count, size))
    # Trials of one case are alike: they are worth less than as many cases.
    bounds = wilson_effective_n([*by_case.values()])["interval"]
    return _Share(count, count / size, bounds)


def place_bias(pairs: Iterable[JudgedPair]) -> PlaceBias | None:
    """Say whether the place sways the judge; None without a pair that was judged in both orders.

    >>> first = JudgedPair(case="c", trial=0, winner="tie", flip=True, a_first="FIRST",
    ...                    b_first="FIRST")
    >>> place_bias([first]).first
    1
    """
    asked = [pair for pair in pairs if pair.winner is not None and not pair.identical]
    if not asked:
        return None
    flips = sum(pair.flip for pair in asked)
    first = sum(pair.a_first == pair.b_first == "FIRST" for pair in asked)
    second = sum(pair.a_first == pair.b_first == "SECOND" for pair in asked)
    flipped = position_flip_rate(flips, len(asked))
    leaning = position_bias_direction(first, second, len(asked))
    return PlaceBias(
        pairs=len(asked),
        flips=flips,
        rate=flipped["rate"],
        interval=flipped["wilson95"],
        first=first,
        second=second,
        net=leaning["net_bias"],
        net_error=leaning["net_bias_se"],
        p=leaning["p_exact_two_sided"],
    )


def length_effect(pairs: Iterable[JudgedPair]) -> LengthEffect | None:
    """Say whether the longer answer wins; None where nothing was won.

    >>> won = JudgedPair(case="c", trial=0, winner="a", length_a=200, length_b=100)
    >>> length_effect([won]).ratio
    2.0
    """
    won = [pair for pair in pairs if pair.winner in {"a", "b"} and pair.length_a and pair.length_b]
    if not won:
        return None
    leads = [math.log(pair.length_a / pair.length_b) for pair in won]
    of_winners = [
        lead if pair.winner == "a" else -lead for lead, pair in zip(leads, won, strict=True)
    ]
    effect = LengthEffect(
        pairs=len(won),
        ratio=math.exp(math.fsum(of_winners) / len(won)),
        longer_won=sum(lead > 0 for lead in of_winners),
        differ=sum(lead != 0 for lead in of_winners),
    )
    return _with_logit(effect, won, leads)


def _with_logit(
    effect: LengthEffect, won: Sequence[JudgedPair], leads: Sequence[float]
) -> LengthEffect:
    """Add the logit, what the checks say standing for what people prefer."""
    known = [at for at, pair in enumerate(won) if pair.checks is not None]
    checks = [float(won[at].checks or 0) for at in known]
    if len(set(checks)) < 2:
        why = "not measured: the checks tell no pair from the others, so they cannot be held fixed"
        return replace(effect, logit_why=why)
    prefers_a = [float(won[at].winner == "a") for at in known]
    fit = length_bias_logit([leads[at] for at in known], checks, prefers_a)
    if fit["beta_length"] is None or fit["se"] is None:
        why = "not measured: too few pairs, or the winners can be told from them without fail"
        return replace(effect, logit_why=why)
    return replace(
        effect, logit=fit["beta_length"], logit_error=fit["se"][1], logit_p=fit["p_length"]
    )


def strengths_of(
    names: Sequence[str], pairs: Sequence[RunPair]
) -> tuple[tuple[Strength, ...], str | None]:
    """Put three runs or more on one scale, strongest first; else say why there is none.

    Args:
        names: Of all runs.
        pairs: Of every two of them.

    >>> strengths_of(["a", "b"], [])
    ((), 'two runs need no scale: their wins say it all')
    """
    if len(names) < _FEWEST_RUNS:
        return (), "two runs need no scale: their wins say it all"
    by_case = _games(names, pairs)
    fit = _fitted(len(names), by_case.values())
    if fit is None:
        return (), (
            "no finite strengths: some run never lost to the others, never won, or was never held "
            "against them, so how far apart they are is not known"
        )
    cases = [*by_case.values()]
    draw = Random(_SEED)  # noqa: S311 - drawing cases again, no secret
    drawn = (draw.choices(cases, k=len(cases)) for _ in range(_DRAWS))
    fits = [one for one in (_fitted(len(names), cases) for cases in drawn) if one is not None]
    bounds = _bounds(fits) if len(fits) >= _DRAWS * (1 - _TAIL) else [None] * len(names)
    found = [
        Strength(run=name, log_strength=strength, interval=interval)
        for name, strength, interval in zip(names, fit, bounds, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: -one.log_strength)), None


_Games: TypeAlias = dict[tuple[int, int], list[int]]
"""Of one case, by the numbers of two runs: wins of the first, wins of the second, ties."""


def _games(names: Sequence[str], pairs: Sequence[RunPair]) -> dict[str, _Games]:
    place = {name: at for at, name in enumerate(names)}
    by_case: dict[str, _Games] = defaultdict(dict)
    for of_two in pairs:
        runs = place[of_two.a], place[of_two.b]
        for pair in of_two.pairs:
            if pair.winner is not None:
                row = by_case[pair.case].setdefault(runs, [0, 0, 0])
                row[("a", "b", "tie").index(pair.winner)] += 1
    return by_case


def _fitted(runs: int, cases: Iterable[_Games]) -> list[float] | None:
    """Give log strengths with mean 0; None where they are not finite."""
    rows: dict[tuple[int, int], list[int]] = {}
    for games in cases:
        for (i, j), counts in games.items():
            row = rows.setdefault((i, j), [i, j, 0, 0, 0])
            for at, count in enumerate(counts, 2):
                row[at] += count
    if len({item for pair in rows for item in pair}) < runs:
        return None
    fit = davidson_ties([*rows.values()])["log_strength_item0_ref"]
    if fit is None:
        return None
    mean = math.fsum(fit) / runs
    return [strength - mean for strength in fit]


def _bounds(fits: Sequence[Sequence[float]]) -> list[tuple[float, float] | None]:
    """Give the ends of the middle 95 % for each run."""
    at = math.ceil(_TAIL * len(fits)) - 1
    columns = [sorted(column) for column in zip(*fits, strict=True)]
    return [(column[at], column[-1 - at]) for column in columns]
