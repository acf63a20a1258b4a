import json
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fairtrial.errors import StoreError
from fairtrial.records import Case, CaseResult, RunInfo, Scorecard, Trial
from fairtrial.store import Recording, RunWriter, SavedRun, Unreadable, write_report

MakeTrial = Callable[..., Trial]


@pytest.fixture
def folder(info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path) -> Path:
    folder = runs / info.id
    with RunWriter.start(info, cases, folder=folder, planned={"a": 3, "b": 2}) as writer:
        writer.add(make_trial("a", 1), b'{"case":"a","initial_state":{"n":1}}')
        writer.add(make_trial("b", 0, "error"))
        writer.add(make_trial("a", 0, "failed"), b'{"case":"a","trial":null,"answer":"x"}')
    return folder


def test_results_come_in_suite_order_with_their_trials_by_number(folder: Path) -> None:
    a, b = SavedRun.read_folder(folder).results()
    assert (a.id, a.status, a.pass_rate, a.planned) == ("a", "flaky", 0.5, 3)
    assert (a.protected, a.tags, a.hash, a.source) == (True, ("fee",), "ha", "s.yaml:1")
    assert [trial.trial for trial in a.trials] == [0, 1]
    assert all(trial.trajectory is msgspec.UNSET for trial in a.trials)
    assert (b.status, b.pass_rate, b.informs) == ("error", None, True)


def test_a_case_without_a_trial_never_disappears(
    info: RunInfo, cases: list[Case], runs: Path
) -> None:
    RunWriter.start(info, cases, folder=runs / "r").close()
    results = list(SavedRun.read_folder(runs / "r").results())
    assert [(result.id, result.status, result.planned) for result in results] == [
        ("a", "error", 0),
        ("b", "error", 0),
    ]


def test_trials_come_with_their_transcripts_and_initial_states(folder: Path) -> None:
    first, second, third = SavedRun.read_folder(folder).trials()
    assert first.trajectory is not msgspec.UNSET
    assert json.loads(bytes(first.trajectory)) == {"case": "a", "initial_state": {"n": 1}}
    assert second.trajectory is msgspec.UNSET
    assert third.trial == 0


def test_trajectories_are_numbered_as_their_trials_were(folder: Path) -> None:
    first, second, third = SavedRun.read_folder(folder).trajectories()
    assert isinstance(first, Recording)
    assert (first.trajectory.trial, first.trajectory.initial_state) == (1, {"n": 1})
    assert isinstance(third, Recording)
    assert third.trajectory.trial == 0
    assert second == Unreadable(2, "trial 0 of 'b': no trajectory")


def test_what_was_graded_again_can_be_saved_again(
    folder: Path, info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path
) -> None:
    with RunWriter.start(info, cases, folder=runs / "again") as writer:
        for item in SavedRun.read_folder(folder).trajectories():
            if isinstance(item, Recording):
                writer.add(make_trial("a", item.trajectory.trial), item.raw)
    first, _ = SavedRun.read_folder(runs / "again").trajectories()
    assert isinstance(first, Recording)
    assert first.trajectory.initial_state == {"n": 1}


def test_a_run_cut_short_has_results_and_no_scorecard(folder: Path) -> None:
    run = SavedRun.read_folder(folder)
    assert not run.finished
    assert len(list(run.results())) == 2
    with pytest.raises(StoreError, match="cut short; `fairtrial grade"):
        _ = run.scorecard


def test_a_finished_run_has_its_scorecard(folder: Path, scorecard: Scorecard) -> None:
    with RunWriter.resume(folder) as writer:
        writer.finish(scorecard)
    run = SavedRun.read_folder(folder)
    assert run.finished
    assert run.scorecard == scorecard


@pytest.fixture
def report(
    folder: Path, info: RunInfo, scorecard: Scorecard, results: list[CaseResult], tmp_path: Path
) -> Path:
    with RunWriter.resume(folder) as writer:
        writer.finish(scorecard, msgspec.structs.replace(info, folder=str(folder)))
        writer.report(tmp_path / "out.json", scorecard, results)
    return tmp_path / "out.json"


def test_a_report_finds_its_transcripts(report: Path, folder: Path, tmp_path: Path) -> None:
    run = SavedRun.read_report(report, tmp_path)
    assert run.folder == folder
    assert [len(result.trials) for result in run.results()] == [2, 1]
    assert len(list(run.trials())) == 3


def test_a_report_whose_folder_is_gone_still_has_results(
    report: Path, folder: Path, scorecard: Scorecard, tmp_path: Path
) -> None:
    shutil.rmtree(folder)
    run = SavedRun.read_report(report, tmp_path)
    assert run.folder is None
    assert run.scorecard == scorecard
    assert [len(result.trials) for result in run.results()] == [2, 1]
    with pytest.raises(StoreError, match="transcripts are missing"):
        list(run.trials())


def test_a_folder_that_holds_another_run_by_now_is_not_taken(
    report: Path, folder: Path, tmp_path: Path
) -> None:
    other = json.loads((folder / "run.json").read_bytes()) | {"id": "other"}
    (folder / "run.json").write_text(json.dumps(other))
    assert SavedRun.read_report(report, tmp_path).folder is None


def test_a_trial_of_a_case_that_the_run_does_not_list_is_an_error(folder: Path) -> None:
    with (folder / "trials.jsonl").open("ab") as file:
        file.write(b'{"case":"stranger","trial":0}\n')
    with pytest.raises(StoreError, match=r"case 'stranger' is not in cases\.jsonl"):
        list(SavedRun.read_folder(folder).results())


@pytest.mark.parametrize("data", [b"", b"[]", b'{"cases":[]}', b"\xff", b"[" * 9999])
def test_a_file_that_is_no_report_is_refused_in_words(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.json").write_bytes(data)
    with pytest.raises(StoreError, match="not what a run writes there"):
        SavedRun.read_report(tmp_path / "x.json", tmp_path)


def test_a_report_of_another_format_is_refused_with_the_way_out(
    tmp_path: Path, scorecard: Scorecard
) -> None:
    file = tmp_path / "report.json"
    info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
    write_report(file, info, scorecard, [])
    file.write_text(file.read_text().replace('"format":1}\n', '"format":99}\n'))
    with pytest.raises(StoreError, match="format 99, and this version reads 1"):
        SavedRun.read_report(file, tmp_path)


def test_a_finished_run_whose_trials_are_gone_is_said_so(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "run.json").write_text(
        '{"id":"r","folder":null,"mode":"none","variant":null,"filter":null}'
    )
    (folder / "scorecard.json").write_text("{}")
    with pytest.raises(StoreError, match=r"trials\.jsonl is missing"):
        list(SavedRun.read_folder(folder).results())
