"""Matchers that no value meets, found by what each part leaves of all values: nothing is tried out.

What is left is never taken too small: a matcher that is called impossible is, though not every
impossible one is found.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from fairtrial.match.equality import MISSING
from fairtrial.match.language import compile_matcher, is_condition, is_row
from fairtrial.match.matcher import MatchTimeoutError, Path
from fairtrial.match.spelling import MODIFIERS
from fairtrial.match.values_left import (
    ANY_SIZE,
    PRESENT,
    SIZED,
    THERE,
    TYPES,
    Left,
    Range,
    equal_to,
    nothing,
    only,
)
from fairtrial.records import Json

_WIDER: Final = 1e-6  # relative: what a tolerance is taken larger by, since it is rounded


def impossible(
    spec: Json,
    *,
    names: bool = False,
    tables: bool = False,
    present: bool = False,
    within: tuple[float, float] | None = None,
) -> Path | None:
    """Say where a matcher, which compiles, asks for something that no value meets.

    Args:
        spec: The matcher, as written.
        names: As for `compile_matcher`.
        tables: As for `compile_matcher`.
        present: The value is there, whatever it is.
        within: The value is a number between these two, or one of them; None: it may be any.

    Returns:
        The place of the smallest part on whose account no value meets the whole; None where a
        value may.

    >>> impossible({"fee": {"min": 5, "max": 3}}), impossible({"fee": {"min": 3, "max": 5}})
    (('fee',), None)
    >>> impossible({"min": 80}, within=(0, 1))
    ()
    """
    if within is None and _is_simple(spec, names=names):
        return None
    left = _named(spec, (), tables=tables) if names else _left(spec, (), tables=tables)
    if present:
        left = left.meet(PRESENT)
    if within is not None:
        left = left.meet(Left(kinds=TYPES["number"], numbers=Range(*within)))
    return None if left.kinds else left.culprit or ()


_BOUNDS: Final = frozenset({"min", "max", "above", "below"})
_ALONE: Final = _BOUNDS | frozenset(
    {"approx", "number", "equals", "text", "phrase", "matches", "type", "present", "ignore"}
)
"""Operators that something meets, whatever the operand, where no other stands beside them."""


def _is_simple(spec: Json, *, names: bool = False) -> bool:
    """Say, at a quick look, that some value meets a matcher: most are as simple as that."""
    if isinstance(spec, dict):
        if not names:
            if len(spec) == 1 and next(iter(spec)) in _ALONE:
                return True
            if not _OPERATORS.keys().isdisjoint(spec):
                return spec.keys() <= _BOUNDS and leave_room(spec)
        elif "has" in spec or "exactly" in spec:
            return False
        return all(map(_is_simple, spec.values()))
    return not isinstance(spec, list) or all(map(_is_simple, spec))


def leave_room(bounds: dict[str, float]) -> bool:
    """Say whether any number lies well between bounds.

    >>> leave_room({"min": 3}), leave_room({"above": 3, "max": 4}), leave_room({"min": 3, "max": 3})
    (True, True, False)
    """
    low = max(bounds.get("min", -math.inf), bounds.get("above", -math.inf))
    return low < min(bounds.get("max", math.inf), bounds.get("below", math.inf))


def _left(spec: Json, path: Path, *, tables: bool) -> Left:
    if isinstance(spec, dict):
        if is_condition(spec):
            return _condition(spec, path, tables=tables)
        return _keys(spec, path, tables=tables)
    if isinstance(spec, list):
        return _list(spec, path, tables=tables)
    return equal_to(spec)


def _list(spec: list[Json], path: Path, *, tables: bool) -> Left:
    size = Range(len(spec), len(spec))
    if tables and all(map(is_row, spec)):
        rows = [_named(row, (*path, index), tables=True) for index, row in enumerate(spec)]
        return _holding(rows, size, tables=True)
    return _holding(_elements(spec, path, tables=tables), size, tables=False)


def _elements(specs: Sequence[Json], path: Path, *, tables: bool) -> list[Left]:
    return [_element(spec, (*path, index), tables=tables) for index, spec in enumerate(specs)]


def _element(spec: Json, path: Path, *, tables: bool) -> Left:
    """Give what is left for an element, which is always there."""
    return _settled(_left(spec, path, tables=tables).meet(PRESENT), path)


def _settled(left: Left, path: Path) -> Left:
    """Give the same; where nothing is left and no smaller part is at fault, it is this one."""
    return left if left.kinds or left.culprit is not None else nothing(path)


def _holding(parts: Iterable[Left], size: Range, *, tables: bool) -> Left:
    """Give what is left for a list whose elements meet these; under `tables` a mapping too."""
    for part in parts:
        if not part.kinds:
            return part
    kinds = frozenset({"array", "object"} if tables else {"array"})
    return Left(kinds=kinds, sizes=size)


def _named(spec: dict[str, Json], path: Path, *, tables: bool) -> Left:
    """Give what is left by a mapping whose keys are names, save a lone `has` or `exactly`."""
    if spec.keys() in ({"has"}, {"exactly"}):
        return _condition(spec, path, tables=tables)
    return _keys(spec, path, tables=tables)


def _keys(spec: dict[str, Json], path: Path, *, tables: bool, exact: bool = False) -> Left:
    needed = 0
    for key, item in spec.items():
        part = _left(item, (*path, key), tables=tables)
        if not part.kinds:
            return _settled(part, (*path, key))
        needed += "missing" not in part.kinds
    sizes = Range(needed, len(spec) if exact else math.inf)
    return Left(kinds=TYPES["object"], sizes=sizes)


class _Said(NamedTuple):
    """An operator, its operand and where it stands."""

    name: str
    operand: Json
    spec: dict[str, Json]
    path: Path
    """Of the operand."""
    tables: bool


def _condition(spec: dict[str, Json], path: Path, *, tables: bool) -> Left:
    left = Left()
    for name, operand in spec.items():
        if name in MODIFIERS:
            continue
        part = _OPERATORS[name](_Said(name, operand, spec, (*path, name), tables))
        if not part.kinds:
            return _settled(part, path)
        left = left.meet(part)
    if left.kinds and left.listed is not None and len(spec) > 1:
        fits = compile_matcher(spec, tables=tables).matches
        left = only(*(value for value in left.listed if _may_meet(fits, value)))
    return _settled(left, path)


def _may_meet(fits: Callable[[Json], bool], value: Json) -> bool:
    try:
        return fits(value)
    except MatchTimeoutError:
        return True


def _has(said: _Said) -> Left:
    return _keys(said.operand, said.path, tables=said.tables, exact=said.name == "exactly")


def _near(said: _Said) -> Left:
    value = float(said.operand)
    allowed = float(said.spec.get("tolerance", abs(value) * 1e-9))
    if "percent" in said.spec:
        allowed = abs(value) * float(said.spec["percent"]) / 100
    width = allowed * (1 + _WIDER) + abs(value) * _WIDER
    kinds = TYPES["number"] | (TYPES["string"] if said.name == "number" else frozenset())
    return Left(kinds=kinds, numbers=Range(value - width, value + width))


def _bound(said: _Said) -> Left:
    is_open = said.name in {"above", "below"}
    if said.name in {"min", "above"}:
        numbers = Range(low=said.operand, open_low=is_open)
    else:
        numbers = Range(high=said.operand, open_high=is_open)
    return Left(kinds=TYPES["number"], numbers=numbers)


def _one_of(said: _Said) -> Left:
    left = nothing(said.path)
    for index, item in enumerate(said.operand):
        left = left.join(_left(item, (*said.path, index), tables=said.tables))
    return left


def _not(said: _Said) -> Left:
    return Left(kinds=THERE - _covered(said.operand))


def _covered(spec: Json) -> frozenset[str]:
    """Give kinds of which a matcher meets every value."""
    if spec is None:
        return TYPES["null"]
    if spec == {}:
        return TYPES["object"]
    if not isinstance(spec, dict) or len(spec) > 1:
        return frozenset()
    ((name, operand),) = spec.items()
    if name in {"present", "ignore"}:
        return THERE
    if name == "one_of":
        return frozenset().union(*map(_covered, operand))
    return TYPES[operand] if name == "type" else frozenset()


def _contains(said: _Said) -> Left:
    some = Range(low=1)
    if isinstance(said.operand, str):
        return Left(kinds=SIZED if said.tables else SIZED - {"object"}, sizes=some)
    item = _element(said.operand, said.path, tables=said.tables)
    return _holding([item], some, tables=said.tables)


def _several(said: _Said) -> Left:
    parts = _elements(said.operand, said.path, tables=said.tables)
    most = math.inf if said.name == "includes" else len(parts)
    return _holding(parts, Range(len(parts), most), tables=said.tables)


def _each(said: _Said) -> Left:
    item = _element(said.operand, said.path, tables=said.tables)
    # An empty list meets it, whatever no element can be.
    return _holding([], ANY_SIZE if item.kinds else Range(0, 0), tables=said.tables)


def _length(said: _Said) -> Left:
    size = _left(said.operand, said.path, tables=said.tables)
    whole = size.meet(Left(kinds=TYPES["integer"], numbers=ANY_SIZE))
    if not whole.kinds:
        return _settled(whole, said.path)
    return Left(kinds=SIZED, sizes=whole.numbers)


_OPERATORS: Final[dict[str, Callable[[_Said], Left]]] = {
    "has": _has, "exactly": _has, "equals": lambda said: equal_to(said.operand),
    "approx": _near, "number": _near,
    "min": _bound, "max": _bound, "above": _bound, "below": _bound,
    "one_of": _one_of, "not": _not,
    "contains": _contains, "includes": _several, "unordered": _several, "each": _each,
    "length": _length,
    "text": lambda _: Left(kinds=TYPES["string"]),
    "phrase": lambda _: Left(kinds=TYPES["string"]),
    "matches": lambda _: Left(kinds=TYPES["string"]),
    "type": lambda said: Left(kinds=TYPES[said.operand]),
    "absent": lambda _: only(MISSING),
    "present": lambda _: PRESENT,
    "ignore": lambda _: Left(),
}  # fmt: skip
