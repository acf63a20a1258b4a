"""Writing the starter suite: all of it or nothing."""

from pathlib import Path

import pytest

from fairtrial.errors import UsageError
from fairtrial.flow.init import BASELINE, STARTER, write_starter


def test_all_files_are_written_in_their_order(tmp_path: Path) -> None:
    files = write_starter(tmp_path / "a" / "b")
    assert [str(file.relative_to(tmp_path / "a" / "b")) for file in files] == list(STARTER)
    assert all(file.read_text(encoding="utf-8").strip() for file in files)


@pytest.mark.parametrize("there", [*STARTER, BASELINE])
def test_one_file_that_is_there_stops_all(tmp_path: Path, there: str) -> None:
    file = tmp_path / there
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to(tmp_path / "nowhere")  # a link that leads nowhere is there too
    with pytest.raises(UsageError, match="is there already"):
        write_starter(tmp_path)
    assert [one for one in tmp_path.rglob("*") if not one.is_dir()] == [file]


def test_all_that_are_there_are_named(tmp_path: Path) -> None:
    (tmp_path / "agent.py").touch()
    (tmp_path / "world.py").touch()
    with pytest.raises(UsageError, match=r"agent\.py, world\.py are there already"):
        write_starter(tmp_path)


def test_what_was_written_before_it_failed_is_taken_back(tmp_path: Path) -> None:
    (tmp_path / ".github").touch()  # a file where the last folder should be
    with pytest.raises(UsageError, match="cannot be written"):
        write_starter(tmp_path)
    assert list(tmp_path.iterdir()) == [tmp_path / ".github"]


def test_folders_that_were_made_are_taken_back_and_those_above_stay(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError):
        write_starter(tmp_path / "file" / "below")
    long = tmp_path / "new" / ("x" * 300)
    with pytest.raises(UsageError, match="cannot be written"):
        write_starter(long)
    assert not (tmp_path / "new").exists()
