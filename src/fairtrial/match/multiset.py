"""Matchers on elements in any order: exactly these, these among others, the rows of a table."""

from collections.abc import Iterator, Sequence
from typing import Final

from fairtrial.match.container import elements, places
from fairtrial.match.logic import listed
from fairtrial.match.matcher import Composed, Matcher
from fairtrial.match.mismatch import BRIEF, Mismatch, brief
from fairtrial.match.pairing import maximum_pairing
from fairtrial.records import Json
from fairtrial.text import cut

_MOST_COMPARED: Final = 2_500
"""Pairs of leftovers that are compared to find which were meant for each other."""


def includes(parts: Sequence[Matcher], *, rows: bool) -> Matcher:
    """Match a list in which a different element meets each part; others are allowed.

    With `rows` the values of a mapping are elements too.
    """

    def matches(value: Json) -> bool:
        items = elements(value, rows=rows)
        if items is None or len(items) < len(parts):
            return False
        return None not in _pairs(parts, items)

    def explain(value: Json, path: str) -> Iterator[Mismatch]:
        items = elements(value, rows=rows)
        if items is None:
            yield Mismatch(path, describe(), brief(value))
            return
        for part, pair in zip(parts, _pairs(parts, items), strict=True):
            if pair is None:
                wanted = cut(f"an element that is {part.describe()}", BRIEF)
                yield Mismatch(path, wanted, brief(value))

    def describe() -> str:
        return cut(f"a list with [{listed(parts, ', ')}]", BRIEF)

    return Composed(matches, describe, explain=explain)


def unordered(parts: Sequence[Matcher], *, rows: bool, noun: str = "element") -> Matcher:
    """Match a list of exactly these elements in any order.

    Args:
        parts: One matcher for each element.
        rows: The values of a mapping are elements too.
        noun: What an element is called.
    """

    def matches(value: Json) -> bool:
        items = elements(value, rows=rows)
        if items is None or len(items) != len(parts):
            return False
        return None not in _pairs(parts, items)

    def explain(value: Json, path: str) -> Iterator[Mismatch]:
        items = elements(value, rows=rows)
        if items is None:
            yield Mismatch(path, describe(), brief(value))
            return
        yield from _told_apart(parts, list(places(value, path)), path, noun)

    def describe() -> str:
        return cut(f"in any order [{listed(parts, ', ')}]", BRIEF) if parts else f"no {noun}s"

    return Composed(matches, describe, explain=explain)


def _told_apart(
    parts: Sequence[Matcher], found: Sequence[tuple[str, Json]], path: str, noun: str
) -> Iterator[Mismatch]:
    """Explain elements, each with its path, that are not the wanted ones."""
    items = [item for _, item in found]
    pairs = _pairs(parts, items)
    missing = [left for left, right in enumerate(pairs) if right is None]
    unmet = sorted(set(range(len(items))).difference(pairs))
    meant = _meant_for_each_other(parts, items, missing, unmet)
    for left, right in meant.items():
        yield from parts[left].explain(items[right], found[right][0])
    for left in missing:
        if left not in meant:
            article = "an" if noun == "element" else "a"
            wanted = cut(f"{article} {noun} {parts[left].describe()}", BRIEF)
            yield Mismatch(path, wanted, f"no such {noun}")
    paired = set(meant.values())
    for right in unmet:
        if right not in paired:
            yield Mismatch(found[right][0], f"no other {noun}", brief(items[right]))


def _pairs(parts: Sequence[Matcher], items: Sequence[Json]) -> list[int | None]:
    return maximum_pairing(
        len(parts), len(items), lambda left, right: parts[left].matches(items[right])
    )


def _meant_for_each_other(
    parts: Sequence[Matcher], items: Sequence[Json], missing: Sequence[int], unmet: Sequence[int]
) -> dict[int, int]:
    """Pair leftovers, the nearest first: with these the difference is easiest to see."""
    if len(missing) * len(unmet) > _MOST_COMPARED:
        return dict(zip(missing, unmet, strict=False))
    ranked = sorted(
        (parts[left].distance(items[right]), left, right) for left in missing for right in unmet
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, left, right in ranked:
        if left not in pairs and right not in taken:
            pairs[left] = right
            taken.add(right)
    return dict(sorted(pairs.items(), key=lambda pair: pair[1]))
