"""Batches of a judge's requests, whoever the provider is: half the price, within a day."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from msgspec import Struct

from fairtrial.judge.asking import Missing
from fairtrial.judge.sdk_model import SdkModel
from fairtrial.records import Json

BATCH_SHARE: Final = 0.5
"""What a batch costs, of the price of the same requests asked one by one."""

CLOCK_SKEW: Final = timedelta(minutes=10)
"""How far the clocks of this machine and of a provider may be apart."""


_AROUND: Final = 200  # bytes of a request's name and of what stands around it


class BatchState(Struct, frozen=True, kw_only=True):
    """How far a batch is."""

    word: str
    """The provider's: `in_progress`, `completed`, `expired` and so on."""
    running: bool
    done: int = 0
    failed: int = 0
    total: int = 0
    why: str | None = None
    """What the provider says of a batch that failed as a whole."""


class BatchOutcome(Struct, frozen=True, kw_only=True):
    """What became of one request."""

    name: str
    body: Json = None
    """The reply as the provider sends it; None: there is none, and `why` says why."""
    why: str | None = None


class BatchFound(NamedTuple):
    """A batch that may be the one looked for."""

    id: str
    ours: bool | None
    """None: that shows only when it has ended."""


class Batches(Protocol):
    """A provider's batch API, for one model. Every method raises JudgeError where it fails."""

    provider: str
    most_requests: int
    most_bytes: int
    model: SdkModel[Any]

    def submit(self, key: str, requests: Sequence[tuple[str, Json]]) -> str:
        """Send requests, each a name and a body, once; give the provider's id of the batch."""
        ...

    def candidates(self, key: str, total: int, since: datetime) -> list[BatchFound]:
        """Look for a batch that was sent, or not, at about some time."""
        ...

    def state(self, batch: str) -> BatchState:
        """Say how far a batch is."""
        ...

    def outcomes(self, batch: str) -> Iterator[BatchOutcome]:
        """Give what became of the requests of a batch that has ended, in any order."""
        ...


def request_name(key: str, number: int) -> str:
    """Name a request, so that it tells its batch and its place there.

    >>> request_name("0f" * 16, 3)
    '0f0f0f0f0f0f0f0f-3'
    """
    return f"{key[:16]}-{number}"


def request_number(key: str, name: str) -> int | None:
    """Give the place of a request; None: it is of another batch.

    >>> request_number("0f" * 16, "0f0f0f0f0f0f0f0f-3"), request_number("0f" * 16, "x-3")
    (3, None)
    """
    prefix, _, number = name.rpartition("-")
    if prefix != key[:16] or not (number.isascii() and number.isdecimal()) or len(number) > 9:
        return None
    return int(number)


class BatchPart:
    """Requests that go into one batch, as many as the provider takes."""

    def __init__(self, batches: Batches) -> None:
        """Begin with none."""
        self.missing: list[Missing] = []
        self.bodies: list[Json] = []
        self._batches = batches
        self._size = 0

    def add(self, missing: Missing, body: Json) -> bool:
        """Add a request; False: it goes into another batch, this one is full."""
        size = len(msgspec.json.encode(body)) + _AROUND
        full = len(self.bodies) >= self._batches.most_requests
        if self.bodies and (full or self._size + size > self._batches.most_bytes):
            return False
        self.missing.append(missing)
        self.bodies.append(body)
        self._size += size
        return True
