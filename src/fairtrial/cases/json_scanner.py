"""A scanner of JSON that knows where everything stands, and says clearly what is wrong."""

import bisect
import math
import re
from typing import Final, NamedTuple, NoReturn

from fairtrial.cases.located import Fault, Path, Position, spell
from fairtrial.records import MAX_DEPTH, Json

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NUMBER_LIKE = re.compile(r"[-+.0-9][-+.0-9a-zA-Z_]*")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_PLAIN_TEXT = re.compile(r'[^"\\\x00-\x1f]*')
_HEX = re.compile(r"[0-9a-fA-F]{4}")

_ESCAPES: Final = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}
_LITERALS: Final = {"true": True, "false": False, "null": None}
_MISSPELT: Final = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "None": "null",
    "NULL": "null",
    "undefined": "null",
    "nil": "null",
}
_NOT_NUMBERS: Final = ("NaN", "Infinity", "nan", "inf", "Inf")
MAX_DIGITS: Final = 4300
"""Python itself refuses to read whole numbers beyond this."""


class Spot:
    """Where a value stands, and its parts."""

    __slots__ = ("items", "keys", "offset")

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.keys: dict[str, int] = {}
        """Of a mapping: where each key stands."""
        self.items: dict[str | int, Spot] = {}


class Lines:
    """Turns offsets in a text into lines and columns."""

    def __init__(self, text: str, first: int = 1) -> None:
        self.first = first
        self._starts = [0, *(match.end() for match in re.finditer("\r\n|\n|\r", text))]

    def position(self, offset: int) -> Position:
        """Give the line and column of an offset."""
        line = bisect.bisect_right(self._starts, offset)
        return Position(self.first + line - 1, offset - self._starts[line - 1] + 1)


class _BrokenJsonError(Exception):
    """Ends the scan of one text; never leaves this file."""

    def __init__(self, offset: int, text: str) -> None:
        self.offset = offset
        self.text = text
        super().__init__(text)


class _Found(NamedTuple):
    """A mistake that does not end the scan."""

    offset: int
    path: Path
    text: str
    first: int | None = None
    """Of a duplicate key: where the first stands."""


