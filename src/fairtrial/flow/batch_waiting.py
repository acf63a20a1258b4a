"""A batch that was sent: found again where its id is not known, and waited for."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from fairtrial.judge import Batches, BatchState
from fairtrial.records import BatchedUse, JudgeBatch

_LOOKS = 3  # at a provider's list, which may be a little behind
_FRESH = timedelta(minutes=10)
_FIRST_PAUSE = 2.0  # seconds; each pause is longer than the one before


class BatchMeans(NamedTuple):
    """What comes from outside."""

    say: Callable[[str], None]
    """Tells people how far it is."""
    show: Callable[[BatchedUse], None]
    """Shows what is missing and about what it costs, before anything is sent."""
    sleep: Callable[[float], None]
    now: Callable[[], datetime]
    """In UTC."""
    new_key: Callable[[], str]
    """Gives 32 hex digits that nobody else has."""
    every: float = 60.0
    """Seconds between two looks at a batch, at most."""


class Looked(NamedTuple):
    """What came of looking for a batch."""

    id: str | None
    """None: there is none, if that is certain."""
    certain: bool = True


def look_for(batch: JudgeBatch, api: Batches, means: BatchMeans, *, wait: bool) -> Looked:
    """Look for a batch that was about to be sent when its process ended.

    Where the provider tells a batch's owner only when it has ended, that is waited for: to send
    the requests again meanwhile might be to pay twice.

    Args:
        batch: As it is on file, without an id.
        api: Where it may be.
        means: What comes from outside.
        wait: Wait until it is certain.

    Raises:
        JudgeError: The provider cannot be asked.
    """
    pauses = _pauses(means.every)
    told = False
    looks = 0
    while True:
        looks += 1
        found = api.candidates(batch.key, len(batch.asks), batch.since)
        ours = next((one.id for one in found if one.ours), None)
        if ours is not None:
            return Looked(ours)
        unsure = [one.id for one in found if one.ours is None]
        if unsure and not told:
            means.say(
                f"{api.provider}: whether {' or '.join(unsure)} is ours shows when it has ended"
            )
            told = True
        if unsure and not wait:
            return Looked(None, certain=False)
        if not unsure and (looks >= _LOOKS or means.now() - batch.since > _FRESH):
            return Looked(None)
        means.sleep(next(pauses))


def ended(batch: str, api: Batches, means: BatchMeans, *, wait: bool) -> BatchState | None:
    """Give how a batch ended; None where it runs and is not waited for.

    Args:
        batch: The provider's id.
        api: Where it is.
        means: What comes from outside.
        wait: Wait until it has ended.

    Raises:
        JudgeError: The provider cannot be asked.
    """
    said = ""
    pauses = _pauses(means.every)
    while True:
        state = api.state(batch)
        now = f"{api.provider} {batch}: {state.word}, {state.done:,} of {state.total:,} done"
        if now != said:
            means.say(now + (f", {state.failed:,} failed" if state.failed else ""))
            said = now
        if not state.running:
            return state
        if not wait:
            return None
        means.sleep(next(pauses))


def _pauses(most: float) -> Iterator[float]:
    pause = _FIRST_PAUSE
    while True:
        yield min(pause, most)
        pause = min(pause * 1.5, most)
