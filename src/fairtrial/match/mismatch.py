"""What differs, told in a line: where, what was wanted and what there was, cut to be read."""

import json
import re
from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import Final, NamedTuple

from fairtrial.match.equality import MISSING
from fairtrial.records import Json, clean_text
from fairtrial.text import cut, normalise

BRIEF: Final = 80
"""Characters of a value that are shown."""

_PLAIN_KEY: Final = re.compile(r"[\w$@+%#/:-]{1,60}")
_CONTEXT: Final = 15  # characters shown before the place where two long texts part
_CONSTANTS: Final = {None: "null", True: "true", False: "false"}
_KINDS: Final = {str: "text", bool: "a boolean", int: "a number", float: "a number"}


class Mismatch(NamedTuple):
    """One thing that is not as wanted.

    >>> str(Mismatch("cancellations[0].fee", "0", "40"))
    'cancellations[0].fee: wanted 0, got 40'
    """

    path: str
    """Where, inside the value that was looked at; empty for the value itself."""
    wanted: str
    got: str

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}wanted {self.wanted}, got {self.got}"


def key_path(path: str, key: str) -> str:
    """Give the path of a key, quoted where it would be misread.

    >>> key_path("bookings", "H-204"), key_path("", "fee"), key_path("a", "b.c")
    ('bookings.H-204', 'fee', 'a["b.c"]')
    """
    if _PLAIN_KEY.fullmatch(key):
        return f"{path}.{key}" if path else key
    return f"{path}[{_quoted(key, 60)}]"


def brief(value: Json, length: int = BRIEF) -> str:
    """Show a value on one line, cut to about `length` characters.

    >>> brief({"a": [1, None, "x"]}), brief(MISSING), brief("y" * 100, 10)
    ('{"a": [1, null, "x"]}', 'nothing', '"yyyyyyy…"')
    """
    if value is None or isinstance(value, bool):
        return _CONSTANTS[value]
    shown = ""
    for piece in _pieces(value, length):
        shown += piece
        if len(shown) > length:
            return cut(shown, length) if shown[0] != '"' else shown
    return shown


def _pieces(value: Json, length: int) -> Iterator[str]:
    if isinstance(value, dict):
        yield "{"
        for number, (key, item) in enumerate(value.items()):
            yield f"{', ' if number else ''}{_quoted(str(key), length)}: "
            yield from _pieces(item, length)
        yield "}"
    elif isinstance(value, list | tuple):
        yield "["
        for number, item in enumerate(value):
            yield ", " if number else ""
            yield from _pieces(item, length)
        yield "]"
    elif isinstance(value, str):
        yield _quoted(value, length)
    else:
        yield _plain(value, length)


def _plain(value: Json, length: int) -> str:
    if value is MISSING:
        return "nothing"
    if isinstance(value, int) and value.bit_length() > 4 * length:
        return f"a whole number of {value.bit_length()} bits"
    if type(value) is int:
        return str(value)
    if value is None or isinstance(value, bool):
        return _CONSTANTS[value]
    if isinstance(value, int | float):
        return json.dumps(value)
    return cut(repr(value), length)


def _quoted(text: str, length: int) -> str:
    inner = encode_basestring(clean_text(text[: length + 1]))[1:-1]
    return f'"{cut(inner, max(length - 2, 1))}"'


def contrast(path: str, wanted: Json, got: Json) -> Mismatch:
    """Tell two values that are not equal apart, also where they look alike.

    >>> str(contrast("id", 7, "7"))
    'id: wanted 7 (a number), got "7" (text)'
    >>> str(contrast("name", "Anna", "anna"))
    'name: wanted "Anna", got "anna" (the same as normalised text)'
    """
    if isinstance(wanted, str) and isinstance(got, str):
        return _contrast_texts(path, wanted, got)
    ours, theirs = _KINDS.get(type(wanted)), _KINDS.get(type(got))
    if ours and theirs and ours != theirs:
        return Mismatch(path, f"{brief(wanted)} ({ours})", f"{brief(got)} ({theirs})")
    return Mismatch(path, brief(wanted), brief(got))


def _contrast_texts(path: str, wanted: str, got: str) -> Mismatch:
    parts = next(
        (at for at, (one, other) in enumerate(zip(wanted, got, strict=False)) if one != other),
        min(len(wanted), len(got)),
    )
    if parts > BRIEF // 2 and max(len(wanted), len(got)) > BRIEF - 2:
        start = parts - _CONTEXT
        where = f" (from character {start + 1})"
        return Mismatch(path, brief(wanted[start:]) + where, brief(got[start:]) + where)
    alike = len(wanted) + len(got) < 10_000 and normalise(wanted) == normalise(got)
    note = " (the same as normalised text)" if alike else ""
    return Mismatch(path, brief(wanted), brief(got) + note)
