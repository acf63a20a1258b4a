"""Text from outside as terminal cells: nothing in it unseen or steering; measured, cut, wrapped."""

import functools
import unicodedata

MOST_CHARACTERS = 4000
"""No name or reason is shown beyond this, so a megabyte in one word costs nothing."""

MOST_MARKS = 3
"""Combining marks on one character: written languages need no more, towers hide other lines."""

_FIRST_MARK = "\u0300"  # below it no character is a mark, or unseen and yet printable

# Printable by Unicode's categories and yet drawn as nothing.
_UNSEEN = frozenset(
    map(chr, [0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800])
) | frozenset(map(chr, [0x3164, 0xFFA0, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))


def seen(text: str, *, unicode: bool = True, most: int = MOST_CHARACTERS) -> str:
    r"""Give the text on one line, with every character that cannot be seen written as its escape.

    Control characters, newlines, escape sequences, bidirectional overrides, zero-width characters,
    odd spaces and lone surrogates are escaped as Python writes them. Without `unicode` all that is
    not ASCII is. Beyond `most` characters the text is cut, with an ellipsis.

    >>> seen("red\x1b[31m\nalert\u202e"), seen("café", unicode=False)
    ('red\\x1b[31m\\nalert\\u202e', 'caf\\xe9')
    """
    if len(text) > most:
        text = text[:most] + ellipsis(unicode=unicode)
    if not (text.isascii() and text.isprintable()):
        text = _escaped(text)
    return text if unicode else text.encode("ascii", "backslashreplace").decode("ascii")


def seen_within(text: str, most: int) -> str:
    r"""Give a text on one line, what cannot be seen escaped, in at most `most` characters.

    >>> seen_within("one\ntwo", 20), seen_within("a long text", 7)
    ('one\\ntwo', 'a long…')
    """
    text = seen(text, most=most)
    return text if len(text) <= most else text[: most - 1] + ellipsis(unicode=True)


def _escaped(text: str) -> str:
    out: list[str] = []
    marks = 0
    for character in text:
        if character < _FIRST_MARK and character.isprintable():
            marks = 0
            out.append(character)
            continue
        marks = marks + 1 if _cell(character) == 0 else 0
        lost = marks > MOST_MARKS or (
            marks > 0 and not out
        )  # a leading mark would sit on our own text
        if lost or not character.isprintable() or character in _UNSEEN:
            out.append(ascii(character)[1:-1])
        else:
            out.append(character)
    return "".join(out)


@functools.lru_cache(maxsize=4096)
def _cell(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def ellipsis(*, unicode: bool) -> str:
    """Give the mark for what was left out.

    >>> ellipsis(unicode=True), ellipsis(unicode=False)
    ('…', '...')
    """
    return "…" if unicode else "..."


def cells(text: str) -> int:
    """Count the terminal cells of a text that `seen` gave: wide characters take two, marks none.

    >>> cells("abc"), cells("日本"), cells("e\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_cell, text))


def pad(text: str, room: int, *, right: bool = False) -> str:
    """Fill the text with spaces to `room` cells; `right` sets it to the right.

    >>> pad("日", 4) + "|", pad("7", 3, right=True)
    ('日  |', '  7')
    """
    space = " " * (room - cells(text))
    return space + text if right else text + space


def split_at(text: str, room: int) -> int:
    """Give how many characters of the text fit into `room` cells, marks kept with their character.

    >>> split_at("日本", 3), split_at("abc", 9)
    (1, 3)
    """
    if text.isascii():
        return min(len(text), max(room, 0))
    used = 0
    for index, character in enumerate(text):
        used += _cell(character)
        if used > room:
            return index
    return len(text)


def cut_end(text: str, room: int, *, unicode: bool = True) -> str:
    """Cut the end off a text that `seen` gave, so that it takes at most `room` cells.

    >>> cut_end("cancel-ill-guest", 10)
    'cancel-il…'
    """
    if cells(text) <= room:
        return text
    dots = ellipsis(unicode=unicode)[: max(room, 0)]
    return text[: split_at(text, room - len(dots))] + dots


def cut_middle(text: str, room: int, *, unicode: bool = True) -> str:
    """Cut the middle out of a text that `seen` gave, so that it takes at most `room` cells.

    >>> cut_middle("cancel-ill-guest", 11)
    'cance…guest'
    """
    if cells(text) <= room:
        return text
    dots = ellipsis(unicode=unicode)
    left = (room - len(dots) + 1) // 2
    right = room - len(dots) - left
    start = len(text)
    while start > 0 and cells(text[start - 1]) <= right:
        start -= 1
        right -= cells(text[start])
    head = text[: split_at(text, left)]
    return head + dots + text[start:]


def wrap(text: str, first: int, rest: int, *, most: int, unicode: bool = True) -> list[str]:
    """Break a text that `seen` gave into lines of `first` cells, then of `rest` cells.

    Lines break at spaces, and inside a word only where it is longer than a line. Beyond `most`
    lines the text ends in an ellipsis. There is always one line at least.

    >>> wrap("the quick brown fox", 9, 5, most=9)
    ['the quick', 'brown', 'fox']
    >>> wrap("a" * 12, 4, 4, most=2)
    ['aaaa', 'aaa…']
    """
    lines: list[str] = []
    room = max(first, 1)
    while len(lines) < most:
        if cells(text) <= room:
            return [*lines, text]
        if len(lines) == most - 1:
            break
        end = _break_at(text, room)
        lines.append(text[:end].rstrip(" "))
        text = text[end:].lstrip(" ")
        room = max(rest, 1)
    return [*lines, cut_end(text, room, unicode=unicode)]


def _break_at(text: str, room: int) -> int:
    fits = split_at(text, room)
    if text[fits : fits + 1] == " ":
        return fits
    space = text.rfind(" ", 0, fits)
    if space > 0 and text[:space].strip(" "):
        return space
    return max(fits, 1)
