"""Matchers on one value as a whole: equality, bounds, numbers, texts, types, presence."""

import functools
import math
import operator
import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from fairtrial.match.equality import MISSING, NUMBER, equal, is_number, python_agrees
from fairtrial.match.expression import Expression
from fairtrial.match.matcher import Composed, Matcher
from fairtrial.match.mismatch import Mismatch, brief, contrast, key_path
from fairtrial.records import Json
from fairtrial.text import normalise

_SLACK: Final = 1e-9
"""Relative. Tolerances are written in decimal: 1.1 is within 0.1 of 1.0, though not in binary."""

_ROUNDING: Final = 1e-15
"""Relative to the values: what binary fractions lose when two of them are subtracted."""

Scalar: TypeAlias = str | int | None
"""A wanted value of which nothing can be wrong."""

SCALARS: Final = frozenset({str, int, bool, type(None)})
"""The types of these."""

_NUMERAL: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


class Equality(Matcher):
    """Matches what is equal at every depth."""

    __slots__ = ("_wanted",)

    def __init__(self, wanted: Json) -> None:
        self._wanted = wanted
        # The quickest test: most wanted values are texts, whose comparison never leaves C.
        if type(wanted) is str or python_agrees(wanted):
            self.matches = functools.partial(operator.eq, wanted)
        elif isinstance(wanted, bool):
            self.matches = functools.partial(operator.is_, wanted)
        elif isinstance(wanted, NUMBER):
            self.matches = lambda value: value == wanted and not isinstance(value, bool)
        else:
            self.matches = functools.partial(equal, wanted)

    def describe(self) -> str:
        """Give the value in short."""
        return brief(self._wanted)

    def explain(self, value: Json, path: str) -> Iterator[Mismatch]:
        """Give each part that differs."""
        return iter(()) if self.matches(value) else _differences(self._wanted, value, path)


def _differences(wanted: Json, got: Json, path: str) -> Iterator[Mismatch]:
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key, item in wanted.items():
            yield from _differences(item, got.get(key, MISSING), key_path(path, key))
        for key, item in got.items():
            if key not in wanted:
                yield Mismatch(key_path(path, key), "no key", brief(item))
    elif isinstance(wanted, list) and isinstance(got, list):
        for index in range(max(len(wanted), len(got))):
            here = f"{path}[{index}]"
            if index >= len(wanted):
                yield Mismatch(here, "no element", brief(got[index]))
            else:
                item = got[index] if index < len(got) else MISSING
                yield from _differences(wanted[index], item, here)
    elif not equal(wanted, got):
        yield contrast(path, wanted, got)


def _numeric(matches: Callable[[Json], bool], words: Callable[[], str]) -> Matcher:
    def explain(value: Json, path: str) -> Iterator[Mismatch]:
        if not matches(value):
            wanted = words() if is_number(value) else f"a number {words()}"
            yield Mismatch(path, wanted, brief(value))

    return Composed(matches, words, explain=explain)


def bound(holds: Callable[[float, float], bool], limit: float, words: str) -> Matcher:
    """Match a number for which `holds(number, limit)`, called by the words and the limit."""

    def matches(value: Json) -> bool:
        return isinstance(value, NUMBER) and not isinstance(value, bool) and holds(value, limit)

    return _numeric(matches, lambda: f"{words} {brief(limit)}")


def near(
    target: float,
    *,
    tolerance: float | None = None,
    percent: float | None = None,
    as_text: bool = False,
) -> Matcher:
    """Match a number within `tolerance` or `percent` of the target, else within 1e-9 of it.

    With `as_text` a number that is written as text counts too.
    """
    allowed, note = abs(target) * _SLACK, ""
    if tolerance is not None:
        allowed, note = tolerance, f" give or take {brief(tolerance)}"
    elif percent is not None:
        # A float, since a whole number of this size could not be divided.
        allowed, note = abs(float(target)) * percent / 100, f" give or take {brief(percent)} %"
    if as_text:
        note += ", as a number or as text"

    def matches(value: Json) -> bool:
        number: Json = numeral(value) if as_text and isinstance(value, str) else value
        return is_number(number) and _within(number, target, allowed)

    return _numeric(matches, lambda: f"about {brief(target)}{note}")


def _within(value: float, target: float, allowed: float) -> bool:
    try:
        off = abs(value - target)
        if off <= allowed:
            return True
        if (isinstance(off, int) and isinstance(allowed, int)) or not math.isfinite(off):
            return False  # whole numbers are exact
        size = max(abs(value), abs(target))
        return off <= allowed * (1 + _SLACK) or off <= allowed + _ROUNDING * size
    except OverflowError:  # a whole number beyond what a float can hold
        return False


def numeral(text: str) -> int | float | None:
    """Read a number in plain decimal notation; None for any other text.

    >>> numeral(" 12.50 "), numeral("-3"), numeral("1_000"), numeral("1,000"), numeral("nan")
    (12.5, -3, None, None, None)
    """
    stripped = text.strip()
    if not _NUMERAL.fullmatch(stripped):
        return None
    if len(stripped) < 400 and stripped.lstrip("+-").isdigit():
        return int(stripped)
    value = float(stripped)
    return value if math.isfinite(value) else None


def normal_text(text: str, *, whole: bool) -> Matcher:
    """Match a text that is (`whole`) or holds the wanted one, once both are normalised."""
    normal = normalise(text)

    def matches(value: Json) -> bool:
        if not isinstance(value, str):
            return False
        return normal == normalise(value) if whole else normal in normalise(value)

    return Composed(matches, lambda: f"the {'text' if whole else 'phrase'} {brief(text)}")


def searched(expression: Expression) -> Matcher:
    """Match a text in which the regular expression is found."""

    def matches(value: Json) -> bool:
        return isinstance(value, str) and expression.search(value)

    return Composed(matches, lambda: f"text that matches {brief(expression.text)}")


TYPES: Final[dict[str, tuple[Callable[[Json], bool], str]]] = {
    "string": (lambda value: isinstance(value, str), "a string"),
    "number": (is_number, "a number"),
    "integer": (
        lambda value: isinstance(value, int) and not isinstance(value, bool),
        "an integer",
    ),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "null": (lambda value: value is None, "null"),
    "array": (lambda value: isinstance(value, list), "an array"),
    "object": (lambda value: isinstance(value, dict), "an object"),
}
"""JSON's types: how each is told, and what it is called."""


def typed(kind: str) -> Matcher:
    """Match the values of one JSON type."""
    matches, words = TYPES[kind]
    return Composed(matches, lambda: words)


ABSENT: Final = Composed(lambda value: value is MISSING, lambda: "no key")
PRESENT: Final = Composed(lambda value: value is not MISSING, lambda: "any value")
IGNORED: Final = Composed(lambda _: True, lambda: "anything")
