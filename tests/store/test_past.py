from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.errors import StoreError
from fairtrial.records import PastRun
from fairtrial.store import keep_past_runs, past_runs

if TYPE_CHECKING:
    from tests.conftest import Desk


def graded(desk: "Desk", answer: str = "done") -> None:
    desk.cases(desk.case("a"), desk.case("b", protected=True))
    desk.record(desk.recording("a", "done"), desk.recording("b", answer))
    desk.grade()


def test_a_run_is_told_by_its_cases(desk: "Desk") -> None:
    graded(desk, "no")
    (run,), unread = past_runs(desk.folder)
    assert (run.cases, run.protected, unread) == ({"a": (1, 1), "b": (0, 1)}, ("b",), [])
    assert (run.pass_rate, run.decision, run.k) == (0.5, None, 1)


def test_what_is_kept_outlives_the_folders(desk: "Desk") -> None:
    graded(desk)
    runs, _ = past_runs(desk.folder)
    keep_past_runs(desk.folder, runs)
    (desk.folder / ".fairtrial" / "runs").rename(desk.folder / "elsewhere")
    assert past_runs(desk.folder) == (runs, [])


def test_a_folder_is_read_again_only_when_it_changed(desk: "Desk") -> None:
    graded(desk)
    (run,), _ = past_runs(desk.folder)
    keep_past_runs(desk.folder, [run])
    (desk.runs()[0] / "trials.jsonl").unlink()
    assert past_runs(desk.folder)[0] == [run]
    (desk.runs()[0] / "scorecard.json").touch()
    assert past_runs(desk.folder)[0] != [run]


def test_a_gate_that_was_asked_later_is_seen(desk: "Desk") -> None:
    graded(desk)
    keep_past_runs(desk.folder, past_runs(desk.folder)[0])
    desk.run("gate", "latest", "--baseline", "baseline.json")
    assert past_runs(desk.folder)[0][0].decision == "pass"


def test_a_run_that_was_cut_short_is_said_and_left_out(desk: "Desk") -> None:
    graded(desk)
    (desk.runs()[0] / "scorecard.json").unlink()
    runs, (said,) = past_runs(desk.folder)
    assert (runs, "the run was cut short" in said) == ([], True)


def test_a_broken_history_says_that_it_can_go(tmp_path: Path) -> None:
    keep_past_runs(tmp_path, [PastRun(id="r", mode="none")])
    file = tmp_path / ".fairtrial" / "history.jsonl"
    file.write_bytes(b"junk\n" + file.read_bytes())
    with pytest.raises(StoreError, match="it can be deleted"):
        past_runs(tmp_path)
