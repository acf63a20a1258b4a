"""Matchers on what holds other values: mappings by name, lists in order, elements, size."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from fairtrial.match.equality import MISSING, python_agrees
from fairtrial.match.logic import listed
from fairtrial.match.matcher import Composed, Matcher
from fairtrial.match.mismatch import BRIEF, Mismatch, brief, key_path
from fairtrial.match.scalar import Equality, Scalar
from fairtrial.match.spelling import no_operator
from fairtrial.records import Json
from fairtrial.text import cut

_SCALAR: Final = (str, int, type(None))
_SHOWN: Final = 8  # keys of a description that are told


class Keys(Matcher):
    """Matches a mapping with at least these keys, or exactly these, each as its matcher says.

    A scalar stands for equality with it: suites are full of these, and few are ever explained.
    """

    __slots__ = ("_exact", "_written")

    def __init__(self, written: Mapping[str, Matcher | Scalar], *, exact: bool = False) -> None:
        self._written = written
        self._exact = exact
        self.matches = _exactly(written) if exact else _at_least(written)

    def _parts(self) -> Iterator[tuple[str, Matcher]]:
        for key, part in self._written.items():
            yield key, Equality(part) if isinstance(part, _SCALAR) else part

    def describe(self) -> str:
        """Give the first keys with what each must be."""
        parts = islice(self._parts(), _SHOWN)
        shown = [f"{cut(key)}: {part.describe()}" for key, part in parts]
        if not shown:
            return "an empty mapping" if self._exact else "a mapping"
        more = ", …" if len(self._written) > _SHOWN else ""
        return cut(f"{'exactly ' if self._exact else ''}{{{', '.join(shown)}{more}}}", BRIEF)

    def explain(self, value: Json, path: str) -> Iterator[Mismatch]:
        """Give each key that differs."""
        known = self._written
        if not isinstance(value, dict):
            yield Mismatch(path, self.describe() + no_operator(known), brief(value))
            return
        for key, part in self._parts():
            item = value.get(key, MISSING)
            if not part.matches(item):  # its place costs more to say than the answer
                yield from part.explain(item, key_path(path, key))
        for key in _others(value, known) if self._exact else ():
            yield Mismatch(key_path(path, key), "no key", brief(value[key]))

    def distance(self, value: Json) -> int:
        """Count the keys that differ; all others of an exact mapping count as one."""
        if not isinstance(value, dict):
            return 1 + len(self._written)
        others = any(_others(value, self._written)) if self._exact else False
        return others + sum(
            not part.matches(value.get(key, MISSING)) for key, part in self._parts()
        )


def _exactly(parts: Mapping[str, Matcher | Scalar]) -> Callable[[Json], bool]:
    at_least, known = _at_least(parts), parts.keys()
    return lambda value: at_least(value) and value.keys() <= known


def _at_least(parts: Mapping[str, Matcher | Scalar]) -> Callable[[Json], bool]:
    # What only has to be equal is compared here and now; no place is hotter.
    equals: list[tuple[str, Scalar]] = []
    others: list[tuple[str, Callable[[Json], bool]]] = []
    for key, part in parts.items():
        if not isinstance(part, _SCALAR):
            others.append((key, part.matches))
        elif type(part) is str or python_agrees(part):
            equals.append((key, part))
        else:
            others.append((key, Equality(part).matches))

    def matches(value: Json) -> bool:
        if not isinstance(value, dict):
            return False
        for key, wanted in equals:
            if wanted != value.get(key, MISSING):
                return False
        for key, fit in others:  # noqa: SIM110 - all() costs a frame
            if not fit(value.get(key, MISSING)):
                return False
        return True

    return matches


def _others(value: Mapping[str, Json], known: Container[str]) -> Iterator[str]:
    return (key for key in value if key not in known)


def ordered(parts: Sequence[Matcher]) -> Matcher:
    """Match a list of exactly these elements in this order."""
    fits = tuple(part.matches for part in parts)

    def matches(value: Json) -> bool:
        if not isinstance(value, list) or len(value) != len(fits):
            return False
        return all(fit(item) for fit, item in zip(fits, value, strict=True))

    def explain(value: Json, path: str) -> Iterator[Mismatch]:
        if not isinstance(value, list):
            yield Mismatch(path, describe(), brief(value))
            return
        for index, part in enumerate(parts):
            here = f"{path}[{index}]"
            if index < len(value):
                yield from part.explain(value[index], here)
            else:
                yield Mismatch(here, part.describe(), "nothing")
        for index in range(len(parts), len(value)):
            yield Mismatch(f"{path}[{index}]", "no element", brief(value[index]))

    def describe() -> str:
        return cut(f"[{listed(parts, ', ')}]", BRIEF)

    return Composed(matches, describe, explain=explain)


def elements(value: Json, *, rows: bool) -> list[Json] | None:
    """Give the elements of a list, with `rows` also the values of a mapping; None for others."""
    if isinstance(value, list):
        return value
    if rows and isinstance(value, dict):
        return list(value.values())
    return None


def places(value: Json, path: str) -> Iterator[tuple[str, Json]]:
    """Give the elements with their paths: by index in a list, by key in a mapping."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key_path(path, key), item
    else:
        for index, item in enumerate(value):
            yield f"{path}[{index}]", item


def containing(inner: Matcher, phrase: str | None, *, rows: bool) -> Matcher:
    """Match a text that holds the phrase, or a list with an element that `inner` matches.

    Args:
        inner: What an element must be.
        phrase: The text that a text must hold; None: no text will do.
        rows: The values of a mapping are elements too.
    """

    def matches(value: Json) -> bool:
        if isinstance(value, str):
            return phrase is not None and phrase in value
        items = elements(value, rows=rows)
        return items is not None and any(map(inner.matches, items))

    def describe() -> str:
        if phrase is not None:
            return f"text or a list that contains {brief(phrase)}"
        return cut(f"a list with an element that is {inner.describe()}", BRIEF)

    return Composed(matches, describe)


def each(inner: Matcher, *, rows: bool) -> Matcher:
    """Match a list every element of which `inner` matches; with `rows` also a mapping of such."""

    def matches(value: Json) -> bool:
        items = elements(value, rows=rows)
        return items is not None and all(map(inner.matches, items))

    def explain(value: Json, path: str) -> Iterator[Mismatch]:
        if elements(value, rows=rows) is None:
            yield Mismatch(path, describe(), brief(value))
            return
        for here, item in places(value, path):
            yield from inner.explain(item, here)

    def describe() -> str:
        return cut(f"a list of elements that are {inner.describe()}", BRIEF)

    return Composed(matches, describe, explain=explain)


def size(inner: Matcher) -> Matcher:
    """Match a text, list or mapping whose length `inner` matches."""
    sized = (str, list, dict)

    def matches(value: Json) -> bool:
        return isinstance(value, sized) and inner.matches(len(value))

    def explain(value: Json, path: str) -> Iterator[Mismatch]:
        if not isinstance(value, sized):
            yield Mismatch(path, f"something of length {inner.describe()}", brief(value))
            return
        for found in inner.explain(len(value), path):
            yield Mismatch(path, f"length {found.wanted}", f"length {found.got}: {brief(value)}")

    return Composed(matches, lambda: cut(f"length {inner.describe()}", BRIEF), explain=explain)
