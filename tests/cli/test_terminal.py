"""The terminal itself: keys as a real one sends them, and the terminal given back as it was."""

import os
import pathlib
import pty
import sys
import termios
from collections.abc import Iterator
from typing import TextIO

import pytest

from fairtrial.cli.terminal import Terminal
from fairtrial.errors import UsageError


class Line:
    """A pair of pseudo terminals: what a person types, and what the process has as its own."""

    def __init__(self, keys: TextIO, screen: TextIO, person: int) -> None:
        self.own, self.person = keys.fileno(), person
        self._streams = keys, screen

    def terminal(self, patch: pytest.MonkeyPatch, **environ: str) -> Terminal:
        """Make it the process's terminal, and take it."""
        for name, stream in zip(("stdin", "stdout"), self._streams, strict=True):
            patch.setattr(sys, name, stream)
        return Terminal(environ)

    def press(self, data: bytes) -> None:
        os.write(self.person, data)


@pytest.fixture
def line() -> Iterator[Line]:
    person, own = pty.openpty()
    with (
        os.fdopen(own, encoding="utf-8") as keys,
        os.fdopen(os.dup(own), "w", encoding="utf-8") as screen,
    ):
        yield Line(keys, screen, person)
    os.close(person)


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        (b"p", "p"),
        (b" ", "space"),
        (b"\r", "enter"),
        (b"\x7f", "backspace"),
        (b"\x03", "interrupt"),
        (b"\x1b", "escape"),
        (b"\x1b[A", "up"),
        (b"\x1bOB", "down"),
        (b"\x1b[5~", "page up"),
        (b"\x1b[6~", "page down"),
        (b"\x1b[1;5C", ""),
        ("ö".encode(), "ö"),
        ("日".encode(), "日"),
        ("\U0001f600".encode(), "\U0001f600"),
        (b"\xff", "\ufffd"),
    ],
)
def test_a_key_has_one_name(
    line: Line, monkeypatch: pytest.MonkeyPatch, sent: bytes, key: str
) -> None:
    with line.terminal(monkeypatch) as terminal:
        line.press(sent + b"q")
        assert terminal.key() == key or sent == b"\x1b"  # Escape and a letter are one key
        if sent != b"\x1b":
            assert terminal.key() == "q"


def test_escape_alone_is_a_key(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    with line.terminal(monkeypatch) as terminal:
        line.press(b"\x1b")
        assert terminal.key() == "escape"


def test_a_window_of_another_size_is_a_key_too(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    with line.terminal(monkeypatch) as terminal:
        termios.tcsetwinsize(line.own, (33, 99))
        assert terminal.key() == "resize"
        assert terminal.size() == (99, 33)


def test_the_terminal_is_given_back_as_it_was_whatever_happens(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = termios.tcgetattr(line.own)

    def fail() -> None:
        with line.terminal(monkeypatch) as terminal:
            assert termios.tcgetattr(line.own) != before
            terminal.show(["one", "two"])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert termios.tcgetattr(line.own) == before
    written = ""
    while not written.endswith("\x1b[?1049l"):  # it comes in pieces
        written += os.read(line.person, 10_000).decode()
    assert written.startswith("\x1b[?1049h")
    assert "one\x1b[K\r\ntwo\x1b[K" in written


def test_without_a_terminal_the_way_round_it_is_told(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=r"TERM=dumb.*--export FILE.*--import FILE"):
        line.terminal(monkeypatch, TERM="dumb")
    monkeypatch.setitem(sys.modules, "termios", None)
    with pytest.raises(UsageError, match="keys cannot be read on this system"):
        line.terminal(monkeypatch)
    with pathlib.Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        with pytest.raises(UsageError, match="this needs a terminal"):
            Terminal({})
