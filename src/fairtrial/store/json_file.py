"""Records as JSON files, one or a line each: written whole or not at all, read with places."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from fairtrial.errors import ProblemsError, StoreError
from fairtrial.store.atomic import write_whole
from fairtrial.store.encoding import encode_record
from fairtrial.store.lines import Damaged, opened, read_lines
from fairtrial.store.reasons import decode_reason
from fairtrial.store.redaction import Redactor

_BOM = b"\xef\xbb\xbf"
_MOST_PROBLEMS = 20

_T = TypeVar("_T")


def write_json(out: Path, record: msgspec.Struct) -> None:
    r"""Write a record as strict JSON, a line in all.

    Raises:
        StoreError: The file cannot be written.

    >>> import tempfile
    >>> from fairtrial.records import Decision
    >>> file = Path(tempfile.mkdtemp()) / "decision.json"
    >>> write_json(file, Decision(decision="pass", exit=0, spent=None, reasons=()))
    >>> file.read_text()
    '{"decision":"pass","exit":0,"spent":null,"reasons":[]}\n'
    """
    try:
        write_whole(out, [encode_record(record), b"\n"])
    except OSError as error:
        raise StoreError(f"{out}: cannot be written: {error.strerror or error}") from error


def write_lines(
    out: Path, records: Iterable[msgspec.Struct], redactor: Redactor | None = None
) -> None:
    r"""Write records as JSON, a line each, as they come; the file appears when all are written.

    Args:
        out: The file.
        records: What is written.
        redactor: Knows the secrets; None: what people hand in is written as it is.

    Raises:
        StoreError: The file cannot be written.

    >>> import tempfile
    >>> from fairtrial.records import Trajectory
    >>> file = Path(tempfile.mkdtemp()) / "runs.jsonl"
    >>> write_lines(file, [Trajectory(case="c1"), Trajectory(case="c2")])
    >>> file.read_text()
    '{"case":"c1"}\n{"case":"c2"}\n'
    """
    encoded = map(encode_record, records)
    lines = encoded if redactor is None else map(redactor.line, encoded)
    try:
        write_whole(out, (line + b"\n" for line in lines))
    except OSError as error:
        raise StoreError(f"{out}: cannot be written: {error.strerror or error}") from error


def read_records(path: Path, kind: type[_T]) -> Iterator[_T]:
    r"""Read a record a line, gzipped or not; blank lines are passed over.

    Raises:
        StoreError: The file cannot be read.
        ProblemsError: Lines that hold no such record, each with its place, once all were read.

    >>> import tempfile
    >>> from fairtrial.records import Label
    >>> file = Path(tempfile.mkdtemp()) / "labels.jsonl"
    >>> _ = file.write_text('{"case": "c1", "label": "pass"}\n\n{"case": "c2"}\n')
    >>> try:
    ...     [*read_records(file, Label)]
    ... except ProblemsError as error:
    ...     print(error.problems[0].removeprefix(str(file)))
    :3: `label` is missing
    """
    for _, record in read_numbered(path, kind):
        yield record


def read_numbered(path: Path, kind: type[_T]) -> Iterator[tuple[int, _T]]:
    r"""Read a record a line as `read_records` does, each with the number of its line.

    Raises:
        StoreError: The file cannot be read.
        ProblemsError: Lines that hold no such record, each with its place, once all were read.

    >>> import tempfile
    >>> from fairtrial.records import Label
    >>> file = Path(tempfile.mkdtemp()) / "labels.jsonl"
    >>> _ = file.write_text('\n{"case": "c1", "label": "pass"}\n')
    >>> [number for number, _ in read_numbered(file, Label)]
    [2]
    """
    decode = msgspec.json.Decoder(kind).decode
    problems = []
    try:
        with opened(path) as file:
            for number, line in enumerate(read_lines(file), 1):
                if isinstance(line, Damaged):
                    problems.append(f"{path}:{number}: {line.reason}")
                    continue
                text = (line.removeprefix(_BOM) if number == 1 else line).strip()
                if not text:
                    continue
                try:
                    yield number, decode(text)
                except (msgspec.DecodeError, RecursionError) as error:
                    problems.append(f"{path}:{number}: {decode_reason(error, text)}")
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror or error}") from error
    if problems:
        more = len(problems) - _MOST_PROBLEMS
        told = problems[:_MOST_PROBLEMS]
        raise ProblemsError([*told, f"{path}: and {more} more lines"] if more > 0 else told)


def write_pieces(out: Path, pieces: Iterable[bytes]) -> None:
    """Write bytes to a file as they come; it appears when all are written.

    Raises:
        StoreError: The file cannot be written.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "page.html"
    >>> write_pieces(file, [b"<p>", b"Hi"])
    >>> file.read_bytes()
    b'<p>Hi'
    """
    try:
        write_whole(out, pieces)
    except OSError as error:
        raise StoreError(f"{out}: cannot be written: {error.strerror or error}") from error
