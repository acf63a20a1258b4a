"""Fenced blocks of Markdown, found in one pass over the lines."""

from typing import NamedTuple

_LEAST = 3  # marks that make a fence


class Fences(NamedTuple):
    """The fenced blocks of a text."""

    blocks: tuple[str, ...]
    """What stands between the fences, line ends as `\\n`."""
    alone: bool
    """Nothing but white space stands outside of them."""


def fences_of(text: str) -> Fences:
    r"""Find the fenced blocks: lines of three or more backticks or tildes around them.

    As in CommonMark a fence is closed by one of the same mark that is at least as long, or by the
    end of the text. Any indentation will do.

    >>> fences_of('So:\n```json\n{"a": 1}\n```').blocks
    ('{"a": 1}',)
    """
    blocks: list[str] = []
    inside: list[str] = []
    fence, alone = "", True
    for line in text.split("\n"):
        bare = line.strip()
        if fence:
            if len(bare) >= len(fence) and not bare.strip(fence[0]):
                blocks.append("\n".join(inside))
                inside, fence = [], ""
            else:
                inside.append(line.removesuffix("\r"))
        else:
            fence = _opening(bare)
            alone = alone and (bool(fence) or not bare)
    if fence:
        blocks.append("\n".join(inside))
    return Fences(tuple(blocks), alone)


def _opening(line: str) -> str:
    """Give the marks that open a block; empty where the line opens none."""
    mark = line[:1]
    if mark not in ("`", "~"):
        return ""
    info = line.lstrip(mark)
    count = len(line) - len(info)
    if count < _LEAST or (mark == "`" and mark in info):
        return ""
    return mark * count
