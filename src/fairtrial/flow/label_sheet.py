"""Questions written to a file to be answered elsewhere, and the answers read back."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fairtrial.errors import ProblemsError
from fairtrial.flow.label import Labelling, LabelOptions, Place, Population, population_of
from fairtrial.judge import transcript_text
from fairtrial.records import (
    HIGHEST_SCORE,
    LOWEST_SCORE,
    Case,
    Label,
    LabelQuestion,
    Said,
    Scale,
)
from fairtrial.store import LabelFile, SavedRun, read_numbered, write_lines
from fairtrial.text import cut

_CANNOT_TELL = frozenset({"cannot tell", "?"})
_WORDS: Mapping[str, bool] = {
    **dict.fromkeys(("pass", "passed", "p", "true", "yes"), True),
    **dict.fromkeys(("fail", "failed", "f", "false", "no"), False),
}
_WANTED: Mapping[Scale, str] = {
    "verdict": "pass, fail or cannot tell",
    "score": f"a whole number from {LOWEST_SCORE} to {HIGHEST_SCORE}, or cannot tell",
}


def write_sheet(out: Path, labelling: Labelling) -> int:
    """Write the questions that the person has not answered, a line each; give how many.

    Raises:
        StoreError: The file cannot be written.
    """
    rows = [*_rows(labelling)]
    write_lines(out, rows)
    return len(rows)


def _rows(labelling: Labelling) -> Iterator[LabelQuestion]:
    at = labelling.open_after(-1)
    while at is not None:
        asked = labelling.questions[at]
        yield LabelQuestion(
            **asked.place._asdict(),
            question=asked.question.text,
            scale=asked.question.scale,
            reference=asked.question.reference,
            text=transcript_text(asked.parts),
            transcript=asked.transcript,
            weight=asked.weight,
            label="",
            labeller=labelling.labeller,
        )
        at = labelling.open_after(at)


def read_sheet(sheet: Path, run: SavedRun, cases: Sequence[Case], options: LabelOptions) -> int:
    """Take the answers of a file over into the labels, all or none; give how many.

    Lines without an answer are passed over.

    Raises:
        StoreError: A file cannot be read or written.
        ProblemsError: Lines that are no answers to questions about this run, each with its place.
        UsageError: Nothing can be asked about the run.
    """
    there = population_of(run, cases)
    labels: dict[tuple[Place, str], Label] = {}
    problems: dict[int, str] = {}
    try:
        for number, row in read_numbered(sheet, LabelQuestion):
            if row.label is None or row.label == "":
                continue
            place, labeller = Place(row.case, row.trial, row.item), row.labeller.strip()
            labeller = labeller or options.labeller
            label = _label(row, place, there, labeller)
            if isinstance(label, Label) and labels.setdefault((place, labeller), label) != label:
                label = f"label: {labeller} answers this question twice; leave one of the lines"
            if isinstance(label, str):
                problems[number] = label
    except ProblemsError as error:  # lines that are no questions at all
        located = [f"{sheet}:{number}: {text}" for number, text in problems.items()]
        raise ProblemsError([*located, *error.problems]) from error
    if problems:
        raise ProblemsError([f"{sheet}:{number}: {text}" for number, text in problems.items()])
    LabelFile(options.labels).keep_all(labels.values())
    return len(labels)


def _label(row: LabelQuestion, place: Place, there: Population, labeller: str) -> Label | str:
    """Give the label that a line holds, or what is wrong with it."""
    if place not in there.strata:
        what = f"item {cut(place.item)!r} of trial {place.trial} of case {cut(place.case)!r}"
        return f"no question of this run: {what}; name the RUN that the file was exported from"
    transcript = there.transcripts[place.case, place.trial]
    if row.transcript not in {None, transcript}:
        return "transcript: the trial is another one in this run; name the RUN of the export"
    if row.weight is not None and row.weight <= 0:
        return f"weight: got {row.weight:g}; leave it as the export wrote it"
    scale = there.question(place).scale
    said = _said(row.label, scale)
    if said == "":
        return f"label: got {cut(repr(row.label))}; accepted are {_WANTED[scale]}"
    return Label(
        **place._asdict(),
        label=said,
        labeller=labeller,
        note=row.note or None,
        weight=row.weight,
        stratum=there.strata[place].name,
        transcript=transcript,
    )


def _said(label: Said, scale: Scale) -> Said:
    """Give what an answer says; "": nothing that is accepted."""
    text = str(label).strip().casefold()
    if text in _CANNOT_TELL:
        return None
    if scale == "verdict":
        passed = _WORDS.get(text)
        return "" if passed is None else "pass" if passed else "fail"
    scores = {str(score): score for score in range(LOWEST_SCORE, HIGHEST_SCORE + 1)}
    return scores.get(text.removesuffix(".0"), "")
