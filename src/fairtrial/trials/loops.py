"""Agents that do not block: their attempts share an event loop in a thread of ours.

One that blocks all the same is found out by the main thread: the loop does not come round any
more. Its thread is then left behind, and the other attempts begin anew in a new loop.
"""

import asyncio
import math
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from contextvars import Context, ContextVar
from threading import Thread
from typing import Any, cast
from weakref import WeakKeyDictionary

from fairtrial.errors import TrialOverError
from fairtrial.ports import Agent
from fairtrial.trials.attempt import Attempt
from fairtrial.trials.bounds import Outcome
from fairtrial.trials.desk import Desk
from fairtrial.trials.forks import Home
from fairtrial.trials.spare_threads import new_loop
from fairtrial.trials.threads import abandon

_GRACE = 0.5  # seconds in which a cancelled agent may still hand over what it has
_SWEEP = 0.25  # seconds in which left-over tasks may end when a loop closes

_CANCELLED = "an agent cancelled this trial's task twice before its first step"

_CURRENT: ContextVar[Attempt] = ContextVar("fairtrial_attempt")


class LoopCrew:
    """The loop that runs now; another takes its place when an agent blocks it."""

    def __init__(self, desk: Desk, agent: Agent, context: Context) -> None:
        """Make the first loop; nothing runs yet.

        Args:
            desk: Where attempts come from and go to.
            agent: Called once an attempt; gives an awaitable.
            context: The context variables that every attempt begins with.
        """
        self.longest_hold = 0.0
        self._desk = desk
        self._agent = agent
        self._context = context
        self._lap = Lap(desk, agent, context)
        self._holder: Attempt | None = None  # whose step runs since `_held_since`
        self._held_since: float | None = None

    def start(self) -> None:
        """Start the loop."""
        self._lap.start()

    def watch(self) -> None:
        """Ask the loop to look round; replace it when one agent has kept it for too long."""
        desk, lap = self._desk, self._lap
        if lap.came_round:
            self._held_since = None
            lap.ask_to_look()
            return
        if desk.lock.locked():  # it is finishing a trial, which is the time of no agent
            self._held_since = None
            return
        now = desk.clock()
        holder = lap.holder()
        if self._held_since is None or holder is not self._holder:
            self._holder, self._held_since = holder, now
            return
        held = now - self._held_since
        self.longest_hold = max(self.longest_hold, held)
        if held > desk.bounds.timeout:
            self._replace(holder)

    def close(self, seconds: float) -> None:
        """End the loop; wait that long at most for its thread."""
        self._lap.retire()
        self._lap.join(seconds)

    def _replace(self, holder: Attempt | None) -> None:
        desk, timeout = self._desk, self._desk.bounds.timeout
        late: list[Attempt] = []
        lost: list[Attempt] = []
        with desk.hold():
            self._lap.retire()
            now = desk.clock()
            for one in list(desk.flying):
                desk.claim(one)
                # Where a callback blocks, nobody can tell whose it is: all were out of time.
                guilty = one is holder or (holder is None and one.late_by(now, timeout) > 0)
                (late if guilty else lost).append(one)
            again = [desk.restart(one) for one in lost]
        for one in late:
            one.cut_off = True
        for one in lost:
            abandon(self._agent, one)
        self._held_since = None
        self._lap = Lap(desk, self._agent, self._context)
        self._lap.start(late, again)


