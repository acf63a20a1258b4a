"""What the gate allows, and what it decided, with every reason."""

from typing import Literal, TypeAlias

from msgspec import Struct

from fairtrial.records.baseline import Baseline
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
    thoroughness: float = 1.0
    """How readily a live case is flagged to be confirmed: from a chance of 1 - thoroughness/10 that
    it is worse. More finds more and costs more; the rate of false alarms stays."""
    measured: float | None = None
    """How far the rate of an unchanged agent was measured to stray; None: not measured."""
    tau2: float | None = None
    """The measured variance between runs of an unchanged agent, which its trials do not explain;
    None: not measured. Live rates are tested with it."""


class Reason(Struct, frozen=True, kw_only=True):
    """One reason of a decision."""

    rule: str
    """Which rule spoke: not_measured, protected, case, removed, rate, bar, growth, changed, new,
    filter, baseline, checks, confirm."""
    kind: ReasonKind
    text: str
    """A whole sentence with the numbers in it."""
    case: str | None = None
    source: str | None = None
    """`file:line` of the case, where it is still in the files."""
    tag: str | None = None
    baseline: float | None = None
    candidate: float | None = None
    interval: tuple[float, float] | None = None
    """95 %: of `candidate`; of a live rate, or a case that was confirmed, of the difference,
    candidate minus baseline."""


class Decision(Struct, frozen=True, kw_only=True):
    """What the gate decided. Reasons come worst first."""

    decision: Outcome
    exit: int
    spent: dict[str, Json] | None
    """Trials and money spent on confirming; None when nothing was run."""
    reasons: tuple[Reason, ...]


class Gated(Struct, frozen=True, kw_only=True):
    """What the gate decided of a run, and what it was held against. The content of `gate.json`."""

    decision: Decision
    file: str
    """The baseline, as it was named."""
    baseline: Baseline | None
    """As it was then; None where there was none."""
    format: int = 1
