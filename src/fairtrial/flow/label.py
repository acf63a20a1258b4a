"""The story of `judge label`: what of a run one person is asked, and what they said."""

import os
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from fairtrial.errors import UsageError
from fairtrial.flow.measured import measured_trials
from fairtrial.graders import judge_questions
from fairtrial.judge import (
    Candidate,
    Drawn,
    Stratum,
    draw,
    stratum_of,
    transcript_fingerprint,
    transcript_parts,
)
from fairtrial.records import (
    Case,
    JudgeQuestion,
    JudgeVerdict,
    Label,
    Said,
    Trajectory,
    TranscriptPart,
    Trial,
)
from fairtrial.store import LabelFile, SavedRun
from fairtrial.text import cut

_LISTED = 5


class LabelOptions(Struct, frozen=True, kw_only=True):
    """Who labels what."""

    labels: Path
    labeller: str
    size: int = 100
    """Questions an item."""
    seed: int = 0
    item: str | None = None
    """Only items that hold this text; None: all."""


class Place(NamedTuple):
    """One question about one trial."""

    case: str
    trial: int
    item: str


class Asked(Struct, frozen=True, kw_only=True):
    """One question for a person, with what it is about."""

    place: Place
    question: JudgeQuestion
    parts: tuple[TranscriptPart, ...]
    transcript: str
    """Its fingerprint."""
    stratum: str
    weight: float


class Population(Struct, frozen=True, kw_only=True):
    """All that could be asked about a run."""

    questions: dict[str, tuple[JudgeQuestion, ...]]
    """By case."""
    strata: dict[Place, Stratum]
    transcripts: dict[tuple[str, int], str]
    """Fingerprints, by case and trial."""

    def question(self, place: Place) -> JudgeQuestion:
        """Give what is asked there."""
        return next(one for one in self.questions[place.case] if one.item == place.item)


class Labelling:
    """What one person is asked, in its order, and what they have said of it.

    Attributes:
        questions: All of them, those that were answered before too.
        labeller: The person.
    """

    def __init__(self, questions: Sequence[Asked], file: LabelFile, labeller: str) -> None:
        """Take the questions, and find what was said before.

        Raises:
            StoreError: Labels whose weights have changed cannot be written.
        """
        self.questions = tuple(questions)
        self.labeller = labeller
        self._file = file
        self._at = {(one.place, one.transcript): at for at, one in enumerate(questions)}
        self._weights = [one.weight for one in questions]
        self._own: dict[int, Label] = {}
        self._weigh_anew()

    def label_of(self, at: int) -> Label | None:
        """Give what the person said of a question; None: nothing yet."""
        return self._own.get(at)

    @property
    def done(self) -> int:
        """How many questions the person has answered."""
        return len(self._own)

    def open_after(self, at: int) -> int | None:
        """Give the next question without an answer; None when there is none behind this one."""
        rest = range(at + 1, len(self.questions))
        return next((place for place in rest if place not in self._own), None)

    def keep(self, at: int, said: Said, note: str | None) -> None:
        """Put an answer on file; it stands in the place of an earlier one.

        Raises:
            StoreError: It cannot be written.
        """
        asked = self.questions[at]
        label = Label(
            **asked.place._asdict(),
            label=said,
            labeller=self.labeller,
            note=note or None,
            weight=self._weights[at],
            stratum=asked.stratum,
            transcript=asked.transcript,
        )
        self._file.keep(label)
        self._own[at] = label

    def _weigh_anew(self) -> None:
        """Give what was labelled before the weight that it has in the larger of the two samples."""
        changed = []
        for label in self._file:
            place = Place(label.case, label.trial, label.item)
            at = self._at.get((place, label.transcript or ""))
            if at is None:
                continue
            asked = self.questions[at]
            if label.weight is not None and label.stratum == asked.stratum:
                self._weights[at] = min(self._weights[at], label.weight)
            new = msgspec.structs.replace(label, weight=self._weights[at], stratum=asked.stratum)
            if new != label:
                changed.append(new)
            if label.labeller == self.labeller:
                self._own[at] = new
        if changed:
            self._file.keep_all(changed)


def open_labelling(run: SavedRun, cases: Sequence[Case], options: LabelOptions) -> Labelling:
    """Draw what a person is asked of a run.

    What a judge says of it is looked at to draw what it may get wrong, and never shown.

    Raises:
        StoreError: The run or the labels cannot be read.
        ProblemsError: Lines of the labels or verdicts that are none.
        UsageError: There is nothing to ask.
    """
    there = population_of(run, cases, options.item)
    file = LabelFile(options.labels)
    candidates = [Candidate(*place, stratum) for place, stratum in there.strata.items()]
    drawn = draw(candidates, options.size, options.seed)
    return Labelling([*_asked(run, cases, there, drawn)], file, options.labeller)


