"""Lines packed for a page: deflated in blocks, so that a browser unpacks only what is looked at."""

import base64
import zlib
from collections.abc import Iterator

from fairtrial.report.html.cutting import LONGEST_LINE, cut_line

_BLOCK = 2**18  # bytes of text that are packed together
_LEVEL = 1  # the higher ones take three times as long and save a third
PASSED_BYTES = 12 * 2**20
"""Packed bytes of a page from which on passed trials are left out of it."""
ALL_BYTES = 24 * 2**20
"""Packed bytes of a page from which on all are."""


class Pack:
    """Numbered lines in blocks; a line that is left out stays as an empty one.

    >>> pack = Pack()
    >>> pack.add(1, b'{"case":"a"}', needed=True)
    True
    >>> [(first, count) for first, count, _ in pack.blocks()]
    [(1, 1)]
    """

    def __init__(self) -> None:
        """Start with none."""
        self._blocks: list[tuple[int, int, bytes]] = []
        self._lines: list[bytes] = []
        self._first = 1
        self._waiting = 0  # bytes in the lines that are not packed yet
        self._packed = 0

    def add(self, number: int, line: bytes, *, needed: bool) -> bool:
        """Take a line, if there is room for it.

        Args:
            number: 1 and up, each higher than that before.
            line: JSON; a very long one is cut.
            needed: False for what is the first to be left out.

        Returns:
            Whether it was taken.
        """
        if self._packed > (ALL_BYTES if needed else PASSED_BYTES):
            return False
        line = line.rstrip(b"\r\n")
        if len(line) > LONGEST_LINE:
            line = cut_line(line)
        if not self._lines:
            self._first = number
        self._lines += [b""] * (number - self._first - len(self._lines))
        self._lines.append(line)
        self._waiting += len(line) + 1
        if self._waiting >= _BLOCK:
            self._close()
        return bool(line)

    def blocks(self) -> Iterator[tuple[int, int, bytes]]:
        """Give the number of the first line of each block, how many it holds, and it in base64."""
        self._close()
        yield from self._blocks

    def _close(self) -> None:
        if not self._lines:
            return
        packed = base64.b64encode(zlib.compress(b"\n".join(self._lines), _LEVEL))
        self._blocks.append((self._first, len(self._lines), packed))
        self._packed += len(packed)
        self._lines, self._waiting = [], 0
