"""A run on one page: what every report for a reader needs, gathered once."""

from msgspec import Struct

from fairtrial.records.decision import Gated
from fairtrial.records.difference import RunDifference
from fairtrial.records.scorecard import RunInfo, Scorecard, Status


class CaseOverview(Struct, frozen=True, kw_only=True):
    """What the trials of one case came to, in a size that does not grow with them."""

    id: str
    source: str | None
    """`file:line`, from the top of the repository where there is one."""
    tags: tuple[str, ...]
    protected: bool
    """On either side."""
    informs: bool
    """True: the case is shown and never gates."""
    status: Status
    passed: int
    measured: int
    planned: int
    errors: int
    """Trials that ran and could not be measured."""
    reason: str | None
    """Why the first failed trial failed; where none did, why the first was not measured."""


class RateOverview(Struct, frozen=True, kw_only=True):
    """The pass rate of the suite, or of a tag, now and beside the baseline. Shares are 0 to 1."""

    tag: str | None
    """None: the whole suite."""
    cases: int
    """Cases with a measured trial; those that only inform are left out."""
    rate: float | None
    """Mean over these cases; None of none."""
    interval: tuple[float, float] | None
    """95 %, of the rate."""
    shared: int = 0
    """Unchanged cases that were measured on both sides: those that are compared."""
    before: float | None = None
    """Of the baseline, over the shared cases; None where there is nothing to compare."""
    change: float | None = None
    """Over the shared cases: now minus before."""
    change_interval: tuple[float, float] | None = None
    """95 %, of the change; None where every loss is real, and where too few cases tell."""


class Overview(Struct, frozen=True, kw_only=True):
    """A run with all that a reader of it wants to know at once."""

    info: RunInfo
    scorecard: Scorecard
    gated: Gated | None
    """None: nobody asked the gate, or its answer is gone."""
    difference: RunDifference | None
    """What differs from the baseline that the gate held it against; None without one."""
    cases: tuple[CaseOverview, ...]
    """In file order."""
    rates: tuple[RateOverview, ...]
    """The suite first, then the tags: the biggest loss first, then the lowest rate."""
