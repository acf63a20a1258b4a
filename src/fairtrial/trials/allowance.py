"""How much one trial may do before it is stopped, past the limits that it is scored by."""

from threading import Lock

from fairtrial.errors import TrialOverError

_NO_LIMIT = 200  # steps of a trial whose case has no limit: far past what an honest agent takes
_LEAST = 8


def step_cap(limit: int | None, override: int | None) -> int:
    """Give the number of steps after which a trial is stopped.

    Limits are for scoring, so the agent gets room past them: five steps too many are seen as such.

    Args:
        limit: The case's own limit; None has none.
        override: What the user asked for, which stands whatever the limit.

    >>> step_cap(6, None), step_cap(1, None), step_cap(None, None), step_cap(6, 3)
    (12, 8, 200, 3)
    """
    if override is not None:
        return override
    return _NO_LIMIT if limit is None else max(_LEAST, 2 * limit)


class StepAllowance:
    """The model replies and world calls that one trial has left. Safe to use from any thread.

    Attributes:
        exhausted: A cap was reached: the trial's stop is `steps`.

    >>> allowance = StepAllowance(steps=1, calls=None)
    >>> allowance.completion()
    >>> allowance.completion()
    Traceback (most recent call last):
    fairtrial.errors.TrialOverError: the trial was stopped after 1 model reply (its step cap)
    >>> allowance.exhausted
    True
    """

    def __init__(self, steps: int | None, calls: int | None) -> None:
        """Allow that many model replies and world calls; None allows any number."""
        self.exhausted = False
        self._steps = steps
        self._calls = calls
        self._completions = 0
        self._called = 0
        self._over: str | None = None  # why nothing is allowed any more
        self._lock = Lock()

    def completion(self) -> None:
        """Count a model reply that is about to be given.

        Raises:
            TrialOverError: No more are allowed, or the trial has ended.
        """
        with self._lock:
            if self._over is None and self._completions == self._steps:
                self._exhaust(self._completions, "model reply", "model replies")
            if self._over is not None:
                raise TrialOverError(self._over)
            self._completions += 1

    def call(self) -> None:
        """Count a call of the world that is about to be made.

        Raises:
            TrialOverError: No more are allowed, or the trial has ended.
        """
        with self._lock:
            if self._over is None and self._called == self._calls:
                self._exhaust(self._called, "tool call", "tool calls")
            if self._over is not None:
                raise TrialOverError(self._over)
            self._called += 1

    def close(self) -> None:
        """End the trial: from now on everything is refused, which stops an agent that goes on."""
        with self._lock:
            if self._over is None:
                self._over = "the trial has ended"

    def _exhaust(self, count: int, one: str, many: str) -> None:
        self.exhausted = True
        words = one if count == 1 else many
        self._over = f"the trial was stopped after {count} {words} (its step cap)"
