"""Text as a file, whole or not at all, or behind what a file holds already."""

from collections.abc import Iterable
from pathlib import Path

from fairtrial.errors import StoreError
from fairtrial.store.atomic import write_whole


def write_text(out: Path, lines: Iterable[str], *, behind: bool = False) -> None:
    r"""Write lines, in UTF-8; `behind` keeps what is in the file already before them.

    Raises:
        StoreError: The file cannot be written; what was there before is untouched.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "summary.md"
    >>> write_text(file, ["one"])
    >>> write_text(file, ["two"], behind=True)
    >>> file.read_text()
    'one\ntwo\n'
    """
    try:
        before = [out.read_bytes()] if behind and out.is_file() else []
        encoded = (f"{line}\n".encode(errors="backslashreplace") for line in lines)
        write_whole(out, (piece for pieces in (before, encoded) for piece in pieces))
    except OSError as error:
        raise StoreError(f"{out}: cannot be written: {error.strerror or error}") from error
