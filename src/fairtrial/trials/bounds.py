"""What bounds a run, what one trial came to, and how the run ended."""

from typing import Literal, TypeAlias

from msgspec import Struct

StoppedBy: TypeAlias = Literal["interrupted", "run timeout", "max cost", "unknown price"]
"""What ended a run before its last trial."""


class Bounds(Struct, frozen=True, kw_only=True):
    """What trials may take, each and all together.

    >>> Bounds(concurrency=4, timeout=30.0).retries
    3
    """

    concurrency: int = 8
    """Trials at once, at least 1."""
    timeout: float = 300.0
    """Seconds that the agent has for one attempt."""
    run_timeout: float | None = None
    """Seconds for the whole run; None: as long as it takes."""
    retries: int = 3
    """More attempts at a trial whose provider failed."""
    backoff: float = 1.0
    """Seconds before the first retry; doubled for each one after it."""
    finish_timeout: float = 120.0
    """Seconds that grading and writing one trial may take; past them the run ends."""
    max_cost: float | None = None
    """What the run may spend, in the suite's currency; None: no cap."""
    dearest: float | None = None
    """What a trial is known to have cost before, at most: set aside under a cap."""


class Outcome(Struct, frozen=True, kw_only=True):
    """What the last attempt at a trial came to.

    >>> Outcome(returned="Done.").stop is None
    True
    """

    returned: object = None
    """What the agent gave back."""
    error: BaseException | None = None
    """What it raised instead, or what setting the trial up raised."""
    stop: Literal["timeout"] | None = None
    """`timeout`: it ran out of time, whatever it gave back or raised when it was stopped."""
    seconds: float = 0.0
    """That the agent took."""
    attempts: int = 1
    """That were started, this one included."""
    waited: float = 0.0
    """Seconds spent waiting before retries; not the agent's time."""


class Retry(Struct, frozen=True, kw_only=True):
    """An attempt failed through the provider: try again.

    >>> Retry().after is None
    True
    """

    after: float | None = None
    """Seconds that the provider asked to wait; None: it did not say."""


class Ended(Struct, frozen=True, kw_only=True):
    """How a run ended.

    >>> Ended(started=5, finished=4, stopped="interrupted").longest_hold
    0.0
    """

    started: int
    """Trials of which an attempt was begun."""
    finished: int
    """Trials whose outcome was handed on."""
    stopped: StoppedBy | None = None
    """None: every trial was run."""
    longest_hold: float = 0.0
    """Seconds, about: the longest that an async agent kept all others waiting by blocking."""
