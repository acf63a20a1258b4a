"""Matchers that no value meets, found by what each part leaves of all values: nothing is tried out.

What is left is never taken too small: a matcher that is called impossible is, though not every
impossible one is found.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from fairtrial.match.equality import MISSING, is_number
from fairtrial.match.language import compile_matcher, is_condition, is_row
from fairtrial.match.matcher import MatchTimeoutError, Path
from fairtrial.match.spelling import MODIFIERS
from fairtrial.records import Json

_TYPES: Final[dict[str, frozenset[str]]] = {
    "string": frozenset({"string"}),
    "number": frozenset({"integer", "fraction"}),
    "integer": frozenset({"integer"}),
    "boolean": frozenset({"boolean"}),
    "null": frozenset({"null"}),
    "array": frozenset({"array"}),
    "object": frozenset({"object"}),
}
"""Which kinds of values the types of the language hold; `fraction`: written with one, as 1.0 is."""
_THERE: Final = frozenset[str]().union(*_TYPES.values())
_ALL: Final = _THERE | {"missing"}
_SIZED: Final = frozenset({"string", "array", "object"})
_WIDER: Final = 1e-6  # relative: what a tolerance is taken larger by, since it is rounded


class _Range(NamedTuple):
    """Numbers between two bounds, which belong to it unless open."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False

    def meet(self, other: "_Range") -> "_Range":
        low = max(self.low, other.low)
        high = min(self.high, other.high)
        ranges = (self, other)
        return _Range(
            low,
            high,
            any(one.open_low for one in ranges if one.low == low),
            any(one.open_high for one in ranges if one.high == high),
        )

    def join(self, other: "_Range") -> "_Range":
        return _Range(min(self.low, other.low), max(self.high, other.high))

    def holds(self, value: float) -> bool:
        above = value > self.low or (value == self.low and not self.open_low)
        return above and (value < self.high or (value == self.high and not self.open_high))

    def is_empty(self) -> bool:
        return not (
            self.low < self.high or (self.low == self.high and not self.open_low | self.open_high)
        )

    def has_whole(self) -> bool:
        """Say whether a whole number lies in it."""
        if math.isinf(self.low) or math.isinf(self.high):
            return not self.is_empty()
        first = math.ceil(self.low)
        return self.holds(first) or self.holds(first + 1)


_ANY_SIZE: Final = _Range(low=0)
_NO_NUMBER: Final = _Range(low=math.inf, high=-math.inf)


class _Left(NamedTuple):
    """What a matcher leaves of all values, at most."""

    kinds: frozenset[str] = _ALL
    numbers: _Range = _Range()
    """Of integers and fractions."""
    sizes: _Range = _ANY_SIZE
    """Of strings, arrays and objects."""
    listed: tuple[Json, ...] | None = None
    """The only values that are left; None: they are not known one by one."""
    culprit: Path | None = None
    """Where the part stands on whose account nothing is left."""

    def meet(self, other: "_Left") -> "_Left":
        """Give what both leave."""
        both = _Left(
            self.kinds & other.kinds,
            self.numbers.meet(other.numbers),
            self.sizes.meet(other.sizes),
            culprit=other.culprit if self.culprit is None else self.culprit,
        )
        listed = other.listed if self.listed is None else self.listed
        if listed is not None:
            return _only(*filter(both.may_be, listed))._replace(culprit=both.culprit)
        return both._replace(kinds=frozenset(filter(both._has_some, both.kinds)))

    def may_be(self, value: Json) -> bool:
        """Say whether one value is left."""
        if _kind(value) not in self.kinds:
            return False
        if is_number(value):
            return self.numbers.holds(value)
        return not isinstance(value, str) or self.sizes.holds(len(value))

    def _has_some(self, kind: str) -> bool:
        """Say whether any value of a kind may be left."""
        if kind == "integer":
            return self.numbers.has_whole()
        if kind == "fraction":
            return not self.numbers.is_empty()
        return kind not in _SIZED or self.sizes.has_whole()

    def join(self, other: "_Left") -> "_Left":
        """Give what either leaves."""
        if not self.kinds or not other.kinds:
            return self if self.kinds else other
        known = self.listed is not None and other.listed is not None
        return _Left(
            self.kinds | other.kinds,
            self.ranged(_TYPES["number"], self.numbers).join(
                other.ranged(_TYPES["number"], other.numbers)
            ),
            self.ranged(_SIZED, self.sizes).join(other.ranged(_SIZED, other.sizes)),
            (*(self.listed or ()), *(other.listed or ())) if known else None,
        )

    def ranged(self, kinds: frozenset[str], found: _Range) -> _Range:
        """Give a range of these kinds, which holds nothing where none of them is left."""
        return found if self.kinds & kinds else _NO_NUMBER


