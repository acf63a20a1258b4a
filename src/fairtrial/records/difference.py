"""What differs between two runs, or a baseline and a run: b seen from a."""

from typing import Literal, TypeAlias

from msgspec import Struct

Measure: TypeAlias = Literal["pass_rate", "steps", "tokens", "cost"]
"""A number of a run that two runs are compared by."""


class CheckDifference(Struct, frozen=True, kw_only=True):
    """One check that did not pass equally often on both sides."""

    name: str
    """Without brackets."""
    a: tuple[int, int] | None
    """Trials in which it passed, trials in which it was told; None where it was not asked."""
    b: tuple[int, int] | None


class CaseDifference(Struct, frozen=True, kw_only=True):
    """One case that is not the same on both sides."""

    id: str
    protected: bool
    """On either side."""
    a: tuple[int, int] | None
    """Passed and measured trials; None where the side does not have the case."""
    b: tuple[int, int] | None
    difference: float | None
    """Pass rate of b less that of a; None unless measured on both sides."""
    checks: tuple[CheckDifference, ...]
    """Those that changed, biggest loss first; of a case on one side only: none."""
    reason: str | None
    """Why the first trial of b failed that did."""


class NumberDifference(Struct, frozen=True, kw_only=True):
    """One number of the run, over the unchanged cases for which both sides know it."""

    name: Measure
    a: float | None
    """Mean over cases; None when no case counts, as `b` and `difference`."""
    b: float | None
    difference: float | None
    cases: int


class RunDifference(Struct, frozen=True, kw_only=True):
    """All that differs between a and b. In a list: protected first, biggest loss, file order."""

    regressions: tuple[CaseDifference, ...]
    """Unchanged cases whose pass rate fell."""
    fixes: tuple[CaseDifference, ...]
    """Unchanged cases whose pass rate rose."""
    unmeasured: tuple[CaseDifference, ...]
    """Unchanged cases that were measured on one side only."""
    other_checks: tuple[CaseDifference, ...]
    """Unchanged cases with the same pass rate, in which checks passed more or less often."""
    changed: tuple[CaseDifference, ...]
    """Cases whose content is not the same, whatever became of them."""
    new: tuple[CaseDifference, ...]
    removed: tuple[CaseDifference, ...]
    unchanged: int
    """Cases in which nothing differs."""
    left_out: int
    """Cases of one side that a filter kept out of the other."""
    numbers: tuple[NumberDifference, ...]
