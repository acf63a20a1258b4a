"""The story of what a reader is shown of a run: its numbers, the decision, and what changed."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fairtrial.flow.compare import candidate_of
from fairtrial.gate import CaseOutcome, difference
from fairtrial.records import Baseline, CaseOverview, Gated, Overview, RateOverview
from fairtrial.scorecard import rate_interval
from fairtrial.stats import paired_difference
from fairtrial.store import SavedRun


def overview_of(run: SavedRun, here: Path) -> Overview:
    """Gather all that a report of a run shows at once, one case in memory at a time.

    Args:
        run: The run. What the gate decided of it, and the baseline of then, is in its folder.
        here: The folder that paths are told from. Those of cases are given from the top of the
            repository that it lies in, if it lies in one.

    Raises:
        StoreError: The run cannot be read.
    """
    candidate = candidate_of(run)
    gated = run.gated
    baseline = None if gated is None else gated.baseline
    placed = _placing(run, here)
    accepted = {} if baseline is None else baseline.cases
    cases = tuple(
        _case(case, placed, protected=case.id in accepted and accepted[case.id].protected)
        for case in candidate.cases
    )
    return Overview(
        info=candidate.info,
        scorecard=candidate.scorecard,
        gated=gated,
        difference=None if baseline is None else difference(baseline, candidate),
        cases=cases,
        rates=_rates(candidate.cases, gated, live=candidate.info.mode == "live"),
    )


def _case(case: CaseOutcome, placed: Callable[[str], str], *, protected: bool) -> CaseOverview:
    return CaseOverview(
        id=case.id,
        source=None if case.source is None else placed(case.source),
        tags=case.tags,
        protected=case.protected or protected,
        informs=case.informs,
        status=case.status,
        passed=case.passed,
        measured=case.measured,
        planned=case.planned,
        errors=case.errors,
        reason=case.reason,
    )


def _placing(run: SavedRun, here: Path) -> Callable[[str], str]:
    """Give what tells a `file:line` from the top of the repository."""
    top = repository_of(here)
    roots = [here] if run.folder is None else [here, *run.folder.absolute().parents[2:3]]
    known: dict[str, str] = {}

    def placed(source: str) -> str:
        file, colon, line = source.rpartition(":")
        if not colon or top is None:
            return source
        if file not in known:
            known[file] = _from_top(file, top, roots)
        return f"{known[file]}:{line}"

    return placed


def _from_top(file: str, top: Path, roots: Sequence[Path]) -> str:
    there = (root / file for root in roots)
    try:
        path = next((one for one in there if one.is_file()), roots[0] / file)
        return path.resolve().relative_to(top.resolve()).as_posix()
    except (OSError, ValueError):  # elsewhere, or no path at all
        return file


def repository_of(folder: Path) -> Path | None:
    """Give the top of the repository that a folder lies in; None where it lies in none.

    >>> repository_of(Path("/nowhere/at/all")) is None
    True
    """
    for above in (folder, *folder.parents):
        if (above / ".git").exists():
            return above
    return None


def _rates(
    cases: Sequence[CaseOutcome], gated: Gated | None, *, live: bool
) -> tuple[RateOverview, ...]:
    """Give the rate of the suite and of each tag; cases that only inform are in none."""
    groups: dict[str | None, list[CaseOutcome]] = {None: []}
    for case in cases:
        if not case.informs:
            groups[None].append(case)
            for tag in dict.fromkeys(case.tags):
                groups.setdefault(tag, []).append(case)
    baseline = None if gated is None else gated.baseline
    told = _told(gated)
    whole, *tags = (_rate(tag, group, baseline, told, live=live) for tag, group in groups.items())
    tags.sort(key=lambda one: (one.change or 0.0, 1.0 if one.rate is None else one.rate))
    return (whole, *tags)


def _told(gated: Gated | None) -> Mapping[str | None, tuple[float, float] | None]:
    """Give the intervals of changes that the gate gave: those know of the measured noise."""
    reasons = () if gated is None else gated.decision.reasons
    return {reason.tag: reason.interval for reason in reasons if reason.rule == "rate"}


def _rate(
    tag: str | None,
    cases: Sequence[CaseOutcome],
    baseline: Baseline | None,
    told: Mapping[str | None, tuple[float, float] | None],
    *,
    live: bool,
) -> RateOverview:
    rates = [case.rate for case in cases if case.rate is not None]
    pairs = _pairs(cases, baseline)
    before, now = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    change = _mean([after - was for was, after in pairs])
    chance = live or (baseline is not None and baseline.mode == "live")
    return RateOverview(
        tag=tag,
        cases=len(rates),
        rate=_mean(rates),
        interval=rate_interval(rates, sum(case.measured for case in cases)),
        shared=len(pairs),
        before=_mean(before),
        change=change,
        change_interval=_around(change, told.get(tag)) or _spread(before, now) if chance else None,
    )


def _around(
    change: float | None, interval: tuple[float, float] | None
) -> tuple[float, float] | None:
    """Give the gate's interval where it is one of the change: it can be one of the rate."""
    if change is None or interval is None:
        return None
    return interval if interval[0] <= change <= interval[1] else None


def _pairs(cases: Sequence[CaseOutcome], baseline: Baseline | None) -> list[tuple[float, float]]:
    """Give the rates before and now of the unchanged cases that were measured on both sides."""
    accepted = {} if baseline is None else baseline.cases
    both = [(accepted[case.id], case) for case in cases if case.id in accepted]
    return [
        (old.passed / old.measured, case.passed / case.measured)
        for old, case in both
        if old.hash == case.hash and old.measured and case.measured
    ]


def _spread(before: Sequence[float], now: Sequence[float]) -> tuple[float, float] | None:
    if len(before) < 2:
        return None
    test = paired_difference(before, now)
    return test["ci95_t"] if test["se"] else None  # all alike, t would claim to know it exactly


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