_PRESENT: Final = _Left(kinds=_THERE)


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
        left = left.meet(_PRESENT)
    if within is not None:
        left = left.meet(_Left(kinds=_TYPES["number"], numbers=_Range(*within)))
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
                return spec.keys() <= _BOUNDS and _leave_room(spec)
        elif "has" in spec or "exactly" in spec:
            return False
        return all(map(_is_simple, spec.values()))
    return not isinstance(spec, list) or all(map(_is_simple, spec))


def _leave_room(bounds: dict[str, float]) -> bool:
    low = max(bounds.get("min", -math.inf), bounds.get("above", -math.inf))
    return low < min(bounds.get("max", math.inf), bounds.get("below", math.inf))


def _nothing(culprit: Path) -> _Left:
    return _Left(kinds=frozenset(), culprit=culprit)


def _left(spec: Json, path: Path, *, tables: bool) -> _Left:
    if isinstance(spec, dict):
        if is_condition(spec):
            return _condition(spec, path, tables=tables)
        return _keys(spec, path, tables=tables)
    if isinstance(spec, list):
        return _list(spec, path, tables=tables)
    return _equal(spec)


def _equal(value: Json) -> _Left:
    if isinstance(value, list | dict):
        return _Left(kinds=frozenset({_kind(value)}), sizes=_Range(len(value), len(value)))
    if not is_number(value):
        return _only(value)
    written = [value]
    if isinstance(value, float) and value.is_integer():
        written.append(int(value))
    elif isinstance(value, int) and abs(value) < 2**1023:
        written.append(float(value))
    return _only(*written)


def _only(*values: Json) -> _Left:
    """Give what is left where it is known one by one: null, truth values, numbers and texts."""
    numbers = [value for value in values if is_number(value)]
    sizes = [len(value) for value in values if isinstance(value, str)]
    return _Left(
        kinds=frozenset(map(_kind, values)),
        numbers=_Range(min(numbers), max(numbers)) if numbers else _NO_NUMBER,
        sizes=_Range(min(sizes), max(sizes)) if sizes else _NO_NUMBER,
        listed=values,
    )


def _kind(value: Json) -> str:
    if value is MISSING:
        return "missing"
    if value is None:
        return "null"
    names = {bool: "boolean", int: "integer", float: "fraction", str: "string", list: "array"}
    return names.get(type(value), "object")


def _list(spec: list[Json], path: Path, *, tables: bool) -> _Left:
    size = _Range(len(spec), len(spec))
    if tables and all(map(is_row, spec)):
        rows = [_named(row, (*path, index), tables=True) for index, row in enumerate(spec)]
        return _holding(rows, size, tables=True)
    return _holding(_elements(spec, path, tables=tables), size, tables=False)


def _elements(specs: Sequence[Json], path: Path, *, tables: bool) -> list[_Left]:
    return [_element(spec, (*path, index), tables=tables) for index, spec in enumerate(specs)]


def _element(spec: Json, path: Path, *, tables: bool) -> _Left:
    """Give what is left for an element, which is always there."""
    return _settled(_left(spec, path, tables=tables).meet(_PRESENT), path)


def _settled(left: _Left, path: Path) -> _Left:
    """Give the same; where nothing is left and no smaller part is at fault, it is this one."""
    return left if left.kinds or left.culprit is not None else _nothing(path)


def _holding(parts: Iterable[_Left], size: _Range, *, tables: bool) -> _Left:
    """Give what is left for a list whose elements meet these; under `tables` a mapping too."""
    for part in parts:
        if not part.kinds:
            return part
    kinds = frozenset({"array", "object"} if tables else {"array"})
    return _Left(kinds=kinds, sizes=size)


def _named(spec: dict[str, Json], path: Path, *, tables: bool) -> _Left:
    """Give what is left by a mapping whose keys are names, save a lone `has` or `exactly`."""
    if spec.keys() in ({"has"}, {"exactly"}):
        return _condition(spec, path, tables=tables)
    return _keys(spec, path, tables=tables)


def _keys(spec: dict[str, Json], path: Path, *, tables: bool, exact: bool = False) -> _Left:
    needed = 0
    for key, item in spec.items():
        part = _left(item, (*path, key), tables=tables)
        if not part.kinds:
            return _settled(part, (*path, key))
        needed += "missing" not in part.kinds
    sizes = _Range(needed, len(spec) if exact else math.inf)
    return _Left(kinds=_TYPES["object"], sizes=sizes)


class _Said(NamedTuple):
    """An operator, its operand and where it stands."""

    name: str
    operand: Json
    spec: dict[str, Json]
    path: Path
    """Of the operand."""
    tables: bool


