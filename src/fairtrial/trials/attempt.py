"""One attempt at a trial, as the engine keeps it."""

from typing import Any, Protocol

from fairtrial.records import Task


class Staged(Protocol):
    """A clean world with the task that was set in it, for one attempt."""

    @property
    def task(self) -> Task:
        """What the agent is handed."""
        ...

    def close(self) -> None:
        """End the trial for the agent, whatever it still does.

        May be called from any thread, and more than once.
        """
        ...


class Attempt:
    """One attempt at a trial. Whoever claims it ends it; what comes later is dropped.

    Attributes:
        job: The trial, as the caller has it.
        number: Of the attempt, from 1.
        retries: Attempts before it that the provider failed.
        waited: Seconds spent waiting before retries.
        due: When it may start, by the real clock.
        queued: When it began to wait, by the run's clock; None: it did not.
        staged: Its world and task; None before they stand, and when it is done with.
        started: When its time began, by the run's clock: of staging, then of the agent's.
        returned: The agent is done, whether or not anybody has looked at it.
        over: It was claimed.
        cut_off: It ran out of time.
    """

    __slots__ = (
        "cut_off",
        "due",
        "job",
        "number",
        "over",
        "queued",
        "retries",
        "returned",
        "staged",
        "started",
        "waited",
        "work",
    )

    def __init__(self, job: Any, number: int = 1, retries: int = 0, waited: float = 0.0) -> None:
        """Begin with nothing staged."""
        self.job = job
        self.number = number
        self.retries = retries
        self.waited = waited
        self.due = 0.0
        self.queued: float | None = None
        self.staged: Staged | None = None
        self.started: float | None = None
        self.returned = False
        self.over = False
        self.cut_off = False
        self.work: Any = None
        """The asyncio task that it runs in, if any."""

    def late_by(self, now: float, timeout: float) -> float:
        """Give the seconds past its time; below 0 while it has some left, or when it is done.

        >>> attempt = Attempt("job")
        >>> attempt.late_by(9.0, timeout=5.0)
        -1.0
        >>> attempt.started = 1.0
        >>> attempt.late_by(9.0, timeout=5.0)
        3.0
        """
        if self.started is None or self.returned:
            return -1.0
        return now - self.started - timeout

    def again(self, *, provider_failed: bool) -> "Attempt":
        """Give a new attempt at the same trial."""
        return Attempt(self.job, self.number + 1, self.retries + provider_failed, self.waited)
