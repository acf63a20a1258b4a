"""The story of calibrating: files in, figures or words out."""

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from fairtrial.errors import ProblemsError, StoreError, UsageError
from fairtrial.flow.calibrate import CalibrateOptions, calibrate_files
from fairtrial.flow.measured import measured_trials
from fairtrial.judge import transcript_fingerprint
from fairtrial.records import Case, Expectation, JudgeVerdict, Label, RubricExample, Source
from fairtrial.store import SavedRun, find_run, write_lines

if TYPE_CHECKING:
    from tests.conftest import Desk

ITEM = "Says sorry"


def files(folder: Path, labels: str, verdicts: str) -> tuple[Path, Path]:
    paths = folder / "labels.jsonl", folder / "verdicts.jsonl"
    for path, text in zip(paths, (labels, verdicts), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_labels_and_verdicts_are_compared(tmp_path: Path) -> None:
    told = calibrate_files(
        *files(
            tmp_path,
            '{"case": "a", "label": true, "note": "mine"}\n\n{"case": "b", "label": "fail"}\n',
            '{"case": "a", "verdict": "PASS"}\n{"case": "b", "verdict": "PASS"}\n',
        )
    )
    assert (told.overall.labels, told.overall.accuracy, told.overall.false_pass) == (2, 0.5, 1.0)


def test_bad_lines_are_named_all_at_once(tmp_path: Path) -> None:
    labels, verdicts = files(tmp_path, '{"case": "a"}\nnonsense\n{"label": 1}\n', "")
    with pytest.raises(ProblemsError) as error:
        calibrate_files(labels, verdicts)
    places = [problem.partition(": ")[0] for problem in error.value.problems]
    assert places == [f"{labels}:{number}" for number in (1, 2, 3)]


def test_a_missing_file_and_a_contradiction_are_said(tmp_path: Path) -> None:
    labels, verdicts = files(tmp_path, '{"case": "a", "label": 1}\n{"case": "a", "label": 2}\n', "")
    with pytest.raises(UsageError, match="labelled both 1 and 2"):
        calibrate_files(labels, verdicts)
    with pytest.raises(StoreError, match="cannot be read"):
        calibrate_files(tmp_path / "none", verdicts)


def run_with(desk: "Desk") -> SavedRun:
    """Grade a run of four trials whose judge passes all."""
    desk.cases(*(desk.case(f"c{at}") | {"expect": {"rubric": [ITEM]}} for at in range(4)))
    desk.record(*(desk.recording(f"c{at}", f"Sorry.\nDone {at}.\nBye.") for at in range(4)))
    desk.graded()
    run = find_run("latest", desk.folder)
    assert run.folder is not None
    write_lines(
        run.folder / "verdicts.jsonl",
        [
            JudgeVerdict(case=f"c{at}", item=ITEM, verdict=True, evidence=f"Done {at}", judge="j")
            for at in range(4)
        ],
    )
    return run


def label_file(desk: "Desk", *labels: Label) -> Path:
    write_lines(desk.folder / "labels.jsonl", labels)
    return desk.folder / "labels.jsonl"


def test_the_verdicts_of_a_run_are_held_against_labels_of_its_transcripts(desk: "Desk") -> None:
    run = run_with(desk)
    seen = {trial.case: transcript_fingerprint(said) for trial, _, said in measured_trials(run)}
    labels = label_file(
        desk,
        Label(case="c0", item=ITEM, label="pass", transcript=seen["c0"]),
        Label(case="c1", item=ITEM, label="fail", transcript="of another run"),
        Label(case="c2", item=ITEM, label="fail"),
    )
    told = calibrate_files(labels, run)
    assert (told.overall.labels, told.elsewhere, told.overall.accuracy) == (2, 1, 0.5)
    (parted,) = told.disagreements
    assert parted.evidence == "Done 2"
    assert parted.around == ("Sorry.", "Done 2.", "Bye.")


def test_verdicts_in_a_file_have_lines_around_their_evidence_where_the_run_is_named(
    desk: "Desk",
) -> None:
    run = run_with(desk)
    assert run.folder is not None
    labels = label_file(desk, Label(case="c2", item=ITEM, label="fail"))
    verdicts = run.folder / "verdicts.jsonl"
    assert calibrate_files(labels, verdicts).disagreements[0].around == ()
    told = calibrate_files(labels, verdicts, CalibrateOptions(run=run))
    assert told.disagreements[0].around[1] == "Done 2."


def test_labels_of_examples_are_kept_apart(desk: "Desk") -> None:
    example = RubricExample(answer="Sorry.", verdict=True, case="c0")
    rubric = {"items": [{"item": ITEM}], "examples": [msgspec.to_builtins(example)]}
    case = Case(
        id="c3",
        hash="",
        source=Source("suite.yaml", 1),
        expect=Expectation(rubric="care"),
        rubrics={"care": rubric},
    )
    run = run_with(desk)
    labels = label_file(desk, *(Label(case=f"c{at}", item=ITEM, label="pass") for at in range(4)))
    told = calibrate_files(labels, run, CalibrateOptions(cases=(case,)))
    assert (told.kept_apart, told.overall.labels) == (1, 3)


def test_a_run_without_a_judge_and_a_name_of_nothing_are_said(desk: "Desk") -> None:
    run = run_with(desk)
    assert run.folder is not None
    (run.folder / "verdicts.jsonl").unlink()
    labels = label_file(desk)
    with pytest.raises(UsageError, match="no judge has said anything of it"):
        calibrate_files(labels, run)
    with pytest.raises(StoreError, match="neither a file of verdicts nor a RUN"):
        calibrate_files(labels, desk.folder / "nothing")
