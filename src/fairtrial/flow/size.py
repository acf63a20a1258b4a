"""The story of `stats size`: which drops a suite can see, and what a smaller one would take."""

import math
from collections.abc import Iterator, Sequence

from fairtrial.errors import UsageError
from fairtrial.records import CaseResult, SizePlan, SizeRow, SuiteSize
from fairtrial.stats import (
    SuiteSight,
    cases_for_drop,
    power_for_drop,
    resized_sight,
    smallest_drop,
    suite_sight,
    trials_for_drop,
    variance_components,
)
from fairtrial.store import SavedRun

_TRIALS = (1, 3, 5, 10, 20)
"""Trials a case that the tables show, besides those of the run."""

_DROPS = (1, 2, 3, 5, 10, 20)
"""Points of the pass rate for which the power of the suite at hand is told."""

_CASES = (30, 50, 100, 200, 300, 500, 1000)
"""Cases that the table shows, besides those of the run."""


def size_run(run: SavedRun, *, drop: float, power: float, alpha: float = 0.05) -> SuiteSize:
    """Tell from one run which drops its suite sees, and the cases and trials that see this one.

    Cases that only inform are left out, as they are where runs are compared.

    Args:
        run: Any saved run of the suite.
        drop: A share, 0.05 for five points.
        power: The chance of seeing it, 0 to 1.
        alpha: The chance of a false alarm, one-sided, 0 to 1.

    Raises:
        UsageError: A number that is none of these.
        StoreError: The run cannot be read.
    """
    _refuse(drop, power, alpha)
    scorecard = run.scorecard
    counts = [_counts(result) for result in run.results() if not result.informs]
    counts = [(measured, passed) for measured, passed in counts if measured]
    sight = suite_sight(counts)
    total = math.fsum(passed / measured for measured, passed in counts)
    rate = total / len(counts) if counts else None
    cost = None if scorecard.unknown.get("cost") else scorecard.mean_cost
    needed = None if sight is None else trials_for_drop(sight, drop, alpha, power)
    return SuiteSize(
        run=run.info.id,
        mode=run.info.mode,
        drop=drop,
        power=power,
        alpha=alpha,
        cases=len(counts),
        k=scorecard.k,
        trials=sum(measured for measured, _ in counts),
        pass_rate=rate,
        between=_between(counts),
        within=None if sight is None else sight.within,
        smallest_drop=None if sight is None else smallest_drop(sight, alpha, power),
        seen=None if sight is None else power_for_drop(sight, drop, alpha),
        powers={} if sight is None else _powers(sight, alpha),
        trials_needed=needed,
        plans=() if sight is None else tuple(_plans(sight, scorecard.k, drop, power, alpha, cost)),
        table=() if sight is None else tuple(_table(sight, scorecard.k, power, alpha)),
        cost_of_trial=cost,
        currency=scorecard.currency,
        unknown=tuple(_unknown(counts, sight, cost, drop, rate)),
    )


def _refuse(drop: float, power: float, alpha: float) -> None:
    """Refuse what makes no plan.

    Raises:
        UsageError: The drop, the power or the false alarms are out of range.
    """
    if not 0 < drop < 1:
        got = f"{drop * 100:g}"
        raise UsageError(
            f"--drop: wanted points of the pass rate, above 0 and below 100, got {got}"
        )
    if not 0 < alpha < 1:
        raise UsageError(f"--alpha: wanted a share between 0 and 1, such as 0.05, got {alpha:g}")
    if not alpha < power < 1:
        hint = f"; {power:g} % is {power / 100:g}" if 1 < power < 100 else ""
        raise UsageError(
            f"--power: wanted a share above {alpha:g} (the false alarms) and below 1, such as 0.8, "
            f"got {power:g}{hint}"
        )


def _counts(result: CaseResult) -> tuple[int, int]:
    measured = sum(trial.verdict != "error" for trial in result.trials)
    return measured, sum(trial.verdict == "passed" for trial in result.trials)


def _between(counts: Sequence[tuple[int, int]]) -> float | None:
    """Give the variance of the cases' true rates, at least 0; None where it cannot be told."""
    if not counts:
        return None
    parts = variance_components([[1] * passed + [0] * (n - passed) for n, passed in counts])
    return None if parts is None else max(0.0, parts["sigma2_between"])


def _powers(sight: SuiteSight, alpha: float) -> dict[str, float | None]:
    return {str(points): power_for_drop(sight, points / 100, alpha) for points in _DROPS}


def _plans(
    sight: SuiteSight, k: int, drop: float, power: float, alpha: float, cost: float | None
) -> Iterator[SizePlan]:
    for trials in sorted({*_TRIALS, k} - {0}):
        cases = cases_for_drop(sight, trials, drop, alpha, power)
        whole = None if cases is None else cases * trials
        price = None if cost is None or whole is None else whole * cost
        yield SizePlan(k=trials, cases=cases, trials=whole, cost=price)


def _table(sight: SuiteSight, k: int, power: float, alpha: float) -> Iterator[SizeRow]:
    for cases in sorted({*_CASES, sight.cases}):
        drops = {
            str(trials): smallest_drop(resized_sight(sight, cases, trials), alpha, power)
            for trials in sorted({*_TRIALS, k} - {0})
        }
        yield SizeRow(cases=cases, drops=drops)


def _unknown(
    counts: Sequence[tuple[int, int]],
    sight: SuiteSight | None,
    cost: float | None,
    drop: float,
    rate: float | None,
) -> Iterator[str]:
    """Say what this run does not tell, and how to get it."""
    if not counts:
        yield "nothing was measured in this run, so it tells nothing about the suite"
        return
    if len(counts) == 1:
        yield "there is one measured case: how far cases differ is not known; it takes two or more"
    if all(measured < 2 for measured, _ in counts):
        yield (
            "no case has two measured trials: how far a case differs from itself is not known, and "
            "so neither is what this suite sees; `fairtrial run --live -k 3` makes a run that tells"
        )
    if rate is not None and drop > rate:
        yield "the pass rate is lower than the drop that was asked about: it cannot fall so far"
    if cost is None:
        yield "the cost of a trial is not known of every trial, so no costs are shown"
    if sight is not None and sight.within == 0:
        yield (
            "no case came out differently in two of its trials, which few trials do not prove: "
            "take the smallest drops for the best that can be hoped for"
        )
