"""A clock that stands still until it is told to go on: the only time that a world knows."""

import datetime
from typing import Final

STARTS_AT: Final = "2026-01-05T09:00:00Z"
"""Where the clock of a world stands that does not say otherwise: a Monday morning."""


def instant(text: object) -> datetime.datetime:
    """Read an instant as ISO 8601 writes it; without an offset it is UTC.

    Raises:
        ValueError: The text is none; the error's text says so.

    >>> instant("2026-01-05T10:00:00+01:00")
    datetime.datetime(2026, 1, 5, 9, 0, tzinfo=datetime.timezone.utc)
    """
    try:
        # A class says it, so it may be anything: what is no text is refused here too.
        read = datetime.datetime.fromisoformat(text)  # type: ignore[arg-type]
        if read.tzinfo is None:
            return read.replace(tzinfo=datetime.UTC)
        return read.astimezone(datetime.UTC)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"wanted an instant such as {STARTS_AT!r}, got {text!r}") from error


class Clock:
    """The time in a world. It depends on nothing but its start and what `advance` was told.

    >>> clock = Clock(instant(STARTS_AT))
    >>> clock.advance(90)
    >>> clock.now().isoformat(), clock.today().isoformat(), clock.time()
    ('2026-01-05T09:01:30+00:00', '2026-01-05', 1767603690.0)
    """

    __slots__ = ("_now",)

    def __init__(self, start: datetime.datetime) -> None:
        self._now = start

    def now(self) -> datetime.datetime:
        """Give the instant, in UTC."""
        return self._now

    def today(self) -> datetime.date:
        """Give the date, in UTC."""
        return self._now.date()

    def time(self) -> float:
        """Give the seconds since 1970."""
        return self._now.timestamp()

    def advance(self, seconds: float) -> None:
        """Let time pass.

        Raises:
            ValueError: Time cannot go back, or not that far.
        """
        if not seconds >= 0:  # NaN neither
            raise ValueError(f"a clock goes on by 0 seconds or more, got {seconds!r}")
        try:
            self._now += datetime.timedelta(seconds=seconds)
        except OverflowError as error:
            raise ValueError(f"a clock cannot go on by {seconds!r} seconds") from error
