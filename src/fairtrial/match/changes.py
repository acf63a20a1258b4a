"""A readable account of what became different between two values."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from fairtrial.match.equality import MISSING, equal, fingerprint
from fairtrial.match.mismatch import brief, contrast, key_path
from fairtrial.records import MAX_DEPTH, Json

_LINES: Final = 20
_MOST_COUNTED: Final = 10_000  # differences, after which "and more" does not say how many
_MOST_COMPARED: Final = 2_500  # pairs of rows that are compared to find one that was changed


def difference(before: Json, after: Json, path: str = "") -> list[str]:
    """Say what was added, removed and changed: a line each, at most 20, then how many more.

    A list of mappings holds rows, whose order means nothing; any other list is compared in order.

    Args:
        before: What there was; MISSING for nothing.
        after: What there is; MISSING for nothing.
        path: Where the values stand, to begin the paths with.

    Returns:
        Nothing exactly when no difference was found.

    >>> was = {"guests": [{"id": 1, "tier": "gold"}, {"id": 2, "tier": "gold"}]}
    >>> now = {"guests": [{"id": 2, "tier": "basic"}, {"id": 1, "tier": "gold"}], "log": [1]}
    >>> difference(was, now)
    ['guests[0].tier: changed from "gold" to "basic"', 'log: added [1]']
    """
    lines = _differences(before, after, path, 0)
    shown = list(islice(lines, _LINES))
    more = sum(1 for _ in islice(lines, _MOST_COUNTED))
    if more:
        shown.append(f"... and {more}{' or' if more == _MOST_COUNTED else ''} more")
    return shown


def _differences(before: Json, after: Json, path: str, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        if not equal(before, after):
            yield f"{_where(path)}changed, too deep inside to show"
    elif isinstance(before, dict) and isinstance(after, dict):
        for key in before | after:
            yield from _differences(
                before.get(key, MISSING), after.get(key, MISSING), key_path(path, key), depth + 1
            )
    elif isinstance(before, list) and isinstance(after, list):
        if _are_rows(before) and _are_rows(after):
            yield from _rows(before, after, path, depth)
        else:
            yield from _in_order(before, after, path, depth)
    elif not equal(before, after):
        yield _where(path) + _leaf(before, after)


def _where(path: str) -> str:
    return f"{path}: " if path else ""


def _leaf(before: Json, after: Json) -> str:
    if before is MISSING:
        return f"added {brief(after)}"
    if after is MISSING:
        return f"removed {brief(before)}"
    told = contrast("", before, after)
    return f"changed from {told.wanted} to {told.got}"


def _are_rows(items: Sequence[Json]) -> bool:
    return all(isinstance(item, dict) for item in items)


def _in_order(
    before: Sequence[Json], after: Sequence[Json], path: str, depth: int
) -> Iterator[str]:
    for index in range(max(len(before), len(after))):
        was = before[index] if index < len(before) else MISSING
        now = after[index] if index < len(after) else MISSING
        yield from _differences(was, now, f"{path}[{index}]", depth + 1)


def _rows(
    before: Sequence[dict[str, Json]], after: Sequence[dict[str, Json]], path: str, depth: int
) -> Iterator[str]:
    gone, come = _leftovers(before, after)
    changed = _changed_rows([before[i] for i in gone], [after[i] for i in come])
    for left, right in changed:
        was, now = before[gone[left]], after[come[right]]
        yield from _differences(was, now, f"{path}[{come[right]}]", depth + 1)
    lefts, rights = {left for left, _ in changed}, {right for _, right in changed}
    for position, index in enumerate(gone):
        if position not in lefts:
            yield f"{path}[{index}]: removed {brief(before[index])}"
    for position, index in enumerate(come):
        if position not in rights:
            yield f"{path}[{index}]: added {brief(after[index])}"


def _leftovers(
    before: Sequence[dict[str, Json]], after: Sequence[dict[str, Json]]
) -> tuple[list[int], list[int]]:
    """Give the indexes of the rows of each side that the other side has no equal row for."""
    places = defaultdict(list)
    for index, row in enumerate(before):
        places[fingerprint(_rows_sorted(row, 0))].append(index)
    come = []
    used: Counter[str] = Counter()
    for index, row in enumerate(after):
        key = fingerprint(_rows_sorted(row, 0))
        if used[key] < len(places.get(key, ())):
            used[key] += 1
        else:
            come.append(index)
    gone = sorted(index for key, indexes in places.items() for index in indexes[used[key] :])
    return gone, come


def _rows_sorted(value: Json, depth: int) -> Json:
    """Give the value with the rows inside it in an order that does not depend on theirs."""
    if depth > MAX_DEPTH:
        return value
    if isinstance(value, dict):
        return {key: _rows_sorted(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        items = [_rows_sorted(item, depth + 1) for item in value]
        return sorted(items, key=fingerprint) if _are_rows(items) else items
    return value


def _changed_rows(
    gone: Sequence[dict[str, Json]], come: Sequence[dict[str, Json]]
) -> list[tuple[int, int]]:
    """Pair rows that have at least half of their values in common, the most alike first."""
    if len(gone) * len(come) > _MOST_COMPARED:
        return []
    ranked = []
    for left, was in enumerate(gone):
        for right, now in enumerate(come):
            common = sum(key in now and equal(item, now[key]) for key, item in was.items())
            if 2 * common >= max(len(was), len(now)) and common:
                ranked.append((-common, left, right))
    ranked.sort()
    lefts: set[int] = set()
    rights: set[int] = set()
    pairs = []
    for _, left, right in ranked:
        if left not in lefts and right not in rights:
            lefts.add(left)
            rights.add(right)
            pairs.append((left, right))
    return sorted(pairs, key=lambda pair: pair[1])
