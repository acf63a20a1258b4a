"""The story of `judge calibrate`: a judge's verdicts held against what people said."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from fairtrial.errors import StoreError, UsageError
from fairtrial.flow.measured import measured_trials
from fairtrial.graders import judge_questions
from fairtrial.judge import calibrate, lines_around, transcript_fingerprint, transcript_of
from fairtrial.records import Calibration, Case, Disagreement, JudgeVerdict, Label, TrustBar
from fairtrial.store import SavedRun, read_records


class CalibrateOptions(Struct, frozen=True, kw_only=True):
    """What verdicts and labels are held against besides each other."""

    bar: TrustBar = TrustBar()
    cases: tuple[Case, ...] = ()
    """The suite's: labels of cases that their rubrics show the judge as examples are left out."""
    run: SavedRun | None = None
    """Whose trials were judged: labels of others are left out. None: not known."""


def calibrate_files(
    labels: Path, verdicts: Path | SavedRun, options: CalibrateOptions | None = None
) -> Calibration:
    """Measure verdicts against the labels of a file.

    Args:
        labels: `Label` records, a line each.
        verdicts: `JudgeVerdict` records of one judge, a line each, or the run whose judge they
            are of.
        options: What else is known; None: nothing.

    Raises:
        StoreError: A file or the run cannot be read.
        ProblemsError: Lines that are no labels or no verdicts.
        UsageError: Somebody says two things of the same item, there are several judges, or the
            run has none.
    """
    options = options or CalibrateOptions()
    if isinstance(verdicts, SavedRun) and options.run is None:
        options = msgspec.structs.replace(options, run=verdicts)
    said = [*read_records(labels, Label)]
    judged = _verdicts(verdicts)
    try:
        calibration = calibrate(
            said,
            judged,
            options.bar,
            apart=_shown_to_the_judge(options.cases),
            transcripts=_fingerprints(options.run),
        )
    except ValueError as error:
        source = verdicts.name if isinstance(verdicts, SavedRun) else verdicts
        raise UsageError(f"{labels} and {source}: {error}") from error
    around = _with_lines(calibration.disagreements, options)
    return msgspec.structs.replace(calibration, disagreements=around)


def _verdicts(source: Path | SavedRun) -> list[JudgeVerdict]:
    """Read verdicts.

    Raises:
        StoreError: There is no such file.
        UsageError: The run has none.
    """
    if isinstance(source, Path):
        if not source.exists():
            raise StoreError(
                f"{source}: cannot be read: neither a file of verdicts nor a RUN (a folder, an id, "
                "the start of one, or latest)"
            )
        return [*read_records(source, JudgeVerdict)]
    judged = [*source.verdicts()]
    if not judged:
        raise UsageError(
            f"{source.name}: no judge has said anything of it; `fairtrial grade "
            f"{source.info.id} --judge live` asks one"
        )
    return judged


def _shown_to_the_judge(cases: Sequence[Case]) -> frozenset[tuple[str, str]]:
    """Give the cases and items whose labels the judge has seen in its prompt.

    Whatever item an example is of, the judge has seen the whole case for that rubric.
    """
    return frozenset(
        (example.case, question.item)
        for case in cases
        for question in judge_questions(case)
        for example in question.examples
        if example.case is not None
    )


def _fingerprints(run: SavedRun | None) -> dict[tuple[str, int], str] | None:
    if run is None:
        return None
    return {
        (trial.case, trial.trial): transcript_fingerprint(trajectory)
        for trial, _, trajectory in measured_trials(run)
    }


def _with_lines(
    parted: Sequence[Disagreement], options: CalibrateOptions
) -> tuple[Disagreement, ...]:
    """Give each disagreement with the lines of the transcript around the judge's evidence."""
    wanted = {(one.case, one.trial) for one in parted if one.evidence}
    if options.run is None or not wanted:
        return tuple(parted)
    texts = {
        (trial.case, trial.trial): transcript_of(case, trajectory)
        for trial, case, trajectory in measured_trials(options.run, options.cases)
        if (trial.case, trial.trial) in wanted
    }
    return tuple(
        msgspec.structs.replace(
            one, around=lines_around(one.evidence, texts.get((one.case, one.trial), ""))
        )
        for one in parted
    )
