"""A run's batches on disk, written whole each time, by one process at a time."""

import os
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from fairtrial.errors import StoreError
from fairtrial.records import JudgeBatches
from fairtrial.store.atomic import write_whole
from fairtrial.store.claiming import claim
from fairtrial.store.encoding import encode_record
from fairtrial.store.layout import BATCH
from fairtrial.store.reasons import decode_reason

_FORMAT: Final = 1


class BatchFile:
    """The file `batch.json` of a run folder, held for this process while it is open.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, BatchFile(Path(folder)) as file:
    ...     file.write(JudgeBatches())
    ...     file.read().batches
    ()
    """

    def __init__(self, folder: Path) -> None:
        """Take the run's folder."""
        self.path = folder / BATCH
        self._folder = folder
        self._held = -1

    def __enter__(self) -> Self:
        """Hold the folder.

        Raises:
            StoreError: Another process holds it, or it is not there.
        """
        if os.name == "nt":  # there a folder cannot be opened, and `claim` does nothing
            return self
        try:
            self._held = os.open(self._folder, os.O_RDONLY)
        except OSError as error:
            raise StoreError(f"{self._folder}: {error.strerror or error}") from error
        try:
            claim(self._held, self._folder, "the batches of this run are waited for")
        except StoreError:
            self._let_go()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._let_go()

    def read(self) -> JudgeBatches:
        """Give the batches; none where there is no file yet.

        Raises:
            StoreError: It cannot be read.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return JudgeBatches()
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be read: {error.strerror or error}") from error
        try:
            batches = msgspec.json.decode(data, type=JudgeBatches)
        except (msgspec.DecodeError, RecursionError) as error:
            raise StoreError(f"{self.path}: {decode_reason(error, data)}") from error
        if batches.format != _FORMAT:
            raise StoreError(
                f"{self.path}: format {batches.format}, and this version reads {_FORMAT}"
            )
        return batches

    def write(self, batches: JudgeBatches) -> None:
        """Write all batches; they are on disk when this returns.

        Raises:
            StoreError: They cannot be written.
        """
        try:
            write_whole(self.path, [encode_record(batches), b"\n"])
        except OSError as error:
            raise StoreError(
                f"{self.path}: cannot be written: {error.strerror or error}"
            ) from error

    def _let_go(self) -> None:
        if self._held >= 0:
            os.close(self._held)
            self._held = -1
