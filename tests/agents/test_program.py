"""A program in a group of its own."""

import os
import select
import signal
import sys
from pathlib import Path

import pytest

from fairtrial.agents import program as programs
from fairtrial.agents.program import Program, Tail, ending_of, read_ready
from fairtrial.errors import PluginError


def start(script: str, **more: object) -> Program:
    return Program(["sh", "-c", script], env=os.environ, **more)  # type: ignore[arg-type] # below


def until_it_says(program: Program, text: bytes) -> None:
    said = b""
    while text not in said:
        assert program.wait({program.stdout: select.POLLIN})
        said += read_ready(program.stdout) or b""


def test_a_program_that_ends_gives_its_code() -> None:
    program = start("exit 5")
    while not program.ended():
        program.wait({})
    assert program.bury() == 5


def test_killing_reaches_what_the_program_started_and_ignores_sigterm() -> None:
    program = start("trap '' TERM; (trap '' TERM; sleep 100) & echo up; wait")
    until_it_says(program, b"up")
    program.kill()
    assert program.wait({}) == {}
    assert program.bury() == -signal.SIGKILL


def test_burying_twice_is_burying_once() -> None:
    program = start("exit 3")
    assert (program.bury(), program.bury()) in [(3, 3), (-9, -9)]
    program.kill()


def test_without_word_of_the_end_it_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_told_of_the_end", lambda pid: None)
    program = start("sleep 100 & echo up; exit 4")
    until_it_says(program, b"up")
    while not program.ended():
        program.wait({})
    assert program.bury() == 4


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["no-such-program-here"], "no such program; give its path, or put it on the PATH"),
        (["./plain.txt"], "Permission denied; make it executable: chmod +x ./plain.txt"),
        (["./bad-interpreter"], "the program that its first line (#!) names is not there"),
        (["./not-a-program"], "cannot be started: "),
        (["sh", "a\0b"], "cannot be started: embedded null byte"),
    ],
)
def test_a_program_that_cannot_be_started_says_why(
    command: list[str], words: str, tmp_path: Path
) -> None:
    (tmp_path / "plain.txt").write_text("x", encoding="utf-8")
    for name, text in (("bad-interpreter", "#!/no/such/thing\n"), ("not-a-program", "\0\1")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    with pytest.raises(PluginError) as told:
        Program(command, env=os.environ, cwd=tmp_path)
    assert words in str(told.value)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match=r"its folder .*gone is not there"):
        Program(["true"], env={}, cwd=tmp_path / "gone")


def test_an_environment_with_odd_text_is_cleaned() -> None:
    code = "import os; print(os.environ['ODD'] == 'a\\ufffdb')"
    program = Program([sys.executable, "-c", code], env={**os.environ, "ODD": "a\ud800\0b"})
    until_it_says(program, b"True")
    program.bury()


def test_many_descriptors_are_no_obstacle() -> None:
    held = [os.dup(0) for _ in range(1_100)]
    try:
        program = start("echo up")
        assert program.stdout > 1_024
        until_it_says(program, b"up")
        program.bury()
    finally:
        for fd in held:
            os.close(fd)


def test_a_tail_keeps_the_end() -> None:
    tail = Tail()
    for _ in range(100):
        tail.add(b"x" * 1_000)
    tail.add("the end é".encode() + b"\xff\n")
    assert str(tail).endswith("the end é\ufffd")
    assert len(str(tail)) == 4_000


def test_endings_have_words() -> None:
    assert ending_of(0)[0] == "ended with exit code 0"
    assert ending_of(-11) == ("was ended by SIGSEGV", "SIGSEGV")
    assert ending_of(-40)[0] == "was ended by signal 40"
