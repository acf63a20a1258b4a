"""What several commands share."""

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.cli import options
from fairtrial.errors import UsageError

if TYPE_CHECKING:
    from tests.conftest import Desk


class Left(io.StringIO):
    """A stream whose reader has left after some characters."""

    def __init__(self, after: int, error: OSError) -> None:
        super().__init__()
        self.after = after
        self.error = error

    def write(self, text: str) -> int:
        if self.tell() + len(text) > self.after:
            raise self.error
        return super().write(text)


def test_lines_are_written_as_they_come_until_the_reader_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[int] = []

    def lines() -> Iterator[str]:
        for number in range(10):
            given.append(number)
            yield str(number)

    out = Left(4, BrokenPipeError())
    monkeypatch.setattr(sys, "stdout", out)
    options.print_lines(lines())
    assert (out.getvalue(), given) == ("0\n1\n", [0, 1, 2])


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Left(0, OSError(28, "No space left on device")))
    with pytest.raises(UsageError, match="standard output cannot be written: No space left"):
        options.print_lines(["a"])


def test_a_fault_in_what_makes_the_lines_is_not_blamed_on_the_output() -> None:
    def lines() -> Iterator[str]:
        yield "a"
        raise FileNotFoundError(2, "No such file", "trials.jsonl")

    with pytest.raises(FileNotFoundError):
        options.print_lines(lines())


def test_paths_are_shown_from_the_working_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert options.shown(tmp_path / "a" / "b.json") == Path("a/b.json")
    assert options.shown(tmp_path.parent) == tmp_path.parent
    assert options.shown(Path("c.json")) == Path("c.json")


def test_what_is_read_is_never_written_over_also_through_a_link(tmp_path: Path) -> None:
    read, link, other = tmp_path / "read", tmp_path / "link", tmp_path / "other"
    read.touch()
    other.touch()
    link.symlink_to(read)
    options.keep_apart("--json", None, [read])
    options.keep_apart("--json", other, [read, None])
    options.keep_apart("--json", tmp_path / "new", [read, tmp_path / "none"])
    for out in (read, link, tmp_path / "." / "read"):
        with pytest.raises(UsageError, match="would be lost"):
            options.keep_apart("--json", out, [other, read])


def test_complaints_are_one_line_without_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options.complain("a\nb\x1b[31m" + "x" * 100_000)
    said = capsys.readouterr().err
    assert said.startswith("fairtrial: a\\nb\\x1b[31mxxx")
    assert (said.count("\n"), len(said) < 5000) == (1, True)


def test_a_complaint_that_nobody_can_hear_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Left(0, BrokenPipeError()))
    options.complain("a")


@pytest.mark.skipif(os.name == "nt", reason="pipes have no path there")
def test_a_report_may_go_to_a_pipe(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording())
    assert desk.grade("--quiet", out=os.devnull).code == 0


def test_settings_are_named_by_flag(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording(cost=1))
    desk.write("own.toml", 'currency = "EUR"')
    assert desk.graded("--config", "own.toml")["scorecard"]["currency"] == "EUR"
    ran = desk.grade("--config", "cases.json")
    assert (ran.code, ran.err.startswith("cases.json:1:")) == (2, True)
