"""What the gate allows, and what it decided, with every reason."""

from typing import Literal, TypeAlias

from msgspec import Struct

from fairtrial.records.json import Json

Outcome: TypeAlias = Literal["pass", "fail", "inconclusive", "error"]
"""What a gate decides. fail beats error beats inconclusive."""

ReasonKind: TypeAlias = Literal["fail", "error", "inconclusive", "warning", "note"]
"""What one reason does to the decision; warnings and notes do nothing to it."""


class GateSettings(Struct, frozen=True, kw_only=True):
    """What the gate allows. All shares are 0 to 1."""

    tolerance: float | None = None
    """How far a live pass rate may fall; None: not measured. A deterministic rate may not fall."""
    growth: float = 0.25
    """How much mean tokens, cost or steps may grow."""
    errors: float = 0.05
    """The share of planned trials that may stay unmeasured."""
    min_pass_rate: float | None = None
    min_pass_hat_k: float | None = None
    allow_removed: bool = False
    """True: unprotected cases may be gone from the files."""
    strict: bool = False
    """True: inconclusive exits 4, whatever it is about."""


class Reason(Struct, frozen=True, kw_only=True):
    """One reason of a decision."""

    rule: str
    """Which rule spoke: not_measured, protected, case, removed, rate, bar, growth, changed, new,
    filter, baseline, checks."""
    kind: ReasonKind
    text: str
    """A whole sentence with the numbers in it."""
    case: str | None = None
    tag: str | None = None
    baseline: float | None = None
    candidate: float | None = None
    interval: tuple[float, float] | None = None


class Decision(Struct, frozen=True, kw_only=True):
    """What the gate decided. Reasons come worst first."""

    decision: Outcome
    exit: int
    spent: dict[str, Json] | None
    """Trials and money spent on confirming; None when nothing was run."""
    reasons: tuple[Reason, ...]
