"""What happened in one trial's world: every call of an agent, one after the other."""

import threading
from collections.abc import Callable, Mapping
from typing import Final, NoReturn

import msgspec
from msgspec import UNSET, UnsetType

from fairtrial.errors import ToolError
from fairtrial.match import brief
from fairtrial.records import Json, NotJsonError, ToolCall, TrajectoryError, clean_text
from fairtrial.text import cut
from fairtrial.worlds.arguments import Given, given
from fairtrial.worlds.copies import all_parts, snapshot
from fairtrial.worlds.faults import Faults, Strike, injected
from fairtrial.worlds.runner import Runner
from fairtrial.worlds.setting import Hooks, Setting
from fairtrial.worlds.wording import listed, meant, shown

INTERNAL: Final = "internal error in the tool"
"""What the agent hears when the world itself is broken."""

_LONGEST: Final = 500  # characters of an exception's text
_PATIENCE: Final = 0.02  # seconds that a look at the state waits for a tool that runs
_UNENDED: Final = "the call did not end"
_NO_STRIKE: Final = Strike()


class _Outcome:
    """How a call ended."""

    __slots__ = ("bug", "cause", "changed", "error", "result", "seconds")

    def __init__(
        self,
        result: Json | UnsetType = UNSET,
        error: str | None = None,
        cause: BaseException | None = None,
        bug: str | None = None,
    ) -> None:
        self.result = result
        self.error = error
        self.cause = cause
        self.bug = bug
        """What is wrong with the world itself."""
        self.changed = False
        self.seconds = 0.0


class _UnderWay:
    """A call that was let in and has not ended. Equal to none but itself."""

    __slots__ = ("arguments", "name")

    def __init__(self, name: str, arguments: Json) -> None:
        self.name = name
        self.arguments = arguments


