"""The entry point: help, commands that are none, and every way in which things can end."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click
import pytest

from fairtrial import __version__
from fairtrial.cli import entry
from fairtrial.errors import StoreError

if TYPE_CHECKING:
    from tests.conftest import Desk

COMMANDS = ["grade", "gate", "accept", "diff", "report", "lint", "schema", "import"]

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs bash and /dev/full")


def test_help_lists_every_command_and_the_exit_codes(desk: "Desk") -> None:
    ran = desk.run("--help")
    assert ran.code == 0
    assert all(f"  {name} " in ran.out for name in COMMANDS)
    assert "3 not measured" in ran.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_page(desk: "Desk", name: str) -> None:
    ran = desk.run(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: fairtrial {name}")


def test_the_version_is_told(desk: "Desk") -> None:
    assert desk.run("--version").out == f"fairtrial {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Usage: fairtrial"),
        (["gradee"], "unknown command 'gradee'; did you mean 'grade'?"),
        (["xyzzy"], "unknown command 'xyzzy'; known are init, run, grade"),
        (["view"], "'view' is not in this version yet"),
        (["--nope"], "No such option"),
    ],
)
def test_a_command_that_is_none_is_answered_with_what_there_is(
    desk: "Desk", arguments: list[str], words: str
) -> None:
    ran = desk.run(*arguments)
    assert (ran.code, ran.out, words in ran.err) == (2, "", True)


def ending_with(monkeypatch: pytest.MonkeyPatch, does: Callable[[], int]) -> None:
    """Let `fairtrial schema` do something else."""
    command = click.Command("schema", callback=does)
    monkeypatch.setattr(entry.LazyCommands, "get_command", lambda *_: command)


def raising(error: BaseException) -> Callable[[], int]:
    def does() -> int:
        raise error

    return does


ENDINGS = [
    (StoreError("a\x1b[31m.json: gone"), 2, "fairtrial: a\\x1b[31m.json: gone\n"),
    (PermissionError(13, "Permission denied", "a/b"), 2, "fairtrial: a/b: Permission denied\n"),
    (OSError("odd"), 2, "fairtrial: odd\n"),
    (click.Abort(), 130, "fairtrial: interrupted before it was done\n"),
    (SystemExit(0), 3, "ended the program: exit(0)"),
    (SystemExit("bye"), 3, "ended the program: exit('bye')"),
]


@pytest.mark.parametrize(("error", "code", "words"), ENDINGS, ids=[str(one[0]) for one in ENDINGS])
def test_every_end_has_its_words_and_its_code(
    desk: "Desk",
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    words: str,
) -> None:
    ending_with(monkeypatch, raising(error))
    ran = desk.run("schema")
    assert (ran.code, ran.out, words in ran.err) == (code, "", True)
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("error", [ZeroDivisionError("x"), RecursionError(), MemoryError()])
def test_a_fault_of_ours_is_never_taken_for_a_failing_trial(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    ending_with(monkeypatch, raising(error))
    ran = desk.run("schema")
    assert ran.code == 3
    assert "Traceback" in ran.err
    assert "that is a fault in fairtrial, not in your files" in ran.err


def test_a_secret_of_the_environment_is_in_no_complaint(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "key-TEST-abcdef")
    for error in (StoreError("bad key-TEST-abcdef"), ValueError("bad key-TEST-abcdef")):
        ending_with(monkeypatch, raising(error))
        ran = desk.run("schema")
        assert "key-TEST-abcdef" not in ran.err
        assert "bad [redacted]" in ran.err


def test_ctrl_c_ends_a_command_with_130_and_leaves_no_run(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording())
    desk.write(
        "interrupts.py",
        "import fairtrial as ft\n"
        "@ft.grader\n"
        "def stop(case, trajectory, state):\n"
        "    raise KeyboardInterrupt\n",
    )
    ran = desk.grade("--grader", "interrupts:stop")
    assert (ran.code, ran.out) == (130, "")
    assert "interrupted" in ran.err
    assert desk.runs() == []
    assert not (desk.folder / "out.json").exists()


# As the shell sees it.


def shell(desk: "Desk", line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash in which $F is the program."""
    known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    known["F"] = f"{sys.executable} -m fairtrial"
    return subprocess.run(
        ["bash", "-c", line], cwd=desk.folder, env=known | environment, capture_output=True,
        check=False, timeout=60,
    )  # fmt: skip


@linux
@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("$F grade cases.json --recordings runs.jsonl -v --json out.json | true", {1}),
        ("$F schema | head -c 1 >/dev/null", {0}),
        ("$F --help | true", {0, 141}),  # a short text may be written before the reader is gone
        ("$F gate none 2>&1 | true", {2}),
    ],
)
def test_a_reader_that_leaves_changes_no_exit_code(
    desk: "Desk", line: str, codes: set[int]
) -> None:
    desk.cases()
    desk.record(desk.recording(answer="no"))
    done = shell(desk, f"{line}; echo ${{PIPESTATUS[0]}}")
    assert int(done.stdout.split()[-1]) in codes
    assert done.stderr == b""


@linux
@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("$F grade cases.json --recordings runs.jsonl >&-", 1, ""),
        ("$F grade none.json --recordings runs.jsonl 2>&-", 2, ""),
        ("$F schema >/dev/full", 2, "standard output cannot be written: No space left"),
        ("mkdir x; cd x; rmdir ../x; $F gate", 2, "the working folder cannot be entered"),
    ],
)
def test_a_closed_or_full_stream_is_no_crash(
    desk: "Desk", line: str, code: int, words: str
) -> None:
    desk.cases()
    desk.record(desk.recording(answer="no"))
    done = shell(desk, line)
    assert done.returncode == code
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr


@linux
def test_any_text_comes_out_where_the_terminal_knows_ascii_only(desk: "Desk") -> None:
    name = "caf\u00e9 \u4f60\u597d"
    desk.cases(desk.case(name, "na\u00efve \U0001f600"))
    desk.record(desk.recording(name, "no \u2265 \U0001f600"))
    done = shell(
        desk, "$F grade cases.json --recordings runs.jsonl -v --json out.json; exit $?",
        LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", COLUMNS="20",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.isascii()
    assert desk.read("out.json")["cases"][0]["id"] == name
