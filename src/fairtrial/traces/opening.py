"""Strangers' objects opened: messages of any class as mappings, and what they hold as JSON."""

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from msgspec import UNSET, Struct

from fairtrial.records import MAX_DEPTH, Json, NotJsonError, clean_text, plain

_Given = TypeVar("_Given")

_MOST_VALUES = 1_000_000
"""Of one field; a few lists that hold each other many times over would never end."""


class Raised(NamedTuple):
    """What a stranger's code raised, by its name: even its text is a stranger's."""

    name: str


def asked(stranger: Callable[[], _Given]) -> _Given | Raised:
    """Run code that touches a stranger's object, whatever it raises.

    >>> asked(lambda: 1 // 0)
    Raised(name='ZeroDivisionError')
    """
    try:
        return stranger()
    except Exception as error:  # noqa: BLE001 - properties and methods of any class run here
        return Raised(clean_text(type(error).__name__))


def fields_of(value: object) -> dict[str, object] | None:
    """Give a mapping, model, dataclass or Struct as a mapping of its fields; None for all else.

    One level only: what a field holds stays as it is.

    >>> fields_of({"role": "user"}), fields_of("user")
    ({'role': 'user'}, None)
    """
    found = asked(lambda: _fields(value))
    return None if isinstance(found, Raised) else found


def _fields(value: object) -> dict[str, object] | None:
    if isinstance(value, Mapping):
        return {key: item for key, item in value.items() if isinstance(key, str)}
    if isinstance(value, type):
        return None
    if isinstance(value, Struct):
        told = {name: getattr(value, name) for name in value.__struct_fields__}
        return {name: item for name, item in told.items() if item is not UNSET}
    if dataclasses.is_dataclass(value):
        return {item.name: getattr(value, item.name, None) for item in dataclasses.fields(value)}
    if callable(getattr(value, "model_dump", None)):
        # Not by dumping it: a field that nobody reads here may hold what cannot be dumped.
        more = getattr(value, "__pydantic_extra__", None)
        return {**vars(value), **(more if isinstance(more, dict) else {})}
    return None


def as_json(value: object) -> Json:
    """Give any value as JSON; what cannot be JSON becomes a text in brackets that says so.

    NaN and infinity become null, as in logs. Nesting beyond 100 makes the whole such a text.

    >>> as_json({"price": float("nan"), "picture": b"GIF", "ids": (1, 2)})
    {'price': None, 'picture': '(bytes, which is not JSON)', 'ids': [1, 2]}
    """
    try:
        return _Walk().json(value, 0)
    except NotJsonError as error:
        return f"({error})"


class _Walk:
    """One value on its way to JSON."""

    def __init__(self) -> None:
        self.left = _MOST_VALUES

    def json(self, value: object, depth: int) -> Json:
        """Give the value as JSON.

        Raises:
            NotJsonError: It nests beyond 100 or holds more than a million values.
        """
        self.left -= 1
        if self.left < 0:
            raise NotJsonError(f"more than {_MOST_VALUES:,} values")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if isinstance(value, str) and kind is str:
            return clean_text(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else None
        return self._inside(value, depth)

    def _inside(self, value: object, depth: int) -> Json:
        listed = isinstance(value, list | tuple)
        fields = None if listed or isinstance(value, int | str) else _opened(value)
        if (listed or fields is not None) and depth >= MAX_DEPTH:
            raise NotJsonError(f"nested deeper than {MAX_DEPTH}")
        if isinstance(value, list | tuple):
            return [self.json(item, depth + 1) for item in value]
        if fields is not None:
            return {
                clean_text(key): self.json(item, depth + 1)
                for key, item in fields.items()
                if isinstance(key, str)
            }
        found = asked(lambda: plain(value))
        if isinstance(found, Raised):
            return f"({kind_name(value)}, which is not JSON)"
        return found


def _opened(value: object) -> Mapping[Json, object] | None:
    return value if type(value) is dict else fields_of(value)


def kind_name(value: object) -> str:
    """Give the name of a value's class.

    >>> kind_name(7)
    'int'
    """
    return clean_text(type(value).__name__)[:80]
