"""What sways a judge: answers that were changed on purpose, and what it said of them."""

from typing import Literal, TypeAlias

from msgspec import Struct

from fairtrial.records.judge_use import JudgeUse
from fairtrial.records.judging import Said

Expected: TypeAlias = Literal["same", "PASS", "FAIL"]
"""What a sound judge says of a changed answer: as before the change, or one thing for certain."""


class ProbeExample(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One changed answer of which the judge did not say what was expected."""

    case: str
    trial: int
    question: str
    before: Said = None
    """What it said before the change; None where that was not asked."""
    after: Said = None
    change: str | None = None
    """Which change, where there are several."""
    reason: str | None = None
    """The judge's, of the changed answer."""


class Detection(Struct, frozen=True, kw_only=True):
    """How many planted faults of one kind the judge found."""

    kind: str
    planted: int
    """In records that it passed without the fault."""
    found: int
    rate: float | None
    interval: tuple[float, float] | None
    """95 %, Clopper-Pearson."""


class Leniency(Struct, frozen=True, kw_only=True):
    """How much more of its own model family's answers a judge passes than people do."""

    own: float
    """The judge's pass rate minus people's, answers of its own family."""
    other: float
    difference: float
    """Own minus other."""
    error: float
    """Its standard error."""
    own_answers: int
    other_answers: int


class ProbeResult(Struct, frozen=True, kw_only=True):
    """One probe: what was changed, what was expected, what came."""

    name: str
    change: str
    """What was changed, in words."""
    expected: Expected
    pairs: int = 0
    """Changed answers that were judged, with their originals where the probe has them."""
    flips: int = 0
    """Of these, verdicts that were not as expected."""
    rate: float | None = None
    """Flips as a share of the pairs; None: there is no pair."""
    interval: tuple[float, float] | None = None
    """95 %, Wilson."""
    to_pass: int = 0
    """Flips to PASS."""
    to_fail: int = 0
    unjudged: int = 0
    """Changed answers that it, or their originals, gave no verdict of."""
    first: int | None = None
    """Order alone: flips in which the first place won in both orders."""
    second: int | None = None
    p: float | None = None
    """Order alone: the chance of so uneven a split without a favoured place, exact, two-sided."""
    noise: float | None = None
    """Retest alone: the chance that one call errs, were it the same for all."""
    unfit: int = 0
    """Unchanged records that it failed where they had to pass, or passed where they had to fail:
    what it says of the changed ones tells nothing, so they are no pairs."""
    detections: tuple[Detection, ...] = ()
    """Wrong arguments alone: all of them, then by kind."""
    leniency: Leniency | None = None
    """Own family alone."""
    not_measured: str | None = None
    """Why nothing is known; None: something is."""
    examples: tuple[ProbeExample, ...] = ()
    """Up to five."""


class JudgeProbing(Struct, frozen=True, kw_only=True):
    """A judge probed for bias. What `judge probe --json` writes."""

    run: str
    sampled: int
    """Trials."""
    probes: tuple[ProbeResult, ...]
    use: JudgeUse
    format: int = 1
