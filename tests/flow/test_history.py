from pathlib import Path

import pytest

from fairtrial.errors import UsageError
from fairtrial.flow.history import of_case, read_history, write_history
from fairtrial.records import PastRun
from fairtrial.store import keep_past_runs


def kept(root: Path, *names: str, **more: str) -> None:
    runs = [PastRun(id=name, mode="live", cases={"a": (1, 1), "b": (0, 1)}) for name in names]
    runs += [PastRun(id="r9-other", mode="scripted", variant=value) for value in more.values()]
    keep_past_runs(root, runs)


def test_only_runs_like_the_last_one_are_in_it(tmp_path: Path) -> None:
    kept(tmp_path, "r1", "r2", variant="x")
    found = read_history(tmp_path, until="r2")
    assert ([run.id for run in found.runs], found.others) == (["r1", "r2"], 0)
    found = read_history(tmp_path)
    assert ([run.id for run in found.runs], found.others) == (["r9-other"], 2)


def test_the_newest_are_kept_by_last(tmp_path: Path) -> None:
    kept(tmp_path, "r1", "r2", "r3")
    assert [run.id for run in read_history(tmp_path, last=2).runs] == ["r2", "r3"]


def test_one_case_alone(tmp_path: Path) -> None:
    kept(tmp_path, "r1")
    assert of_case(read_history(tmp_path), "b").runs[0].cases == {"b": (0, 1)}
    with pytest.raises(UsageError, match="no run of the history has a case 'c'"):
        of_case(read_history(tmp_path), "c")


@pytest.mark.parametrize(("until", "words"), [("x", "no finished run"), ("r", "2 runs")])
def test_a_run_that_is_not_meant_is_said(tmp_path: Path, until: str, words: str) -> None:
    kept(tmp_path, "r1", "r2")
    with pytest.raises(UsageError, match=words):
        read_history(tmp_path, until=until)


def test_no_run_at_all_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no finished run in"):
        read_history(tmp_path)


def test_it_is_written_whole(tmp_path: Path) -> None:
    kept(tmp_path, "r1")
    write_history(tmp_path / "h.html", read_history(tmp_path))
    assert (tmp_path / "h.html").read_bytes().startswith(b"<!doctype html>")
