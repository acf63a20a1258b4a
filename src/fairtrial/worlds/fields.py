"""What a class of a world is made of: fields with types and starting values, tools, and a clock."""

import copy
import dataclasses
import datetime
import inspect
import types
import typing
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from fairtrial.errors import WorldError
from fairtrial.text import cut
from fairtrial.worlds.clock import STARTS_AT, instant
from fairtrial.worlds.copies import can_change
from fairtrial.worlds.declared import RESERVED, declared_tools
from fairtrial.worlds.fitting import from_json
from fairtrial.worlds.kinds import Kind, empty, keyed, origin, unreadable
from fairtrial.worlds.method import MethodTool
from fairtrial.worlds.world import World

MISSING: Final[Any] = object()
"""The start of a field that has none."""

_NO_START: Final = (dataclasses.MISSING, msgspec.NODEFAULT)


class Field(NamedTuple):
    """One field of a world."""

    kind: Kind
    start: object
    """What it starts as without a fixture; MISSING: it must have one."""


class Description(NamedTuple):
    """All that fairtrial knows of a class of a world."""

    world: type[World]
    fields: dict[str, Field]
    decode: Callable[[bytes], dict[str, object]]
    """Makes fields from fixtures as JSON."""
    besides: dict[str, object]
    """What is no field and could be changed: it is copied for each trial too."""
    tools: dict[str, MethodTool]
    starts: datetime.datetime


@lru_cache(maxsize=64)
def describe(world: type[World]) -> Description:
    """Look at a class, once.

    Raises:
        WorldError: All that is wrong with it.

    >>> class Desk(World):
    ...     paid: list[float]
    >>> describe(Desk).fields["paid"].start
    []
    """
    wrong: list[str] = []
    kinds = _kinds(world, wrong)
    fields = {name: Field(kind, _start(world, name, kind)) for name, kind in kinds.items()}
    besides = _besides(world, fields)
    wrong += _uncopied({name: one.start for name, one in fields.items()} | besides)
    tools = _tools(world, wrong)
    try:
        starts = instant(world.starts_at)
    except ValueError as error:
        starts = instant(STARTS_AT)
        wrong.append(f"starts_at: {error}")
    if wrong:
        raise WorldError(*(f"World {world.__name__}: {text}" for text in wrong))
    shape = keyed(f"{world.__name__}_fields", kinds)
    decoder = msgspec.json.Decoder(shape, dec_hook=from_json)
    return Description(world, fields, decoder.decode, besides, tools, starts)


def _kinds(world: type[World], wrong: list[str]) -> dict[str, Kind]:
    try:
        hints = typing.get_type_hints(world, include_extras=True)
    except (NameError, TypeError, SyntaxError) as error:
        wrong.append(f"a field's type cannot be read: {error}; define it at the top of a module")
        return {}
    fields = {
        name: kind for name, kind in hints.items() if not _is_private(name) and not _is_class(kind)
    }
    fields.pop("starts_at", None)
    for name, kind in fields.items():
        if name in RESERVED:  # where the class itself could not be asked yet
            wrong.append(f"`{name}` is a name that every world has; choose another")
        wrong += [f"field {name}: {text}" for text in unreadable(kind, state=True)]
    return fields


def _is_private(name: str) -> bool:
    return name.startswith("_")


def _is_class(kind: Kind) -> bool:
    return kind is typing.ClassVar or origin(kind) is typing.ClassVar


def _start(world: type[World], name: str, kind: Kind) -> object:
    """Give what a field starts as without a fixture."""
    start = inspect.getattr_static(world, name, MISSING)
    if start is MISSING or isinstance(start, types.MemberDescriptorType):
        # The decorator of dataclasses takes factories away from the class.
        start = getattr(world, "__dataclass_fields__", {}).get(name, MISSING)
    factory = getattr(start, "default_factory", MISSING)
    if factory is not MISSING:  # dataclasses.field or msgspec.field
        default = getattr(start, "default", MISSING)
        start = MISSING if default in _NO_START else default
        if factory not in _NO_START:
            start = factory()
    if start is not MISSING:
        return start
    try:
        return empty(kind)
    except ValueError:
        return MISSING


def _uncopied(starts: dict[str, object]) -> Iterator[str]:
    """Tell what no trial could have a copy of, such as a lock or a connection."""
    for name, start in starts.items():
        try:
            can_change(start)
        except Exception as error:  # noqa: BLE001 - copying runs a stranger's code
            yield (
                f"field {name}: its default cannot be copied for each trial ({cut(str(error))}); "
                "make it in the tool that needs it, or annotate it as ClassVar, which all trials "
                "share"
            )


def _tools(world: type[World], wrong: list[str]) -> dict[str, MethodTool]:
    tools: dict[str, MethodTool] = {}
    for name, one in declared_tools(world).items():
        try:
            tools[name] = MethodTool(name, one.method, one.description)
        except (NameError, TypeError, SyntaxError) as error:
            wrong.append(f"tool {name}: a parameter's type cannot be read: {error}")
        else:
            wrong += tools[name].problems()
    return tools


def _besides(world: type[World], fields: dict[str, Field]) -> dict[str, object]:
    """Give what hangs on the class and is no field, such as a cache: shared, it would be a leak."""
    held: dict[str, object] = {}
    for kind in reversed(world.__mro__[: world.__mro__.index(World)]):
        held |= vars(kind)
    own = {
        name: value
        for name, value in held.items()
        if isinstance(value, list | dict | set | bytearray)
        and not (name.startswith("__") or name in fields)
    }
    hints = typing.get_type_hints(world) if own else {}
    return {name: value for name, value in own.items() if not _is_class(hints.get(name))}


def maker(start: object) -> Callable[[], object] | None:
    """Give what makes a field's start anew; None for what never changes and can be shared.

    >>> maker(5) is None, maker([])(), maker({"a": []})()
    (True, [], {'a': []})
    """
    kind = type(start)
    if kind in (list, dict, set) and not start:
        return kind
    if not can_change(start):
        return None
    return lambda: copy.deepcopy(start)
