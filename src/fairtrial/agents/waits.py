"""How long a provider asked to wait, read from the headers of its reply."""

import math
from collections.abc import Callable


def retry_after_in(header: Callable[[str], str | None]) -> float | None:
    """Give the seconds to wait, None where the headers do not say.

    A date is compared with the reply's own date, so no clock is needed.

    Args:
        header: Gives a header's value by its lower-case name.

    >>> retry_after_in({"retry-after": "2"}.get), retry_after_in({"retry-after-ms": "150"}.get)
    (2.0, 0.15)
    >>> retry_after_in({"retry-after": "soon"}.get) is None
    True
    """
    milliseconds = _seconds(header("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = header("retry-after")
    seconds = _seconds(asked)
    return seconds if seconds is not None else _until(asked, header("date"))


def _seconds(text: str | None) -> float | None:
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(asked: str | None, now: str | None) -> float | None:
    if not asked or not now:
        return None
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - few providers send dates

    try:
        wait = parsedate_to_datetime(asked) - parsedate_to_datetime(now)
    except (ValueError, TypeError, OverflowError):  # no date, or one without a time zone
        return None
    return max(0.0, wait.total_seconds())
