"""Types taken apart: what a field's type is made of, and whether JSON can fill it at all."""

import collections.abc
import dataclasses
import types
import typing
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import inspect

Kind: TypeAlias = Any
"""A type as an annotation says it."""

Fields: TypeAlias = dict[str, tuple[Kind, bool]]
"""The fields of a record by their name in JSON: the type, and whether it must be there."""

_MAPPINGS: Final = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_LISTS: Final = (
    *(list, set, frozenset, collections.abc.Sequence, collections.abc.MutableSequence),
    *(collections.abc.Collection, collections.abc.Set, collections.abc.MutableSet),
)
_WRAPPERS: Final = ("Required", "NotRequired", "ReadOnly")


def keyed(name: str, kinds: dict[str, Kind]) -> Kind:
    """Give the type of a mapping that has some of these keys, each with its own type.

    >>> msgspec.convert({"fee": 1}, keyed("Fee", {"fee": float, "note": str}))
    {'fee': 1.0}
    """
    make: Any = typing.TypedDict  # a type checker wants them written down
    return make(name, kinds, total=False)


def origin(kind: Kind) -> Kind:
    """Give what a generic type is made from, such as `dict` for `dict[str, int]`; None else.

    >>> origin(dict[str, int]), origin(int)
    (<class 'dict'>, None)
    """
    return typing.get_origin(kind)


def bare(kind: Kind) -> Kind:
    """Give the type without what is only said about it: `Annotated`, `NewType`, an alias' name.

    >>> bare(typing.Annotated[int, "cents"]), bare(typing.NewType("Cents", int))
    (<class 'int'>, <class 'int'>)
    """
    while True:
        made_from = origin(kind)
        if made_from is typing.Annotated or getattr(made_from, "_name", None) in _WRAPPERS:
            kind = typing.get_args(kind)[0]
        elif hasattr(kind, "__supertype__"):
            kind = kind.__supertype__
        elif type(kind).__name__ == "TypeAliasType":
            kind = kind.__value__
        else:
            return kind


def arms(kind: Kind) -> tuple[list[Kind], bool]:
    """Give the alternatives of a type, and whether null is one more.

    >>> arms(int | None), arms(str)
    (([<class 'int'>], True), ([<class 'str'>], False))
    """
    if origin(kind) not in (typing.Union, types.UnionType):
        return [kind], False
    inner = typing.get_args(kind)
    return [one for one in inner if one is not type(None)], type(None) in inner


def container(kind: Kind) -> tuple[bool, Kind | None]:
    """Say whether a type is a mapping, and what its items are; (False, None) is no container.

    >>> container(dict[str, int]), container(list), container(int)
    ((True, <class 'int'>), (False, typing.Any), (False, None))
    """
    made_from = container_only(kind)
    inner = typing.get_args(kind)
    if made_from in _MAPPINGS:
        return True, inner[1] if len(inner) == 2 else Any
    if made_from in _LISTS:
        return False, inner[0] if inner else Any
    if made_from is tuple and (not inner or inner[-1] is Ellipsis):
        return False, inner[0] if inner else Any
    return False, None


@lru_cache(maxsize=1024)
def record(kind: Kind) -> Fields | None:
    """Give the fields of a dataclass, a Struct or a TypedDict; None for another type."""
    if not isinstance(kind, type):
        return None
    if issubclass(kind, msgspec.Struct):
        return _struct(kind)
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind, include_extras=True)
        return {
            one.name: (hints[one.name], _required(one))
            for one in dataclasses.fields(kind)
            if one.init
        }
    if typing.is_typeddict(kind):
        required: frozenset[str] = getattr(kind, "__required_keys__", frozenset())
        hints = typing.get_type_hints(kind, include_extras=True)
        return {name: (inner, name in required) for name, inner in hints.items()}
    return None


def _required(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


def _struct(kind: type[msgspec.Struct]) -> Fields | None:
    config = kind.__struct_config__
    if config.array_like or config.tag is not None:
        return None  # msgspec's own words say what is wrong there
    return {one.encode_name: (one.type, one.required) for one in msgspec.structs.fields(kind)}


def empty(kind: Kind) -> object:
    """Give what a field starts as that nobody filled: an empty container, or None where it may be.

    Raises:
        ValueError: The type has no such value.

    >>> empty(dict[str, int]), empty(list), empty(int | None)
    ({}, [], None)
    """
    kind = bare(kind)
    inner, null = arms(kind)
    if null:
        return None
    keyed, items = container(bare(inner[0]))
    if keyed:
        return {}
    if items is None:
        raise ValueError("no container")
    return msgspec.convert([], container_only(bare(inner[0])))


def container_only(kind: Kind) -> Kind:
    """Give the type of a container without that of its items.

    >>> container_only(set[int])
    <class 'set'>
    """
    return origin(kind) or kind


def unreadable(kind: Kind, *, state: bool) -> list[str]:
    """Say why no JSON can fill a type; nothing where it can.

    Args:
        kind: The type.
        state: It is part of a world's state, which is written as JSON: keys must be text.

    >>> unreadable(dict[str, list[int]], state=True), unreadable(list[complex], state=True)
    ([], ['complex is no JSON type, dataclass, TypedDict, msgspec Struct or pydantic model'])
    """
    try:
        msgspec.json.Decoder(kind)
        root = inspect.type_info(kind)
    except (TypeError, NameError, AttributeError) as error:
        return [str(error).replace("`", "")]
    return list(dict.fromkeys(_objections(root, state=state, seen=set())))


def _objections(node: object, *, state: bool, seen: set[int]) -> Iterator[str]:
    if id(node) in seen:
        return
    seen.add(id(node))
    match node:
        case inspect.CustomType(cls):
            if cls is not object and not hasattr(cls, "model_validate"):
                kinds = "JSON type, dataclass, TypedDict, msgspec Struct or pydantic model"
                yield f"{getattr(cls, '__name__', cls)} is no {kinds}"
        case inspect.DictType(key, _) if state and not _is_text(key):
            yield "a mapping in a world has text as its keys, as in JSON; write dict[str, ...]"
    for inner in _parts(node):
        yield from _objections(inner, state=state, seen=seen)


def _is_text(key: object) -> bool:
    match key:
        case inspect.StrType() | inspect.AnyType():
            return True
        case inspect.LiteralType(values):
            return all(isinstance(value, str) for value in values)
        case inspect.EnumType(cls):
            return issubclass(cls, str)
        case _:
            return False


def _parts(node: object) -> Iterator[object]:
    if not isinstance(node, msgspec.Struct):
        return
    for name in node.__struct_fields__:
        inner = getattr(node, name)
        if isinstance(inner, inspect.Type | inspect.Field):
            yield inner
        elif isinstance(inner, tuple):
            yield from (one for one in inner if isinstance(one, inspect.Type | inspect.Field))
