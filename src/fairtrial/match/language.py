"""The matcher language: from what people write to a compiled matcher."""

import math
import operator
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from fairtrial.match.container import Keys, containing, each, ordered, size
from fairtrial.match.equality import is_number
from fairtrial.match.expression import Expression
from fairtrial.match.logic import all_of, negation, one_of
from fairtrial.match.matcher import Matcher, MatcherError, Path
from fairtrial.match.mismatch import Mismatch, brief
from fairtrial.match.multiset import includes, unordered
from fairtrial.match.scalar import (
    ABSENT,
    IGNORED,
    PRESENT,
    SCALARS,
    TYPES,
    Equality,
    Scalar,
    bound,
    near,
    normal_text,
    searched,
    typed,
)
from fairtrial.match.spelling import MODIFIERS, OPERATORS, meant, nearest
from fairtrial.records import MAX_DEPTH, Json, too_deep
from fairtrial.text import cut, normalise

_LARGEST: Final = 1e300  # operands of approx and number: their tolerance must still be finite


class _Place(NamedTuple):
    """Where in what was written the compiler is, and whether lists of rows are tables there."""

    path: Path
    tables: bool

    def at(self, *parts: str | int) -> "_Place":
        return _Place((*self.path, *parts), self.tables)

    def error(self, text: str) -> MatcherError:
        return MatcherError(text, self.path)


def compile_matcher(spec: Json, *, names: bool = False, tables: bool = False) -> Matcher:
    """Compile a matcher as people write it.

    Args:
        spec: A plain value, which means equality, or a mapping of operators or of keys.
        names: The top keys are names and never operators, save a lone `has` or `exactly`: as
            under `args`.
        tables: A list of mappings none of which is a condition is a table, at any depth: exactly
            these rows in any order, also as the values of a mapping: as under `state`.

    Raises:
        MatcherError: The matcher cannot be; the text shows the way out.

    >>> compile_matcher({"booking": "H-204", "fee": {"max": 0}}).matches(
    ...     {"fee": 0, "booking": "H-204", "note": ""}
    ... )
    True
    >>> [str(found) for found in compile_matcher([1, {"above": 2}]).mismatches([1, 2], "rows")]
    ['rows[1]: wanted above 2, got 2']
    >>> compile_matcher({"type": "refund"})
    Traceback (most recent call last):
    fairtrial.match.matcher.MatcherError: type: wanted one of string, number, integer, boolean, \
null, array, object; got "refund". If 'type' is a name here, write has: {type: "refund"}
    """
    place = _Place((), tables)
    if not names:
        return _value(spec, place)
    if not isinstance(spec, dict):
        raise place.error(f"wanted a mapping of names to what each must be, got {brief(spec)}")
    return _named(spec, place)


def _value(spec: Json, place: _Place) -> Matcher:
    if len(place.path) > MAX_DEPTH:
        raise MatcherError(f"nested deeper than {MAX_DEPTH}", place.path[:5])
    if isinstance(spec, dict):
        return _mapping(spec, place)
    if isinstance(spec, list):
        return _list(spec, place)
    if spec is None or isinstance(spec, str | bool | int):
        return Equality(spec)
    if isinstance(spec, float) and math.isfinite(spec):
        return Equality(spec)
    raise place.error(f"{brief(spec)} ({type(spec).__name__}) is no JSON value")


def _mapping(spec: dict[str, Json], place: _Place) -> Matcher:
    if _BUILDERS.keys().isdisjoint(spec):  # names, as nearly always
        _refuse_slips(spec, place)
        return _keys(spec, place)
    if not is_condition(spec):
        raise _mixed(spec, place)
    return _condition(spec, place)


def is_condition(spec: Json) -> bool:
    """Say whether this is a non-empty mapping whose keys are all operators.

    >>> is_condition({"approx": 1, "percent": 5}), is_condition({"percent": 5}), is_condition({})
    (True, False, False)
    """
    if not isinstance(spec, dict) or not spec:
        return False
    modified = "approx" in spec or "number" in spec
    return all(key in _BUILDERS or (modified and key in MODIFIERS) for key in spec)


def is_row(spec: Json) -> bool:
    """Say whether this is a mapping that stands for a row of a table.

    >>> is_row({"fee": {"min": 5}}), is_row({"min": 5}), is_row({"has": {"min": 5}})
    (True, False, True)
    """
    return isinstance(spec, dict) and (not is_condition(spec) or _is_lone_names(spec))


def _is_lone_names(spec: dict[str, Json]) -> bool:
    return len(spec) == 1 and ("has" in spec or "exactly" in spec)


def _named(spec: dict[str, Json], place: _Place) -> Matcher:
    """Compile a mapping whose keys are names, save a lone `has` or `exactly`."""
    return _condition(spec, place) if _is_lone_names(spec) else _keys(spec, place)


