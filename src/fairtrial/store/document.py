"""The JSON report: a whole run in one document, written case by case."""

import itertools
import operator
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from fairtrial.errors import StoreError
from fairtrial.records import CaseResult, RunInfo, Scorecard, Trial
from fairtrial.store.atomic import write_whole
from fairtrial.store.encoding import encode_record
from fairtrial.store.redaction import Redactor

_NO_TRIALS = b'"trials":[]'
_TRIALS = b'"trials":['


def write_report(
    out: Path | str,
    info: RunInfo,
    scorecard: Scorecard,
    results: Iterable[CaseResult],
    *,
    redactor: Redactor | None = None,
) -> None:
    """Write a run as one JSON document: `run`, `scorecard`, `cases` (a line each), `format`.

    One case is held in memory at a time. Trajectories are left out.

    Raises:
        StoreError: The file cannot be written.

    >>> import tempfile
    >>> info = RunInfo(id="r1", folder=None, mode="none", variant=None, selection=None)
    >>> scorecard = Scorecard(**dict.fromkeys(Scorecard.__struct_fields__))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(Path(folder, "out.json"), info, scorecard, [])
    ...     msgspec.json.decode(Path(folder, "out.json").read_bytes())["cases"]
    []
    """
    redactor = redactor or Redactor()
    write_document(
        out,
        info,
        scorecard,
        ((result, _rows(result, redactor)) for result in results),
        redactor=redactor,
    )


def write_document(
    out: Path | str,
    info: RunInfo,
    scorecard: Scorecard,
    cases: Iterable[tuple[CaseResult, Iterable[bytes]]],
    *,
    redactor: Redactor,
) -> None:
    """Write the report from cases whose trials come as lines that are redacted already.

    Raises:
        StoreError: The file cannot be written.
    """
    try:
        write_whole(Path(out), _pieces(info, scorecard, cases, redactor))
    except OSError as error:
        raise StoreError(
            f"{out}: the report cannot be written: {error.strerror or error}"
        ) from error


def _rows(result: CaseResult, redactor: Redactor) -> Iterator[bytes]:
    for trial in result.trials:
        yield redactor.line(encode_record(_bare(trial)))


def _bare(trial: Trial) -> Trial:
    if trial.trajectory is msgspec.UNSET:
        return trial
    return msgspec.structs.replace(trial, trajectory=msgspec.UNSET)


def _pieces(
    info: RunInfo,
    scorecard: Scorecard,
    cases: Iterable[tuple[CaseResult, Iterable[bytes]]],
    redactor: Redactor,
) -> Iterator[bytes]:
    yield b'{"run":' + redactor.line(encode_record(info))
    yield b',\n"scorecard":' + redactor.line(encode_record(scorecard), names=False)
    yield b',\n"cases":['
    comma = b"\n"
    for result, rows in cases:
        head = msgspec.structs.replace(result, trials=()) if result.trials else result
        before, after = redactor.line(encode_record(head), names=False).split(_NO_TRIALS, 1)
        listed = iter(rows)
        first = next(listed, b"")
        yield b"".join((comma, before, _TRIALS, first))
        yield from map(operator.add, itertools.repeat(b","), listed)
        yield b"]" + after
        comma = b",\n"
    yield b'],\n"format":1}\n'
