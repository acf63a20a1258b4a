"""What a judge was used for in a run: a part of the scorecard."""

from typing import Literal, TypeAlias

from msgspec import Struct

Correction: TypeAlias = Literal["ppi++", "ppi", "rogan-gladen"]
"""How a judged rate was corrected: by labels drawn at random, or by the judge's measured errors."""


class JudgedItem(Struct, frozen=True, kw_only=True):
    """One rubric item over the trials of a run. Rates are means over cases, intervals are 95 %."""

    item: str
    judged: int
    """Trials with a verdict."""
    unjudged: int = 0
    """Trials without one: what was no verdict is in no rate."""
    rate: float | None = None
    """Share that the judge passes; None for scores, and without a verdict."""
    rate_interval: tuple[float, float] | None = None
    mean_score: float | None = None
    """Of criteria, 1 to 5."""
    corrected: float | None = None
    """The rate that people would give, by what was measured of the judge; None: not measured."""
    corrected_interval: tuple[float, float] | None = None
    correction: Correction | None = None
    decides: bool = False
    """Some case lets it decide, and the judge may."""
    why_not: str | None = None
    """Why the judge may not decide it; None: it may."""


class JudgeUse(Struct, frozen=True, kw_only=True):
    """The judge of a run, and what it took; none of it is in the agent's amounts."""

    judge: str
    fingerprint: str
    asks: str
    """`live`: what was not on file was asked. `replay`: it was left out. `dry`: it was counted."""
    verdicts: int = 0
    calls: int = 0
    """Replies that were asked for now."""
    replayed: int = 0
    """Verdicts whose replies were all on file."""
    faults: dict[str, int] = {}
    """Verdicts that are none, by what was wrong."""
    commonest_fault: str | None = None
    """Why most of these are none, in words; None: there are none."""
    tokens: int | None = None
    """Of the calls, input and output; None where it is not known of all, and without any."""
    cost: float | None = None
    """Of the calls, in the run's currency."""
    seconds: float | None = None
    """Of the calls, one after the other."""
    items: tuple[JudgedItem, ...] = ()
    wanted_calls: int | None = None
    """What a dry run says that a live one would ask, second asks apart."""
    wanted_tokens: int | None = None
    """Estimated, input and output."""
    wanted_cost: float | None = None
    """Estimated; None: the price is not known."""
