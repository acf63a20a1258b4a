"""The terminal, key by key: what a person presses comes in, whole screens go out."""

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Final, Protocol, Self

from fairtrial.errors import UsageError

_GLANCE = 0.5  # seconds between two looks whether the window has another size
_SEQUENCE = 0.05  # seconds within which what follows Escape belongs to one key
_LONGEST = 8  # bytes of a key
_ENTER_SCREEN, _LEAVE_SCREEN = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _CLEAR_LINE, _CLEAR_REST = "\x1b[H", "\x1b[K", "\x1b[J"

_NAMES: Final = {
    " ": "space",
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x03": "interrupt",
    "\x04": "end of input",
}
_SEQUENCES: Final = {
    **{f"{first}{last}": name for first in "[O" for last, name in
       {"A": "up", "B": "down", "H": "home", "F": "end"}.items()},
    "[5~": "page up", "[6~": "page down", "[1~": "home", "[4~": "end",
}  # fmt: skip


class Keyboard(Protocol):
    """Where keys come from and screens go to."""

    def key(self) -> str:
        """Wait for a key: a character, or a name such as `space`, `up`, `resize`."""

    def size(self) -> tuple[int, int]:
        """Give columns and lines."""

    def show(self, lines: Sequence[str]) -> None:
        """Show a screen in place of the one before."""


class Terminal:
    """The terminal that the process was started in, held while it is in use in `with`.

    It is given back as it was, whatever happens. Text comes to it without control characters.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        """Look whether there is a terminal that can be used.

        Raises:
            UsageError: There is none.
        """
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError(_refusal("this needs a terminal, for its keys"))
        if environ.get("TERM") == "dumb":
            raise UsageError(_refusal("this terminal cannot be written over (TERM=dumb)"))
        try:
            self._termios = importlib.import_module("termios")
            self._tty = importlib.import_module("tty")
            self._select = importlib.import_module("select")
        except ImportError as error:
            raise UsageError(_refusal("keys cannot be read on this system")) from error
        self._in = sys.stdin.fileno()
        self._size = self.size()

    def __enter__(self) -> Self:
        self._before = self._termios.tcgetattr(self._in)
        self._tty.setraw(self._in)
        self._write(_ENTER_SCREEN)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._termios.tcsetattr(self._in, self._termios.TCSADRAIN, self._before)
        self._write(_LEAVE_SCREEN)

    def size(self) -> tuple[int, int]:
        """Give columns and lines of the window."""
        try:
            size = os.get_terminal_size(sys.stdout.fileno())
        except OSError:
            return 80, 24
        return size.columns or 80, size.lines or 24

    def show(self, lines: Sequence[str]) -> None:
        """Write a screen over the one before."""
        body = f"{_CLEAR_LINE}\r\n".join(lines)
        self._write(f"{_HOME}{body}{_CLEAR_LINE}{_CLEAR_REST}")

    def key(self) -> str:
        """Wait for a key, or for the window to change its size."""
        while not self._is_there(_GLANCE):
            if self.size() != self._size:
                self._size = self.size()
                return "resize"
        first = self._read()
        if first == b"\x1b":
            return self._sequence()
        more = {0b110: 1, 0b1110: 2, 0b11110: 3}
        after = next((n for head, n in more.items() if first and first[0] >> (6 - n) == head), 0)
        text = (first + b"".join(self._read() for _ in range(after))).decode("utf-8", "replace")
        return _NAMES.get(text, text) if text else "end of input"

    def _sequence(self) -> str:
        """Read the rest of a key that begins with Escape; "" for one that means nothing here."""
        if not self._is_there(_SEQUENCE):
            return "escape"
        rest = ""
        while len(rest) < _LONGEST and self._is_there(_SEQUENCE):
            rest += self._read().decode("ascii", "replace")
            if len(rest) > 1 and (rest[-1].isalpha() or rest[-1] == "~"):
                break
        return _SEQUENCES.get(rest, "")

    def _is_there(self, seconds: float) -> bool:
        return bool(self._select.select([self._in], [], [], seconds)[0])

    def _read(self) -> bytes:
        """Read a byte; none when the terminal is gone."""
        try:
            return os.read(self._in, 1)
        except OSError:
            return b""

    def _write(self, text: str) -> None:
        encoding = sys.stdout.encoding or "utf-8"
        data = memoryview(text.encode(encoding, "backslashreplace"))
        try:
            while data:
                data = data[os.write(sys.stdout.fileno(), data) :]
        except OSError:  # the terminal is gone: the next key says so
            return


def _refusal(why: str) -> str:
    return (
        f"{why}; `--export FILE` writes the questions out, to be answered in any editor, and "
        "`--import FILE` reads the answers back"
    )
