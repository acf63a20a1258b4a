"""Values as JSON: copies that share nothing with the world, and bytes that tell a change."""

import copy
import dataclasses
import datetime
import math
import uuid
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import UNSET

from fairtrial.records import MAX_DEPTH, Json, NotJsonError, clean_text, plain

_SURELY_WRITTEN: Final = 1 << 64
_ALWAYS: Final = frozenset({bool, type(None)})
_UNWRITABLE: Final = b""  # no encoding is empty


def snapshot(value: object) -> Json:
    """Give what `records.plain` gives, faster for what worlds mostly hold.

    Raises:
        NotJsonError: JSON cannot hold it; or it could not be asked what it holds.

    >>> snapshot({"rows": [(1, 2.5)]})
    {'rows': [[1, 2.5]]}
    """
    try:
        try:
            return _copy(value, 0)
        except NotJsonError:
            return plain(value)  # which says where, from the top
    except NotJsonError:
        raise
    except Exception as error:
        raise NotJsonError(f"{type(value).__name__}: {error!r}") from error


def _copy(value: Json, depth: int) -> Json:
    kind = type(value)
    if kind is str:
        return value if value.isascii() else clean_text(value)
    if kind in _ALWAYS or (kind is float and math.isfinite(value)):
        return value
    if kind is int and -_SURELY_WRITTEN < value < _SURELY_WRITTEN:
        return value
    if depth >= MAX_DEPTH:
        raise NotJsonError("value: too deep")
    if kind is dict:
        return _mapping(value, depth + 1)
    if kind is list or kind is tuple:
        return [_copy(item, depth + 1) for item in value]
    names = _fields(kind)  # type: ignore[arg-type]  # a class can be hashed, whatever mypy says
    if names is None:
        return plain(value)
    out: dict[str, Json] = {}
    for name in names:
        item = getattr(value, name)
        if item is not UNSET:
            out[name] = item if type(item) in _ALWAYS else _copy(item, depth + 1)
    return out


def _mapping(value: dict[object, object], depth: int) -> dict[str, Json]:
    out: dict[str, Json] = {}
    for key, item in value.items():
        if type(key) is not str or not key.isascii():
            if not isinstance(key, str):
                raise NotJsonError("value: a key that is not text")
            out[clean_text(key)] = _copy(item, depth)
        else:
            out[key] = item if type(item) in _ALWAYS else _copy(item, depth)
    return out


@lru_cache(maxsize=1024)
def _fields(kind: type) -> tuple[str, ...] | None:
    """Give the names of a record's fields; None for what is no record."""
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    return None


def can_change(value: object) -> bool:
    """Say whether a value could be changed in place, so that sharing it would be a leak.

    >>> can_change([]), can_change(5), can_change((1, [])), can_change(datetime.date(2026, 1, 5))
    (True, False, True, False)
    """
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta | uuid.UUID):
        return False
    return copy.deepcopy(value) is not value


def parts(value: object) -> bytes:
    """Give bytes that are the same exactly when a value stayed the same.

    The order of keys and of sets means nothing; a value that cannot be written gives no bytes.

    >>> parts({"a": 1, "b": 2}) == parts({"b": 2, "a": 1}), parts(1) == parts(True)
    (True, False)
    """
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        pass  # a huge number, a key that is no text, half a character, a cycle
    try:
        return msgspec.json.encode(snapshot(value), order="deterministic")
    except NotJsonError:
        return _UNWRITABLE


def all_parts(values: Sequence[object]) -> list[bytes]:
    """Give the bytes of each value.

    >>> len(all_parts([1, {}]))
    2
    """
    try:
        return list(map(_ENCODER.encode, values))
    except (TypeError, ValueError, OverflowError, RecursionError):
        return list(map(parts, values))


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=snapshot, order="deterministic")
