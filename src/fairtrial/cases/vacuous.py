"""Checks that would always be true."""

from typing import Final

from fairtrial.match import MISSING, Matcher, MatchTimeoutError
from fairtrial.records import Json

ALWAYS: Final = "asks for nothing, so the check would always be true"

# A matcher that meets all of these meets everything.
VALUES: Final[tuple[Json, ...]] = (MISSING, None, True, 0, 7.5, "", "x", [], [1], {}, {"k": 1})
TEXTS: Final = ("", "a", "Z9 ", "\n", "\u00a7\u00b6 \u2014", "0\nb")
COUNTS: Final = (0, 1, 2, 7, 1000, 10**9)


def matches_every(matcher: Matcher, probes: tuple[Json, ...]) -> bool:
    """Say whether all the probes meet the matcher; one that runs out of time does not."""
    try:
        return all(matcher.matches(probe) for probe in probes)
    except MatchTimeoutError:
        return False