def _keys(spec: dict[Json, Json], place: _Place, *, exact: bool = False) -> Matcher:
    parts: dict[str, Matcher | Scalar] = {}
    scalars = SCALARS if len(place.path) < MAX_DEPTH else ()
    for key, item in spec.items():
        if not isinstance(key, str):
            raise place.error(f"the key {key!r} is not text; quote it")
        # Of most values nothing can be wrong, so their place need not be known.
        parts[key] = item if type(item) in scalars else _value(item, place.at(key))
    return Keys(parts, exact=exact)


def _list(spec: list[Json], place: _Place) -> Matcher:
    if place.tables and all(map(is_row, spec)):
        rows = [_named(row, place.at(index)) for index, row in enumerate(spec)]
        return unordered(rows, rows=True, noun="row")
    parts = _parts(spec, place)
    return ordered(parts) if _holds_mapping(spec) else Equality(spec)


def _holds_mapping(spec: list[Json]) -> bool:
    return any(
        isinstance(item, dict) or (isinstance(item, list) and _holds_mapping(item)) for item in spec
    )


def _parts(spec: list[Json], place: _Place) -> list[Matcher]:
    return [_value(item, place.at(index)) for index, item in enumerate(spec)]


def _condition(spec: dict[str, Json], place: _Place) -> Matcher:
    parts = [
        _BUILDERS[key](_Operator(key, operand, spec), place.at(key))
        for key, operand in spec.items()
        if key not in MODIFIERS
    ]
    matcher = parts[0] if len(parts) == 1 else all_of(parts)
    return matcher if _is_lone_names(spec) else _Hinting(matcher, spec)


class _Hinting(Matcher):
    """Matches what another does, and tells of `has` where a mapping has the operators as keys."""

    __slots__ = ("_inner", "_spec")

    def __init__(self, inner: Matcher, spec: dict[str, Json]) -> None:
        self.matches = inner.matches
        self._inner = inner
        self._spec = spec

    def describe(self) -> str:
        return self._inner.describe()

    def explain(self, value: Json, path: str) -> Iterator[Mismatch]:
        misread = isinstance(value, dict) and any(key in value for key in self._spec)
        for found in self._inner.explain(value, path):
            if misread and found.path == path:
                way_out = f"(or, if these are names: write has: {_flow(self._spec)})"
                yield found._replace(wanted=f"{found.wanted} {way_out}")
            else:
                yield found

    def distance(self, value: Json) -> int:
        return self._inner.distance(value)


def _refuse_slips(spec: dict[str, Json], place: _Place) -> None:
    """Refuse a mapping of nothing but slips: read as names it would silently hold for nothing."""
    if spec and all(map(meant, map(str, spec))):
        name = next(iter(spec))
        known = meant(str(name))
        raise place.error(
            f"unknown operator {name!r}; did you mean {known}? "
            f"If {name!r} is a name, write has: {_flow(spec)}"
        )


def _mixed(spec: dict[str, Json], place: _Place) -> MatcherError:
    known = next(key for key in spec if key in OPERATORS)
    other = next(key for key in spec if key not in OPERATORS)
    text = f"{known!r} is an operator and {cut(str(other))!r} is not, so they cannot stand together"
    meaning = nearest(str(other))
    if other in MODIFIERS:
        text += f": {other} goes with approx or number."
    else:
        text += f": did you mean {meaning}?" if meaning else "."
    return place.error(f"{text} If both are names, write has: {_flow(spec)}")


def _flow(spec: dict[str, Json]) -> str:
    """Show a mapping as people would write it."""
    inner = ", ".join(f"{cut(str(key))}: {brief(item, 40)}" for key, item in spec.items())
    return cut(f"{{{inner}}}", 120)


class _Operator(NamedTuple):
    """An operator with its operand, and the mapping in which it stands."""

    name: str
    operand: Json
    spec: dict[str, Json]

    def wants(self, kind: str, place: _Place, hint: str = "") -> MatcherError:
        """Give the error that says which kind of operand is wanted."""
        return place.error(
            f"{self.name}: wanted {kind}; got {brief(self.operand)}{hint}. If {self.name!r} is a "
            f"name here, write has: {_flow({self.name: self.operand})}"
        )


def _has(said: _Operator, place: _Place) -> Matcher:
    if not isinstance(said.operand, dict):
        raise said.wants("a mapping of names to what each must be", place)
    return _keys(said.operand, place, exact=said.name == "exactly")


def _equals(said: _Operator, place: _Place) -> Matcher:
    if too_deep(said.operand):
        raise place.error(f"equals: nested deeper than {MAX_DEPTH}")
    return Equality(said.operand)


def _finite_number(said: _Operator, place: _Place) -> float:
    value: Json = said.operand
    if not is_number(value) or not -_LARGEST <= value <= _LARGEST:
        hint = "; write it without quotes" if isinstance(value, str) and value.isdigit() else ""
        raise said.wants("a number", place, hint)
    number: float = value
    return number


