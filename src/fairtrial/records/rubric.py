"""What a judge is asked: shared rubrics as they are written, and one question about one trial."""

from typing import Literal, TypeAlias

from msgspec import Struct

from fairtrial.records.case import RubricItem

Scale: TypeAlias = Literal["verdict", "score", "order"]
"""`verdict`: PASS or FAIL. `score`: a whole number from 1 to 5. `order`: which of two records is
better, FIRST, SECOND or TIE: the places in which they are shown."""

LOWEST_SCORE, HIGHEST_SCORE = 1, 5

RUBRIC_FOLDER = "rubrics"
"""Beside a case file: the folder of shared rubrics, a file each."""


class Criterion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that a rubric scores from 1 to 5."""

    name: str
    description: str | None = None
    """What the scores mean; None: the name says it."""


class RubricExample(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An answer that was judged, for the judge to see how it is meant."""

    answer: str
    """What is judged: an answer, or a piece of a transcript."""
    item: str | None = None
    """The item or criterion that it is an example of; None: of all."""
    verdict: bool | int
    """True: PASS, False: FAIL; a score for criteria."""
    reason: str | None = None
    case: str | None = None
    """The labelled case that it was taken from: `judge calibrate` keeps its labels apart."""


class Rubric(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A shared rubric: binary items, criteria with scores, or a goal."""

    description: str | None = None
    """For people: the judge does not see it."""
    items: tuple[RubricItem, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    threshold: float | None = None
    """The mean score of the criteria to reach. None: 4."""
    floor: float | None = None
    """The score that each criterion must reach. None: 1, so every score does."""
    goal: str | None = None
    """One goal that was reached (1) or not (0)."""
    gate: bool = False
    reference: str | None = None
    """A good answer, where the case has none of its own."""
    examples: tuple[RubricExample, ...] = ()


class JudgeQuestion(Struct, frozen=True, kw_only=True):
    """One thing that a judge is asked about a trial, or about two trials of one case.

    >>> JudgeQuestion(item="Is polite", text="Is polite").scale
    'verdict'
    """

    item: str
    """What its verdicts and labels are of: an item's text, `RUBRIC: CRITERION`, or a goal."""
    text: str
    """What is asked."""
    scale: Scale = "verdict"
    reference: str | None = None
    examples: tuple[RubricExample, ...] = ()
