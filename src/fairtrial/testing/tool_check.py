"""One tool, looked at without any agent or model: would an agent get along with it?"""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence

from fairtrial.errors import ToolError, UsageError
from fairtrial.match import difference
from fairtrial.records import Case, Json, Source
from fairtrial.testing.finding import Finding, Rule
from fairtrial.testing.seen_by_models import schema_findings
from fairtrial.testing.told_to_agents import Refusal, complaints, probes
from fairtrial.text import cut
from fairtrial.worlds import Blueprint, World, prepare, result_misfits, tool, tool_names

_SEED = b"check_tool"
_MOST = 3  # changes that are told


def check_tool(  # noqa: PLR0913 - one call says all that is known of a tool
    subject: type[World] | Callable[..., object],
    name: str | None = None,
    *,
    arguments: Mapping[str, Json] | None = None,
    fixtures: Mapping[str, Json] | None = None,
    context: Json = None,
    reads: bool = False,
    idempotent: bool = False,
    refuses: Sequence[Mapping[str, Json]] = (),
) -> list[Finding]:
    """Look at a tool as agents and models meet it, and give what would make them fail.

    How it is shown to a model is always looked at. With an example call also its result, and what
    it says to an agent that leaves an argument out, gives one of the wrong type, or makes an id up.

    Args:
        subject: A class of a world; or a plain function, whose own state is not seen.
        name: Of the tool; None: that of the function, or the world's only tool.
        arguments: Of a call that must work; None: nothing is called.
        fixtures: Fill the world; each call gets a clean one.
        context: The case's context.
        reads: The tool only reads: the call must change nothing.
        idempotent: A second call with the same arguments must change nothing more, or be an error.
        refuses: Arguments that the tool must say no to, without any change.

    Returns:
        What was found, in the order of the rules; nothing is as it should be.

    Raises:
        UsageError: There is no such tool, or a function was asked about its state.
        WorldError: The fixtures do not fit the world.

    >>> class Hotel(World):
    ...     bookings: dict[str, dict]
    ...
    ...     @tool
    ...     def cancel(self, booking: str) -> str:
    ...         \"\"\"Cancel a booking.
    ...
    ...         Args:
    ...             booking: Its id, such as H-204.
    ...         \"\"\"
    ...         del self.bookings[booking]
    ...         return "cancelled"
    >>> fixtures = {"bookings": {"H-204": {"guest": "g7"}}}
    >>> for found in check_tool(Hotel, "cancel", fixtures=fixtures, arguments={"booking": "H-204"}):
    ...     print(found.rule, found.about)
    errors booking
    """
    _fit_calls(arguments, refuses)
    world, name = _world_and_name(subject, name, state=reads or idempotent)
    case = Case(
        id=name,
        hash="",
        source=Source("check_tool", 1),
        fixtures=None if fixtures is None else dict(fixtures),
        context=context,
    )
    blueprint = prepare(world, case)
    shown = blueprint.build(_SEED).tools[name]
    findings = list(schema_findings(name, shown.description, shown.parameters))
    calls = _Calls(world, name, blueprint)
    if arguments is not None:
        found = list(calls.example(arguments, reads=reads, idempotent=idempotent))
        findings += found
        if not any(one.rule == "call" for one in found):  # else nothing can be told from it
            findings += calls.mistakes(arguments, shown.parameters)
    elif reads or idempotent:
        raise UsageError("reads and idempotent need a call to look at; give arguments")
    for given in refuses:
        findings += calls.refused(given)
    return list({(found.rule, found.text): found for found in findings}.values())


def _fit_calls(arguments: object, refuses: object) -> None:
    """Refuse examples that are no calls.

    Raises:
        UsageError: Saying what is wanted.
    """
    if not isinstance(arguments, Mapping | None):
        raise UsageError(
            f"arguments: wanted a mapping of names to values, got {cut(repr(arguments))}"
        )
    if not isinstance(refuses, Sequence) or not all(isinstance(one, Mapping) for one in refuses):
        raise UsageError(
            'refuses: wanted a list of mappings, such as [{"amount": -1}], got '
            f"{cut(repr(refuses))}"
        )


