"""What people said, in a file for git: a label a line, appended at once, replaced in its place."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from fairtrial.errors import ProblemsError, StoreError
from fairtrial.records import Label
from fairtrial.store.atomic import write_whole
from fairtrial.store.encoding import encode_record
from fairtrial.store.reasons import decode_reason

_GZIP_MAGIC: Final = b"\x1f\x8b"
_BOM: Final = b"\xef\xbb\xbf"
_DECODE: Final = msgspec.json.Decoder(Label).decode


class _Name(NamedTuple):
    """Whose label of what it is: there is one line of it."""

    case: str
    trial: int
    item: str
    transcript: str | None
    labeller: str

    @classmethod
    def of(cls, label: Label) -> "_Name":
        return cls(label.case, label.trial, label.item, label.transcript, label.labeller)


class LabelFile:
    r"""The labels of a file.

    A new label is appended, and on the disk when `keep` returns. One that stands in the place of
    an earlier one of the same person is written over it: the file is written anew beside its place
    and moved there, so that it is whole at every moment and its other lines stay as they are. A
    last line that a kill cut short is passed over, and gone with the next label.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = LabelFile(Path(folder, "labels.jsonl"))
    ...     file.keep(Label(case="c", label="pass", labeller="ana"))
    ...     file.keep(Label(case="c", label="fail", labeller="ana"))
    ...     file.path.read_text()
    '{"case":"c","label":"fail","labeller":"ana"}\n'
    """

    def __init__(self, path: Path) -> None:
        """Read the file; it need not be there yet.

        Raises:
            StoreError: It cannot be read.
            ProblemsError: Lines that are no labels, each with its place.
        """
        self.path = path
        lines, self._torn = self._read()
        self._labels: dict[_Name, Label] = {_Name.of(label): label for _, label in lines}

    def __iter__(self) -> Iterator[Label]:
        """Give the labels in the order of their first lines."""
        return iter(self._labels.values())

    def keep(self, label: Label) -> None:
        """Put a label on file.

        Raises:
            StoreError: It cannot be written.
            ProblemsError: Somebody has broken the file meanwhile.
        """
        self.keep_all([label])

    def keep_all(self, labels: Iterable[Label]) -> None:
        """Put several on file: all of them or none.

        Raises:
            StoreError: They cannot be written.
            ProblemsError: Somebody has broken the file meanwhile.
        """
        given = {_Name.of(label): label for label in labels}
        try:
            if self._torn or given.keys() & self._labels.keys():
                self._write(given)
            else:
                self._append(given.values())
        except OSError as error:
            raise StoreError(
                f"{self.path}: cannot be written: {error.strerror or error}"
            ) from error
        self._labels |= given

    def _append(self, labels: Iterable[Label]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(b"".join(encode_record(label) + b"\n" for label in labels))
            file.flush()
            os.fsync(file.fileno())

    def _write(self, given: Mapping[_Name, Label]) -> None:
        """Write the file anew, as it is now: others may have added to it."""
        lines, _ = self._read()
        there = {_Name.of(label) for _, label in lines}
        pieces = []
        for line, label in lines:
            new = given.get(_Name.of(label))
            pieces.append((line if new is None else encode_record(new)) + b"\n")
        pieces += [encode_record(new) + b"\n" for name, new in given.items() if name not in there]
        write_whole(self.path, pieces)
        self._torn = False

    def _read(self) -> tuple[list[tuple[bytes, Label]], bool]:
        """Give each line with its label, and whether the file does not end with a line's end.

        Raises:
            StoreError: It cannot be read.
            ProblemsError: Lines that are no labels.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return [], False
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be read: {error.strerror or error}") from error
        if data.startswith(_GZIP_MAGIC):
            raise StoreError(f"{self.path}: it is packed, so nothing can be added; unpack it first")
        whole = data.removeprefix(_BOM).split(b"\n")
        found: list[tuple[bytes, Label]] = []
        problems: list[str] = []
        for number, line in enumerate(whole, 1):
            if not line.strip():
                continue
            try:
                found.append((line, _DECODE(line)))
            except (msgspec.DecodeError, RecursionError) as error:
                if number < len(whole):
                    problems.append(f"{self.path}:{number}: {decode_reason(error, line)}")
        if problems:
            raise ProblemsError(problems)
        return found, bool(whole[-1].strip())
