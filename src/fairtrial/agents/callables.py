"""Python callables of every kind as agents."""

import functools
import inspect
import types
from collections.abc import Awaitable, Callable
from typing import TypeAlias, cast

from fairtrial.errors import PluginError
from fairtrial.ports import Agent
from fairtrial.records import Task

_Called: TypeAlias = Callable[[Task], object]
_HINT = "wanted a function of one parameter, the task: def agent(task) or async def agent(task)"


def callable_agent(target: object, name: str) -> Agent:
    """Give an agent that calls the target; it is not called now.

    Coroutine functions become agents that do not block. All else may block and gets a thread;
    an awaitable that it returns is awaited there. An object that is an agent by itself (as
    `CommandAgent` is) stays as it is.

    Args:
        target: A function, method, `functools.partial`, or an object with `__call__`.
        name: How the agent was named, `module:attribute`: for people.

    Raises:
        PluginError: The target cannot be called with one task, or is a class or a generator.

    >>> agent = callable_agent(lambda task: "Done.", "shop:agent")
    >>> agent.name, agent.blocking
    ('shop:agent', True)
    """
    if _is_an_agent(target):
        return cast(Agent, target)
    fault = _fault(target)
    if fault:
        raise PluginError(f"agent {name!r}: {fault}")
    called = cast(_Called, target)
    if inspect.iscoroutinefunction(_function(target)):
        return _AsyncAgent(called, name)
    return _BlockingAgent(called, name)


class _CallableAgent:
    def __init__(self, target: _Called, name: str) -> None:
        self._target = target
        self.name = name

    def warm(self, count: int) -> None:
        """Need nothing."""

    def abandon(self, task: Task) -> None:
        """Nothing: who runs the agent cancels it, or leaves its thread behind."""

    def close(self) -> None:
        """Nothing is held."""


class _AsyncAgent(_CallableAgent):
    blocking = False

    def __call__(self, task: Task) -> object:
        return self._target(task)


class _BlockingAgent(_CallableAgent):
    blocking = True

    def __call__(self, task: Task) -> object:
        returned = self._target(task)
        if inspect.isawaitable(returned):
            import asyncio  # noqa: PLC0415 - a plain function seldom returns an awaitable

            return asyncio.run(_awaited(returned))
        return returned


async def _awaited(returned: Awaitable[object]) -> object:
    return await returned


def _is_an_agent(target: object) -> bool:
    return (
        not isinstance(target, type)
        and callable(target)
        and all(callable(getattr(target, name, None)) for name in ("abandon", "close"))
        and isinstance(getattr(target, "blocking", None), bool)
        and isinstance(getattr(target, "name", None), str)
    )


def _function(target: object) -> object:
    """Give the function that will run, below partials, methods and `__call__`.

    A plain wrapper around a coroutine function is left alone: it may give the coroutine or wait
    for it, and in a thread both work.
    """
    while isinstance(target, functools.partial | types.MethodType):
        target = target.func if isinstance(target, functools.partial) else target.__func__
    if isinstance(target, types.FunctionType | types.BuiltinFunctionType):
        return target
    call = inspect.getattr_static(type(target), "__call__", None)
    return _function(call) if isinstance(call, types.FunctionType | functools.partial) else target


def _fault(target: object) -> str:
    if isinstance(target, type):
        return f"{target.__name__} is a class; wanted an instance: agent = {target.__name__}()"
    if not callable(target):
        return f"it is {_kind(target)}, which cannot be called; {_HINT}"
    function = _function(target)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        return "it is a generator: it yields; return the answer instead"
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        return ""  # some built-in callables do not say
    try:
        signature.bind(None)
    except TypeError:
        return f"it takes {signature}; {_HINT}"
    return ""


def _kind(target: object) -> str:
    if isinstance(target, types.ModuleType):
        return f"the module {target.__name__}"
    name = type(target).__name__
    return f"an {name}" if name[:1] in "AEIOaeio" else f"a {name}"
