"""A run folder read once from start to end, for a page: cases, trials line by line, states."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import UNSET

from fairtrial.errors import StoreError
from fairtrial.records import Check, ShownCase, ShownTrial, Trial
from fairtrial.store.layout import (
    CASES,
    STATES,
    TRAJECTORY_KEY,
    TRIALS,
    CaseLine,
    read_whole_lines,
)
from fairtrial.store.reasons import decode_reason

_TRIAL = msgspec.json.Decoder(Trial)
_CHECKS = msgspec.json.Decoder(tuple[Check, ...])
_BEFORE, _BEHIND = b',"checks":', b',"known_tokens":'
"""What stands around the checks of a trial: no text in JSON can hold it."""
_KEPT = 256  # lists of checks
_CASE = msgspec.json.Decoder(CaseLine)


def shown_cases(folder: Path) -> Iterator[ShownCase]:
    """Give the cases of a run folder in suite order.

    Raises:
        StoreError: They cannot be read.

    >>> list(shown_cases(Path("no-such-run")))
    []
    """
    for number, line in read_whole_lines(folder / CASES):
        try:
            case = _CASE.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            reason = decode_reason(error, line)
            raise StoreError(f"{folder / CASES}:{number}: {reason}") from error
        yield ShownCase(
            id=case.id,
            hash=case.hash,
            tags=case.tags,
            protected=case.protected,
            informs=case.informs,
            planned=case.planned,
            source=case.source,
            asks=None if case.asks is UNSET else case.asks,
            about=None if case.about is UNSET else case.about,
        )


def shown_trials(folder: Path) -> Iterator[ShownTrial]:
    """Give the trials of a run folder in the order they ended, with their lines undecoded.

    Of two with one number the later stands.

    Raises:
        StoreError: They cannot be read.

    >>> list(shown_trials(Path("no-such-run")))
    Traceback (most recent call last):
    fairtrial.errors.StoreError: no-such-run: trials.jsonl is missing
    """
    path = folder / TRIALS
    if not path.is_file():
        raise StoreError(f"{folder}: {TRIALS} is missing, so what the run measured is gone")
    known: dict[bytes, tuple[Check, ...]] = {}
    for number, line in read_whole_lines(path):
        end = line.find(TRAJECTORY_KEY)
        try:
            trial = _decoded(line if end < 0 else line[:end] + b"}", known)
        except (msgspec.DecodeError, RecursionError) as error:
            raise StoreError(f"{path}:{number}: {decode_reason(error, line)}") from error
        if trial.trajectory is not UNSET:  # what another hand has written
            trial = msgspec.structs.replace(trial, trajectory=UNSET)
        yield ShownTrial(trial=trial, number=number, line=line)


def _decoded(head: bytes, known: dict[bytes, tuple[Check, ...]]) -> Trial:
    """Give a trial; the checks of thousands come out in a few ways, and those are read once."""
    start = head.find(_BEFORE)
    end = head.find(_BEHIND, start)
    if start < 0 or end < 0:  # what another hand has written
        return _TRIAL.decode(head)
    written = head[start + len(_BEFORE) : end]
    checks = known.get(written)
    if checks is None:
        try:
            checks = _CHECKS.decode(written)
        except (msgspec.DecodeError, RecursionError):
            return _TRIAL.decode(head)  # which says what is wrong
        if len(known) >= _KEPT:
            known.clear()
        known[written] = checks
    trial = _TRIAL.decode(head[:start] + _BEFORE + b"[]" + head[end:])
    return msgspec.structs.replace(trial, checks=checks)


def shown_states(folder: Path, most: int) -> Iterator[tuple[str, bytes]]:
    """Give the initial states of a run folder: the SHA-256 that names each, and its JSON.

    Args:
        folder: The run's.
        most: Bytes of one; a larger one is left out, as is one that cannot be read.

    >>> list(shown_states(Path("no-such-run"), most=1000))
    []
    """
    for file in sorted((folder / STATES).glob("*.json")):
        try:
            if file.stat().st_size <= most:
                yield file.stem, file.read_bytes()
        except OSError:
            continue
