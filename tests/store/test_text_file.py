"""Text files: whole, or behind what is there."""

from pathlib import Path

import pytest

from fairtrial.errors import StoreError
from fairtrial.store import write_text


def test_lines_end_in_newlines_and_replace_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "new" / "a.md"
    write_text(out, ["one", "zwei ü"])
    assert out.read_bytes() == "one\nzwei ü\n".encode()
    write_text(out, [])
    assert out.read_bytes() == b""


def test_behind_keeps_what_is_there_whatever_bytes_it_is(tmp_path: Path) -> None:
    out = tmp_path / "a.md"
    out.write_bytes(b"\xff\n")
    write_text(out, ["x"], behind=True)
    write_text(out, ["y"], behind=True)
    assert out.read_bytes() == b"\xff\nx\ny\n"
    write_text(tmp_path / "b.md", ["x"], behind=True)
    assert (tmp_path / "b.md").read_bytes() == b"x\n"


def test_what_fails_on_the_way_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    def torn() -> "list[str]":
        raise OSError(28, "No space left on device")

    out = tmp_path / "a.md"
    write_text(out, ["one"])
    with pytest.raises(StoreError, match=r"a\.md: cannot be written: No space left"):
        write_text(out, (line for lines in [["x"], None] for line in (lines or torn())))
    assert out.read_text(encoding="utf-8") == "one\n"
    assert [file.name for file in tmp_path.iterdir()] == ["a.md"]


def test_a_lone_surrogate_is_no_reason_to_fail(tmp_path: Path) -> None:
    write_text(tmp_path / "a.md", ["\ud800"])
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "\\ud800\n"
