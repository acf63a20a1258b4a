"""Located mistakes in files that people wrote: grouped by file, counted, the place never cut."""

import re
from collections.abc import Iterator, Sequence

from fairtrial.report.figures import counted
from fairtrial.report.measure import cells, seen
from fairtrial.report.prose import paragraph
from fairtrial.report.style import PLAIN, Style

_PLACE = re.compile(r"(.+?):\d{1,9}(?::\d{1,9})?(?=: )", re.DOTALL)

_LONGEST_PLACE = 4096

_LONGEST_PIPED = 1000

_MOST_LINES = 8


def problem_lines(
    problems: Sequence[str], style: Style = PLAIN, *, noun: str = "problem"
) -> Iterator[str]:
    """Give each mistake with its uncut `file:line:column`, file by file, and count them last.

    Args:
        problems: One text a mistake, beginning with its place where it has one.
        style: Of the stream.
        noun: What to call one of them at the end.

    >>> list(problem_lines(["b.yaml:9:3: tags: wanted text", "b.yaml:1:1: id: missing"]))
    ['b.yaml:9:3: tags: wanted text', 'b.yaml:1:1: id: missing', '2 problems in 1 file']
    """
    files: dict[str, list[tuple[str, str]]] = {}
    for problem in problems:
        place = _PLACE.match(problem[:_LONGEST_PLACE])
        file = place[1] if place is not None else ""
        end = place.end() if place is not None else 0
        files.setdefault(file, []).append((problem[:end], problem[end:].removeprefix(": ")))
    for located in files.values():
        for where, text in located:
            yield from _problem(where, text, style)
    named = sum(1 for file in files if file)
    within = f" in {counted(named, 'file')}" if named else ""
    yield style.paint(counted(len(problems), noun) + within, "bold")


def _problem(where: str, text: str, style: Style) -> Iterator[str]:
    if not where:
        yield from paragraph(text, style, most=_MOST_LINES)
        return
    place = seen(where, unicode=style.unicode, most=_LONGEST_PLACE) + ": "
    if style.piped:
        said = seen(text, unicode=style.unicode, most=_LONGEST_PIPED)
        yield style.paint(place, "bold") + said
        return
    if cells(place) > style.width // 2:
        yield style.paint(place.rstrip(" "), "bold")
        yield from paragraph(text, style, indent=(4, 4), most=_MOST_LINES)
    else:
        yield from paragraph(text, style, label=(place, "bold"), most=_MOST_LINES)
