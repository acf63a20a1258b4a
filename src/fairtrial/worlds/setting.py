"""What all worlds of one case share, and what the outside does for each."""

import datetime
from collections.abc import Callable, Mapping
from typing import NamedTuple

from fairtrial.worlds.faults import Schedule
from fairtrial.worlds.runner import Runner


class Setting(NamedTuple):
    """What all worlds of one case share. None of it ever changes."""

    world: str
    """Its class, for messages."""
    fields: tuple[str, ...]
    tools: Mapping[str, Runner]
    faults: Mapping[str, tuple[Schedule, ...]]
    initial: bytes
    """The state at the start, as JSON."""
    context: bytes
    """The case's context, as JSON."""
    starts: datetime.datetime
    """Where the clock stands at the start."""


class Hooks(NamedTuple):
    """What the outside does for a world."""

    before_call: Callable[[], None]
    """Called before each call of the agent; may raise."""
    sleep: Callable[[float], None]
    timer: Callable[[], float]
    """Seconds that only go on."""
