"""What a page shows of a run: its cases before any trial, and its trials as they were written."""

from msgspec import Struct

from fairtrial.records.check import Trial


class ShownCase(Struct, frozen=True, kw_only=True):
    """One case of a run, without its trials."""

    id: str
    hash: str
    tags: tuple[str, ...] = ()
    protected: bool = False
    informs: bool = False
    planned: int | None = None
    """None: those found count as planned."""
    source: str | None = None
    asks: str | None = None
    """What the agent is asked; None where the run does not say."""
    about: str | None = None
    """The description."""


class ShownTrial(Struct, frozen=True, kw_only=True, gc=False):
    """One trial of a run."""

    trial: Trial
    """Without the trajectory."""
    number: int | None = None
    """Its line of `trials.jsonl`, from 1; None where there is none."""
    line: bytes | None = None
    """That line; None where there is none."""
