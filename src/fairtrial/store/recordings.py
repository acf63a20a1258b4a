"""Recordings: a file of trajectories, one JSON object a line, read as a stream."""

import codecs
import itertools
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from fairtrial.errors import RecordingError
from fairtrial.records import MAX_DEPTH, Json, Trajectory, too_deep
from fairtrial.store.lines import Damaged, opened, read_lines
from fairtrial.store.reasons import decode_reason, utf8_reason

FORMAT = 1
"""The newest trajectory format that is read."""

_LARGEST = 2**53 - 1  # what every JSON reader holds exactly
_BOM = codecs.BOM_UTF8
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*"', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class Recording(Struct, frozen=True):
    """One recorded trajectory and the line it stands on."""

    line: int
    """1 and up."""
    raw: bytes
    """The line as it was, without its newline: JSON in UTF-8."""
    trajectory: Trajectory


class Unreadable(Struct, frozen=True):
    """A line that is no trajectory."""

    line: int
    """1 and up."""
    reason: str


def read_recordings(path: Path | str) -> Iterator[Recording | Unreadable]:
    r"""Stream a recordings file: JSON lines in UTF-8, gzipped or not.

    Memory is that of the longest line. Blank lines and byte order marks are passed over. Escaped
    lone surrogates are read as U+FFFD.

    Yields:
        A Recording for each trajectory, and an Unreadable for each line that is none.

    Raises:
        RecordingError: The file cannot be opened, is one JSON document instead of a line each, or
            is the `trials.jsonl` of a run.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "r.jsonl")
    ...     _ = file.write_text('{"case": "c1", "answer": "Done."}\n{"case": 5}\n')
    ...     for item in read_recordings(file):
    ...         print(item.trajectory.answer if isinstance(item, Recording) else item)
    Done.
    Unreadable(line=2, reason='case: wanted text, got a whole number')
    """
    path = Path(path)
    with ExitStack() as stack:
        lines = read_lines(_open(path, stack))
        first = next(lines, b"")
        number = 1
        while isinstance(first, bytes) and first and not first.lstrip(_BOM).strip():
            first, number = next(lines, b""), number + 1
        if first == b"":
            return
        second = next(lines, b"")
        _refuse_document(path, first, second)
        rest = itertools.chain([first, second] if second else [first], lines)
        yield from _read(path, rest, number)


def _open(path: Path, stack: ExitStack) -> BinaryIO:
    try:
        return stack.enter_context(opened(path))
    except FileNotFoundError:
        raise RecordingError(f"{path}: no such file; name a file of recordings (.jsonl)") from None
    except IsADirectoryError:
        raise RecordingError(
            f"{path}: a folder; name the file in it, or `fairtrial grade RUN` for a run's folder"
        ) from None
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror or error}") from error


def _refuse_document(path: Path, first: bytes | Damaged, second: bytes | Damaged) -> None:
    # The first line shows it; otherwise each of its lines would be an Unreadable.
    if isinstance(first, Damaged):
        return
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise RecordingError(f"{path}: UTF-16 text; write the file as UTF-8")
    if path.suffix.lower() in {".yaml", ".yml"}:
        raise RecordingError(
            f"{path}: a YAML file; case files stand before --recordings, and recordings are JSON "
            "lines"
        )
    start = first.lstrip(_BOM).strip()
    following = second.strip() if isinstance(second, bytes) else b""
    if start.startswith(b"["):
        raise RecordingError(
            f"{path}: one JSON list; recordings hold one object a line: "
            f"`jq -c '.[]' {path}` makes them"
        )
    opened = start == b"{" or start.endswith(b"[")
    if following and (opened or (start.endswith((b",", b"{")) and following[:1] != b"{")):
        raise RecordingError(
            f"{path}: one JSON document over several lines; recordings hold one object a line: "
            f"`jq -c . {path}` makes them"
        )


