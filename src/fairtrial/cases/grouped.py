"""Lists of YAML that look like one number: `[1,234]` holds 1 and 234."""

from collections.abc import Callable, Iterator

from fairtrial.cases.located import Path, Position
from fairtrial.records import Json

_GROUP = 3  # digits between two commas of a number


def grouped_figures(
    value: Json, path: Path, position: Callable[[Path], Position]
) -> Iterator[tuple[Path, str]]:
    """Give the places of numbers that are written like the first digits of one with commas.

    Args:
        value: Where to look, at every depth.
        path: Where the value stands, to begin the paths with.
        position: Says where the number at a path stands.

    Returns:
        Each place, and the digits and commas as they look together.

    >>> here = {(0,): Position(1, 2), (1,): Position(1, 4), (2,): Position(1, 9)}
    >>> list(grouped_figures([1, 234, 500], (), here.__getitem__))
    [((0,), '1,234')]
    """
    todo: list[tuple[Path, Json]] = [(path, value)]
    while todo:
        at, value = todo.pop()
        if isinstance(value, dict):
            todo += [((*at, key), item) for key, item in value.items()]
        elif isinstance(value, list):
            todo += [((*at, index), item) for index, item in enumerate(value)]
            yield from _figures(value, at, position)


def _figures(
    items: list[Json], path: Path, position: Callable[[Path], Position]
) -> Iterator[tuple[Path, str]]:
    first = 0
    while first < len(items):
        text = str(items[first]) if _is_whole(items[first]) else ""
        last = first
        if 0 < len(text.lstrip("-")) <= _GROUP:
            place = position((*path, first))
            while last + 1 < len(items) and _goes_on(items[last : last + 2]):
                after = Position(place.line, place.column + len(text) + 1)  # a comma between
                if position((*path, last + 1)) != after:
                    break
                last += 1
                text += f",{items[last]}"
        if last > first:
            yield (*path, first), text
        first = last + 1


def _goes_on(pair: list[Json]) -> bool:
    """Say whether the second of two numbers can be the next three digits of the first."""
    before, digits = pair
    is_number = isinstance(digits, int | float) and not isinstance(digits, bool)
    return _is_whole(before) and is_number and 100 <= digits < 1000


def _is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
