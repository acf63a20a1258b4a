"""Matchers and call patterns that are sound beyond doubt: seen at a look, and nothing is compiled.

Nearly all that people write is: names, values, and operators that stand alone.
"""

import functools
import math
from collections.abc import Callable, Iterable
from typing import Final

from fairtrial.match.equality import is_number
from fairtrial.match.possible import leave_room
from fairtrial.match.scalar import SCALARS, TYPES
from fairtrial.match.spelling import OPERATORS, meant
from fairtrial.records import Json
from fairtrial.text import normalise

_FIELDS: Final = frozenset({"name", "args", "result"})
_BOUNDS: Final = frozenset({"min", "max", "above", "below"})
_FAR: Final = 1e15  # bounds below this are not too large to be
_NO_NAMES: Final = frozenset({"has", "exactly"})
"""Operators even where the top keys are names."""


def surely_sound(spec: Json, *, names: bool = False) -> bool:
    """Say, at a quick look, that a matcher compiles and that some value meets it.

    What meets it is a value: where there is none, it is not met. What is not seen at a look gives
    false, though it may be sound.

    Args:
        spec: The matcher, as written. It nests no deeper than files may.
        names: As for `compile_matcher`; what its `tables` says makes no difference.

    >>> surely_sound({"booking": "H-204", "fee": {"max": 0}}), surely_sound({"fee": {"max": "0"}})
    (True, False)
    """
    if isinstance(spec, dict):
        is_named = _NO_NAMES.isdisjoint(spec) if names else all(map(_is_name, spec))
        if is_named:
            return _all_sound(spec.values())
        return not names and _is_sound_condition(spec)
    if names:
        return False
    if isinstance(spec, list):
        return _all_sound(spec)
    if isinstance(spec, float):
        return math.isfinite(spec)
    return spec is None or isinstance(spec, str | int)


def _all_sound(specs: Iterable[Json]) -> bool:
    for spec in specs:  # noqa: SIM110 - all() costs a frame, and most are scalars
        if type(spec) not in SCALARS and not surely_sound(spec):
            return False
    return True


@functools.lru_cache(10_000)  # the names of a suite come again and again
def _is_name(key: Json) -> bool:
    """Say whether a key is neither an operator nor a slip of one."""
    return isinstance(key, str) and key not in OPERATORS and meant(key) is None


def _is_sound_condition(spec: dict[Json, Json]) -> bool:
    if spec.keys() <= _BOUNDS:
        return all(map(_is_modest, spec.values())) and leave_room(spec)
    if len(spec) > 1:
        return False
    ((name, operand),) = spec.items()
    return name in _OPERANDS and _OPERANDS[name](operand)


def _is_modest(operand: Json) -> bool:
    return is_number(operand) and -_FAR < operand < _FAR


def _is_list(operand: Json) -> bool:
    return isinstance(operand, list) and surely_sound(operand)


_OPERANDS: Final[dict[Json, Callable[[Json], bool]]] = {
    "has": lambda operand: isinstance(operand, dict) and all(map(surely_sound, operand.values())),
    "one_of": lambda operand: operand != [] and _is_list(operand),
    "contains": lambda operand: operand != "" and surely_sound(operand),
    "includes": _is_list,
    "unordered": _is_list,
    "each": surely_sound,
    "length": lambda operand: type(operand) is int and 0 <= operand < _FAR,
    "text": lambda operand: isinstance(operand, str),
    "phrase": lambda operand: isinstance(operand, str) and normalise(operand).strip() != "",
    "type": lambda operand: isinstance(operand, str) and operand in TYPES,
    "present": lambda operand: operand is True,
}
"""Says of the operand of an operator, which stands alone, that it is sound beyond doubt."""


def surely_sound_call(spec: Json) -> bool:
    """Say, at a quick look, that a call pattern compiles and that some call meets it.

    >>> surely_sound_call("pay"), surely_sound_call({"name": "pay", "args": {"fee": {"max": 0}}})
    (True, True)
    >>> surely_sound_call(" "), surely_sound_call({"name": "pay", "ok": True})
    (False, False)
    """
    name = spec
    if isinstance(spec, dict):
        if not spec.keys() <= _FIELDS:
            return False
        if not (
            surely_sound(spec.get("args", {}), names=True) and surely_sound(spec.get("result"))
        ):
            return False
        name = spec.get("name")
    return isinstance(name, str) and bool(name.strip())
