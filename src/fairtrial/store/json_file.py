"""One record as a JSON file, whole or not at all."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from fairtrial.errors import StoreError
from fairtrial.store.atomic import write_whole
from fairtrial.store.encoding import encode_record
from fairtrial.store.redaction import Redactor


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
