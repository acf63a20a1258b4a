"""The candidate: a run folded to a small record a case, so that trials need not be kept."""

import math
from collections.abc import Sequence

from msgspec import Struct

from fairtrial.records import CaseResult, Check, RunInfo, Scorecard, Status, Trial


class CaseOutcome(Struct, frozen=True, kw_only=True):
    """What the trials of one case came to."""

    id: str
    hash: str
    tags: tuple[str, ...] = ()
    protected: bool = False
    informs: bool = False
    """True: the case is shown and never gates."""
    status: Status
    passed: int
    measured: int
    planned: int
    """At least the trials that there are."""
    errors: int = 0
    """Trials that ran and could not be measured."""
    live: bool = False
    """True: in a trial of this case a live model spoke."""
    checks: dict[str, tuple[int, int]] = {}
    """By name without brackets: trials in which all of it passed, trials in which none was null."""
    informing: tuple[str, ...] = ()
    """Names in `checks` of which at least one check does not decide."""
    steps: float | None = None
    """Mean over the measured trials, as `tokens` and `cost`; None when any is unknown."""
    tokens: float | None = None
    """None also when any count is an estimate: those are not compared with real ones."""
    cost: float | None = None
    reason: str | None = None
    """Why the first failed trial failed; where none did, why the first was not measured."""
    source: str | None = None

    @property
    def failed(self) -> int:
        """Measured trials that did not pass."""
        return self.measured - self.passed

    @property
    def unmeasured(self) -> int:
        """Planned trials that ended in an error or never ran."""
        return self.planned - self.measured

    @property
    def rate(self) -> float | None:
        """Share of the measured trials that passed, 0 to 1; None when none was measured."""
        return self.passed / self.measured if self.measured else None

    @property
    def strict_rate(self) -> float:
        """Share of the planned trials that passed: what is not measured counts as failed."""
        return self.passed / self.planned if self.planned else 0.0


class Candidate(Struct, frozen=True, kw_only=True):
    """A run that wants to replace the baseline."""

    info: RunInfo
    scorecard: Scorecard
    cases: tuple[CaseOutcome, ...]
    """In file order: all that were selected, also those without a trial."""

    @property
    def filtered(self) -> bool:
        """True when the run holds a part of the suite, so that absent cases mean nothing."""
        chosen = self.info.selection
        return chosen is not None and bool(
            chosen.ids or chosen.tags or chosen.protected or chosen.only
        )

    @property
    def judge(self) -> str | None:
        """The fingerprint of the judge that decided some of it; None: no judge did."""
        use = self.scorecard.judge
        decided = use is not None and any(item.decides for item in use.items)
        return use.fingerprint if use is not None and decided else None


def summarise(result: CaseResult) -> CaseOutcome:
    """Give what the trials of a case came to, in a record whose size does not grow with them.

    >>> result = CaseResult(
    ...     id="c1", tags=(), protected=False, hash="h", status="error", pass_rate=None,
    ...     trials=(), planned=3,
    ... )
    >>> outcome = summarise(result)
    >>> outcome.measured, outcome.unmeasured, outcome.rate
    (0, 3, None)
    """
    measured = [trial for trial in result.trials if trial.verdict != "error"]
    checks, informing = _check_counts(result.trials)
    return CaseOutcome(
        id=result.id,
        hash=result.hash,
        tags=result.tags,
        protected=result.protected,
        informs=result.informs,
        status=result.status,
        passed=sum(trial.verdict == "passed" for trial in measured),
        measured=len(measured),
        planned=max(result.planned, len(result.trials)),
        errors=len(result.trials) - len(measured),
        live=any(trial.model == "live" for trial in result.trials),
        checks=checks,
        informing=informing,
        steps=_mean([trial.steps for trial in measured]),
        tokens=_mean([None if trial.estimated else trial.tokens for trial in measured]),
        cost=_mean([trial.cost for trial in measured]),
        reason=_first_reason(result.trials),
        source=result.source,
    )


def _check_counts(trials: Sequence[Trial]) -> tuple[dict[str, tuple[int, int]], tuple[str, ...]]:
    counts: dict[str, tuple[int, int]] = {}
    informing: dict[str, None] = {}
    for trial in trials:
        answers: dict[str, list[bool | None]] = {}
        for check in trial.checks:
            name = check.name.partition("[")[0] or check.name
            answers.setdefault(name, []).append(check.passed)
            if not check.decides:
                informing[name] = None
        for name, given in answers.items():
            passed, total = counts.get(name, (0, 0))
            known = None not in given
            counts[name] = (passed + (known and all(given)), total + known)
    return counts, tuple(informing)


def _mean(amounts: Sequence[float | None]) -> float | None:
    known = [amount for amount in amounts if amount is not None]
    if not known or len(known) < len(amounts):
        return None
    try:
        mean = math.fsum(known) / len(known)
    except OverflowError:  # a count that no float holds is no count to compare
        return None
    return mean if math.isfinite(mean) else None


def _first_reason(trials: Sequence[Trial]) -> str | None:
    for trial in trials:
        if trial.verdict == "failed":
            return _said(trial, passed=False) or trial.error or f"stopped with {trial.stop}"
    for trial in trials:
        if trial.verdict == "error":
            return trial.error or _said(trial, passed=None)
    return None


def _said(trial: Trial, *, passed: bool | None) -> str | None:
    for check in trial.checks:
        if check.decides and check.passed is passed:
            return _line(check)
    return None


def _line(check: Check) -> str:
    return f"{check.name}: {check.reason}" if check.reason else check.name
