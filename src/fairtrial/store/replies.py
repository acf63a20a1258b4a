"""A judge's replies on file, a line each: what was paid for once is there for every later run."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from fairtrial.errors import StoreError
from fairtrial.records import KeptReply
from fairtrial.store.layout import keep_out_of_git
from fairtrial.store.redaction import Redactor

_ENCODE: Final = msgspec.json.Encoder().encode
_DECODE: Final = msgspec.json.Decoder(KeptReply).decode


class ReplyFile:
    """Replies by their key, read when the first is asked for. Safe from several threads.

    A reply is appended and flushed before `keep` returns. A line that a kill or a full disk cut
    short is passed over: it is the last, or whoever wrote on left a blank line behind it. Any other
    line that is no reply is an error.

    >>> import tempfile
    >>> from fairtrial.records import JudgeReply
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "replies.jsonl")
    ...     ReplyFile(file).keep(KeptReply(key="k", marker="m", reply=JudgeReply(text="{}")))
    ...     ReplyFile(file).find("k").reply.text
    '{}'
    """

    def __init__(self, path: Path, redactor: Redactor | None = None) -> None:
        """Take the file; it need not be there yet."""
        self.path = path
        self._redactor = redactor or Redactor()
        self._lock = threading.Lock()
        self._kept: dict[str, KeptReply] | None = None

    def check(self, *, writable: bool) -> None:
        """Read the file, so that what is wrong with it is said before anything is spent.

        Args:
            writable: Whether replies will be kept, too.

        Raises:
            StoreError: The file cannot be read, or not be written.
        """
        with self._lock:
            self._all()
            if writable:
                self._append(b"")

    def find(self, key: str) -> KeptReply | None:
        """Give the reply on file under a key; of two, the later one.

        Raises:
            StoreError: The file cannot be read.
        """
        with self._lock:
            return self._all().get(key)

    def keep(self, reply: KeptReply) -> None:
        """Put a reply on file.

        Raises:
            StoreError: It cannot be written.
        """
        line = self._redactor.line(_ENCODE(reply), names=False) + b"\n"
        with self._lock:
            kept = self._all()
            self._append(line)
            kept[reply.key] = reply

    def _append(self, line: bytes) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            keep_out_of_git(self.path.parent)
            with self.path.open("ab+") as file:
                if line and _is_torn(file):  # by whom is open: it may have been another process
                    line = b"\n\n" + line
                file.write(line)
        except OSError as error:
            raise StoreError(
                f"{self.path}: a judge's reply cannot be kept: {error.strerror or error}"
            ) from error

    def _all(self) -> dict[str, KeptReply]:
        if self._kept is None:
            self._kept = self._read()
        return self._kept

    def _read(self) -> dict[str, KeptReply]:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be read: {error.strerror or error}") from error
        kept: dict[str, KeptReply] = {}
        lines = data.split(b"\n")
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                reply = _DECODE(line)
            except (msgspec.DecodeError, RecursionError) as error:
                if number == len(lines) or _written_on(lines, number):
                    continue
                raise StoreError(f"{self.path}:{number}: no reply of a judge: {error}") from error
            kept[reply.key] = reply
        return kept


def _written_on(lines: Sequence[bytes], number: int) -> bool:
    """Say whether a blank line and more stand behind the line of a number."""
    return number + 1 < len(lines) and not lines[number]


def _is_torn(file: BinaryIO) -> bool:
    """Say whether the last line of a file has no end."""
    if not file.seek(0, os.SEEK_END):
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"
