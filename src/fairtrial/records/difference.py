"""What differs between two runs, or a baseline and a run: b seen from a."""

from typing import Literal, TypeAlias

from msgspec import Struct

Measure: TypeAlias = Literal["pass_rate", "steps", "tokens", "cost"]
"""A number of a run that two runs are compared by."""

PartingKind: TypeAlias = Literal[
    "tool", "argument", "result", "error", "stop", "answer", "steps", "state", "same", "unknown"
]
"""What is first not the same in two trials of a case. `tool`: another call; `argument`: the same
tool with another argument; `result` and `error`: the same call with another outcome; `stop`: one
side stops where the other goes on, or stops for another reason; `answer`; `steps`: the same calls
in other steps; `state`: the final state alone; `same`: nothing; `unknown`: it cannot be told."""

Compared: TypeAlias = Literal["regressions", "fixes", "unmeasured", "other_checks"]
"""The lists of a RunDifference whose cases are the same case on both sides."""


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


class Parting(Struct, frozen=True, kw_only=True):
    """Where a trial of one side and a trial of the other part, b seen from a."""

    case: str
    trial_a: int | None
    trial_b: int | None
    step: int | None
    """The step of b, from 1; None where it is none or not known."""
    kind: PartingKind
    tool: str | None
    """The tool that was called; of `tool` the one that a calls, of `stop` the one that the side
    calls that goes on, if any."""
    path: str | None
    """Where in the arguments, the result or the state; None for the whole of it, and elsewhere."""
    a: str | None
    """What a has, cut to be read: a value as JSON, a call, an error, or how it ends."""
    b: str | None
    text: str
    """All of it in words, with what both had in common before."""
    cause: str
    """What is not the same, in words and without values: equal where the cause is."""


class PartingGroup(Struct, frozen=True, kw_only=True):
    """Cases that part by the same cause."""

    among: Compared
    """The list that they are in."""
    kind: PartingKind
    tool: str | None
    path: str | None
    """That of the first; in others, indexes may be other ones."""
    text: str
    """The cause in words."""
    cases: tuple[str, ...]


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
    partings: tuple[Parting, ...] = ()
    """Of the cases that were looked at for it."""
    groups: tuple[PartingGroup, ...] = ()
    """The partings by cause: list by list, the biggest group first."""
