import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.store.atomic import write_whole


def breaking() -> Iterator[bytes]:
    yield b"half"
    raise OSError("disk full")


def test_a_file_that_could_not_be_written_whole_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="disk full"):
        write_whole(tmp_path / "out", breaking())
    assert list(tmp_path.iterdir()) == []


def test_what_was_there_before_survives_a_failure(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"before")
    with pytest.raises(OSError, match="disk full"):
        write_whole(tmp_path / "out", breaking())
    assert (tmp_path / "out").read_bytes() == b"before"


def test_folders_above_are_made(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b" / "out", [b"1", b"2"])
    assert (tmp_path / "a" / "b" / "out").read_bytes() == b"12"


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_whole(tmp_path / "link", [b"x"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"x"


def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write_whole, args=(pipe, [b"x", b"y"]))
    writer.start()
    with pipe.open("rb") as opened:
        assert opened.read() == b"xy"
    writer.join()
    assert pipe.is_fifo()
