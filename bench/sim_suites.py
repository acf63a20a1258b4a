"""Synthetic suites, and what can have happened to the agent: true pass rates of both sides."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random  # noqa: TID251 - seeded by the caller
from typing import NamedTuple

MIXTURES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "A": ((0.50, 60, 1), (0.30, 6, 2), (0.20, 1.5, 4)),
    "B": ((0.85, 100, 1), (0.12, 8, 2), (0.03, 2, 4)),
}
"""By suite: shares of the cases, with the two numbers of the beta distribution of their rates.
A is a noisy agent (mean rate .77), B a tuned CI suite (.95)."""

PROTECTED = (150, 1)
"""The beta distribution of the rates of protected cases: .993 on average."""


class Suite(NamedTuple):
    """Cases by their true pass rates; the protected ones come first."""

    rates: tuple[float, ...]
    protected: int


class Truth(NamedTuple):
    """What is so: the candidate's true rates, and which cases are worse and to be named."""

    rates: tuple[float, ...]
    worse: frozenset[int]


def draw_suite(name: str, cases: int, protected: int, chance: Random) -> Suite:
    """Draw the true rate of every case, once."""
    rates = [chance.betavariate(*PROTECTED) for _ in range(protected)]
    others = cases - protected
    counts = [round(share * others) for share, _, _ in MIXTURES[name]]
    counts[0] += others - sum(counts)
    for count, (_, a, b) in zip(counts, MIXTURES[name], strict=True):
        rates += [chance.betavariate(a, b) for _ in range(count)]
    return Suite(tuple(rates), protected)


def suite_of_history(baseline: Path) -> Suite:
    """Take the rates of a suite's own baseline, each shrunk by half a pass and half a failure."""
    cases = json.loads(baseline.read_text(encoding="utf-8"))["cases"].values()
    measured = [case for case in cases if case["measured"]]
    measured.sort(key=lambda case: not case["protected"])
    rates = tuple((case["passed"] + 0.5) / (case["measured"] + 1) for case in measured)
    return Suite(rates, sum(case["protected"] for case in measured))


def unchanged(suite: Suite, chance: Random) -> Truth:  # noqa: ARG001 - the shape of a scenario
    """Leave the agent as it is."""
    return Truth(suite.rates, frozenset())


def some_fall(count: int, drop: float) -> Callable[[Suite, Random], Truth]:
    """Let some cases that are not protected, and have as far to fall, fall."""

    def scenario(suite: Suite, chance: Random) -> Truth:
        fallen = _chosen(suite, count, drop, chance)
        return Truth(_moved(suite.rates, fallen, drop), fallen)

    return scenario


def some_break(count: int) -> Callable[[Suite, Random], Truth]:
    """Let some cases that passed more often than not never pass any more."""

    def scenario(suite: Suite, chance: Random) -> Truth:
        broken = _chosen(suite, count, 0.6, chance)
        return Truth(_moved(suite.rates, broken, 1.0), broken)

    return scenario


def some_swap(count: int, drop: float) -> Callable[[Suite, Random], Truth]:
    """Let some cases fall and all others rise a little, so that the mean stays."""

    def scenario(suite: Suite, chance: Random) -> Truth:
        fallen = _chosen(suite, count, drop, chance)
        rates = _moved(suite.rates, fallen, drop)
        lost = sum(suite.rates) - sum(rates)
        room = sum(1 - rate for at, rate in enumerate(rates) if at not in fallen)
        share = min(1.0, lost / room) if room else 0.0
        risen = (
            rate if at in fallen else rate + (1 - rate) * share for at, rate in enumerate(rates)
        )
        return Truth(tuple(risen), fallen)

    return scenario


def all_fall(drop: float) -> Callable[[Suite, Random], Truth]:
    """Let every case fall a little; none of them is to be named."""

    def scenario(suite: Suite, chance: Random) -> Truth:  # noqa: ARG001 - see unchanged
        return Truth(_moved(suite.rates, frozenset(range(len(suite.rates))), drop), frozenset())

    return scenario


def one_protected(rate: float) -> Callable[[Suite, Random], Truth]:
    """Let one protected case fall to a rate."""

    def scenario(suite: Suite, chance: Random) -> Truth:
        fallen = chance.randrange(suite.protected)
        rates = tuple(rate if at == fallen else own for at, own in enumerate(suite.rates))
        return Truth(rates, frozenset({fallen}))

    return scenario


SCENARIOS: dict[str, Callable[[Suite, Random], Truth]] = {
    "nothing changed": unchanged,
    "3 cases fully broken": some_break(3),
    "5 cases down 50 points": some_fall(5, 0.5),
    "10 cases down 30 points": some_fall(10, 0.3),
    "15 cases down 50 points, the mean as before": some_swap(15, 0.5),
    "every case down 2 points": all_fall(0.02),
    "every case down 3 points": all_fall(0.03),
    "every case down 5 points": all_fall(0.05),
    "one protected case at 90 %": one_protected(0.9),
    "one protected case at 80 %": one_protected(0.8),
    "one protected case at 70 %": one_protected(0.7),
    "one protected case at 50 %": one_protected(0.5),
    "one protected case at 0 %": one_protected(0.0),
}
"""What can have happened, as it is called."""


def _chosen(suite: Suite, count: int, room: float, chance: Random) -> frozenset[int]:
    able = [at for at in range(suite.protected, len(suite.rates)) if suite.rates[at] >= room]
    return frozenset(chance.sample(able, min(count, len(able))))


def _moved(rates: Sequence[float], fallen: frozenset[int], drop: float) -> tuple[float, ...]:
    return tuple(max(0.0, rate - drop) if at in fallen else rate for at, rate in enumerate(rates))
