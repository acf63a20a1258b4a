"""The summary of a run and the JSON report around it."""

from typing import Literal, TypeAlias

from msgspec import Struct

from fairtrial.records.adaptive import Adaptive
from fairtrial.records.check import Trial
from fairtrial.records.json import Json
from fairtrial.records.judge_use import JudgeUse
from fairtrial.records.trajectory import Mode

Status: TypeAlias = Literal["passed", "failed", "flaky", "error"]
"""Of a case over its measured trials: all passed, none passed, some passed; `error` when none was
measured."""


def status_of(passed: int, measured: int) -> Status:
    """Give a case's status from its measured trials.

    >>> status_of(3, 3), status_of(2, 3), status_of(0, 3), status_of(0, 0)
    ('passed', 'flaky', 'failed', 'error')
    """
    if measured == 0:
        return "error"
    if passed == measured:
        return "passed"
    return "flaky" if passed else "failed"


class Selection(Struct, frozen=True, kw_only=True):
    """Which part of the suite a filtered run holds."""

    ids: tuple[str, ...] | None = ()
    """None, here and below, is the same as nothing: not selected by it."""
    tags: tuple[str, ...] | None = ()
    protected: bool | None = False
    only: tuple[str, ...] | None = ()


class RunInfo(Struct, frozen=True, kw_only=True, rename={"selection": "filter"}):
    """What was run, from where, and who spoke for the model. The content of `run.json`."""

    id: str
    folder: str | None
    """None when nothing was saved."""
    mode: Mode
    variant: str | None
    selection: Selection | None
    """None: the whole suite. Called `filter` in JSON."""
    suite: str | None = None
    agent: str | None = None
    git: str | None = None
    """The commit; None outside a repository."""
    seed: int | None = None
    version: str | None = None
    """Of fairtrial."""
    settings: dict[str, Json] = {}
    started: str | None = None
    """UTC, ISO 8601."""
    format: int = 1


class CheckCount(Struct, frozen=True, kw_only=True):
    """How often all checks of one name passed, over the trials where none of that name was null."""

    passed: int
    total: int


class TagCount(Struct, frozen=True, kw_only=True):
    """Trials of one tag."""

    passed: int
    total: int
    """Measured trials."""
    pass_rate: float | None
    """Mean over the tag's cases with a measured trial; None without any."""


class CurvePoint(
    Struct, frozen=True, kw_only=True, rename={"pass_at": "pass@k", "pass_hat": "pass^k"}
):
    """pass@k and pass^k at one k."""

    pass_at: float | None
    pass_hat: float | None
    cases: int
    """Cases with at least k measured trials, over which the means are taken."""


class Scorecard(
    Struct, frozen=True, kw_only=True, rename={"pass_at_k": "pass@k", "pass_hat_k": "pass^k"}
):
    """The summary of a run.

    Rates are means over cases with a measured trial; None means not measured.
    """

    trials: int
    passed: int
    failed: int
    errors: int
    pass_rate: float | None
    k: int
    """Planned trials a case; for recordings the lower median of what was recorded."""
    pass_at_k: float | None
    pass_hat_k: float | None
    curve: dict[str, CurvePoint]
    """By k, as text."""
    interval: tuple[float, float] | None
    """95 % for `pass_rate`: Wilson with the size that the cases, not the trials, give."""
    pass_at_k_interval: tuple[float, float] | None
    pass_hat_k_interval: tuple[float, float] | None
    statuses: dict[str, int]
    checks: dict[str, CheckCount]
    tags: dict[str, TagCount]
    protected_failed: tuple[str, ...]
    """Protected cases with a failing trial."""
    mean_plan_score: float | None
    mean_precision: float | None
    mean_recall: float | None
    tool_errors: int
    stops: dict[str, int]
    mean_steps: float | None
    mean_tokens: float | None
    total_tokens: int | None
    """Of the trials whose tokens are known, plus the known part of the others."""
    mean_cost: float | None
    total_cost: float | None
    """None when no cost is known at all."""
    unknown: dict[str, int]
    """How many trials have unknown `steps`, `tokens`, `cost`: sums are at least what they say."""
    currency: str
    not_measured: tuple[str, ...]
    """Cases without a measured trial."""
    notes: tuple[str, ...] = ()
    """What the reader must know about these numbers."""
    strict_pass_rate: float | None = None
    """The pass rate over all cases, with every trial that was not measured counted as failed; None
    where there is no case."""
    coverage: float | None = None
    """Measured trials as a share of the planned ones; of those found in recordings."""
    smallest_drop: float | None = None
    """The smallest drop of the pass rate, shared evenly by the cases, that this suite would see
    against an equal baseline: power 80 %, one-sided 5 %. None where it is not known, and where no
    live model spoke: then every loss is real."""
    adaptive: Adaptive | None = None
    """Further trials of cases that were undecided; None where nobody asked for them."""
    judge: JudgeUse | None = None
    """The judge, and what it said by item; None where there was none."""


class CaseResult(Struct, frozen=True, kw_only=True):
    """One case of a run."""

    id: str
    tags: tuple[str, ...]
    protected: bool
    hash: str
    status: Status
    pass_rate: float | None
    trials: tuple[Trial, ...]
    planned: int
    informs: bool = False
    """True: the case is shown and never gates."""
    source: str | None = None
    """`file:line` of the case."""


class Report(Struct, frozen=True, kw_only=True):
    """A whole run in one JSON document: what `--json` writes and every command reads back."""

    run: RunInfo
    scorecard: Scorecard
    cases: tuple[CaseResult, ...]
    format: int = 1
