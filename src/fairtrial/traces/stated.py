"""Trajectories that an agent states itself: an object in the form of a recording, or the record."""

from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

from fairtrial.records import Json, NotJsonError, Trajectory, plain
from fairtrial.text import cut, type_mismatch
from fairtrial.traces.calls import UnlikeFormatError

FORMAT = 1
"""The newest trajectory format that is read."""

_FIELDS: Final = {field.name: field for field in msgspec.structs.fields(Trajectory)}
_OURS = frozenset({"case", "trial"})
"""What the run knows and the agent need not."""
_MOST_MISTAKES = 20


def read_stated(fields: dict[str, object], case: str) -> Trajectory:
    """Give the trajectory that the fields state, for the run's case and without a trial's number.

    Unknown fields are ignored, as in recordings.

    Raises:
        UnlikeFormatError: Fields of wrong types, each named with its path.

    >>> read_stated({"answer": "Done.", "trial": 7, "mood": "fine"}, "c1")
    Trajectory(case='c1', trial=None, answer='Done.', stop=None, error=None, model='none', \
steps=None, inferred=False, state=None, initial_state=None, tokens=None, cost=None, currency=None, \
seconds=None, turns=None, spans=None, extra=None, format=1)
    >>> read_stated({"answer": 5, "steps": [{"calls": [{}]}]}, "c1")
    Traceback (most recent call last):
    fairtrial.traces.calls.UnlikeFormatError: answer: wanted text or null, got a whole number; \
steps[0].calls[0].name: missing
    """
    told, found = _plain(
        {name: fields[name] for name in _FIELDS if name in fields and name not in _OURS}
    )
    told["case"] = case
    mistake = ""
    if not found:
        try:
            trajectory = msgspec.convert(told, Trajectory)
        except msgspec.ValidationError as error:
            mistake = str(error)
        else:
            if trajectory.format == FORMAT:
                return trajectory
            mistake = f"format: {trajectory.format} is not known; this version reads {FORMAT}"
    found = found + _all_mistakes(told) or [mistake]
    shown = "; ".join(found[:_MOST_MISTAKES])
    raise UnlikeFormatError(shown if len(found) <= _MOST_MISTAKES else f"{shown}; and more")


def _plain(fields: dict[str, object]) -> tuple[dict[str, Json], list[str]]:
    """Give the fields that are JSON, and what is wrong with each other one."""
    try:
        return plain(fields), []
    except NotJsonError:
        told: dict[str, Json] = {}
        found: list[str] = []
    for name, value in fields.items():
        try:
            told |= plain({name: value})
        except NotJsonError as error:
            found.append(str(error))
    return told, found


def stated_field(name: str, value: object) -> Json:
    """Give one field of a trajectory as its type wants it.

    Raises:
        UnlikeFormatError: It is of a wrong type.

    >>> stated_field("cost", 1)
    1.0
    """
    try:
        return msgspec.convert(plain(value), _FIELDS[name].type)
    except NotJsonError as error:
        raise UnlikeFormatError(f"{name}: {error}") from error
    except msgspec.ValidationError as error:
        mistakes = islice(_mistakes(plain(value), _FIELDS[name].type, name), _MOST_MISTAKES)
        raise UnlikeFormatError("; ".join(mistakes)) from error


def _all_mistakes(told: dict[str, Json]) -> list[str]:
    mistakes = (
        mistake
        for name, field in _FIELDS.items()
        if name in told
        for mistake in _mistakes(told[name], field.type, name)
    )
    return list(islice(mistakes, _MOST_MISTAKES + 1))


def _mistakes(value: Json, wanted: Json, path: str) -> Iterator[str]:
    """Give what is wrong with a value of a type; msgspec itself ends at the first mistake."""
    try:
        msgspec.convert(value, wanted)
    except msgspec.ValidationError as error:
        text = str(error)
    else:
        return
    inner = list(islice(_inside(value, wanted, path), _MOST_MISTAKES + 1))
    yield from inner or [f"{cut(path, 120)}: {_in_words(text, wanted)}"]


def _inside(value: Json, wanted: Json, path: str) -> Iterator[str]:
    for option in get_args(wanted) if type(None) in get_args(wanted) else [wanted]:
        if isinstance(value, list) and get_origin(option) is tuple:
            for number, item in enumerate(value):
                yield from _mistakes(item, get_args(option)[0], f"{path}[{number}]")
        elif isinstance(value, dict) and isinstance(option, type) and issubclass(option, Struct):
            for field in msgspec.structs.fields(option):
                if field.name in value:
                    yield from _mistakes(value[field.name], field.type, f"{path}.{field.name}")
                elif field.required:
                    yield f"{path}.{field.name}: missing"


def _in_words(text: str, wanted: Json) -> str:
    options = [one for one in (wanted, *get_args(wanted)) if get_origin(one) is Literal]
    if options:
        return f"wanted one of {', '.join(map(str, get_args(options[0])))}"
    return type_mismatch(text.partition(" - at `")[0]) or cut(text, 120)