class Lap:
    """One event loop in its own daemon thread, from its start until it is closed or left behind."""

    def __init__(self, desk: Desk, agent: Agent, context: Context) -> None:
        """Make the loop; see `LoopCrew`."""
        self.came_round = True
        """The loop answered the last request to look."""
        self._desk = desk
        self._agent = agent
        self._context = context
        self._busy = 0  # places taken, by attempts that wait to be tried again too
        self._asking = False  # a timer is set to fill places
        self._retired = False
        self._home = Home()
        self._owners: WeakKeyDictionary[asyncio.Task[Any], Attempt] = WeakKeyDictionary()
        self._loop = new_loop()
        self._loop.set_task_factory(self._make_task)
        self._loop.set_exception_handler(_tell)
        self._thread = Thread(target=self._main, name="fairtrial-loop", daemon=True)

    def start(self, late: Sequence[Attempt] = (), lost: Sequence[Attempt] = ()) -> None:
        """Start the thread.

        Args:
            late: Claimed attempts that are out of time, to be finished first.
            lost: Attempts to begin with.
        """
        self._loop.call_soon(self._begin, late, lost)
        self._thread.start()

    def ask_to_look(self) -> None:
        """Have the loop come round and look for attempts that are out of time."""
        if not self._loop.is_closed():
            self.came_round = False
            self._loop.call_soon_threadsafe(self._look)

    def holder(self) -> Attempt | None:
        """Give the attempt whose step runs at this moment; None when it cannot be told."""
        task = asyncio.current_task(self._loop)
        if task is None:
            return None
        owner = self._owners.get(task)
        flying = list(self._desk.flying)
        return owner or next((one for one in flying if one.work is task), None)

    def retire(self) -> None:
        """Start nothing more, and end when the loop comes round."""
        self._retired = True
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._loop.stop)

    def join(self, seconds: float) -> None:
        """Wait that long at most for the thread."""
        if self._thread.ident is not None:  # else Ctrl-C came before it started
            self._thread.join(seconds)

    def _main(self) -> None:
        loop = self._loop
        asyncio.set_event_loop(loop)
        while not self._retired:
            try:
                loop.run_forever()
            except BaseException as error:  # noqa: BLE001 - a task of an agent's own called sys.exit()
                self._home.leave_fork(error)
        self._sweep()

    def _sweep(self) -> None:
        """Cancel what agents left running, and close the loop."""
        loop = self._loop
        loop.set_exception_handler(_silent)  # they are cut off: that they did not end is no news
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        with suppress(BaseException):  # what strangers' tasks do at their end is theirs
            if left:
                loop.run_until_complete(asyncio.wait(left, timeout=_SWEEP))
            loop.run_until_complete(asyncio.wait_for(loop.shutdown_asyncgens(), _SWEEP))
        loop.close()

    def _make_task(self, loop: asyncio.AbstractEventLoop, coro: Any, **how: Any) -> Any:
        """Make a task for an agent, and note whose it is."""
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, **how)
        owner = _CURRENT.get(None)
        if owner is not None:
            self._owners[task] = owner
        return task

    def _begin(self, late: Sequence[Attempt], lost: Sequence[Attempt]) -> None:
        self._busy = len(lost)
        for attempt in late:
            outcome = self._desk.outcome(attempt, None, None)
            abandon(self._agent, attempt)
            with self._desk.lock:
                self._desk.settle(attempt, outcome)
        for attempt in lost:
            self._start_when_due(attempt)
        self._fill()

    def _fill(self) -> None:
        """Start attempts until every place is taken or no more may start."""
        self._home.leave_fork(None)
        desk = self._desk
        while self._busy < desk.bounds.concurrency:
            with desk.lock:
                if self._retired:  # set under the lock where another loop takes over
                    return
                found = desk.take()
            if not isinstance(found, Attempt):
                self._ask_later(found)
                return
            self._busy += 1
            self._start(found)

    def _ask_later(self, seconds: float | None) -> None:
        if seconds is not None and seconds < math.inf and not self._asking:
            self._asking = True
            self._loop.call_later(seconds, self._ask)

    def _ask(self) -> None:
        self._asking = False
        self._fill()

    def _start(self, attempt: Attempt, *, again: bool = False) -> None:
        # A context of its own: what an agent sets in it is gone with the attempt.
        context = self._context.copy()
        task = asyncio.Task(self._run(attempt), loop=self._loop, context=context)
        task.add_done_callback(lambda _: self._done(attempt, again=again), context=context)
        attempt.work = task

    def _done(self, attempt: Attempt, *, again: bool) -> None:
        """Start anew what an agent cancelled before its first step; the second time it is over."""
        if attempt.started is not None or attempt.over:
            return
        self._home.leave_fork(None)
        if not again:
            self._start(attempt, again=True)
            return
        desk = self._desk
        staged = desk.stage(attempt)
        if staged is not None:
            error: BaseException = asyncio.CancelledError(_CANCELLED)
            if isinstance(staged, BaseException):
                error = staged
            self._end(attempt, desk.outcome(attempt, None, error))

    def _start_when_due(self, attempt: Attempt) -> None:
        self._home.leave_fork(None)
        if self._retired:
            return
        with self._desk.lock:
            wait = self._desk.wait_for(attempt)
        if wait == 0:
            self._start(attempt)
        elif wait is not None:
            self._loop.call_later(wait, self._start_when_due, attempt)

    async def _run(self, attempt: Attempt) -> None:
        self._home.leave_fork(None)
        _CURRENT.set(attempt)
        desk = self._desk
        staged = desk.stage(attempt)
        if staged is None:
            return
        if isinstance(staged, BaseException):
            self._end(attempt, desk.outcome(attempt, None, staged))
            return
        returned: object = None
        try:
            returned = await cast("Awaitable[object]", self._agent(staged.task))
        except BaseException as error:  # noqa: BLE001 - the agent is a stranger: all it raises is told
            self._home.leave_fork(error)
            self._end(attempt, desk.outcome(attempt, None, error))
        else:
            self._home.leave_fork(None)
            self._end(attempt, desk.outcome(attempt, returned, None))

    def _end(self, attempt: Attempt, outcome: Outcome) -> None:
        attempt.returned = True
        desk = self._desk
        with desk.lock:
            if not desk.claim(attempt):
                return
            again = desk.settle(attempt, outcome)
        if again is not None:
            self._start_when_due(again)
            return
        self._busy -= 1
        self._fill()

    def _look(self) -> None:
        """Cancel attempts that are out of time, and give up those that do not obey."""
        self._home.leave_fork(None)
        self.came_round = True
        if self._retired:
            return
        desk = self._desk
        now, timeout = desk.clock(), desk.bounds.timeout
        with desk.lock:
            late = [one for one in desk.flying if one.late_by(now, timeout) > 0]
        for attempt in late:
            if not attempt.cut_off:
                attempt.cut_off = True
                abandon(self._agent, attempt)
                attempt.work.cancel()
            elif attempt.late_by(now, timeout) > _GRACE:
                self._end(attempt, desk.outcome(attempt, None, None))


def _tell(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report as loops do, but not that a task left over from a trial was stopped by its end."""
    if not isinstance(context.get("exception"), TrialOverError):
        loop.default_exception_handler(context)


def _silent(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report nothing."""
