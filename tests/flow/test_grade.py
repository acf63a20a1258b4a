"""The story of grade, without the command line."""

import tracemalloc
from typing import TYPE_CHECKING

import msgspec
import pytest

import fairtrial as ft
from fairtrial.cases import Suite, load_suite
from fairtrial.errors import ProblemsError, RecordingError, StoreError
from fairtrial.flow.grade import (
    GradeOptions,
    case_files_of,
    grade_recordings,
    grade_saved,
)
from fairtrial.graders import GradingSettings
from fairtrial.ports import Grader
from fairtrial.records import Trajectory
from fairtrial.store import SavedRun, find_run

if TYPE_CHECKING:
    from tests.conftest import Desk


def suite_of(desk: "Desk", *names: str) -> Suite:
    """Write and load cases that want "done"."""
    return load_suite([desk.cases(*(desk.case(name) for name in names))])


@pytest.mark.parametrize(
    ("models", "mode"),
    [
        ([], "none"),
        (["none"], "none"),
        (["none", "replayed", "scripted"], "scripted"),
        (["scripted", "live"], "live"),
    ],
)
def test_a_run_has_the_mode_of_its_liveliest_trial(
    desk: "Desk", models: list[str], mode: str
) -> None:
    suite = suite_of(desk, "a")
    rows = [desk.recording("a", model=model) for model in models]
    report = ft.grade(suite.cases, [msgspec.convert(row, type=Trajectory) for row in rows])
    assert report.run.mode == mode
    desk.record(*rows)
    assert desk.graded()["run"]["mode"] == mode


# On disk.


def test_a_run_that_comes_to_nothing_leaves_no_folder(desk: "Desk") -> None:
    suite, options = suite_of(desk, "a"), GradeOptions(root=desk.folder)
    row = desk.recording("a", trial=0)
    for rows, error in (
        ([row, row], RecordingError),
        ([row, desk.recording("b")], ProblemsError),
    ):
        with pytest.raises(error):
            grade_recordings(suite, desk.record(*rows), options)
    with pytest.raises(RecordingError):
        grade_recordings(suite, desk.folder / "none.jsonl", options)
    assert desk.runs() == []


def test_a_root_that_holds_no_folder_is_said(desk: "Desk") -> None:
    suite, path = suite_of(desk, "a"), desk.record(desk.recording("a"))
    desk.write(".fairtrial", "in the way")
    with pytest.raises(StoreError, match="--no-save"):
        grade_recordings(suite, path, GradeOptions(root=desk.folder))


def saved(desk: "Desk", *names: str) -> SavedRun:
    """Grade cases that pass, and open the run."""
    desk.cases(*(desk.case(name) for name in names))
    desk.record(*(desk.recording(name) for name in names))
    desk.grade()
    return find_run("latest", desk.folder)


def test_a_run_graded_again_keeps_who_made_it(desk: "Desk") -> None:
    run = saved(desk, "a")
    run.info = msgspec.structs.replace(run.info, variant="v2", agent="m:f", seed=7, git="abc")
    with grade_saved(suite_of(desk, "a"), run, GradeOptions(root=desk.folder)) as again:
        assert (again.info.variant, again.info.agent) == ("v2", "m:f")
        assert (again.info.seed, again.info.git) == (7, "abc")
        assert again.info.id != run.info.id


def test_a_trial_that_somebody_wrote_into_a_run_twice_is_refused(desk: "Desk") -> None:
    run = saved(desk, "a")
    trials = desk.runs()[0] / "trials.jsonl"
    trials.write_bytes(trials.read_bytes() * 2)
    with pytest.raises(RecordingError, match="already on line 1"):
        grade_saved(suite_of(desk, "a"), run, GradeOptions(root=desk.folder))


@pytest.mark.parametrize("named", [None, "cases.json", [1], ["gone.json"]])
def test_a_run_that_does_not_say_its_case_files_names_none(desk: "Desk", named: object) -> None:
    run = saved(desk, "a")
    assert case_files_of(run) == [desk.folder / "cases.json"]
    run.info = msgspec.structs.replace(run.info, settings={"cases": named})
    assert case_files_of(run) == []


def test_a_grader_sees_the_true_text_and_the_disk_does_not(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAY_TOKEN", "tok-TEST-0123456789")
    seen = []

    @ft.grader
    def spy(case: object, trajectory: Trajectory, state: object) -> ft.Check:
        seen.append(trajectory.answer)
        return ft.yes_no("spy", True, f"saw {trajectory.answer}")

    suite = suite_of(desk, "a")
    path = desk.record(desk.recording("a", "done, use tok-TEST-0123456789"))
    assert isinstance(spy, Grader)
    options = GradeOptions(root=desk.folder, settings=GradingSettings(graders=(spy,)))
    with grade_recordings(suite, path, options) as run:
        assert seen == ["done, use tok-TEST-0123456789"]
        (only,) = run.results()
    assert only.trials[0].checks[-1].reason == "saw done, use [redacted]"


def test_memory_does_not_grow_with_the_trials(desk: "Desk") -> None:
    suite = suite_of(desk, "a")
    answer = "done " + "x" * 50_000

    def peak(trials: int) -> int:
        path = desk.record(*(desk.recording("a", answer) for _ in range(trials)))
        tracemalloc.start()
        try:
            with grade_recordings(suite, path, GradeOptions(root=desk.folder)) as run:
                run.write_json(desk.folder / "out.json")
                return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = peak(5), peak(200)
    assert many < few + 500_000  # 200 answers are 10 MB


def test_recordings_are_taken_in_batches_of_a_bounded_size(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = suite_of(desk, "a", "b")
    rows = [desk.recording(name, answer) for answer in ("done", "no") for name in "abbaa"]
    path = desk.record(*rows)
    whole, small = (desk.folder / name for name in ("whole.json", "small.json"))
    for out, size in ((whole, 2**17), (small, 1)):
        monkeypatch.setattr("fairtrial.flow.grade._BATCH", size)
        with grade_recordings(suite, path, GradeOptions(root=desk.folder, save=False)) as run:
            run.write_json(out)
    one, other = (msgspec.json.decode(out.read_bytes()) for out in (whole, small))
    assert one["cases"] == other["cases"]
