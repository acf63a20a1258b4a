"""The answers of a saved run: what is given, what is left out and why."""

import json
from pathlib import Path

from fairtrial.cases import Suite, load_suite
from fairtrial.flow.grade import GradeOptions, grade_recordings
from fairtrial.flow.judge_answers import Answers
from fairtrial.records import Json
from fairtrial.store import Redactor, SavedRun

CASES = [{"id": "a", "input": "Hi", "expect": {"answer": {"contains": ["yes"]}}},
         {"id": "b", "input": "Ho", "expect": {"answer": {"contains": ["yes"]}}}]  # fmt: skip


def saved(folder: Path, *rows: Json) -> tuple[SavedRun, Suite]:
    (folder / "cases.json").write_text(json.dumps(CASES))
    (folder / "runs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    suite = load_suite([folder / "cases.json"])
    with grade_recordings(suite, folder / "runs.jsonl", GradeOptions(root=folder)) as run:
        assert run.info.folder is not None
        return SavedRun.read_folder(Path(run.info.folder)), suite


ROWS = [
    {"case": "a", "answer": "yes"},
    {"case": "a", "answer": "no, s3cret-value"},
    {"case": "b", "error": {"kind": "provider", "message": "down"}},
]


def test_answers_come_with_their_case_verdict_and_transcript(tmp_path: Path) -> None:
    answers = Answers(*saved(tmp_path, *ROWS), Redactor(["s3cret-value"]), "mine")
    read = [*answers.read()]
    assert [(one.case.id, one.trial, one.passed) for one in read] == [
        ("a", 0, True),
        ("a", 1, False),
    ]
    assert "user: Hi" in read[0].transcript
    assert "s3cret" not in read[1].transcript
    (lost,) = answers.left_out
    assert (lost.run, lost.case, lost.trial) == ("mine", "b", 0)
    assert lost.reason == "it could not be measured: provider: down"


def test_only_what_is_wanted_is_read(tmp_path: Path) -> None:
    answers = Answers(*saved(tmp_path, *ROWS), Redactor(), "mine")
    assert [one.trial for one in answers.read({("a", 1)})] == [1]
    assert answers.left_out == []
    assert answers.measured() == {"a": [0, 1], "b": []}


def test_a_trial_of_which_a_check_could_not_be_told_is_read(tmp_path: Path) -> None:
    run, suite = saved(tmp_path, ROWS[0])
    assert run.folder is not None
    file = run.folder / "trials.jsonl"
    row = json.loads(file.read_text())
    file.write_text(json.dumps(row | {"verdict": "error", "error": "rubric[x]: not judged"}) + "\n")
    answers = Answers(run, suite, Redactor(), "mine")
    assert [one.trial for one in answers.read()] == [0]
    assert answers.measured()["a"] == [0]
    assert answers.left_out == []


def test_a_trial_without_a_trajectory_is_left_out(tmp_path: Path) -> None:
    run, suite = saved(tmp_path, *ROWS[:2])
    assert run.folder is not None
    file = run.folder / "trials.jsonl"
    first, second = file.read_text().splitlines()
    bare = json.loads(first)
    del bare["trajectory"]
    file.write_text(f"{json.dumps(bare)}\n{second}\n")
    answers = Answers(run, suite, Redactor(), "mine")
    assert [one.trial for one in answers.read()] == [1]
    assert [one.reason for one in answers.left_out] == ["it was saved without a trajectory"]


def test_cases_that_are_gone_are_left_out_as_a_whole(tmp_path: Path) -> None:
    run, _ = saved(tmp_path, *ROWS[:2])
    (tmp_path / "cases.json").write_text(json.dumps(CASES[:1]))
    answers = Answers(run, load_suite([tmp_path / "cases.json"]), Redactor(), "mine")
    assert [(one.case, one.trial, one.reason) for one in answers.left_out] == [
        ("b", None, "the case is no longer in the suite")
    ]
