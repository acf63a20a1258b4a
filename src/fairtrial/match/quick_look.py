"""Matchers and call patterns that are sound beyond doubt: seen at a look, and nothing is compiled.

Most of what people write names what must be there, without an operator.
"""

import functools
import math
from typing import Final

from fairtrial.match.spelling import OPERATORS, meant
from fairtrial.records import Json

_FIELDS: Final = frozenset({"name", "args", "result"})
_NO_NAMES: Final = frozenset({"has", "exactly"})
"""Operators even where the top keys are names."""


def surely_sound(spec: Json, *, names: bool = False) -> bool:
    """Say, at a quick look, that a matcher compiles and that some value meets it.

    The value is there: where nothing is, the matcher is not met. What is not seen at a look gives
    false, though it may be sound. `names` is as for `compile_matcher`; `tables` changes nothing.

    >>> surely_sound({"booking": "H-204", "rows": [1, None]}), surely_sound({"fee": {"max": 0}})
    (True, False)
    """
    if isinstance(spec, dict):
        if not (_NO_NAMES.isdisjoint(spec) if names else all(map(_is_name, spec))):
            return False
        return all(map(surely_sound, spec.values()))
    if names:
        return False
    if isinstance(spec, list):
        return all(map(surely_sound, spec))
    if isinstance(spec, float):
        return math.isfinite(spec)
    return spec is None or isinstance(spec, str | int)


@functools.lru_cache(10_000)  # the names of a suite come again and again
def _is_name(key: Json) -> bool:
    """Say whether a key is neither an operator nor a slip of one."""
    return isinstance(key, str) and key not in OPERATORS and meant(key) is None


def surely_sound_call(spec: Json) -> bool:
    """Say, at a quick look, that a call pattern compiles and that some call meets it.

    >>> surely_sound_call("pay"), surely_sound_call({"name": "pay", "args": {"to": "Ann"}})
    (True, True)
    >>> surely_sound_call({"name": "pay", "args": {"fee": {"max": 0}}}), surely_sound_call(" ")
    (False, False)
    """
    name = spec
    if isinstance(spec, dict):
        if not spec.keys() <= _FIELDS:
            return False
        if not (surely_sound(spec.get("args", {}), names=True) and surely_sound(spec.get("result"))):
            return False
        name = spec.get("name")
    return isinstance(name, str) and bool(name.strip())
