"""What a world says of values and names: where, what was found, and what was probably meant."""

import json
import re
from collections.abc import Iterable
from typing import Final, TypeAlias

from fairtrial.records import Json
from fairtrial.text import cut

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indexes from the top of a case down to a part of it."""

_PLAIN_KEY: Final = re.compile(r"[\w$@+%#/:-]{1,60}")
_LONGEST_NAME: Final = 80  # nobody misspells a longer one, and looking takes time
_MOST_NAMES: Final = 20  # names in one list


def place(path: Path) -> str:
    """Give a path as people write it.

    >>> place(("fixtures", "bookings", "H-204", "rows", 0, "a b"))
    'fixtures.bookings.H-204.rows[0]["a b"]'
    """
    where = ""
    for part in path:
        if isinstance(part, int):
            where += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            where += f".{part}" if where else part
        else:
            where += f"[{json.dumps(cut(part), ensure_ascii=False)}]"
    return where


def shown(value: Json) -> str:
    """Say what a value is, short enough for a message.

    >>> shown("abc"), shown(12), shown(True), shown(None), shown([1])
    ("'abc'", 'the number 12', 'true', 'null', 'a list')
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            # Python itself writes no whole number of thousands of digits.
            huge = isinstance(value, int) and value.bit_length() > 200
            return "a huge number" if huge else f"the number {value}"
        case str():
            return repr(cut(value))
        case list() | tuple():
            return "a list"
        case dict():
            return "a mapping"
        case _:
            return f"a {type(value).__name__}"


def listed(names: Iterable[str]) -> str:
    """Give names on one line, or the word nothing.

    >>> listed(["booking", "fee"]), listed([])
    ('booking, fee', 'nothing')
    """
    known = [cut(name) for name in names]
    more = len(known) - _MOST_NAMES
    shortened = [*known[:_MOST_NAMES], f"and {more} more"] if more > 0 else known
    return ", ".join(shortened) or "nothing"


def meant(name: str, known: Iterable[str]) -> str:
    """Give the end of a sentence that offers the nearest known name, or nothing.

    >>> meant("bokings", ["bookings", "guests"]), meant("xyz", ["bookings"])
    ('; did you mean bookings?', '')
    """
    if len(name) > _LONGEST_NAME:
        return ""
    folded = {other.casefold().replace("-", "_"): other for other in known}
    import difflib  # noqa: PLC0415 - only on the way to an error

    close = difflib.get_close_matches(name.casefold().replace("-", "_"), folded, n=1)
    return f"; did you mean {folded[close[0]]}?" if close else ""
