"""A label and a text, wrapped under it: the one shape that all sentences in the terminal have."""

from collections.abc import Iterable, Iterator

from fairtrial.report.measure import cells, cut_end, seen, wrap
from fairtrial.report.style import Paint, Style

LABEL = 13
"""Columns of the label of a summary line, the space behind it counted."""


def paragraph(
    text: str,
    style: Style,
    *,
    label: tuple[str, Paint | None] = ("", None),
    indent: tuple[int, int] = (0, 4),
    most: int = 6,
) -> Iterator[str]:
    """Wrap a text from outside: spaces, the label in its colour, the text, further lines indented.

    Args:
        text: Anything; what cannot be seen in it is escaped.
        style: Of the stream.
        label: Our own words before the text, and their colour.
        indent: Spaces before the first line and before the others.
        most: Lines at most; what is left over ends in an ellipsis.

    >>> list(paragraph("no such tool", Style(width=40), label=("failed ", "red"), indent=(2, 6)))
    ['  failed no such tool']
    """
    words, colour = label
    first, rest = indent
    room = max(style.width - rest, 10)
    text = seen(text, unicode=style.unicode, most=room * most * 2)
    lines = wrap(text, style.width - first - cells(words), room, most=most, unicode=style.unicode)
    painted = style.paint(words, colour) if colour else words
    yield (" " * first + painted + lines[0]).rstrip(" ")
    for line in lines[1:]:
        yield (" " * rest + line).rstrip(" ")


def aside(text: str, style: Style, indent: int = 0) -> Iterator[str]:
    """Give a remark of our own, every line of it indented alike.

    >>> list(aside("and 3 more checks", Style(), 4))
    ['    and 3 more checks']
    """
    return paragraph(text, style, indent=(indent, indent))


def entry(label: str, text: str, style: Style, *, most: int = 4) -> Iterator[str]:
    """Give one line of a summary: a label in its column, the text behind it.

    >>> list(entry("pass^3", "33.3 %, over 3 cases", Style()))
    ['pass^3       33.3 %, over 3 cases']
    """
    return paragraph(
        text, style, label=(f"{label:<{LABEL - 1}} ", None), indent=(0, LABEL), most=most
    )


def names(items: Iterable[str], style: Style, *, most: int, each: int = 48) -> str:
    """List `most` names from outside at most, each cut at `each` cells, and count the rest.

    >>> names(["a", "b", "c"], Style(), most=2)
    'a, b and 1 more'
    """
    known = list(items)
    shown = [short(name, style, each) for name in known[:most]]
    left = len(known) - len(shown)
    return ", ".join(shown) + (f" and {left:,} more" if left else "")


def short(name: str, style: Style, room: int = 48) -> str:
    r"""Give a name from outside as it may be shown inside a sentence, cut at `room` cells.

    >>> short("a\nb", Style())
    'a\\nb'
    """
    return cut_end(seen(name, unicode=style.unicode, most=4 * room), room, unicode=style.unicode)
