"""Checks that would always be true, or never."""

from typing import Final

from fairtrial.match import MISSING, Matcher, MatcherError, MatchTimeoutError, impossible
from fairtrial.records import Json

ALWAYS: Final = "asks for nothing, so the check would always be true"

NO_VALUE: Final = "no value can meet this, so"
NEVER: Final = f"{NO_VALUE} the check could never be true"

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


def refuse_impossible(pattern: Json, told: str) -> None:
    """Refuse a call pattern, which compiles, that no call can meet.

    Args:
        pattern: The pattern as written.
        told: What is wrong with that.

    Raises:
        MatcherError: No arguments or no result can be as the pattern says.

    >>> refuse_impossible({"name": "pay", "args": {"fee": {"min": 5, "max": 3}}}, NEVER)
    Traceback (most recent call last):
    fairtrial.match.matcher.MatcherError: args.fee: no value can meet this, so the check could \
never be true
    """
    for field in ("args", "result"):
        if isinstance(pattern, dict) and field in pattern:
            found = impossible(pattern[field], names=field == "args")
            if found is not None:
                raise MatcherError(told, (field, *found))