def _near(said: _Operator, place: _Place) -> Matcher:
    target = _finite_number(said, place)
    around = [name for name in MODIFIERS if name in said.spec]
    if len(around) > 1:
        raise place.error(f"{said.name}: wanted tolerance or percent, not both")
    bounds = {}
    for name in around:
        width = said.spec[name]
        # Its own key is the place of this one, which stands beside the operator.
        beside = _Place((*place.path[:-1], name), place.tables)
        modifier = _Operator(name, width, said.spec)
        bounds[name] = _finite_number(modifier, beside)
        if width < 0:
            raise modifier.wants("a number of at least 0", beside)
    return near(target, as_text=said.name == "number", **bounds)


_BOUNDS: Final[dict[str, tuple[Callable[[float, float], bool], str]]] = {
    "min": (operator.ge, "at least"),
    "max": (operator.le, "at most"),
    "above": (operator.gt, "above"),
    "below": (operator.lt, "below"),
}


def _bound(said: _Operator, place: _Place) -> Matcher:
    holds, words = _BOUNDS[said.name]
    return bound(holds, _finite_number(said, place), words)


def _matchers(said: _Operator, place: _Place) -> list[Matcher]:
    if not isinstance(said.operand, list):
        hint = f"; write {said.name}: [{brief(said.operand)}]"
        raise said.wants("a list of what to match", place, hint)
    return _parts(said.operand, place)


def _one_of(said: _Operator, place: _Place) -> Matcher:
    parts = _matchers(said, place)
    if not parts:
        raise said.wants("at least one value", place, ", which nothing meets")
    return one_of(parts)


def _includes(said: _Operator, place: _Place) -> Matcher:
    return includes(_matchers(said, place), rows=place.tables)


def _unordered(said: _Operator, place: _Place) -> Matcher:
    return unordered(_matchers(said, place), rows=place.tables)


def _not(said: _Operator, place: _Place) -> Matcher:
    return negation(_value(said.operand, place))


def _contains(said: _Operator, place: _Place) -> Matcher:
    if said.operand == "":
        hint = ', which every text contains; for an empty element write contains: {equals: ""}'
        raise said.wants("a text that says something, or a matcher", place, hint)
    phrase = said.operand if isinstance(said.operand, str) else None
    return containing(_value(said.operand, place), phrase, rows=place.tables)


def _each(said: _Operator, place: _Place) -> Matcher:
    return each(_value(said.operand, place), rows=place.tables)


def _length(said: _Operator, place: _Place) -> Matcher:
    wanted = said.operand
    whole = is_number(wanted) and wanted >= 0 and wanted % 1 == 0
    if not (whole or is_condition(wanted)):
        raise said.wants("a whole number of at least 0, or a condition such as {min: 1}", place)
    return size(_value(wanted, place))


def _text(said: _Operator, place: _Place) -> Matcher:
    if not isinstance(said.operand, str):
        hint = "; quote it" if is_number(said.operand) or isinstance(said.operand, bool) else ""
        raise said.wants("text", place, hint)
    if said.name == "phrase" and not normalise(said.operand).strip():
        raise said.wants("a text that says something", place, ", which every text contains")
    return normal_text(said.operand, whole=said.name == "text")


def _regex(said: _Operator, place: _Place) -> Matcher:
    if not isinstance(said.operand, str) or not said.operand:
        raise said.wants("a regular expression", place)
    return searched(Expression(said.operand, place.path))


def _typed(said: _Operator, place: _Place) -> Matcher:
    if not isinstance(said.operand, str) or said.operand not in TYPES:
        hint = '; write type: "null", in quotes' if said.operand is None else ""
        raise said.wants(f"one of {', '.join(TYPES)}", place, hint)
    return typed(said.operand)


_PRESENCES: Final = {"absent": ABSENT, "present": PRESENT, "ignore": IGNORED}
_OPPOSITES: Final = {"absent": "; write present: true", "present": "; write absent: true"}


def _presence(said: _Operator, place: _Place) -> Matcher:
    if said.operand is not True:
        hint = _OPPOSITES.get(said.name, "") if said.operand is False else ""
        raise said.wants("true", place, hint)
    return _PRESENCES[said.name]


_BUILDERS: Final[dict[str, Callable[[_Operator, _Place], Matcher]]] = {
    "has": _has, "exactly": _has, "equals": _equals,
    "approx": _near, "number": _near,
    "min": _bound, "max": _bound, "above": _bound, "below": _bound,
    "one_of": _one_of, "not": _not,
    "contains": _contains, "includes": _includes, "unordered": _unordered, "each": _each,
    "length": _length, "text": _text, "phrase": _text, "matches": _regex, "type": _typed,
    "absent": _presence, "present": _presence, "ignore": _presence,
}  # fmt: skip

assert set(_BUILDERS) == set(OPERATORS), "every operator is built, and no other"