class Ledger:
    """The calls of one trial. One lock: tools run one after the other, faults sleep outside it.

    Another lock guards what is written down. Nothing runs under it, so who reads never waits.
    """

    __slots__ = (
        *("_book", "_ended", "_faults", "_good", "_hooks", "_running", "_setting"),
        *("_under_way", "failure", "lock"),
    )

    def __init__(self, setting: Setting, hooks: Hooks) -> None:
        self._setting = setting
        self._hooks = hooks
        self._faults = Faults(setting.faults) if setting.faults else None
        self._running: int | None = None
        self._good: dict[str, Json] = {}
        self._book = threading.Lock()
        self._ended: list[ToolCall] = []
        self._under_way: dict[_UnderWay, None] = {}  # in the order in which they began
        self.lock = threading.RLock()
        self.failure: TrajectoryError | None = None

    def calls(self) -> tuple[ToolCall, ...]:
        """Give the calls as they ended, then those under way; a tool sees only what ended."""
        with self._book:
            ended, under_way = tuple(self._ended), tuple(self._under_way)
        if not under_way or self._running == threading.get_ident():
            return ended
        open_calls = (
            ToolCall(name=one.name, arguments=one.arguments, error=_UNENDED) for one in under_way
        )
        return (*ended, *open_calls)

    def state(self, world: object) -> dict[str, Json]:
        """Give a copy of the fields as JSON: as they are, else as they last could be written."""
        # A tool that hangs must not hang who looks at the end of a trial that ran out of time.
        if not self.lock.acquire(timeout=_PATIENCE):
            return self._last_good()
        try:
            held = vars(world)
            return {name: snapshot(held.get(name)) for name in self._setting.fields}
        except NotJsonError:
            return self._last_good()
        finally:
            self.lock.release()

    def _last_good(self) -> dict[str, Json]:
        state: dict[str, Json] = msgspec.json.decode(self._setting.initial)
        state.update(snapshot(self._good))
        return state

    def called(
        self,
        world: object,
        name: Json,
        arguments: tuple[object, ...],
        named: dict[str, object],
        method: Callable[..., object] | None = None,
    ) -> Json:
        """Call a tool as Python does. That is a call of the agent, unless a tool made it.

        Args:
            world: Whose tool it is.
            name: The tool's name.
            arguments: Those given by position.
            named: Those given by name.
            method: What stands behind it, for a call that a tool makes.

        Raises:
            ToolError: The tool said no, or the arguments do not fit it.
        """
        tool = self._tool(name)
        if self._running == threading.get_ident():
            if tool is None and method is not None:  # of a base class, where it was a tool
                return method(world, *arguments, **named)
            if tool is not None:
                return tool.join(world, arguments, named, method)
        if tool is None or not arguments:
            return self.call(world, name, [*arguments, named] if arguments else named)
        try:
            placed = tool.bind(arguments, named)
        except ToolError as error:
            self._hooks.before_call()
            self._refuse(tool.name, brief([*arguments, named]), error)
        return self.call(world, name, placed)

    def call(self, world: object, name: Json, arguments: Json) -> Json:
        """Let the agent call a tool.

        Raises:
            ToolError: The tool said no, there is no such tool, or the arguments do not fit it.
        """
        tool = self._tool(name)
        if self._running == threading.get_ident():
            if tool is None:
                raise ToolError(self._unknown(name))
            return tool.join(world, (), given(arguments).read or {}, None)
        self._hooks.before_call()
        told = given(arguments)
        if tool is None:
            named = clean_text(name) if isinstance(name, str) else brief(name)
            self._refuse(named, told.written, ToolError(self._unknown(name)))
        try:
            accepted = _accepted(tool, told)
        except ToolError as error:
            self._refuse(tool.name, told.written, error)
        return self._do(world, tool, told.written, accepted)

    def _tool(self, name: Json) -> Runner | None:
        return self._setting.tools.get(name) if isinstance(name, str) else None

    def _unknown(self, name: Json) -> str:
        tools = self._setting.tools
        if not isinstance(name, str):
            return f"the name of a tool is text, got {shown(name)}"
        return f"there is no tool {cut(name)!r}; the tools are: {listed(tools)}{meant(name, tools)}"

    def _refuse(self, name: str, written: Json, error: ToolError) -> NoReturn:
        if self._faults is not None and name in self._setting.faults:
            with self._book:
                self._faults.count(name)
        self._record(_UnderWay(name, written), _Outcome(error=clean_text(str(error))))
        try:
            raise error
        finally:
            del error  # else error and frame hold each other, and the world with them

    def _do(self, world: object, tool: Runner, written: Json, read: dict[str, object]) -> Json:
        strike, this = _NO_STRIKE, _UnderWay(tool.name, written)
        with self._book:
            self._under_way[this] = None
            if self._faults is not None and tool.name in self._setting.faults:
                strike = self._faults.strike(tool.name)
        waited = self._wait(this, strike.latency) if strike.latency else 0.0
        with self.lock:
            if strike.error is not None and not strike.lost:
                outcome = _Outcome(error=strike.error)
            else:
                outcome = self._run(world, tool, read)
                if strike is not _NO_STRIKE:
                    _strike(outcome, strike)
            outcome.seconds += waited
            self._record(this, outcome)
        return _handed(outcome)

    def _wait(self, this: _UnderWay, latency: float) -> float:
        timer = self._hooks.timer
        start = timer()
        try:
            self._hooks.sleep(latency)
        except BaseException as error:
            self._record(this, _unfinished(error))
            raise
        return max(timer() - start, latency)

    def _run(self, world: object, tool: Runner, read: dict[str, object]) -> _Outcome:
        held, names, timer = vars(world), self._setting.fields, self._hooks.timer
        before = [] if tool.quiet else all_parts([held.get(name) for name in names])
        start = timer()
        self._running = threading.get_ident()
        try:
            outcome = _outcome(world, tool, read)
        finally:
            self._running = None
        outcome.seconds = timer() - start
        after = [] if tool.quiet else all_parts([held.get(name) for name in names])
        if after != before:
            outcome.changed = True
            both = zip(names, before, after, strict=True)
            bug = self._keep(held, [name for name, old, new in both if old != new])
            if bug is not None and outcome.bug is None and _over(outcome) is None:
                outcome.result, outcome.error, outcome.bug = UNSET, INTERNAL, bug
        if outcome.bug is not None and self.failure is None:
            text = f"World {self._setting.world}: tool {tool.name}: {outcome.bug}"
            self.failure = TrajectoryError(kind="world", message=clean_text(text))
        return outcome

    def _keep(self, held: Mapping[str, object], changes: list[str]) -> str | None:
        """Keep the changed fields as the last that could be written, or say why they cannot be."""
        try:
            kept = {name: snapshot(held.get(name)) for name in changes}
        except NotJsonError as error:
            return f"it left in {' or '.join(changes)} what JSON cannot hold: {error}"
        self._good = self._good | kept  # a new one: `state` may look without the lock
        return None

    def _record(self, this: _UnderWay, outcome: _Outcome) -> None:
        call = ToolCall(
            name=this.name,
            arguments=this.arguments,
            result=snapshot(outcome.result) if outcome.error is None else UNSET,
            error=outcome.error,
            seconds=outcome.seconds,
            changed=outcome.changed,
        )
        with self._book:  # both at once: who reads finds the call once
            self._under_way.pop(this, None)  # a call that was refused never was
            self._ended.append(call)


