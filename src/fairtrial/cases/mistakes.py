"""Every mistake in one matcher, pattern or plan, though compiling stops at the first."""

from collections.abc import Callable, Iterator
from typing import Final

from fairtrial.match import MatcherError
from fairtrial.records import Json

_Place = tuple[str | int, ...]

_MOST: Final = 20  # mistakes in one value that are told
_DROPPED: Final = object()
_STAND_INS: Final = ({"ignore": True}, "x", _DROPPED)
"""What is tried in a mistake's place: a matcher, a tool's name, nothing."""


def slips(compile_it: Callable[[Json], object], value: Json) -> Iterator[MatcherError]:
    """Give what is wrong with a value, each mistake at its own place; nothing for a sound one.

    After each mistake the value is compiled again with something harmless in its place.

    >>> from fairtrial.match import compile_matcher
    >>> both = {"fee": {"regex": "a"}, "day": {"min": "b"}}
    >>> [error.path for error in slips(compile_matcher, both)]
    [('fee',), ('day', 'min')]
    """
    for _ in range(_MOST):
        error = _mistake(compile_it, value)
        if error is None:
            return
        yield error
        value = _mended(compile_it, value, error.path)
        if value is _DROPPED:
            return


def _mended(compile_it: Callable[[Json], object], value: Json, place: _Place) -> Json:
    """Give the value with something harmless at the place, or further up where nothing fits."""
    while place:
        for stand_in in _STAND_INS:
            mended = _with(value, place, stand_in)
            if mended is _DROPPED:
                continue
            error = _mistake(compile_it, mended)
            if error is None or not _on_one_line(error.path, place):
                return mended
        place = place[:-1]
    return _DROPPED


def _on_one_line(one: _Place, other: _Place) -> bool:
    """Say whether one of two places holds the other."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _mistake(compile_it: Callable[[Json], object], value: Json) -> MatcherError | None:
    try:
        compile_it(value)
    except MatcherError as error:
        return error
    return None


def _with(value: Json, path: _Place, stand_in: object) -> Json:
    """Copy the value with something else at a path; `_DROPPED` where that cannot be."""
    step, *rest = path
    copied: dict[Json, Json] | list[Json]
    if isinstance(value, dict) and step in value:
        copied = dict(value)
    elif isinstance(value, list) and isinstance(step, int) and step < len(value):
        copied = [*value]
    else:
        return _DROPPED
    inner = _with(value[step], tuple(rest), stand_in) if rest else stand_in
    if inner is not _DROPPED:
        copied[step] = inner  # type: ignore[index]  # the step is one of this holder
    elif rest or isinstance(copied, list):
        return _DROPPED
    else:
        del copied[step]
    return copied
