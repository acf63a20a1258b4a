"""A tool that is a method of the world's class: its parameters, read as their types say."""

import copy
import functools
import inspect
import typing
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

import msgspec

from fairtrial.errors import ToolError
from fairtrial.records import Json
from fairtrial.worlds import docstring
from fairtrial.worlds.copies import can_change
from fairtrial.worlds.fitting import misfits, read, said
from fairtrial.worlds.kinds import Kind, keyed, unreadable
from fairtrial.worlds.schema import REQUIRED, Parameter, Shown, object_schema
from fairtrial.worlds.wording import listed, meant

_MOST: Final = 8  # mistakes told at once


class MethodTool:
    """A method of a world, ready to be called by an agent.

    >>> class Desk:
    ...     def pay(self, amount: float, note: str = "") -> float:
    ...         return amount
    >>> tool = MethodTool("pay", Desk.pay, None)
    >>> tool.run(Desk(), tool.accept({"amount": 5}))
    5.0
    """

    quiet = False

    def __init__(self, name: str, method: Callable[..., object], description: str | None) -> None:
        """Look at a method.

        Raises:
            NameError: An annotation names what is not there.
        """
        self.name = name
        self.method = method
        self.description = description
        self.parameters = _parameters(method)
        self._names = tuple(one.name for one in self.parameters)
        self._known = frozenset(self._names)
        self._required = frozenset(one.name for one in self.parameters if one.default is REQUIRED)
        self.takes = takes(self._names, self._required)
        kinds = {one.name: one.kind for one in self.parameters}
        self._kind = keyed(f"{name}_arguments", kinds)
        # A default that can be changed would be one and the same in all trials.
        self.changeable = {
            one.name: one.default
            for one in self.parameters
            if one.default is not REQUIRED and can_change(one.default)
        }

    def problems(self) -> list[str]:
        """Give what is wrong with the types of the parameters."""
        return [
            f"tool {self.name}: parameter {one.name}: {text}"
            for one in self.parameters
            for text in unreadable(one.kind, state=False)
        ]

    @functools.cached_property
    def shown(self) -> Shown:
        """What a model is told of it."""
        text = self.method.__doc__
        description = docstring.description(text) if self.description is None else self.description
        return Shown(self.name, description, object_schema(self.parameters))

    def bind(self, arguments: tuple[object, ...], named: dict[str, object]) -> dict[str, object]:
        """Give a name to arguments that came by position.

        Raises:
            ToolError: There are too many, or one is there twice.
        """
        if len(arguments) > len(self._names):
            most = f"{len(self._names)} at most ({listed(self._names)})"
            raise ToolError(f"{self.name}: {len(arguments)} arguments; it takes {most}")
        placed = dict(zip(self._names, arguments, strict=False))
        twice = placed.keys() & named.keys()
        if twice:
            raise ToolError(f"{self.name}: given twice: {listed(sorted(twice))}")
        return placed | named

    def accept(self, arguments: dict[str, Json]) -> dict[str, object]:
        """Read the arguments.

        Raises:
            ToolError: They do not fit; the text says what does.
        """
        names = arguments.keys()
        if names <= self._known and names >= self._required:
            try:
                accepted: dict[str, object] = read(arguments, self._kind) if names else {}
            except msgspec.ValidationError:
                raise self._refusal(arguments) from None
            if self.changeable:
                self.fill(accepted)
            return accepted
        raise self._refusal(arguments)

    def fill(self, arguments: dict[str, object]) -> None:
        """Put copies of defaults that can be changed where arguments are missing."""
        for name, default in self.changeable.items():
            if name not in arguments:
                arguments[name] = copy.deepcopy(default)

    def run(self, world: object, arguments: dict[str, object]) -> object:
        """Call the method."""
        return self.method(world, **arguments)

    def join(
        self,
        world: object,
        arguments: tuple[object, ...],
        named: dict[str, object],
        method: Callable[..., object] | None,
    ) -> object:
        """Do the work for another tool, as a plain call of Python."""
        if method is None or method is self.method:
            if self.changeable:
                named = self.bind(arguments, named)
                self.fill(named)
                arguments = ()
            method = self.method
        return method(world, *arguments, **named)

    def _refusal(self, arguments: dict[str, Json]) -> ToolError:
        wrong = [
            f"unknown argument {name!r}" + meant(name, self._known)
            for name in arguments
            if name not in self._known
        ]
        for one in self.parameters:
            if one.name in arguments:
                wrong += map(said, misfits(arguments[one.name], one.kind, (one.name,)))
            elif one.name in self._required:
                wrong.append(f"missing argument {one.name!r}")
        return refused(self.name, wrong, self.takes)


def takes(names: Iterable[str], required: Collection[str]) -> str:
    """Give the parameters of a tool on one line.

    >>> takes(["amount", "note"], ["amount"])
    'amount, note (optional)'
    """
    return listed(name if name in required else f"{name} (optional)" for name in names)


def refused(tool: str, wrong: list[str], takes: str) -> ToolError:
    """Give the error for arguments that do not fit, in words that a model can act on.

    >>> str(refused("pay", ["missing argument 'amount'"], "amount, note (optional)"))
    "pay: missing argument 'amount'. It takes amount, note (optional)"
    """
    told = wrong[:_MOST] + ([f"and {len(wrong) - _MOST} more"] if len(wrong) > _MOST else [])
    return ToolError(f"{tool}: {'; '.join(told)}. It takes {takes}")


def _parameters(method: Callable[..., object]) -> list[Parameter]:
    hints = typing.get_type_hints(method, include_extras=True)
    texts = docstring.arguments(method.__doc__)
    _, *parameters = inspect.signature(method).parameters.values()
    return [
        Parameter(
            one.name,
            _kind(hints.get(one.name, Any), one.default),
            REQUIRED if one.default is one.empty else one.default,
            texts.get(one.name, ""),
        )
        for one in parameters
    ]


def _kind(hint: Kind, default: object) -> Kind:
    """Give the type of a parameter; one that is None by default may also be given as null."""
    return hint | None if default is None and hint is not Any else hint
