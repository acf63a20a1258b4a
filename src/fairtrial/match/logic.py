"""Matchers made of other matchers on the same value: all of them, any of them, not that one."""

from collections.abc import Iterator, Sequence
from typing import Final

from fairtrial.match.equality import MISSING
from fairtrial.match.matcher import Composed, Matcher
from fairtrial.match.mismatch import BRIEF, Mismatch
from fairtrial.records import Json
from fairtrial.text import cut

_SHOWN: Final = 8  # parts of a description that are told


def all_of(parts: Sequence[Matcher]) -> Matcher:
    """Match what every part matches: a condition of several operators."""

    def matches(value: Json) -> bool:
        return all(part.matches(value) for part in parts)

    def explain(value: Json, path: str) -> Iterator[Mismatch]:
        for part in parts:
            yield from part.explain(value, path)

    return Composed(matches, lambda: listed(parts, " and "), explain=explain)


def one_of(parts: Sequence[Matcher]) -> Matcher:
    """Match what at least one of the alternatives matches."""

    def matches(value: Json) -> bool:
        return any(part.matches(value) for part in parts)

    def describe() -> str:
        words = listed(parts, ", ")
        return f"one of {words}" if len(parts) > 1 else words

    return Composed(matches, describe)


def negation(inner: Matcher) -> Matcher:
    """Match a value, there at all, that the inner matcher does not match."""

    def matches(value: Json) -> bool:
        return value is not MISSING and not inner.matches(value)

    return Composed(matches, lambda: cut(f"not {inner.describe()}", BRIEF))


def listed(parts: Sequence[Matcher], between: str) -> str:
    """Describe several matchers on one line."""
    words = [part.describe() for part in parts[:_SHOWN]]
    more = f"{between}…" if len(parts) > _SHOWN else ""
    return cut(between.join(words) + more, BRIEF)
