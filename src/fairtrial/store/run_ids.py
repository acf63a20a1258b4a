"""What a run is called: a name that sorts by time."""

from datetime import UTC, datetime


def new_run_id(now: datetime, token: str) -> str:
    """Name a run: its start in UTC to the millisecond, then a token that tells apart.

    Args:
        now: The start, with its time zone.
        token: Random letters and digits, such as `secrets.token_hex(3)`.

    Raises:
        ValueError: `now` has no time zone.

    >>> new_run_id(datetime(2026, 11, 30, 14, 19, 5, 123456, tzinfo=UTC), "a1b2c3")
    '20261130-141905-123-a1b2c3'
    """
    if now.tzinfo is None:
        raise ValueError(f"wanted a time with its zone, got {now!r}")
    utc = now.astimezone(UTC)
    return f"{utc:%Y%m%d-%H%M%S}-{utc.microsecond // 1000:03d}-{token}"
