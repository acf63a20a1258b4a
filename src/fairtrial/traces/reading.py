"""What reading an agent's return value gives: a trajectory, or why there is none."""

from msgspec import Struct

from fairtrial.records import Trajectory


class Returned(Struct, frozen=True, kw_only=True):
    """What an agent returned: exactly one of `trajectory` and `refusal` is there."""

    trajectory: Trajectory | None = None
    refusal: str | None = None
    """Where, what was found and what is accepted."""
    notes: tuple[str, ...] = ()
    """What was left out or understood with a grain of salt."""
