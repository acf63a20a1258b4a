"""Where a judge's evidence stands in a transcript: the lines around it."""

from collections.abc import Sequence

from fairtrial.judge.reading import is_quoted
from fairtrial.text import cut, normalise

_LINES = 1  # before and after
_LENGTH = 240  # characters of each
_SPAN = 4  # lines that one quotation goes over, at most


def lines_around(evidence: str | None, transcript: str) -> tuple[str, ...]:
    r"""Give the lines that evidence stands in, with one before and one after, cut to be read.

    Nothing where there is no evidence, or it does not stand there.

    >>> lines_around("no fee", "one\ntwo\nThere is no fee.\nfour\nfive")
    ('two', 'There is no fee.', 'four')
    """
    if not evidence:
        return ()
    lines = [line for line in transcript.split("\n") if line.strip()]
    for span in range(1, _SPAN + 1):
        for at in range(len(lines) - span + 1):
            if is_quoted(evidence, "\n".join(lines[at : at + span])):
                return _shown(lines, at, at + span, evidence)
    return ()


def _shown(lines: Sequence[str], first: int, last: int, evidence: str) -> tuple[str, ...]:
    around = range(max(first - _LINES, 0), min(last + _LINES, len(lines)))
    return tuple(
        _window(lines[at], evidence) if first <= at < last else cut(lines[at], _LENGTH)
        for at in around
    )


def _window(line: str, evidence: str) -> str:
    """Cut a line so that what is quoted of it is seen."""
    if len(line) <= _LENGTH:
        return cut(line, _LENGTH)
    at = max(normalise(line).find(normalise(evidence)[:40]), 0)  # near enough to its real place
    start = max(at - _LENGTH // 3, 0)
    return ("…" if start else "") + cut(line[start:], _LENGTH)
