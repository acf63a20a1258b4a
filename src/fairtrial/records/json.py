"""What JSON can hold, and how anything else becomes that or is refused with its path."""

import dataclasses
import datetime
import decimal
import enum
import math
from collections.abc import Mapping, Set
from pathlib import PurePath
from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, list or dict with text keys. The only alias for Any in
the code."""

MAX_DEPTH = 100
"""Nesting beyond this is refused everywhere: no honest record needs it, and recursion has to end
somewhere."""


class NotJsonError(ValueError):
    """A value that JSON cannot hold; the text begins with its path."""


_LONGEST = 30  # digits of a Decimal that is kept as a whole number
_MOST_VALUES = 1_000_000  # of one value, all its parts counted
_MOST_BITS = 14_000  # of a whole number; Python itself writes none of more than 4,300 digits


def plain(value: object) -> Json:
    """Turn a Python value into what JSON can hold, as a copy that shares nothing.

    Tuples, sets (sorted by their JSON), dataclasses, msgspec Structs (without fields that are
    unset), objects with `model_dump`, enums, paths, dates, Decimals and UUIDs are turned; text is
    kept save lone surrogates, which become U+FFFD.

    Raises:
        NotJsonError: NaN or infinity, a whole number of over 4,200 digits, bytes, a key that is not
            text, a cycle or nesting beyond 100, or any other object.

    >>> import decimal
    >>> plain({"fee": decimal.Decimal("1.50"), "ids": (1, 2)})
    {'fee': 1.5, 'ids': [1, 2]}
    >>> plain({"a": [float("nan")]})
    Traceback (most recent call last):
    fairtrial.records.json.NotJsonError: a[0]: NaN is not a JSON number
    """
    return _plain(value, "", 0, [_MOST_VALUES])


def _plain(value: object, path: str, depth: int, left: list[int]) -> Json:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):
        return _plain(value.value, path, depth, left)
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, int):
        return _whole(value, path)
    if isinstance(value, float):
        return _number(value, path)
    if depth >= MAX_DEPTH:
        raise _refusal(path, f"nested deeper than {MAX_DEPTH} (or a cycle)")
    if isinstance(value, Mapping):
        return _mapping(value, path, depth, left)
    if isinstance(value, list | tuple):
        _spend(len(value), path, left)
        return [
            _plain(item, f"{path}[{index}]", depth + 1, left) for index, item in enumerate(value)
        ]
    return _object(value, path, depth, left)


def _spend(values: int, path: str, left: list[int]) -> None:
    # Lists that hold each other many times over are small in memory and endless when copied.
    left[0] -= values
    if left[0] < 0:
        raise _refusal(path, f"more than {_MOST_VALUES:,} values")


def _refusal(path: str, text: str) -> NotJsonError:
    return NotJsonError(f"{clean_text(path[:200]) or 'value'}: {text}")


def _whole(value: int, path: str) -> int:
    if value.bit_length() > _MOST_BITS:
        raise _refusal(path, f"a whole number of {value.bit_length()} bits cannot be written")
    return int(value)


def _number(value: float, path: str) -> float:
    if math.isfinite(value):
        return float(value)
    name = "NaN" if math.isnan(value) else "infinity"
    raise _refusal(path, f"{name} is not a JSON number")


def _mapping(
    value: Mapping[Any, object], path: str, depth: int, left: list[int]
) -> dict[str, Json]:
    _spend(len(value), path, left)
    out: dict[str, Json] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise _refusal(path, f"the key {repr(key)[:80]} is not text")
        out[clean_text(key)] = _plain(item, f"{path}.{key}" if path else key, depth + 1, left)
    return out


def _object(value: object, path: str, depth: int, left: list[int]) -> Json:
    if isinstance(value, Set):
        items = [_plain(item, f"{path}{{}}", depth + 1, left) for item in value]
        return sorted(items, key=lambda item: msgspec.json.encode(item, order="sorted"))
    if isinstance(value, decimal.Decimal):
        return _decimal(value, path)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, PurePath):
        return clean_text(str(value))
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.asdict(value).items()
        told = {name: item for name, item in fields if item is not msgspec.UNSET}
        return _plain(told, path, depth, left)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return _plain({name: getattr(value, name) for name in names}, path, depth, left)
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return _plain(dump(), path, depth + 1, left)  # it may give itself
    if type(value).__name__ == "UUID":
        return str(value)
    raise _refusal(path, f"{type(value).__name__} is not JSON")


def _decimal(value: decimal.Decimal, path: str) -> int | float:
    # A huge exponent stays a float (or is refused): written out it could fill the memory.
    if value.is_finite() and value.adjusted() < _LONGEST and value == value.to_integral_value():
        return int(value)
    if value.is_snan():
        raise _refusal(path, "NaN is not a JSON number")
    return _number(float(value), path)


def clean_text(value: str) -> str:
    r"""Give the text with lone surrogates, which UTF-8 cannot hold, replaced by U+FFFD.

    >>> clean_text("a\ud800b") == "a\ufffdb"
    True
    """
    if type(value) is str and value.isascii():  # known without a look
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return str.__str__(value)  # that of a subclass, such as a text enum, may say something else


def too_deep(value: Json, limit: int = MAX_DEPTH) -> bool:
    """Say whether lists and mappings nest deeper than `limit`, without recursion.

    >>> too_deep([[[]]], limit=2), too_deep([[]], limit=2), too_deep(1, limit=0)
    (True, False, False)
    """
    level = [value]
    for _ in range(limit + 1):
        # By identity: a part that is shared many times over is looked at once a level.
        inner = {id(item): item for item in level if isinstance(item, dict | list)}
        if not inner:
            return False
        level = [
            x
            for item in inner.values()
            for x in (item.values() if isinstance(item, dict) else item)
        ]
    return True
