"""A flag: a case of a live run that looks worse, and that fresh trials should look at."""

from typing import Literal, TypeAlias

from msgspec import Struct

Arm: TypeAlias = Literal["protected", "other"]
"""Which budget of false alarms a case draws on."""


class Flag(Struct, frozen=True, kw_only=True):
    """A case that looks worse. Nothing is decided by it."""

    case: str
    arm: Arm
    p_worse: float | None
    """The chance that its rate fell, from the stored trials of both sides; None without any of the
    baseline's. It knows nothing of how many cases were looked at."""