class _Calls:
    """Calls of one tool, each in a clean world."""

    def __init__(self, world: type[World], name: str, blueprint: Blueprint) -> None:
        self._world = world
        self._name = name
        self._blueprint = blueprint

    def example(
        self, arguments: Mapping[str, Json], *, reads: bool, idempotent: bool
    ) -> Iterator[Finding]:
        """Give what is wrong with a call that must work."""
        world = self._blueprint.build(_SEED)
        result, refusal = _called(world, self._name, arguments)
        if refusal is not None:
            text = f"the example call failed: {cut(refusal.heard)}; mend it, or the fixtures"
            if refusal.bug is not None:
                text = f"the example call broke the tool: {cut(refusal.bug)}"
            yield self._found("call", "", text)
            return
        for misfit in result_misfits(self._world, self._name, result):
            text = f"{misfit}; give back what the annotation says, or mend the annotation"
            yield self._found("result", "", text)
        once = world.state
        changes = difference(world.initial_state, once)
        if reads and changes:
            text = f"it only reads, and changed {_listed(changes)}"
            yield self._found("reads", "", text)
        if idempotent:
            _called(world, self._name, arguments)
            again = difference(once, world.state)
            if again:
                text = (
                    f"called again with the same arguments it changed {_listed(again)}; let the "
                    "second call change nothing, or raise ft.ToolError"
                )
                yield self._found("idempotent", "", text)

    def mistakes(self, arguments: Mapping[str, Json], parameters: Json) -> Iterator[Finding]:
        """Give what is wrong with the answers to an agent that is wrong."""
        for probe in probes(arguments, parameters):
            world = self._blueprint.build(_SEED)
            _, refusal = _called(world, self._name, probe.arguments)
            if refusal is None:
                if probe.must_fail:
                    text = f"{probe.told}: it is not refused; say which arguments it takes"
                    yield self._found("errors", probe.about, text)
                continue
            for text in complaints(refusal, probe.clues):
                yield self._found("errors", probe.about, f"{probe.told}: {text}")
            yield from self._unchanged(world, probe.told, probe.about)

    def refused(self, arguments: Mapping[str, Json]) -> Iterator[Finding]:
        """Give what is wrong with the answer to arguments that must be refused."""
        world = self._blueprint.build(_SEED)
        told = f"{self._name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
        _, refusal = _called(world, self._name, arguments)
        if refusal is None:
            text = f"{cut(told)} is not refused; raise ft.ToolError that says why not"
            yield self._found("errors", "", text)
            return
        for text in complaints(refusal, ()):
            yield self._found("errors", "", f"{cut(told)}: {text}")
        yield from self._unchanged(world, cut(told), "")

    def _unchanged(self, world: World, told: str, about: str) -> Iterator[Finding]:
        changes = difference(world.initial_state, world.state)
        if changes:
            text = (
                f"{told}: it says no, and has changed {_listed(changes)}; look at all arguments "
                "before anything is changed"
            )
            yield self._found("errors", about, text)

    @staticmethod
    def _found(rule: Rule, about: str, text: str) -> Finding:
        return Finding(rule=rule, about=about, text=text)


def _called(world: World, name: str, arguments: Mapping[str, Json]) -> tuple[Json, Refusal | None]:
    try:
        return world.tools.call(name, dict(arguments)), None
    except ToolError as error:
        bug = None if world.failure is None else world.failure.message
        return None, Refusal(str(error), bug)


def _listed(changes: Sequence[str]) -> str:
    more = f" and {len(changes) - _MOST} more" if len(changes) > _MOST else ""
    return "; ".join(cut(change) for change in changes[:_MOST]) + more


def _world_and_name(
    subject: type[World] | Callable[..., object], name: str | None, *, state: bool
) -> tuple[type[World], str]:
    """Give the class of the world and the tool's name in it.

    Raises:
        UsageError: There is no such tool.
    """
    if not (inspect.isclass(subject) and issubclass(subject, World)):
        if not inspect.isroutine(subject):
            shown = cut(repr(subject))
            raise UsageError(f"{shown} is no tool; give a World and a name, or a function")
        if state:
            raise UsageError("the state of a plain function is not seen; give a World and a name")
        name = name or subject.__name__
        return _alone(subject, name), name
    tools = tool_names(subject)
    if name is None and len(tools) == 1:
        return subject, tools[0]
    if name not in tools:
        known = ", ".join(tools) or "none: put @ft.tool above a method"
        what = "which tool?" if name is None else f"no tool {cut(repr(name))};"
        raise UsageError(f"{subject.__name__}: {what} its tools are {known}")
    return subject, name


def _alone(function: Callable[..., object], name: str) -> type[World]:
    """Make a world of one function.

    Raises:
        UsageError: It is async, or no model could call it.
    """
    if inspect.iscoroutinefunction(function):
        raise UsageError(f"{name} is async; give a plain function that waits for it")
    signature = _signature(function, name)

    @functools.wraps(function)
    def method(self: World, **arguments: object) -> object:  # noqa: ARG001 - functions have none
        return function(**arguments)

    first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    method.__signature__ = signature.replace(  # type: ignore[attr-defined]  # as inspect reads it
        parameters=[first, *signature.parameters.values()]
    )
    return type("Alone", (World,), {name: tool(name=name)(method)})


def _signature(function: Callable[..., object], name: str) -> inspect.Signature:
    """Give the signature of a function that a tool can be made of.

    Raises:
        UsageError: It has none, or one that a model cannot fill by name.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: its parameters cannot be read; wrap it in a function") from error
    for one in signature.parameters.values():
        if one.kind is one.POSITIONAL_ONLY:
            raise UsageError(
                f"{name}: {one.name} is given by its place alone, and a model gives every "
                "argument by its name; leave the / out, or wrap it in a function"
            )
    if "self" in signature.parameters:
        raise UsageError(f"{name} is a method; give its World and {name!r}")
    return signature