def _asked(
    run: SavedRun, cases: Sequence[Case], there: Population, drawn: Sequence[Drawn]
) -> Iterator[Asked]:
    wanted = {(one.case, one.trial) for one in drawn}
    parts = {
        (trial.case, trial.trial): transcript_parts(case, trajectory)
        for trial, case, trajectory in _labelled_trials(run, cases)
        if (trial.case, trial.trial) in wanted
    }
    for one in drawn:
        place = Place(one.case, one.trial, one.item)
        yield Asked(
            place=place,
            question=there.question(place),
            parts=parts[one.case, one.trial],
            transcript=there.transcripts[one.case, one.trial],
            stratum=one.stratum,
            weight=one.weight,
        )


def population_of(run: SavedRun, cases: Sequence[Case], item: str | None = None) -> Population:
    """Give all that could be asked about a run.

    Args:
        run: The run.
        cases: With their rubrics.
        item: Only items that hold this text; None: all.

    Raises:
        StoreError: The run cannot be read.
        UsageError: Nothing can be asked.
    """
    questions = _questions(cases, item)
    lengths = [len(said.answer or "") for _, _, said in _labelled_trials(run, cases)]
    usual = statistics.median(lengths) if lengths else 0.0
    judged = _verdicts(run)
    strata: dict[Place, Stratum] = {}
    transcripts: dict[tuple[str, int], str] = {}
    for trial, case, trajectory in _labelled_trials(run, cases):
        for question in questions[case.id]:
            place = Place(case.id, trial.trial, question.item)
            strata[place] = stratum_of(trial, case, trajectory, judged.get(place), usual)
        transcripts[case.id, trial.trial] = transcript_fingerprint(trajectory)
    if not strata:
        raise UsageError(f"{run.name}: no measured trial of a case with a rubric to label")
    return Population(questions=questions, strata=strata, transcripts=transcripts)


def _labelled_trials(
    run: SavedRun, cases: Sequence[Case]
) -> Iterator[tuple[Trial, Case, Trajectory]]:
    """Give the measured trials of the cases that are known."""
    known = {case.id for case in cases}
    return (found for found in measured_trials(run, cases) if found[1].id in known)


def _questions(cases: Sequence[Case], item: str | None) -> dict[str, tuple[JudgeQuestion, ...]]:
    """Give what is asked of each case.

    Raises:
        UsageError: No case asks anything, or nothing with this item.
    """
    everything = {case.id: judge_questions(case) for case in cases}
    items = list(dict.fromkeys(one.item for asked in everything.values() for one in asked))
    if not items:
        raise UsageError(
            "no case has a rubric, so there is nothing to label: write `rubric:` under `expect:`"
        )
    if item is None:
        return everything
    wanted = {one for one in items if item.casefold() in one.casefold()}
    if not wanted:
        more = len(items) - _LISTED
        listed = ", ".join(repr(cut(one)) for one in items[:_LISTED])
        listed += f" and {more} more" if more > 0 else ""
        raise UsageError(f"no item holds {cut(item)!r}; there are {listed}")
    return {
        case: tuple(one for one in asked if one.item in wanted)
        for case, asked in everything.items()
    }


def _verdicts(run: SavedRun) -> Mapping[Place, JudgeVerdict]:
    """Give what the run's judge said, if it has one."""
    return {Place(one.case, one.trial, one.item): one for one in run.verdicts()}


def labeller_of(given: str | None, root: Path, environ: Mapping[str, str]) -> str:
    """Give the name that labels are kept under: as given, else git's, else the system's.

    Raises:
        UsageError: There is none.

    >>> labeller_of(" ana ", Path(), {})
    'ana'
    """
    names = (given, _git_name(root) if given is None else None, environ.get("USER"))
    name = next((name.strip() for name in names if name and name.strip()), None)
    if name is None:
        raise UsageError("who labels? say it with --labeller NAME, or `git config user.name`")
    return cut(name)


def _git_name(root: Path) -> str | None:
    import subprocess  # noqa: PLC0415 - only where nobody says a name

    command = ["git", "-C", os.fspath(root), "config", "user.name"]
    try:
        done = subprocess.run(  # noqa: S603 - a list of our own words and a folder, and no shell
            command, capture_output=True, text=True, check=False, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return done.stdout if done.returncode == 0 else None
