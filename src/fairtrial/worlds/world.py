"""The base of every world: fields that fixtures fill, tools that act on them, and what happened."""

import random  # noqa: TID251 - for a type; `means` seeds it from the trial's own seed
from typing import Any, ClassVar

import msgspec

from fairtrial.errors import WorldError
from fairtrial.records import Json, ToolCall, TrajectoryError
from fairtrial.worlds.clock import STARTS_AT, Clock
from fairtrial.worlds.declared import check_class
from fairtrial.worlds.ledger import Ledger
from fairtrial.worlds.means import Means
from fairtrial.worlds.toolbox import Toolbox


class World:
    """The stateful fake backend of one trial. Derive from it.

    Annotated class attributes are its fields: a case's fixtures fill them, `expect.state` reads
    them back. Methods with `@tool` are its tools. `prepare` builds a new one for each trial.

    >>> from fairtrial.worlds import tool
    >>> class Desk(World):
    ...     paid: list[float]
    ...
    ...     @tool
    ...     def pay(self, amount: float) -> str:
    ...         self.paid.append(amount)
    ...         return "paid"
    """

    __slots__ = ("__dict__", "__weakref__", "_fairtrial", "_means")

    _fairtrial: Ledger
    _means: Means

    starts_at: ClassVar[str] = STARTS_AT
    """Where `clock` stands at the start, in ISO 8601."""

    def __init__(self) -> None:
        name = type(self).__name__
        raise WorldError(
            f"World {name}: a world is built from a case: prepare({name}, case).build(b'seed')"
        )

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        check_class(cls)

    @property
    def tools(self) -> Toolbox:
        """The tools, for the agent: callables, and schemas for a model."""
        return Toolbox(self, self._fairtrial, self._means.setting.tools)

    @property
    def state(self) -> dict[str, Json]:
        """All fields as they are, as a plain copy; where they are no JSON, as they last were."""
        return self._fairtrial.state(self)

    @property
    def initial_state(self) -> dict[str, Json]:
        """All fields as they were before the first call, as a plain copy."""
        state: dict[str, Json] = msgspec.json.decode(self._means.setting.initial)
        return state

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The agent's calls so far, in the order in which they ended; last those under way."""
        return self._fairtrial.calls()

    @property
    def failure(self) -> TrajectoryError | None:
        """The first thing that went wrong in the world itself; None when nothing did."""
        return self._fairtrial.failure

    @property
    def context(self) -> Any:
        """The case's `context`, {} where it has none; a copy for this world alone."""
        return self._means.context

    @property
    def clock(self) -> Clock:
        """The time in this world, which stands still until a tool lets it go on."""
        return self._means.clock

    @property
    def random(self) -> random.Random:
        """Chance that depends on the trial's seed alone."""
        return self._means.random

    def new_id(self, prefix: str = "") -> str:
        """Give an id that is new in this world and depends on the trial's seed alone.

        Args:
            prefix: What stands before the eight letters and figures.
        """
        with self._fairtrial.lock:
            return self._means.new_id(prefix)
