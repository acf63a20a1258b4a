"""How wide a line may be, and whether colour and Unicode are welcome where it goes."""

import codecs
import os
from collections.abc import Mapping
from typing import Literal, TextIO, TypeAlias

from msgspec import Struct

Paint: TypeAlias = Literal["bold", "red", "green", "yellow", "dim"]

_CODES: dict[Paint, str] = {"bold": "1", "red": "31", "green": "32", "yellow": "33", "dim": "2"}

NARROWEST, WIDEST, USUAL = 40, 200, 80
"""Columns: narrower would leave no room for a reason, wider lines are not read."""


class Style(Struct, frozen=True, kw_only=True):
    r"""How to write lines for one stream.

    >>> Style(colour=True).paint("FAILED", "red"), Style().paint("FAILED", "red")
    ('\x1b[31mFAILED\x1b[0m', 'FAILED')
    """

    width: int = USUAL
    """Columns, 40 to 200."""
    colour: bool = False
    unicode: bool = True
    """False: the stream can hold ASCII only."""
    piped: bool = False
    """True: no terminal, so programs may read it, and a located mistake stays on one line."""

    def paint(self, text: str, paint: Paint) -> str:
        """Give the text in a colour, or as it is where colour is off or there is no text."""
        return f"\x1b[{_CODES[paint]}m{text}\x1b[0m" if self.colour and text else text


def style_for(stream: TextIO, environ: Mapping[str, str]) -> Style:
    """Tell the style for a stream from what it is and from the environment.

    The width is `COLUMNS`, else the terminal's, else 80. Colour needs a terminal that is not
    `TERM=dumb`, and no `NO_COLOR`; `FORCE_COLOR` gives it to a pipe too, though never where `CI` is
    set. Nothing is ever animated, so that logs stay readable.

    >>> import io
    >>> style_for(io.StringIO(), {"COLUMNS": "500"})
    Style(width=200, colour=False, unicode=True, piped=True)
    """
    terminal = not stream.closed and stream.isatty()  # an agent may have closed it
    return Style(
        width=min(max(_columns(stream, environ, terminal=terminal), NARROWEST), WIDEST),
        colour=_colour(environ, terminal=terminal),
        unicode=_is_unicode(getattr(stream, "encoding", None)),
        piped=not terminal,
    )


def _columns(stream: TextIO, environ: Mapping[str, str], *, terminal: bool) -> int:
    said = environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and len(said) < 10 and int(said) > 0:
        return int(said)
    if not terminal:
        return USUAL
    try:
        return os.get_terminal_size(stream.fileno()).columns or USUAL
    except (OSError, ValueError):
        return USUAL


def _colour(environ: Mapping[str, str], *, terminal: bool) -> bool:
    if environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return False
    return terminal or (_is_set(environ, "FORCE_COLOR") and not _is_set(environ, "CI"))


def _is_set(environ: Mapping[str, str], name: str) -> bool:
    return environ.get(name, "").lower() not in {"", "0", "false"}


def _is_unicode(encoding: str | None) -> bool:
    if encoding is None:
        return True
    try:
        return codecs.lookup(encoding).name.startswith("utf")
    except LookupError:
        return False


PLAIN = Style()
"""80 columns, no colour: for what is not going to a terminal."""
