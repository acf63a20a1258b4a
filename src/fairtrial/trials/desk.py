"""The desk: hands out attempts, takes in outcomes, and knows when no more may start."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Condition, Event, Lock
from typing import Any, Final

from msgspec import Struct

from fairtrial.errors import PluginError
from fairtrial.text import cut
from fairtrial.trials.attempt import Attempt, Staged
from fairtrial.trials.bounds import Bounds, Outcome, Retry, StoppedBy
from fairtrial.trials.purse import Purse
from fairtrial.trials.waiting import Backoff

_NOTHING: Final = object()
_GLANCE = 1 / 16  # seconds between two looks at a finish that holds the lock


class Course(Struct, frozen=True, kw_only=True):
    """What the caller does at the turns of a run."""

    stage: Callable[[Any], Staged]
    finish: Callable[[Any, Any, Outcome], float | None]
    retry: Callable[[Outcome, Any], Retry | None]
    clock: Callable[[], float]
    draw: Callable[[], float]
    """Numbers from 0 to 1."""


class Desk:
    """Where attempts begin and end. Methods are called with `lock` held unless they say so.

    Attributes:
        lock: Held by whoever changes something here; every finish and every tick runs under it.
        freed: Told when an attempt ended, by those who wait for room.
        wake: Set when the main thread should look.
        flying: Attempts that nobody has claimed yet, those that wait for their time too.
        stopped: Why no new trials start; None while they do.
        halted: Nothing is finished any more.
        broken: What the run raises: the caller's own error, or that a finish never came to its end.
    """

    def __init__(self, jobs: Iterable[Any], bounds: Bounds, course: Course) -> None:
        """Begin with every job to be done."""
        self.bounds = bounds
        self.clock = course.clock
        self.lock = Lock()
        self.freed = Condition(self.lock)
        self.wake = Event()
        self.flying: set[Attempt] = set()
        self.stopped: StoppedBy | None = None
        self.halted = False
        self.broken: BaseException | None = None
        self.started = 0
        self.finished = 0
        self._jobs: Iterator[Any] = iter(jobs)
        self._ahead: Any = _NOTHING  # pulled, but there was no room yet
        self._exhausted = False
        self._settling: tuple[Any, float] | None = None  # a job, and since when, by the real clock
        self._course = course
        self._purse = Purse(bounds.max_cost, bounds.dearest)
        self._backoff = Backoff(first=bounds.backoff, draw=course.draw, now=time.monotonic)

    def take(self) -> Attempt | float | None:
        """Begin the next trial.

        Returns:
            Its first attempt; the seconds after which to ask again (infinite: when another trial
            has ended); None when no more trials will start.
        """
        if self.stopped is not None or self.halted or not self._pull():
            self._tell_if_done()
            return None
        closed_for = self._backoff.closed_for()
        if closed_for > 0:
            return closed_for
        under_way = self.started - self.finished
        if not self._purse.has_room(under_way):
            if under_way:
                return math.inf
            self._stop("max cost")
            return None
        attempt = Attempt(self._ahead)
        self._ahead = _NOTHING
        self.started += 1
        self.flying.add(attempt)
        return attempt

    def wait_for(self, attempt: Attempt) -> float | None:
        """Give the seconds that a retry has yet to wait, 0 to start; None when it is over."""
        if attempt.over:
            return None
        wait = max(attempt.due - time.monotonic(), self._backoff.closed_for())
        if wait > 0:
            return wait
        if attempt.queued is not None:
            attempt.waited += self.clock() - attempt.queued
            attempt.queued = None
        return 0.0

    def stage(self, attempt: Attempt) -> Staged | BaseException | None:
        """Make the world of an attempt and start its time; called without the lock.

        A world that is not ready in time is cut off as an agent is.

        Returns:
            What the agent is to be called with; what staging raised; None when the attempt is over.
        """
        attempt.started = self.clock()
        try:
            staged = self._course.stage(attempt.job)
        except BaseException as error:  # noqa: BLE001 - a user's world: whatever it raises is told
            return error
        attempt.started = self.clock()
        attempt.staged = staged
        if attempt.over:  # set before `staged` was looked at: one of the two sees the other's
            staged.close()
            return None
        return staged

    def claim(self, attempt: Attempt) -> bool:
        """Say whether the attempt was still to be ended, and end it for everybody else."""
        if attempt.over:
            return False
        attempt.over = True
        self.flying.discard(attempt)
        return True

    def settle(self, attempt: Attempt, outcome: Outcome) -> Attempt | None:
        """Finish a claimed attempt, or give the one that tries again."""
        staged, attempt.staged = attempt.staged, None  # nothing may keep a world that is done with
        attempt.work = None
        self._settling = attempt.job, time.monotonic()
        try:
            if staged is not None:
                staged.close()
            if self.halted:
                return None
            again = None if staged is None else self._again(attempt, staged, outcome)
            if again is not None:
                return again
            cost = self._course.finish(attempt.job, staged, outcome)
        except BaseException as error:  # noqa: BLE001 - `run_trials` raises it, in its own thread
            self._break(error)
            return None
        finally:
            self._settling = None
        self.finished += 1
        if staged is not None:  # what never began cost nothing, and says nothing of the price
            self._purse.settle(cost)
            if not self._purse.price_known:
                self._stop("unknown price")
        self.freed.notify_all()
        return None

    def restart(self, attempt: Attempt) -> Attempt:
        """Give a new attempt in place of a claimed one that was lost, not through its fault."""
        again = attempt.again(provider_failed=False)
        again.due, again.queued = attempt.due, attempt.queued
        self.flying.add(again)
        return again

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lock, in the main thread, which a finish that never ends must not keep waiting.

        Raises:
            PluginError: A finish is taking longer than it may.
        """
        if not self.acquire(math.inf):
            assert self.broken is not None  # nothing else ends an endless wait
            raise self.broken
        try:
            yield
        finally:
            self.lock.release()

    def acquire(self, patience: float) -> bool:
        """Wait that long at most for the lock, while no finish is hung; say whether it was had."""
        until = time.monotonic() + patience
        while not self.lock.acquire(timeout=_GLANCE):
            if self.hung() or time.monotonic() > until:
                return False
        return True

    def hung(self) -> bool:
        """Say whether a finish is taking longer than it may, which ends the run; without the lock.

        It cannot be stopped, and holds the lock: whoever learns of it must not wait for that.
        """
        settling, most = self._settling, self.bounds.finish_timeout
        if settling is None or time.monotonic() - settling[1] <= most:
            return False
        if self.broken is None:
            self.broken = PluginError(
                f"a grader has not given its answer about {cut(str(settling[0]))} within "
                f"{most:g} s, and the run ended; what was finished is kept"
            )
        return True

    def halt(self, *, held: bool = True) -> list[Attempt]:
        """Finish nothing any more; give the attempts that were under way.

        Args:
            held: The lock is; it is not where a finish does not give it back, and then nobody can
                be told: who waits is left behind.
        """
        self.halted = True
        left = list(self.flying)
        for attempt in left:
            attempt.over = True
        self.flying.clear()
        if held:
            self.freed.notify_all()
        return left

    def outcome(self, attempt: Attempt, returned: object, error: BaseException | None) -> Outcome:
        """Give what an attempt came to; called without the lock, when the agent is done with it."""
        cut_off = attempt.cut_off
        if attempt.staged is None:
            seconds = 0.0  # the agent was never called
            if cut_off:
                error = TimeoutError(f"its world was not ready within {self.bounds.timeout:g} s")
        else:
            assert attempt.started is not None  # set before its world was made
            seconds = self.clock() - attempt.started
            if cut_off:
                error = None  # it says only that the agent was stopped
        return Outcome(
            returned=returned,
            error=error,
            stop="timeout" if cut_off else None,
            seconds=seconds,
            attempts=attempt.number,
            waited=attempt.waited,
        )

    @property
    def done(self) -> bool:
        """Nothing is under way and nothing more will start."""
        if self.broken is not None:
            return True
        return self.started == self.finished and (self._exhausted or self.stopped is not None)

    def _pull(self) -> bool:
        """Have a job ahead; say whether there is one."""
        if self._ahead is not _NOTHING:
            return True
        if self._exhausted:
            return False
        try:
            self._ahead = next(self._jobs)
        except StopIteration:
            self._exhausted = True
            return False
        except BaseException as error:  # noqa: BLE001 - `run_trials` raises it, in its own thread
            self._break(error)
            return False
        return True

    def _again(self, attempt: Attempt, staged: Staged, outcome: Outcome) -> Attempt | None:
        if outcome.stop is not None:
            return None
        retry = self._course.retry(outcome, staged)
        if retry is None:
            return None
        seconds = self._backoff.seconds(attempt.retries, retry.after)
        if seconds is None or attempt.retries >= self.bounds.retries:
            return None
        again = attempt.again(provider_failed=True)
        again.due = time.monotonic() + seconds
        again.queued = self.clock()
        self.flying.add(again)
        return again

    def _stop(self, why: StoppedBy) -> None:
        if self.stopped is None:
            self.stopped = why
        self.freed.notify_all()
        self._tell_if_done()

    def _break(self, error: BaseException) -> None:
        if self.broken is None:
            self.broken = error
        self.halted = True
        self.freed.notify_all()
        self.wake.set()

    def _tell_if_done(self) -> None:
        if self.done:
            self.wake.set()
