"""Files that are there whole or not at all."""

import os
from collections.abc import Iterable
from pathlib import Path

_BLOCK = 2**18  # bytes that are written together


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file beside its place and move it there, so that nobody ever reads half of it.

    Folders above it are made. What is no regular file (a pipe, a terminal) is written directly.

    Raises:
        OSError: It cannot be written; what was there before is untouched.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as stream:
            stream.writelines(pieces)
        return
    place = path.resolve()  # through a link, not over it
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f".{place.name[:100]}.{os.getpid()}.part")
    try:
        with part.open("wb", buffering=_BLOCK) as file:
            file.writelines(pieces)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
