"""Lines of a file that may be packed, damaged, or have a line too long to hold."""

import contextlib
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from msgspec import Struct

MAX_LINE = 2**30
"""Bytes. A longer line is passed over piece by piece, so that it costs no more memory than this."""

_PIECE = 2**20
_GZIP_MAGIC = b"\x1f\x8b"


class Damaged(Struct, frozen=True):
    """What stands in place of a line that could not be read."""

    reason: str
    last: bool
    """True: nothing after it can be read either."""


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading, unpacking gzip (told by its first bytes, whatever its name).

    Raises:
        OSError: It cannot be opened.
    """
    with io.BufferedReader(path.open("rb", buffering=0), 2**17) as file:
        if file.peek(2)[:2] != _GZIP_MAGIC:
            yield file
            return
        import gzip  # noqa: PLC0415 - few files are packed

        with gzip.GzipFile(fileobj=file) as unpacked:
            yield cast("BinaryIO", unpacked)


def read_lines(file: BinaryIO, limit: int = MAX_LINE) -> Iterator[bytes | Damaged]:
    r"""Give each line with its newline, and a Damaged where one is too long or the file breaks off.

    >>> list(read_lines(io.BytesIO(b"1\n22222\n3"), limit=4))
    [b'1\n', Damaged(reason='longer than 4 bytes', last=False), b'3']
    """
    try:
        while line := file.readline(limit):
            if len(line) == limit and not line.endswith(b"\n"):
                yield Damaged(f"longer than {limit} bytes", last=False)
                _skip_line(file)
            else:
                yield line
    except EOFError:
        yield Damaged("the compressed file ends too early: what follows is lost", last=True)
    except (OSError, zlib.error) as error:
        yield Damaged(f"the file cannot be read on from here: {error}", last=True)


def _skip_line(file: BinaryIO) -> None:
    while piece := file.readline(_PIECE):
        if piece.endswith(b"\n"):
            return
