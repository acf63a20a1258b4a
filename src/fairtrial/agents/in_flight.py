"""Which tasks are being worked on, and how each is stopped from another thread."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from fairtrial.errors import TrialOverError
from fairtrial.records import Task

_OVER = "this trial has ended"
_REMEMBERED = 256  # tasks given up before anybody began them: a race, so there are few


class Attempt:
    """One task under way. Any thread may stop it, also before there is something to stop."""

    def __init__(self, task: Task) -> None:
        """Begin with nothing to stop."""
        self.task = task
        self.stopped = False
        self._lock = Lock()
        self._stop: Callable[[], None] | None = None

    def on_stop(self, stop: Callable[[], None] | None) -> None:
        """Say how the work is stopped from now on; done at once where it was stopped already."""
        with self._lock:
            self._stop = stop
            if self.stopped and stop is not None:
                stop()

    def stop(self) -> None:
        """Stop the work."""
        with self._lock:
            self.stopped = True
            if self._stop is not None:
                self._stop()

    def go_on(self) -> None:
        """Do nothing, unless nobody waits for this any more.

        Raises:
            TrialOverError: The attempt was stopped.
        """
        if self.stopped:
            raise TrialOverError(_OVER)


class InFlight:
    """The attempts of one agent."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = Lock()
        # By identity, since a task need not be hashable; an attempt keeps its task alive.
        self._attempts: dict[int, Attempt] = {}
        self._given_up: deque[Task] = deque(maxlen=_REMEMBERED)
        self._closed = False

    @contextmanager
    def attempt(self, task: Task) -> Iterator[Attempt]:
        """Hold a task as one that is worked on.

        Raises:
            TrialOverError: It was abandoned before, or all was closed.
        """
        attempt = Attempt(task)
        with self._lock:
            if self._closed or any(task is one for one in self._given_up):
                raise TrialOverError(_OVER)
            self._attempts[id(task)] = attempt
        try:
            yield attempt
        finally:
            with self._lock:
                self._attempts.pop(id(task), None)

    def abandon(self, task: Task) -> None:
        """Stop working on a task, or never begin."""
        with self._lock:
            attempt = self._attempts.get(id(task))
            if attempt is None:
                self._given_up.append(task)
        if attempt is not None:
            attempt.stop()

    def close(self) -> None:
        """Stop all, and begin nothing any more."""
        with self._lock:
            self._closed = True
            attempts = list(self._attempts.values())
        for attempt in attempts:
            attempt.stop()