def _read(
    path: Path, lines: Iterator[bytes | Damaged], first: int
) -> Iterator[Recording | Unreadable]:
    decode = msgspec.json.Decoder(Trajectory).decode
    for number, line in enumerate(lines, first):
        if isinstance(line, Damaged):
            yield Unreadable(number, line.reason)
            continue
        raw = line.strip()
        try:
            trajectory = decode(raw)
        except (msgspec.DecodeError, RecursionError):
            item = _second_try(number, line)
            if item is None:
                continue
            if isinstance(item, Unreadable):
                yield item
                continue
            raw, trajectory = item.raw, item.trajectory
        if reason := _misfit(raw, trajectory):
            yield Unreadable(number, reason)
        else:
            if trajectory.steps is None and trajectory.answer is None and trajectory.state is None:
                _refuse_trial(path, number, raw)
            yield Recording(number, raw, trajectory)


def _second_try(number: int, line: bytes) -> Recording | Unreadable | None:
    """Read a line that msgspec refused: blank, with a byte order mark, or with lone surrogates."""
    raw = line.strip().removeprefix(_BOM).strip()
    if not raw:
        return None
    if _SURROGATE.search(raw):
        raw = _ESCAPE.sub(lambda m: rb"\ufffd" if m[1] else m[0], raw)
    try:
        return Recording(number, raw, msgspec.json.decode(raw, type=Trajectory))
    except (msgspec.DecodeError, RecursionError) as error:  # never kept: a cycle for every line
        reason = decode_reason(error, raw)
        truncated = "truncated" in str(error)
    if truncated and not line.endswith(b"\n"):
        reason = "cut off: the file ends inside this line"
    if reason == "`case` is missing":
        reason += "; a recording names its case (for other formats: `fairtrial import`)"
    return Unreadable(number, reason)


def _misfit(raw: bytes, trajectory: Trajectory) -> str | None:
    """Say what is wrong with a line that has the shape of a trajectory; None when nothing is."""
    if not trajectory.case:
        return "case: empty; a recording names its case"
    if trajectory.trial is not None and not 0 <= trajectory.trial <= _LARGEST:
        return f"trial: wanted 0 to {_LARGEST}, got {trajectory.trial}"
    if trajectory.format != FORMAT:
        return f"format: {trajectory.format} is not known to this version, which reads {FORMAT}"
    if not raw.isascii() and not _is_utf8(raw):
        return utf8_reason(raw)  # in a field that nobody reads, where msgspec does not look
    # No more levels than opening brackets, and most lines are done. To leave them out is the
    # quickest way to count them: it goes from one to the next.
    opening = len(raw) - len(raw.replace(b"{", b"").replace(b"[", b""))
    return _too_deep(raw, trajectory) if opening > MAX_DEPTH else None


def _is_utf8(raw: bytes, piece: int = 2**20) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(raw), piece):
            decoder.decode(raw[start : start + piece], final=start + piece >= len(raw))
    except UnicodeDecodeError:
        return False
    return True


def _too_deep(raw: bytes, trajectory: Trajectory) -> str | None:
    brackets = raw.translate(None, _NOT_BRACKETS)
    # One or two levels are taken off at a time, which is soon done.
    for levels in range(0, MAX_DEPTH, 2):
        if len(brackets) // 2 + levels <= MAX_DEPTH:
            return None
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    brackets = _STRING.sub(b"", raw).translate(None, _NOT_BRACKETS)
    steps = (1 if byte in b"[{" else -1 for byte in brackets)
    if max(itertools.accumulate(steps), default=0) <= MAX_DEPTH:
        return None
    for path, value in _values(trajectory):
        if too_deep(value):
            return f"{path}: nested deeper than {MAX_DEPTH}"
    return None


def _values(trajectory: Trajectory) -> Iterator[tuple[str, Json]]:
    yield from (("state", trajectory.state), ("initial_state", trajectory.initial_state))
    yield "extra", trajectory.extra
    for index, step in enumerate(trajectory.steps or ()):
        for position, call in enumerate(step.calls):
            yield f"steps[{index}].calls[{position}].arguments", call.arguments
            yield f"steps[{index}].calls[{position}].result", call.result
    for index, span in enumerate(trajectory.spans or ()):
        yield f"spans[{index}].attributes", span.attributes


def _refuse_trial(path: Path, number: int, raw: bytes) -> None:
    # Read as recordings, every trial of a run's own file would look empty.
    if b'"trajectory":' in raw and b'"verdict":' in raw:
        raise RecordingError(
            f"{path}:{number}: a graded trial, not a recording; grade the run itself: "
            f"`fairtrial grade {path.parent}`"
        )