def _accepted(tool: Runner, told: Given) -> dict[str, object]:
    """Give the arguments as the tool wants them.

    Raises:
        ToolError: They are malformed, or do not fit.
    """
    if told.read is None:
        text = f"the arguments are malformed: wanted a JSON object, got {told.wrong}"
        raise ToolError(f"{tool.name}: {text}. It takes {tool.takes}")
    return tool.accept(told.read)


def _outcome(world: object, tool: Runner, read: dict[str, object]) -> _Outcome:
    """Run a tool and tell how it ended, whatever it raised."""
    try:
        result = tool.run(world, read)
    except ToolError as error:
        return _Outcome(error=clean_text(str(error)) or "the tool says no", cause=error)
    except (LookupError, ValueError) as error:  # mostly an id or a value that the agent made up
        text = cut(f"{type(error).__name__}: {error}", _LONGEST)
        return _Outcome(error=text, cause=error)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's tool: its bug is the world's
        return _Outcome(error=INTERNAL, cause=error, bug=_raised(error))
    except BaseException as error:  # noqa: BLE001 - recorded first, then raised again
        return _unfinished(error)
    try:
        return _Outcome(snapshot(result))
    except NotJsonError as error:
        text = f"its result is not JSON: {error}"
        return _Outcome(error=INTERNAL, cause=error, bug=text)


def _unfinished(error: BaseException) -> _Outcome:
    return _Outcome(error=f"{_UNENDED}: {type(error).__name__}", cause=error)


def _raised(error: BaseException) -> str:
    """Say what was raised, and where."""
    import traceback  # noqa: PLC0415 - only for a bug of the world

    text = "".join(traceback.format_exception_only(error)).strip()
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{cut(text, _LONGEST)}{where}"


def _over(outcome: _Outcome) -> BaseException | None:
    """Give what ends more than the call; None for what an agent may catch."""
    cause = outcome.cause
    return None if cause is None or isinstance(cause, Exception | SystemExit) else cause


def _strike(outcome: _Outcome, strike: Strike) -> None:
    """Do to a call that was made what a fault does."""
    if strike.lost:
        if _over(outcome) is None:
            outcome.result, outcome.error, outcome.cause = UNSET, strike.error, None
    elif strike.inject and outcome.error is None:
        outcome.result = injected(outcome.result, strike.inject)


def _handed(outcome: _Outcome) -> Json:
    """Give the agent the result of a call, or raise its error.

    Raises:
        ToolError: The call failed.
    """
    if outcome.error is None:
        return outcome.result
    over, cause, outcome.cause = _over(outcome), outcome.cause, None
    try:
        if over is not None:
            raise over
        if isinstance(cause, ToolError) and str(cause) == outcome.error:
            raise cause
        raise ToolError(outcome.error) from cause
    finally:
        del over, cause  # else error and frame hold each other, and the world with them