class _Scanner:
    """One pass over one text. What can be read on is noted in `faults`, the rest ends the scan."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.faults: list[_Found] = []

    def whole(self) -> tuple[Json, Spot]:
        """Read the one value of the text."""
        self._space()
        if self.at == len(self.text):
            self._stop("no JSON value: nothing is written here")
        value, spot = self._value(())
        self._space()
        if self.at < len(self.text):
            self._stop_if_comment()
            self._stop(
                "more text after the end of the value; a file holds one value (.jsonl: a line)"
            )
        return value, spot

    def _stop(self, text: str, at: int | None = None) -> NoReturn:
        raise _BrokenJsonError(self.at if at is None else at, text)

    def _space(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _value(self, path: Path) -> tuple[Json, Spot]:
        start = self.at
        letter = self._next()
        if letter == '"':
            return self._string(path), Spot(start)
        if letter == "{" or letter == "[":
            if len(path) >= MAX_DEPTH:
                self._stop(f"nested deeper than {MAX_DEPTH}")
            return self._mapping(path) if letter == "{" else self._list(path)
        if letter and letter in "-0123456789":
            return self._number(path), Spot(start)
        return self._literal(), Spot(start)

    def _literal(self) -> Json:
        self._stop_if_comment()
        word = _WORD.match(self.text, self.at)
        name = word.group() if word else self._next()
        if name not in _LITERALS:
            self._no_literal(name)
        self.at += len(name)
        return _LITERALS[name]

    def _no_literal(self, name: str) -> NoReturn:
        if not name:
            self._stop("the text ends where a value is wanted")
        if name in _MISSPELT:
            self._stop(f"{name} is no JSON value; write {_MISSPELT[name]}, or quote it")
        if name in _NOT_NUMBERS:
            self._stop(f"{name} is not a JSON number; write null, or quote it")
        if name == "'":
            self._stop("a single quote; JSON writes text in double quotes")
        if name in "+.":
            self._number_stop()
        self._stop(f"{name[:40]!r} where a value is wanted; text stands in double quotes")

    def _stop_if_comment(self) -> None:
        if self.text.startswith(("//", "/*", "#"), self.at):
            self._stop("a comment; JSON has none: take it out, or write the file in YAML")

    def _number_stop(self) -> NoReturn:
        found = _NUMBER_LIKE.match(self.text, self.at)
        word = found.group() if found else self._next()
        if word.lstrip("+-").startswith(_NOT_NUMBERS):
            self._stop(f"{word[:40]} is not a JSON number; write null, or quote it")
        self._stop(
            f"{word[:40]!r} is not a JSON number (no leading zero, plus sign, bare dot, underscore "
            "or hexadecimal); write it as JSON does, or quote it"
        )

    def _number(self, path: Path) -> Json:
        found = _NUMBER.match(self.text, self.at)
        end = found.end() if found else self.at
        if found is None or (
            (self.text[end : end + 1] + "x")[0] in "0123456789.+-_xXeE" and (end < len(self.text))
        ):
            self._number_stop()
        start, self.at = self.at, end
        value, wrong = number_from(found.group(), whole=found[1] is None and found[2] is None)
        if wrong:
            self.faults.append(_Found(start, path, wrong))
        return value

    def _string(self, path: Path) -> str:
        start = self.at
        self.at += 1
        parts: list[str] = []
        while True:
            found = _PLAIN_TEXT.match(self.text, self.at)
            assert found is not None, "the pattern matches the empty text too"
            parts.append(found.group())
            self.at = found.end()
            letter = self._next()
            if letter == '"':
                self.at += 1
                return "".join(parts)
            if letter == "\\":
                parts.append(self._escape(path))
            elif not letter:
                self._stop("text that begins here has no closing quote", start)
            else:
                shown = "\\n" if letter in "\r\n" else repr(letter)[1:-1]
                self._stop(f"a raw control character in text; write it as {shown}")

    def _escape(self, path: Path) -> str:
        start = self.at
        letter = self.text[start + 1 : start + 2]
        if letter in _ESCAPES and letter:
            self.at += 2
            return _ESCAPES[letter]
        if letter != "u":
            self._stop(f"\\{letter} is no JSON escape; a backslash itself is written \\\\")
        code = self._hex(start)
        self.at = start + 6
        if 0xD800 <= code < 0xDC00 and self.text.startswith("\\u", self.at):
            low = self._hex(self.at)
            if 0xDC00 <= low < 0xE000:
                self.at += 6
                return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00))
        if 0xD800 <= code < 0xE000:
            text = f"{self.text[start : start + 6]} is half a character (a lone surrogate)"
            self.faults.append(_Found(start, path, text))
            return "\ufffd"
        return chr(code)

    def _hex(self, at: int) -> int:
        found = _HEX.match(self.text, at + 2)
        if found is None:
            self._stop("wanted four hexadecimal digits after \\u", at)
        return int(found.group(), 16)

    def _list(self, path: Path) -> tuple[Json, Spot]:
        spot = Spot(self.at)
        items: list[Json] = []
        self.at += 1
        self._space()
        while self._next() != "]":
            value, spot.items[len(items)] = self._value((*path, len(items)))
            items.append(value)
            self._comma("]", spot.offset)
        self.at += 1
        return items, spot

    def _mapping(self, path: Path) -> tuple[Json, Spot]:
        spot = Spot(self.at)
        items: dict[str, Json] = {}
        self.at += 1
        self._space()
        while self._next() != "}":
            start = self.at
            name = self._key(path, spot.offset)
            if name in items:
                found = _Found(start, (*path, name), "a duplicate key", spot.keys[name])
                self.faults.append(found)
            self._space()
            value, child = self._value((*path, name))
            if name not in items:
                items[name] = value
                spot.keys[name], spot.items[name] = start, child
            self._comma("}", spot.offset)
        self.at += 1
        return items, spot

    def _key(self, path: Path, opened: int) -> str:
        if self._next() != '"':
            self._stop_if_comment()
            if not self._next():
                self._stop("a mapping that begins here has no closing }", opened)
            word = _WORD.match(self.text, self.at)
            shown = f": {word.group()[:40]}" if word else ""
            self._stop(f"wanted a key in double quotes{shown}")
        name = self._string(path)
        self._space()
        if self._next() != ":":
            self._stop_if_comment()
            self._stop(f"wanted a colon after the key {name[:40]!r}")
        self.at += 1
        return name

    def _comma(self, close: str, opened: int) -> None:
        self._space()
        letter = self._next()
        if letter == close:
            return
        self._stop_if_comment()
        kind = "list" if close == "]" else "mapping"
        if not letter:
            self._stop(f"a {kind} that begins here has no closing {close}", opened)
        if letter != ",":
            self._stop(f"wanted a comma or {close}, got {letter!r}")
        comma = self.at
        self.at += 1
        self._space()
        if self._next() == close:
            self._stop(f"a comma before {close}; JSON has none after the last item", comma)
        if not self._next():
            self._stop(f"a {kind} that begins here has no closing {close}", opened)


def number_from(token: str, *, whole: bool) -> tuple[Json, str | None]:
    """Read a token in JSON's number form; beside it what is wrong with it, or None.

    >>> number_from("1.10", whole=False), number_from("1e999", whole=False)[1]
    ((1.1, None), '1e999 is larger than numbers can be; quote it if it is text')
    """
    if whole:
        if len(token) > MAX_DIGITS:
            return 0, f"a number of {len(token)} digits; wanted at most {MAX_DIGITS}"
        return int(token), None
    value = float(token)
    if math.isinf(value):
        return 0, f"{token[:40]} is larger than numbers can be; quote it if it is text"
    return value, None


def scan(text: str, first: int = 1) -> tuple[Json, Spot | None, list[Fault]]:
    """Read one JSON text with the place of everything in it.

    Returns:
        The value, where its parts stand (None when the text is not JSON at all), and the mistakes.

    >>> scan('[1, 2,]')[2][0].position
    Position(line=1, column=6)
    """
    lines = Lines(text, first)
    scanner = _Scanner(text)
    try:
        value, spot = scanner.whole()
    except _BrokenJsonError as error:
        stop = Fault(lines.position(error.offset), "JSON", error.text)
        return None, None, [*_faults(scanner, lines), stop]
    return value, spot, _faults(scanner, lines)


def _faults(scanner: _Scanner, lines: Lines) -> list[Fault]:
    out: list[Fault] = []
    for found in scanner.faults:
        text = found.text
        if found.first is not None:
            text += f"; the first is at line {lines.position(found.first).line}, drop one"
        out.append(Fault(lines.position(found.offset), spell(found.path), text))
    return out
