from pathlib import Path

import pytest

from fairtrial.errors import StoreError
from fairtrial.store.layout import index_trials, make_folder, read_whole_lines

WHOLE = b'{"case":"a","trial":0}\n{"case":"b","trial":0,"trajectory":{"case":"b"}}\n'


def trials(tmp_path: Path, data: bytes) -> Path:
    file = tmp_path / "trials.jsonl"
    file.write_bytes(data)
    return file


@pytest.mark.parametrize("end", range(1, 20))
def test_a_torn_last_line_is_dropped(tmp_path: Path, end: int) -> None:
    file = trials(tmp_path, WHOLE + b'{"case":"a","trial":1}'[:end])
    rows, size = index_trials(file)
    assert size == len(WHOLE)
    assert rows.cases() == ["a", "b"]


def test_a_last_line_that_lacks_only_its_newline_is_kept(tmp_path: Path) -> None:
    rows, size = index_trials(trials(tmp_path, WHOLE + b'{"case":"c","trial":1}'))
    assert rows.has("c", 1)
    assert size == len(WHOLE) + 22


def test_a_broken_line_before_the_last_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"trials\.jsonl:1: not JSON"):
        index_trials(trials(tmp_path, b"junk\n" + WHOLE))


def test_a_row_ends_before_the_trajectory(tmp_path: Path) -> None:
    file = trials(tmp_path, WHOLE)
    rows, _ = index_trials(file)
    with file.open("rb") as opened:
        assert list(rows.read("b", opened)) == [b'{"case":"b","trial":0']


def test_no_file_has_no_trials(tmp_path: Path) -> None:
    assert list(read_whole_lines(tmp_path / "none")) == []


def test_the_folder_of_all_runs_is_kept_out_of_git(runs: Path) -> None:
    make_folder(runs / "one")
    ignored = runs.parent / ".gitignore"
    assert ignored.read_text() == "*\n"
    ignored.write_text("mine\n")
    make_folder(runs / "two")
    assert ignored.read_text() == "mine\n"


def test_a_run_elsewhere_writes_nothing_around_it(tmp_path: Path) -> None:
    make_folder(tmp_path / "x" / "run")
    assert [entry.name for entry in tmp_path.rglob("*")] == ["x", "run"]