def _condition(spec: dict[str, Json], path: Path, *, tables: bool) -> _Left:
    left = _Left()
    for name, operand in spec.items():
        if name in MODIFIERS:
            continue
        part = _OPERATORS[name](_Said(name, operand, spec, (*path, name), tables))
        if not part.kinds:
            return _settled(part, path)
        left = left.meet(part)
    if left.kinds and left.listed is not None and len(spec) > 1:
        fits = compile_matcher(spec, tables=tables).matches
        left = _only(*(value for value in left.listed if _may_meet(fits, value)))
    return _settled(left, path)


def _may_meet(fits: Callable[[Json], bool], value: Json) -> bool:
    try:
        return fits(value)
    except MatchTimeoutError:
        return True


def _has(said: _Said) -> _Left:
    return _keys(said.operand, said.path, tables=said.tables, exact=said.name == "exactly")


def _near(said: _Said) -> _Left:
    value = float(said.operand)
    allowed = float(said.spec.get("tolerance", abs(value) * 1e-9))
    if "percent" in said.spec:
        allowed = abs(value) * float(said.spec["percent"]) / 100
    width = allowed * (1 + _WIDER) + abs(value) * _WIDER
    kinds = _TYPES["number"] | (_TYPES["string"] if said.name == "number" else frozenset())
    return _Left(kinds=kinds, numbers=_Range(value - width, value + width))


def _bound(said: _Said) -> _Left:
    is_open = said.name in {"above", "below"}
    if said.name in {"min", "above"}:
        numbers = _Range(low=said.operand, open_low=is_open)
    else:
        numbers = _Range(high=said.operand, open_high=is_open)
    return _Left(kinds=_TYPES["number"], numbers=numbers)


def _one_of(said: _Said) -> _Left:
    left = _nothing(said.path)
    for index, item in enumerate(said.operand):
        left = left.join(_left(item, (*said.path, index), tables=said.tables))
    return left


def _not(said: _Said) -> _Left:
    return _Left(kinds=_THERE - _covered(said.operand))


def _covered(spec: Json) -> frozenset[str]:
    """Give kinds of which a matcher meets every value."""
    if spec is None:
        return _TYPES["null"]
    if spec == {}:
        return _TYPES["object"]
    if not isinstance(spec, dict) or len(spec) > 1:
        return frozenset()
    ((name, operand),) = spec.items()
    if name in {"present", "ignore"}:
        return _THERE
    if name == "one_of":
        return frozenset().union(*map(_covered, operand))
    return _TYPES[operand] if name == "type" else frozenset()


def _contains(said: _Said) -> _Left:
    some = _Range(low=1)
    if isinstance(said.operand, str):
        return _Left(kinds=_SIZED if said.tables else _SIZED - {"object"}, sizes=some)
    item = _element(said.operand, said.path, tables=said.tables)
    return _holding([item], some, tables=said.tables)


def _several(said: _Said) -> _Left:
    parts = _elements(said.operand, said.path, tables=said.tables)
    most = math.inf if said.name == "includes" else len(parts)
    return _holding(parts, _Range(len(parts), most), tables=said.tables)


def _each(said: _Said) -> _Left:
    item = _element(said.operand, said.path, tables=said.tables)
    # An empty list meets it, whatever no element can be.
    return _holding([], _ANY_SIZE if item.kinds else _Range(0, 0), tables=said.tables)


def _length(said: _Said) -> _Left:
    size = _left(said.operand, said.path, tables=said.tables)
    whole = size.meet(_Left(kinds=_TYPES["integer"], numbers=_ANY_SIZE))
    if not whole.kinds:
        return _settled(whole, said.path)
    return _Left(kinds=_SIZED, sizes=whole.numbers)


_OPERATORS: Final[dict[str, Callable[[_Said], _Left]]] = {
    "has": _has, "exactly": _has, "equals": lambda said: _equal(said.operand),
    "approx": _near, "number": _near,
    "min": _bound, "max": _bound, "above": _bound, "below": _bound,
    "one_of": _one_of, "not": _not,
    "contains": _contains, "includes": _several, "unordered": _several, "each": _each,
    "length": _length,
    "text": lambda _: _Left(kinds=_TYPES["string"]),
    "phrase": lambda _: _Left(kinds=_TYPES["string"]),
    "matches": lambda _: _Left(kinds=_TYPES["string"]),
    "type": lambda said: _Left(kinds=_TYPES[said.operand]),
    "absent": lambda _: _only(MISSING),
    "present": lambda _: _PRESENT,
    "ignore": lambda _: _Left(),
}  # fmt: skip
