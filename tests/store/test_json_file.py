import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.errors import StoreError
from fairtrial.records import Decision, Trajectory
from fairtrial.store import read_recordings, write_json, write_lines


def test_a_record_becomes_one_line_of_json(tmp_path: Path) -> None:
    decision = Decision(decision="pass", exit=0, spent=None, reasons=())
    write_json(tmp_path / "d.json", decision)
    assert json.loads((tmp_path / "d.json").read_text())["decision"] == "pass"


def test_written_lines_are_recordings(tmp_path: Path) -> None:
    write_lines(tmp_path / "r.jsonl", (Trajectory(case=name) for name in "ab"))
    assert [item.line for item in read_recordings(tmp_path / "r.jsonl")] == [1, 2]


def test_lines_that_break_off_leave_no_file(tmp_path: Path) -> None:
    def breaking() -> Iterator[Trajectory]:
        yield Trajectory(case="a")
        raise StoreError("gone")

    with pytest.raises(StoreError, match="gone"):
        write_lines(tmp_path / "r.jsonl", breaking())
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        write_lines(tmp_path, [])
