"""Equality as people mean it in JSON, and a text that is equal exactly when the values are."""

import enum
import json
from typing import Final

import msgspec

from fairtrial.records import Json


class Missing(enum.Enum):
    """What stands where a key is missing: neither null nor any other value."""

    MISSING = "nothing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing.MISSING

NUMBER: Final = (int, float)


def is_number(value: Json) -> bool:
    """Say whether the value is a number, which true and false are not."""
    return isinstance(value, NUMBER) and not isinstance(value, bool)


def equal(left: Json, right: Json) -> bool:
    """Say whether two JSON values are equal at every depth.

    1 equals 1.0; true is not 1; "1" is not 1; strings are exact; key order never matters and list
    order does. Nothing is hashed, and no nesting is too deep.

    >>> equal({"a": [1, None], "b": "x"}, {"b": "x", "a": [1.0, None]})
    True
    >>> equal(True, 1), equal("1", 1), equal([1, 2], [2, 1]), equal(None, MISSING)
    (False, False, False, False)
    """
    try:
        if left != right:  # ours is the stricter, and this one runs in C
            return False
    except RecursionError:
        pass  # the walk below needs no recursion
    return _equal_by_walking(left, right)


def _equal_by_walking(left: Json, right: Json) -> bool:
    todo = [(left, right)]
    while todo:
        one, other = todo.pop()
        if isinstance(one, dict):
            if not isinstance(other, dict) or len(one) != len(other):
                return False
            todo += [(item, other.get(key, MISSING)) for key, item in one.items()]
        elif isinstance(one, list):
            if not isinstance(other, list) or len(one) != len(other):
                return False
            todo += zip(one, other, strict=True)
        elif not _equal_scalars(one, other):
            return False
    return True


def _equal_scalars(one: Json, other: Json) -> bool:
    if isinstance(other, dict | list) or isinstance(one, bool) is not isinstance(other, bool):
        return False
    return bool(one == other)


def python_agrees(value: Json) -> bool:
    """Say whether Python's own `==` with the value is our equality.

    The two differ only over true and 1, false and 0.

    >>> python_agrees({"a": ["x", 2.5, None]}), python_agrees([True]), python_agrees(0.0)
    (True, False, False)
    """
    if isinstance(value, dict):
        return all(python_agrees(item) for item in value.values())
    if isinstance(value, list):
        return all(python_agrees(item) for item in value)
    return not (isinstance(value, NUMBER) and value in {0, 1})


def fingerprint(value: Json) -> str:
    """Give a text that two values share exactly when they are equal: JSON with sorted keys.

    >>> fingerprint({"b": 1.0, "a": True}), fingerprint({"a": True, "b": 1})
    ('{"a":true,"b":1}', '{"a":true,"b":1}')
    """
    try:
        return msgspec.json.encode(_with_whole_numbers(value), order="sorted").decode()
    except (RecursionError, ValueError, TypeError):
        return "".join(_pieces(value))


def _with_whole_numbers(value: Json) -> Json:
    kind = type(value)
    if kind is float:
        return int(value) if value.is_integer() else value
    if kind is dict:
        return {key: _with_whole_numbers(item) for key, item in value.items()}
    if kind is list:
        return [_with_whole_numbers(item) for item in value]
    return value


def _pieces(value: Json) -> list[str]:
    """Write what the encoder refuses (lone surrogates, deep nesting), without recursion."""
    out: list[str] = []
    todo: list[tuple[bool, Json]] = [(False, value)]  # True: text to be copied
    while todo:
        done, item = todo.pop()
        if done:
            out.append(item)
        elif isinstance(item, dict):
            todo.append((True, "}"))
            for key in sorted(item, key=str, reverse=True):
                todo += [(True, ","), (False, item[key]), (True, f"{json.dumps(key)}:")]
            out.append("{")
        elif isinstance(item, list):
            todo.append((True, "]"))
            for element in reversed(item):
                todo += [(True, ","), (False, element)]
            out.append("[")
        elif isinstance(item, float) and item.is_integer():
            out.append(f"{int(item):x}h")
        elif is_number(item) and isinstance(item, int):
            out.append(f"{item:x}h")  # decimal has a bound on its digits
        else:
            out.append(json.dumps(item, default=repr))
    return out
