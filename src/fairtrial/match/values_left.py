"""Sets of JSON values, told by kind, number and size: what a matcher leaves of all values."""

import math
from typing import Final, NamedTuple

from fairtrial.match.equality import MISSING, is_number
from fairtrial.match.matcher import Path
from fairtrial.records import Json

TYPES: Final[dict[str, frozenset[str]]] = {
    "string": frozenset({"string"}),
    "number": frozenset({"integer", "fraction"}),
    "integer": frozenset({"integer"}),
    "boolean": frozenset({"boolean"}),
    "null": frozenset({"null"}),
    "array": frozenset({"array"}),
    "object": frozenset({"object"}),
}
"""Which kinds of values the types of the language hold; `fraction`: written with one, as 1.0 is."""
THERE: Final = frozenset[str]().union(*TYPES.values())
"""Every kind of a value that is not missing."""
_ALL: Final = THERE | {"missing"}
SIZED: Final = frozenset({"string", "array", "object"})
"""Kinds of values that have a length."""


class Range(NamedTuple):
    """Numbers between two bounds, which belong to it unless open."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False

    def meet(self, other: "Range") -> "Range":
        """Give the numbers that are in both."""
        low = max(self.low, other.low)
        high = min(self.high, other.high)
        ranges = (self, other)
        return Range(
            low,
            high,
            any(one.open_low for one in ranges if one.low == low),
            any(one.open_high for one in ranges if one.high == high),
        )

    def join(self, other: "Range") -> "Range":
        """Give the smallest range that holds both."""
        return Range(min(self.low, other.low), max(self.high, other.high))

    def holds(self, value: float) -> bool:
        """Say whether a number lies in it."""
        above = value > self.low or (value == self.low and not self.open_low)
        return above and (value < self.high or (value == self.high and not self.open_high))

    def is_empty(self) -> bool:
        """Say whether no number lies in it."""
        return not (
            self.low < self.high or (self.low == self.high and not self.open_low | self.open_high)
        )

    def has_whole(self) -> bool:
        """Say whether a whole number lies in it."""
        if math.isinf(self.low) or math.isinf(self.high):
            return not self.is_empty()
        first = math.ceil(self.low)
        return self.holds(first) or self.holds(first + 1)


ANY_SIZE: Final = Range(low=0)
_NO_NUMBER: Final = Range(low=math.inf, high=-math.inf)


class Left(NamedTuple):
    """What a matcher leaves of all values, at most."""

    kinds: frozenset[str] = _ALL
    numbers: Range = Range()
    """Of integers and fractions."""
    sizes: Range = ANY_SIZE
    """Of strings, arrays and objects."""
    listed: tuple[Json, ...] | None = None
    """The only values that are left; None: they are not known one by one."""
    culprit: Path | None = None
    """Where the part stands on whose account nothing is left."""

    def meet(self, other: "Left") -> "Left":
        """Give what both leave."""
        both = Left(
            self.kinds & other.kinds,
            self.numbers.meet(other.numbers),
            self.sizes.meet(other.sizes),
            culprit=other.culprit if self.culprit is None else self.culprit,
        )
        listed = other.listed if self.listed is None else self.listed
        if listed is not None:
            return only(*filter(both.may_be, listed))._replace(culprit=both.culprit)
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
        return kind not in SIZED or self.sizes.has_whole()

    def join(self, other: "Left") -> "Left":
        """Give what either leaves."""
        if not self.kinds or not other.kinds:
            return self if self.kinds else other
        known = self.listed is not None and other.listed is not None
        return Left(
            self.kinds | other.kinds,
            self.ranged(TYPES["number"], self.numbers).join(
                other.ranged(TYPES["number"], other.numbers)
            ),
            self.ranged(SIZED, self.sizes).join(other.ranged(SIZED, other.sizes)),
            (*(self.listed or ()), *(other.listed or ())) if known else None,
        )

    def ranged(self, kinds: frozenset[str], found: Range) -> Range:
        """Give a range of these kinds, which holds nothing where none of them is left."""
        return found if self.kinds & kinds else _NO_NUMBER


def equal_to(value: Json) -> Left:
    """Give what is left by a value that stands for itself; a number may be written otherwise."""
    if isinstance(value, list | dict):
        return Left(kinds=frozenset({_kind(value)}), sizes=Range(len(value), len(value)))
    if not is_number(value):
        return only(value)
    written = [value]
    if isinstance(value, float) and value.is_integer():
        written.append(int(value))
    elif isinstance(value, int) and abs(value) < 2**1023:
        written.append(float(value))
    return only(*written)


def only(*values: Json) -> Left:
    """Give what is left where it is known one by one: null, truth values, numbers and texts."""
    numbers = [value for value in values if is_number(value)]
    sizes = [len(value) for value in values if isinstance(value, str)]
    return Left(
        kinds=frozenset(map(_kind, values)),
        numbers=Range(min(numbers), max(numbers)) if numbers else _NO_NUMBER,
        sizes=Range(min(sizes), max(sizes)) if sizes else _NO_NUMBER,
        listed=values,
    )


def _kind(value: Json) -> str:
    if value is MISSING:
        return "missing"
    if value is None:
        return "null"
    names = {bool: "boolean", int: "integer", float: "fraction", str: "string", list: "array"}
    return names.get(type(value), "object")


def nothing(culprit: Path) -> Left:
    """Give nothing left, on account of the part that stands there."""
    return Left(kinds=frozenset(), culprit=culprit)


PRESENT: Final = Left(kinds=THERE)
"""What is left where a value is there, whatever it is."""
