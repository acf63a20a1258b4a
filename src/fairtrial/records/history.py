"""The history of a suite: what every case came to, run after run."""

from msgspec import Struct

from fairtrial.records.decision import Outcome
from fairtrial.records.trajectory import Mode


class PastRun(Struct, frozen=True, kw_only=True):
    """One run of the past: a line of `history.jsonl`."""

    id: str
    mode: Mode
    variant: str | None = None
    suite: str | None = None
    git: str | None = None
    started: str | None = None
    """UTC, ISO 8601."""
    k: int = 1
    pass_rate: float | None = None
    interval: tuple[float, float] | None = None
    """95 %."""
    cost: float | None = None
    """Mean a trial."""
    steps: float | None = None
    """Mean a trial."""
    decision: Outcome | None = None
    """What the gate decided last; None where nobody asked."""
    part: bool = False
    """True: it holds a part of the suite."""
    stamp: int = 0
    """When its scorecard was written, so that one that is written anew is read anew."""
    cases: dict[str, tuple[int, int]] = {}
    """Passed and measured trials by case, in suite order."""
    protected: tuple[str, ...] = ()
    format: int = 1


class History(Struct, frozen=True, kw_only=True):
    """The runs that can be compared with the last one, oldest first."""

    runs: tuple[PastRun, ...]
    others: int = 0
    """Runs of another variant, mode or suite, which are left out."""
    unread: tuple[str, ...] = ()
    """Runs that could not be read, and why."""
