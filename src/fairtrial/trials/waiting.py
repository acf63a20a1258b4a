"""How long to wait before an attempt: each retry by itself, and all while the provider says so."""

import math
from collections.abc import Callable

LONGEST_WAIT = 600.0  # seconds; a provider that asks for more has shut the door for this run
_LONGEST_BACKOFF = 60.0
_SPREAD = 0.1  # of what the provider asked for, so that not all come back in the same moment


class Backoff:
    """When attempts may start, by the real clock.

    >>> backoff = Backoff(first=1.0, draw=lambda: 1.0, now=lambda: 0.0)
    >>> [backoff.seconds(retry, None) for retry in range(4)]
    [1.0, 2.0, 4.0, 8.0]
    >>> backoff.seconds(0, asked=20.0), backoff.closed_for(), backoff.seconds(0, asked=7200.0)
    (22.0, 20.0, None)
    """

    def __init__(
        self, *, first: float, draw: Callable[[], float], now: Callable[[], float]
    ) -> None:
        """Begin with the door open.

        Args:
            first: Seconds before the first retry.
            draw: Gives numbers from 0 to 1 that spread the waits.
            now: The real clock, in seconds.
        """
        self._first = first
        self._draw = draw
        self._now = now
        self._opens = -math.inf

    def seconds(self, retries: int, asked: float | None) -> float | None:
        """Give how long a failed trial waits; None where the provider asks for too long a wait.

        While a provider asked to wait nobody may start: see `closed_for`.

        Args:
            retries: How often the trial was tried again before.
            asked: Seconds that the provider asked for; None and 0 leave it to us.
        """
        if asked is None or not asked > 0:
            own = min(self._first * 2.0 ** min(retries, 30), _LONGEST_BACKOFF)
            return own * (0.5 + 0.5 * self._draw())
        if asked > LONGEST_WAIT:
            return None
        self._opens = max(self._opens, self._now() + asked)
        return asked * (1.0 + _SPREAD * self._draw())

    def closed_for(self) -> float:
        """Give the seconds for which no attempt may start; 0 when it may."""
        return max(0.0, self._opens - self._now())
