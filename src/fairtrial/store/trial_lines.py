"""A trial as a line of JSON, without secrets; what trials share is encoded once."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET, Raw

from fairtrial.records import Check, Trial
from fairtrial.store.encoding import encode_record
from fairtrial.store.layout import TRAJECTORY_KEY
from fairtrial.store.redaction import Redactor

_ONE_LINE = bytes.maketrans(b"\r\n", b"  ")
_FIELDS = msgspec.json.Decoder(dict[str, Raw])
_NO_CHECKS = b'"checks":[]'  # only the field itself: in a text the quotes are escaped
_KEPT = 2**22  # bytes of checks that are kept as JSON


class TrialLines:
    """Makes lines of `trials.jsonl`. Memory: some megabytes of checks that trials share."""

    def __init__(self, redactor: Redactor) -> None:
        """Take what knows the secrets."""
        self._redactor = redactor
        self._checks: dict[int, _EncodedChecks] = {}
        self._kept = 0  # bytes

    def clean(self, tails: Sequence[bytes]) -> list[bool]:
        """Say of each whether it holds no secret, after one look at all of them together."""
        is_clean = self._redactor.is_clean
        if is_clean(b" ".join(tails)):
            return [True] * len(tails)
        return [is_clean(tail) for tail in tails]

    def parts(self, trial: Trial, tail: bytes, *, clean: bool) -> "LineParts":
        """Give the two parts of a line, the first without its closing brace, without secrets."""
        bare = encode_record(msgspec.structs.replace(trial, checks=(), trajectory=UNSET))[:-1]
        checks = self._checks.get(id(trial.checks)) or self._encoded(trial.checks)
        head = bare.replace(_NO_CHECKS, checks.field, 1)
        telling = checks.telling or trial.verdict != "passed" or trial.error is not None
        redactor = self._redactor
        texts = b"\\" in bare or b"'" in bare  # our keys are no secret names, those in texts may be
        clean = clean and checks.clean
        if clean and (texts or redactor.knows_values):
            clean = redactor.is_clean(bare, names=texts)
        if not clean:
            head, tail = self._redacted(head, tail)
        return LineParts(head, tail, telling)

    def _encoded(self, checks: tuple[Check, ...]) -> "_EncodedChecks":
        """Give checks as JSON: most of a trial, and shared by trials that come out alike."""
        field = b'"checks":' + encode_record(checks)
        self._kept += len(field)
        if self._kept > _KEPT:
            self._checks.clear()
            self._kept = len(field)
        telling = any(check.passed is not True for check in checks)
        clean = self._redactor.is_clean(field)
        made = self._checks[id(checks)] = _EncodedChecks(
            checks, field, clean=clean, telling=telling
        )
        return made

    def _redacted(self, head: bytes, trajectory: bytes) -> tuple[bytes, bytes]:
        """Redact the two parts together: what is a secret in one may stand in the other too."""
        if not trajectory:
            return self._redactor.line(head + b"}")[:-1], b""
        line = b"".join((head, TRAJECTORY_KEY, trajectory, b"}"))
        clean = self._redactor.line(line)
        if clean is line:
            return head, trajectory
        fields = _FIELDS.decode(clean)
        tail = bytes(fields.pop("trajectory"))
        return msgspec.json.encode(fields)[:-1], tail


class LineParts(NamedTuple):
    """The two parts of a line of `trials.jsonl`."""

    head: bytes  # without its closing brace
    tail: bytes  # the trajectory; empty without any
    telling: bool  # there is something to tell of the trial


class _EncodedChecks(NamedTuple):
    checks: tuple[Check, ...]  # held, so that no other tuple can get its identity
    field: bytes
    clean: bool
    telling: bool  # one of them is no plain yes


def tail_of(trial: Trial, trajectory: bytes | None) -> bytes:
    """Give the trajectory of a trial on one line; empty without any."""
    if not trajectory:
        trajectory = b"" if trial.trajectory is UNSET else bytes(trial.trajectory)
    if b"\n" in trajectory or b"\r" in trajectory:
        return trajectory.translate(_ONE_LINE)  # in JSON they stand only between tokens
    return trajectory
