"""The calls of a trial on one line: `search > book! > book x3`."""

import itertools
import re
from collections.abc import Collection, Sequence

from fairtrial.report.measure import cells, cut_end, cut_middle, ellipsis, seen
from fairtrial.report.style import Style

_PLAIN = re.compile(r"[\w.:/-]{1,200}")
_LONGEST = 32
"""Cells of one tool's name."""


def path_line(
    tools: Sequence[str],
    failed: Collection[int],
    style: Style,
    *,
    unrun: Collection[int] = (),
    room: int | None = None,
) -> str:
    """Draw the calls in order: `!` marks a failed one, `?` one that never came to a tool.

    `x3` is three alike in a row; where the line is too long the middle is cut.

    Args:
        tools: Names of the calls, from outside.
        failed: Indexes of the calls that failed.
        style: Of the stream.
        unrun: Indexes of the calls that never came to a tool.
        room: Cells at most; the style's width if not said.

    >>> path_line(["search", "book", "book", "book"], {1}, Style())
    'search > book! > book x2'
    >>> path_line([f"t{n}" for n in range(30)], (), Style(), room=30)
    't0 > t1 > … 26 … > t28 > t29'
    """
    room = style.width if room is None else room
    marked = (
        (name, "?" if index in unrun else "!" if index in failed else "")
        for index, name in enumerate(tools)
    )
    runs = [(key, sum(1 for _ in same)) for key, same in itertools.groupby(marked)]
    if not runs:
        return "no tool calls"
    if len(runs) <= room:  # each run takes more than one cell, so more runs than that never fit
        whole = " > ".join(_run(*run, style) for run in runs)
        if cells(whole) <= room:
            return whole
    return _cut(runs, room, style)


def _run(key: tuple[str, str], times: int, style: Style) -> str:
    name, mark = key
    shown = seen(name, unicode=style.unicode, most=4 * _LONGEST)
    if not _PLAIN.fullmatch(name):
        shown = f"'{shown}'"
    shown = cut_end(shown, _LONGEST, unicode=style.unicode)
    return shown + mark + (f" x{times}" if times > 1 else "")


def _cut(runs: list[tuple[tuple[str, str], int]], room: int, style: Style) -> str:
    dots = ellipsis(unicode=style.unicode)
    head: list[str] = []
    tail: list[str] = []
    best = ""
    for taken in range(len(runs)):
        if taken % 2 == 0:
            head.append(_run(*runs[taken // 2], style))
        else:
            tail.insert(0, _run(*runs[-1 - taken // 2], style))
        start, end = len(head), len(runs) - len(tail)
        left = sum(times for _, times in runs[start:end])
        line = " > ".join([*head, f"{dots} {left} {dots}", *tail])
        if cells(line) > room or left == 0:
            break
        best = line
    return best or cut_middle(_run(*runs[0], style), room, unicode=style.unicode)
