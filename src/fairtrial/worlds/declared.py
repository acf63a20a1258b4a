"""What makes a method a tool, and what a class of a world may not do."""

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeVar, overload

from fairtrial.errors import WorldError

RESERVED: Final = (
    *("tools", "state", "calls", "initial_state", "failure"),
    *("context", "clock", "random", "new_id"),
)
"""Names that every world has from the start."""

Method = TypeVar("Method", bound=Callable[..., Any])

_MARK: Final = "__fairtrial_tool__"


class Declared(NamedTuple):
    """A method that was declared a tool."""

    name: str
    method: Callable[..., Any]
    """As it was written."""
    description: str | None
    """None: its docstring says it."""


@overload
def tool(method: Method, /) -> Method: ...


@overload
def tool(
    *, name: str | None = None, description: str | None = None
) -> Callable[[Method], Method]: ...


def tool(
    method: Method | None = None, /, *, name: str | None = None, description: str | None = None
) -> Method | Callable[[Method], Method]:
    """Make a method of a world a tool: agents may call it, and every call is recorded.

    Args:
        method: A plain method; its parameters and their types say what a call must give.
        name: What the agent calls it; None: as the method is called.
        description: For the model; None: the first paragraph of the docstring.

    Raises:
        WorldError: It is no plain method.

    >>> from fairtrial.worlds import World
    >>> class Desk(World):
    ...     paid: list[float]
    ...
    ...     @tool
    ...     def pay(self, amount: float) -> str:
    ...         self.paid.append(amount)
    ...         return "paid"
    """
    if method is not None:
        return _recorded(method, name, description)
    return lambda method: _recorded(method, name, description)


def _recorded(method: Method, name: str | None, description: str | None) -> Method:
    _check_method(method)
    declared = Declared(name or method.__name__, method, description)

    @functools.wraps(method)
    def recorded(self: Any, *arguments: object, **named: object) -> object:
        return self._fairtrial.called(self, declared.name, arguments, named, declared.method)

    setattr(recorded, _MARK, declared)
    return recorded  # type: ignore[return-value]  # called just as the method is


def _check_method(method: object) -> None:
    """Refuse what cannot be a tool.

    Raises:
        WorldError: It is no plain method.
    """
    if not inspect.isfunction(method):
        raise WorldError(
            f"@tool stands above a {type(method).__name__}; a tool is a plain method that takes "
            "self: put no other decorator between @tool and it"
        )
    name = method.__name__
    if inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method):
        raise WorldError(f"tool {name}: it is async; a world waits for nothing: write def {name}")
    if inspect.isgeneratorfunction(method):
        raise WorldError(f"tool {name}: it yields; a tool gives its result at once: return a list")
    parameters = list(inspect.signature(method).parameters.values())
    if not parameters:
        raise WorldError(f"tool {name}: it takes no self; a tool is a plain method")
    for one in parameters[1:]:
        if one.kind not in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
            raise WorldError(
                f"tool {name}: {one}: a model gives every argument by its name; "
                "name each parameter, without * and /"
            )


def declared_tools(world: type) -> dict[str, Declared]:
    """Give the tools of a class by name, those that it inherits first.

    >>> declared_tools(object)
    {}
    """
    attributes = {
        name: None for kind in reversed(world.__mro__) for name in vars(kind) if _of(kind, name)
    }
    found = (_of(world, name) for name in attributes)
    return {one.name: one for one in found if one is not None}


def _of(world: type, name: str) -> Declared | None:
    return getattr(inspect.getattr_static(world, name), _MARK, None)


def check_class(world: type) -> None:
    """Refuse a class that could not be a world.

    Raises:
        WorldError: What is wrong with it, all at once.

    >>> check_class(type("Desk", (), {"state": 1}))
    Traceback (most recent call last):
    fairtrial.errors.WorldError: World Desk: `state` is a name that every world has; ...
    """
    problems = [f"World {world.__name__}: {text}" for text in _mistakes(world)]
    if problems:
        raise WorldError(*problems)


def _mistakes(world: type) -> Iterator[str]:
    annotated = annotations(world)
    for name in {**annotated, **vars(world)}:
        if name in RESERVED:
            yield (
                f"`{name}` is a name that every world has; choose another "
                f"(taken: {', '.join(RESERVED)})"
            )
    if "__init__" in vars(world):
        yield "__init__ is never called: fixtures fill the fields; give a field a default instead"
    for name, value in vars(world).items():
        yield from _mistakes_of(world, name, value)
        if name in annotated and inspect.isfunction(value):
            yield f"`{name}` is both a field and a method; name one of them otherwise"
    taken: dict[str, str] = {}
    for attribute in dir(world):
        one = _of(world, attribute)
        if one is not None and taken.setdefault(one.name, attribute) != attribute:
            both = f"{taken[one.name]} and {attribute}"
            yield f"two tools are called {one.name}: {both}; give one another name"


def _mistakes_of(world: type, name: str, value: object) -> Iterator[str]:
    wrapped = getattr(value, "__func__", getattr(value, "fget", None))
    if not inspect.isfunction(value) and hasattr(wrapped, _MARK):
        yield f"tool {name}: it is a {type(value).__name__}; a tool is a plain method"
    elif inspect.isfunction(value) and not hasattr(value, _MARK):
        bases = [kind for kind in world.__mro__[1:] if name in vars(kind)]
        if bases and _of(bases[0], name) is not None:
            yield f"{name} is a tool in {bases[0].__name__}; put @tool above it here too"


def annotations(world: type) -> dict[str, object]:
    """Give the annotations of a class itself as they are written; none where they cannot be had.

    >>> class Desk:
    ...     paid: list
    >>> annotations(Desk)
    {'paid': <class 'list'>}
    """
    try:
        return inspect.get_annotations(world)
    except NameError:  # Python 3.14 looks at them now; `prepare` looks again when all is there
        return {}
