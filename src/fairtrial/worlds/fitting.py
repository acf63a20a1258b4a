"""Whether JSON fits a type: read strictly, and all that does not fit told, each at its place."""

import enum
import re
import typing
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import msgspec

from fairtrial.records import Json
from fairtrial.worlds.kinds import Kind, arms, bare, container, origin, record
from fairtrial.worlds.wording import Path, listed, meant, place, shown

_EXPECTED: Final = re.compile(r"Expected (.+?)(, got .*)?", re.DOTALL)
_WANTED: Final[dict[object, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    type(None): "null",
}
_BASIC: Final = {"int": "a whole number", "float": "a number", "str": "text"}
_NAMES: Final = {
    "date": "a date such as '2026-01-05'",
    "datetime": "an instant such as '2026-01-05T09:00:00Z'",
    "time": "a time such as '09:30:00'",
    "timedelta": "a duration such as 'PT90S'",
    "Decimal": "a number",
    "UUID": "a UUID",
    "bytes": "bytes as base64 text",
}

Misfit: TypeAlias = tuple[Path, str]
"""Where a value does not fit, and what is wrong there."""


def from_json(kind: Kind, value: Json) -> object:
    """Make an object of a class that msgspec does not know: a pydantic model, without coercion.

    Raises:
        TypeError: The class has no way to be made from JSON.

    >>> from_json(complex, 1)
    Traceback (most recent call last):
    TypeError: complex cannot be made from JSON
    """
    validate = getattr(kind, "model_validate_json", None)
    if validate is not None:
        # As JSON, since only there is text strictly a date: Python's own values would have to be.
        return validate(msgspec.json.encode(value), strict=True)
    validate = getattr(kind, "model_validate", None)
    if validate is None:
        raise TypeError(f"{getattr(kind, '__name__', kind)} cannot be made from JSON")
    return validate(value)


def read(value: Json, kind: Kind) -> Json:
    """Read JSON as a type, without guessing: "1" is no number; 1 is 1.0.

    Raises:
        msgspec.ValidationError: It does not fit; `misfits` says why.

    >>> read({"a": 1}, dict[str, float])
    {'a': 1.0}
    """
    return msgspec.convert(value, kind, str_keys=True, dec_hook=from_json)


def misfits(value: Json, kind: Kind, path: Path = ()) -> Iterator[Misfit]:
    """Give all that does not fit, item by item: wrong, missing and unknown.

    >>> [what for _, what in misfits({"a": "x", "b": 1, "c": None}, dict[str, int])]
    ["wanted a whole number, got 'x'", 'wanted a whole number, got null']
    """
    yield from _walk(value, kind, path, fits=_refusal(value, kind) is None)


def said(misfit: Misfit) -> str:
    """Give a misfit as one line.

    >>> said((("fixtures", "fee"), "wanted a number, got 'abc'"))
    "fixtures.fee: wanted a number, got 'abc'"
    """
    path, text = misfit
    return f"{place(path)}: {text}" if path else text


def _refusal(value: Json, kind: Kind) -> msgspec.ValidationError | None:
    try:
        read(value, kind)
    except msgspec.ValidationError as error:
        # Tracebacks hold frames, which hold the world: who keeps the error must not keep that.
        if error.__cause__ is not None:
            error.__cause__.__traceback__ = None
        return error.with_traceback(None)
    return None


def _walk(value: Json, kind: Kind, path: Path, *, fits: bool) -> Iterator[Misfit]:
    """Give what does not fit inside a value; where all fits, unknown names alone."""
    found = False
    for misfit in _inside(value, bare(kind), path, fits=fits):
        found = True
        yield misfit
    if not (found or fits):
        yield from _as_a_whole(value, kind, path)


def _inside(value: Json, kind: Kind, path: Path, *, fits: bool) -> Iterator[Misfit]:
    inner, null = arms(kind)
    if null and value is None:
        return
    if null and len(inner) == 1:
        for at, text in _walk(value, inner[0], path, fits=fits):
            yield at, text.replace(", got", " or null, got", 1) if at == path else text
        return
    keyed, items = container(kind)
    if keyed or items is not None:
        yield from _walk_container(value, kind, path, fits=fits)
    elif record(kind) is not None:
        yield from _walk_record(value, kind, path, fits=fits)


def _walk_container(value: Json, kind: Kind, path: Path, *, fits: bool) -> Iterator[Misfit]:
    keyed, items = container(kind)
    entries: Iterable[tuple[str | int, Json]]
    if keyed and isinstance(value, dict):
        entries = value.items()
    elif isinstance(value, list) and not keyed:
        entries = enumerate(value)
    else:
        yield path, f"wanted {'a mapping' if keyed else 'a list'}, got {shown(value)}"
        return
    for key, item in entries:
        yield from _walk(item, typing.Any if items is None else items, (*path, key), fits=fits)


def _walk_record(value: Json, kind: Kind, path: Path, *, fits: bool) -> Iterator[Misfit]:
    fields = record(kind) or {}
    if not isinstance(value, dict):
        yield path, f"wanted a mapping {{{listed(fields)}}}, got {shown(value)}"
        return
    for name, (inner, required) in fields.items():
        if name in value:
            yield from _walk(value[name], inner, (*path, name), fits=fits)
        elif required:
            yield (*path, name), f"missing; wanted {wanted(inner)}"
    for name in value:
        if name not in fields:
            known = f"unknown field; known here: {listed(fields)}"
            yield (*path, name), known + meant(name, fields)


def _as_a_whole(value: Json, kind: Kind, path: Path) -> Iterator[Misfit]:
    error = _refusal(value, kind)
    if error is None:
        return
    details = getattr(error.__cause__, "errors", None)  # pydantic tells each mistake apart
    if not callable(details):
        yield path, _told(error, kind, value)
        return
    for one in details():
        at = tuple(part for part in one.get("loc", ()) if isinstance(part, str | int))
        yield (*path, *at), f"{one.get('msg')}, got {shown(one.get('input'))}"


def _told(error: msgspec.ValidationError, kind: Kind, value: Json) -> str:
    """Say in our words why a value does not fit."""
    inner = bare(kind)
    known = wanted(inner) if len(arms(inner)[0]) > 1 else _wanted(inner)
    if known is not None and _refusal(value, inner) is not None:
        return f"wanted {known}, got {shown(value)}"
    text, _, where = str(error).partition(" - at ")
    found = _EXPECTED.fullmatch(text)
    if found:
        first, _, rest = found[1].replace("`", "").partition(" ")
        text = f"wanted {_BASIC.get(first, first)}{rest and f' {rest}'}"
    at = f" at {where.replace('`', '').replace('$', '')}" if "[" in where or "." in where else ""
    return f"{text}{at}, got {shown(value)}"


def wanted(kind: Kind) -> str:
    """Say what a type wants, in a few words.

    >>> wanted(float), wanted(list[int]), wanted(int | None)
    ('a number', 'a list', 'a whole number or null')
    """
    kind = bare(kind)
    inner, null = arms(kind)
    if inner and (null or len(inner) > 1):
        return " or ".join([*map(wanted, inner), *(["null"] if null else [])])
    keyed, items = container(kind)
    if keyed or items is not None:
        return "a mapping" if keyed else "a list"
    fields = record(kind)
    if fields is not None:
        return f"a mapping {{{listed(fields)}}}"
    return _wanted(kind) or "a value"


def _wanted(kind: Kind) -> str | None:
    """Say what a type without parts wants; None where msgspec says it better."""
    if kind in _WANTED:
        return _WANTED[kind]
    if origin(kind) is typing.Literal:
        return f"one of {', '.join(map(repr, typing.get_args(kind)))}"
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return f"one of {', '.join(repr(one.value) for one in kind)}"
    return _NAMES.get(getattr(kind, "__name__", ""))
