"""From a class and a case to worlds: all is checked once, then a world costs next to nothing."""

import inspect
import time
from collections.abc import Callable
from typing import Any

import msgspec

from fairtrial.errors import WorldError
from fairtrial.records import Case, Json, NotJsonError
from fairtrial.worlds.clock import STARTS_AT, instant
from fairtrial.worlds.copies import snapshot
from fairtrial.worlds.faults import read_faults
from fairtrial.worlds.fields import Description, describe
from fairtrial.worlds.filling import Filling, fill, fill_alone, plain_fixtures, row_kinds
from fairtrial.worlds.fitting import Misfit, said
from fairtrial.worlds.ledger import Ledger
from fairtrial.worlds.means import Means
from fairtrial.worlds.runner import Runner
from fairtrial.worlds.setting import Hooks, Setting
from fairtrial.worlds.stubs import read_stubs
from fairtrial.worlds.world import World


def _go_on() -> None:
    """Let every call be made."""


class Blueprint:
    """What the worlds of one case are built from. Made by `prepare`."""

    __slots__ = ("_class", "_filling", "_setting")

    def __init__(self, world: type[World], filling: Filling, setting: Setting) -> None:
        self._class = world
        self._filling = filling
        self._setting = setting

    @property
    def has_tools(self) -> bool:
        """Whether there is a tool that an agent could call."""
        return bool(self._setting.tools)

    @property
    def has_class(self) -> bool:
        """Whether the world is of a team's own class, whose fields are all that there are."""
        return self._class is not World

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools."""
        return tuple(self._setting.tools)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(self._setting.fields)

    @property
    def has_state(self) -> bool:
        """Whether there is a field that could be looked at."""
        return bool(self._setting.fields)

    def build(
        self,
        seed: bytes,
        before_call: Callable[[], None] = _go_on,
        *,
        sleep: Callable[[float], None] = time.sleep,
        timer: Callable[[], float] = time.perf_counter,
    ) -> World:
        """Build a new world, which shares nothing that can be changed with any other.

        Args:
            seed: Of the trial; `random`, `new_id` and nothing else depend on it.
            before_call: Called before each call of the agent; what it raises ends the call before
                it begins.
            sleep: Waits for the latency of a fault; what it raises ends the call.
            timer: Gives seconds, for the time that a call took.
        """
        world = object.__new__(self._class)
        world.__dict__.update(self._filling.held())
        world._fairtrial = Ledger(self._setting, Hooks(before_call, sleep, timer))
        world._means = Means(self._setting, seed)
        return world


def prepare(world: type[World] | None, case: Case) -> Blueprint:
    """Check that class and case fit together, and give what builds the world of each trial.

    Args:
        world: The class; None: the fixtures alone make the world, with the case's stub tools.
        case: Its fixtures, stub tools, faults and context are used.

    Raises:
        WorldError: All that does not fit, as `problems`: a text each, with its place in the case.

    >>> from fairtrial.records import Case, Source
    >>> from fairtrial.worlds import tool
    >>> class Desk(World):
    ...     paid: list[float]
    ...
    ...     @tool
    ...     def pay(self, amount: float) -> str:
    ...         self.paid.append(amount)
    ...         return "paid"
    >>> case = Case(id="c1", hash="", source=Source("a.yaml", 1), fixtures={"paid": [1]})
    >>> desk = prepare(Desk, case).build(b"seed")
    >>> desk.tools.call("pay", '{"amount": 2}'), desk.state, desk.calls[0].changed
    ('paid', {'paid': [1.0, 2.0]}, True)
    >>> wrong = Case(id="c1", hash="", source=Source("a.yaml", 1), fixtures={"paid": ["abc"]})
    >>> prepare(Desk, wrong)
    Traceback (most recent call last):
    fairtrial.errors.WorldError: fixtures.paid[0]: wanted a number, got 'abc'
    """
    wrong: list[Misfit] = []
    description = _described(world)
    fixtures = plain_fixtures(case.fixtures, wrong)
    stubs = case.tools or {}
    if description is None:
        filling = fill_alone(fixtures, stubs)
    else:
        filling = fill(description, fixtures, wrong)
    held = filling.held()
    starts = {name: held[name] for name in filling.names}
    initial = b"" if wrong else _initial(starts, wrong)
    tools: dict[str, Runner] = dict(description.tools if description else {})
    tools |= read_stubs(stubs, starts, row_kinds(description), wrong)
    faults = read_faults(case.faults or {}, tools | dict.fromkeys(stubs), wrong)
    context = _context(case, wrong)
    if wrong:
        raise WorldError(*map(said, wrong))
    own = World if description is None else description.world
    clock = instant(STARTS_AT) if description is None else description.starts
    setting = Setting(own.__name__, filling.names, tools, faults, initial, context, clock)
    return Blueprint(own, filling, setting)


def _described(world: object) -> Description | None:
    """Look at a class; a world made of fixtures alone has none.

    Raises:
        WorldError: It is no class of a world, or not a sound one.
    """
    if world is None or world is World:
        return None
    if not (inspect.isclass(world) and issubclass(world, World)):
        raise WorldError(f"{world!r} is no world; wanted a class derived from fairtrial.World")
    return describe(world)  # type: ignore[arg-type]  # a class can be hashed, whatever mypy says


def _initial(starts: dict[str, Any], wrong: list[Misfit]) -> bytes:
    state: dict[str, Json] = {}
    for name, start in starts.items():
        try:
            state[name] = snapshot(start)
        except NotJsonError as error:
            wrong.append((("fixtures", name), f"it starts as what JSON cannot hold: {error}"))
    return msgspec.json.encode(state)


def _context(case: Case, wrong: list[Misfit]) -> bytes:
    try:
        # A tool that looks something up finds nothing, which is no bug of the world.
        return msgspec.json.encode({} if case.context is None else snapshot(case.context))
    except NotJsonError as error:
        wrong.append((("context",), str(error)))
        return b""
