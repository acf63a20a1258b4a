"""One writer for a run: two that append to the same trials would both run what is missing."""

import sys
from pathlib import Path
from typing import BinaryIO

from fairtrial.errors import StoreError


def claim(file: BinaryIO | int, folder: Path, what: str = "this run is still under way") -> None:
    """Hold a run's file for this process until it is closed; a process that dies lets go too.

    Args:
        file: What is held, open: a file, or the descriptor of one or of a folder.
        folder: The run's, for the message.
        what: What goes on while it is held, likewise.

    Raises:
        StoreError: Another one holds it.

    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     claim(file, Path("a-run"))
    """
    if sys.platform == "win32":
        return
    import fcntl  # noqa: PLC0415 - not there on Windows

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise StoreError(f"{folder}: {what} in another process; wait for it, or end it") from error
    except OSError:  # a file system without locks
        return


def claimed_where_free(path: Path) -> BinaryIO | None:
    """Hold a file that nobody else does, until what is given is closed.

    None where another process holds it, where it is not there, and where that cannot be told.

    >>> claimed_where_free(Path("no-such-file")) is None
    True
    """
    if sys.platform == "win32":
        return None
    import fcntl  # noqa: PLC0415 - not there on Windows

    try:
        file = path.open("rb+")
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file
