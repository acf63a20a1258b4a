"""Questions for people: a line each, to be labelled here or elsewhere."""

from msgspec import Struct

from fairtrial.records.judging import Said
from fairtrial.records.rubric import Scale


class LabelQuestion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question about one trial, with all that a person needs to answer it, and the answer.

    Nothing in it tells what a judge, a check or somebody else says of the trial.
    """

    case: str
    trial: int = 0
    item: str = ""
    question: str = ""
    scale: Scale = "verdict"
    reference: str | None = None
    """A good answer, where the case has one."""
    text: str = ""
    """The transcript."""
    transcript: str | None = None
    """16 hex digits of it."""
    weight: float | None = None
    """As in `Label`."""
    label: Said
    """To be filled in: "pass" or "fail", or a score from 1 to 5, or "cannot tell". None and "":
    not yet."""
    labeller: str = ""
    """Empty: whoever reads it back."""
    note: str | None = None


class TranscriptPart(Struct, frozen=True, kw_only=True):
    """One part of a transcript: the request, what the agent did, or its answer."""

    heading: str
    entries: tuple[str, ...]
    """Each a message, a call, a result or a mark of what was left out; it may have lines."""
