"""The accepted results of a suite, in git, a case a line."""

from msgspec import Struct

from fairtrial.records.trajectory import Mode


class BaselineCase(Struct, frozen=True, kw_only=True):
    """The accepted results of one case."""

    hash: str
    protected: bool
    tags: tuple[str, ...]
    passed: int
    measured: int
    planned: int
    checks: dict[str, tuple[int, int]]
    """By name without brackets: trials in which all of that name passed, and trials in which none
    was null."""
    steps: float | None
    """Mean over the measured trials, as `tokens` and `cost`; None when any is unknown."""
    tokens: float | None
    cost: float | None


class Baseline(Struct, frozen=True, kw_only=True):
    """The accepted results of a suite. `suite` is for people and never compared."""

    suite: str | None
    git: str | None
    mode: Mode
    k: int
    cases: dict[str, BaselineCase]
    judge: str | None = None
    """Fingerprint of the judge that decided some of it; None: no judge did."""
    format: int = 1
