"""Agents that may block: each attempt has a thread of ours, which is left behind when it hangs."""

import math
import time
from collections.abc import Awaitable
from contextlib import suppress
from contextvars import Context
from inspect import isawaitable
from threading import Thread, current_thread

from fairtrial.ports import Agent
from fairtrial.trials.attempt import Attempt
from fairtrial.trials.bounds import Outcome
from fairtrial.trials.desk import Desk
from fairtrial.trials.forks import Home

# Daemons, and not of `concurrent.futures`, which joins its threads when the process ends.


def abandon(agent: Agent, attempt: Attempt) -> None:
    """End an attempt that nobody waits for any more: its world first, then its agent."""
    staged = attempt.staged
    if staged is None:
        return
    with suppress(Exception):  # a stranger's code, on a trial that is over whatever it does
        staged.close()
        agent.abandon(staged.task)


class ThreadCrew:
    """Threads that take one attempt after another, as many as there are trials at once."""

    longest_hold = 0.0  # no thread keeps another waiting

    def __init__(self, desk: Desk, agent: Agent, context: Context) -> None:
        """Hire nobody yet.

        Args:
            desk: Where attempts come from and go to.
            agent: Called once an attempt.
            context: The context variables that every attempt begins with.
        """
        self._desk = desk
        self._agent = agent
        self._context = context
        self._home = Home()
        self._hired = 0
        self._threads: set[Thread] = set()

    def start(self) -> None:
        """Hire the first; each hires the next when it has found work."""
        self._hired = 1
        self._hire(None)

    def watch(self) -> None:
        """Leave behind the threads of attempts that are out of time; others take their places."""
        desk = self._desk
        with desk.hold():
            now = desk.clock()
            late = [one for one in desk.flying if one.late_by(now, desk.bounds.timeout) > 0]
            for attempt in late:
                attempt.cut_off = desk.claim(attempt)
        for attempt in late:
            self._threads.discard(attempt.work)  # it ends when it ends
            self._hire(attempt)

    def close(self, seconds: float) -> None:
        """Wait that long at most for threads that are about to end."""
        until = time.monotonic() + seconds
        for thread in list(self._threads):
            thread.join(max(0.0, until - time.monotonic()))

    def _hire(self, late: Attempt | None) -> None:
        thread = Thread(target=self._work, args=(late,), name="fairtrial-trial", daemon=True)
        thread.start()
        self._threads.add(thread)  # started, so that it can be waited for whenever a run is ended

    def _work(self, late: Attempt | None) -> None:
        if late is None:
            attempt = self._next()
            self._grow(attempt)
        else:
            self._finish_late(late)
            attempt = self._next()
        while attempt is not None:
            attempt = self._after(attempt, self._run(attempt))

    def _grow(self, found: Attempt | None) -> None:
        if found is None or self._hired >= self._desk.bounds.concurrency:
            return
        self._hired += 1
        with suppress(RuntimeError):  # the system gives no more threads: fewer will do
            self._hire(None)

    def _run(self, attempt: Attempt) -> Outcome | None:
        """Run one attempt to its end; None when it was over before it began."""
        desk = self._desk
        attempt.work = current_thread()
        staged = desk.stage(attempt)
        if staged is None:
            return None
        if isinstance(staged, BaseException):
            return desk.outcome(attempt, None, staged)
        context = self._context.copy()  # what the agent sets in it is gone with the attempt
        try:
            returned = context.run(self._agent, staged.task)
            if isawaitable(returned):
                returned = context.run(run_to_end, returned)
        except BaseException as error:  # noqa: BLE001 - the agent is a stranger: all it raises is told
            self._home.leave_fork(error)
            attempt.returned = True
            return desk.outcome(attempt, None, error)
        self._home.leave_fork(None)
        attempt.returned = True
        return desk.outcome(attempt, returned, None)

    def _after(self, ended: Attempt, outcome: Outcome | None) -> Attempt | None:
        """End an attempt and give the next; None when this thread was left behind."""
        desk = self._desk
        with desk.lock:
            if outcome is None or not desk.claim(ended):
                return None
            return self._wait(desk.settle(ended, outcome))

    def _finish_late(self, late: Attempt) -> None:
        desk = self._desk
        outcome = desk.outcome(late, None, None)
        abandon(self._agent, late)
        with desk.lock:
            desk.settle(late, outcome)

    def _next(self) -> Attempt | None:
        with self._desk.lock:
            return self._wait(None)

    def _wait(self, again: Attempt | None) -> Attempt | None:
        """Give the retry, or else the next attempt, when it may start; None: there is no more."""
        desk = self._desk
        while True:
            wait = desk.take() if again is None else desk.wait_for(again)
            if wait is None or isinstance(wait, Attempt):
                return wait
            if wait == 0:
                return again
            desk.freed.wait(None if wait == math.inf else wait)


def run_to_end(awaitable: Awaitable[object]) -> object:
    """Wait for what a plain function gave, in an event loop of this thread's own."""
    import asyncio  # noqa: PLC0415 - heavy, and most blocking agents give no awaitable

    from fairtrial.trials.spare_threads import new_loop  # noqa: PLC0415 - loads asyncio

    async def waited() -> object:
        return await awaitable

    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(waited())
