"""The engine: one trial within its bounds, many at once."""

import math
from collections.abc import Callable, Iterable
from contextvars import copy_context
from random import Random  # noqa: TID251 - spreads the waits before retries, from the run's seed
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from fairtrial.ports import Agent
from fairtrial.trials.attempt import Attempt, Staged
from fairtrial.trials.bounds import Bounds, Ended, Outcome, Retry, StoppedBy
from fairtrial.trials.desk import Course, Desk
from fairtrial.trials.threads import ThreadCrew, abandon

if TYPE_CHECKING:  # loads asyncio
    from fairtrial.trials.loops import LoopCrew

Job = TypeVar("Job")
StagedTrial = TypeVar("StagedTrial", bound=Staged)

_GLANCE = 1 / 16  # seconds between two looks at what is under way
_GLANCES_A_TICK = 2
_GRACE = 1.0  # seconds that a finish under way has when the run is interrupted
_LAST_WAIT = 0.5  # seconds, for threads that are about to end


def run_trials(  # noqa: PLR0913 - what a run needs: jobs, agent, bounds, four hooks, clock and seed
    jobs: Iterable[Job],
    agent: Agent,
    bounds: Bounds,
    *,
    stage: Callable[[Job], StagedTrial],
    finish: Callable[[Job, StagedTrial | None, Outcome], float | None],
    clock: Callable[[], float],
    retry: Callable[[Outcome, StagedTrial | None], Retry | None] | None = None,
    tick: Callable[[], None] | None = None,
    seed: int = 0,
) -> Ended:
    """Run every job once, many at a time, and hand each outcome on.

    Nothing that an agent does can hang the run or the end of the process: what is out of time is
    left behind in a daemon thread. Ctrl-C ends the run when a `finish` under way has come to its
    end, or a second later where it does not; a second one raises at once.

    Args:
        jobs: Trials, pulled one by one when there is room for them.
        agent: The system under test.
        bounds: What trials may take.
        stage: Makes a clean world and the task for one attempt, in the thread that runs it.
        finish: Takes a job's outcome, once, and gives what the trial cost (None: not known).
            Without a staged trial, setting it up failed. Never runs twice at the same time. One
            that does not come to its end is left behind, and may still go on after the run.
        clock: Seconds, always rising.
        retry: Says of an outcome, and what was staged for it, whether it is a failure of the
            provider to be tried again; without it none is. What is staged is closed by then.
        tick: Called some times a second in the calling thread, never during a `finish`.
        seed: Of the spread of waits before retries.

    Returns:
        How many trials were begun and finished. Those begun and not finished were abandoned.

    Raises:
        ValueError: No trial may run at all.
        PluginError: One `finish` took longer than `bounds.finish_timeout`.
        BaseException: Whatever `jobs`, `finish`, `retry` or `tick` raised; the run ends with it.

    >>> import time
    >>> class Echo:
    ...     name, blocking = "echo", True
    ...     def __call__(self, task): return task.upper()
    ...     def abandon(self, task): pass
    ...     def close(self): pass
    >>> class Trial:
    ...     def __init__(self, job): self.task = job
    ...     def close(self): pass
    >>> answers = []
    >>> def finish(job, trial, outcome): answers.append(outcome.returned)
    >>> run_trials("ab", Echo(), Bounds(), stage=Trial, finish=finish, clock=time.monotonic)
    Ended(started=2, finished=2, stopped=None, longest_hold=0.0)
    >>> sorted(answers)
    ['A', 'B']
    """
    if bounds.concurrency < 1:
        raise ValueError(f"concurrency is {bounds.concurrency}; at least 1 trial must run at once")
    course = Course(
        stage=stage,
        finish=finish,
        retry=retry or _never,
        clock=clock,
        draw=Random(seed).random,  # noqa: S311 - no secret hangs on it
    )
    desk = Desk(jobs, bounds, course)
    crew = _crew(desk, agent)
    stopped: StoppedBy | None = None
    patience = math.inf
    try:
        crew.start()
        stopped = _watch(desk, crew, tick)
    except KeyboardInterrupt:
        stopped, patience = "interrupted", _GRACE
    finally:
        desk.halted = True  # before the lock is had: whoever holds it now is the last
        _abandon_all(agent, _halt(desk, patience))
        crew.close(_LAST_WAIT)
    if desk.broken is not None:
        raise desk.broken
    return Ended(
        started=desk.started,
        finished=desk.finished,
        stopped=stopped or desk.stopped,
        longest_hold=crew.longest_hold,
    )


def _crew(desk: Desk, agent: Agent) -> "ThreadCrew | LoopCrew":
    if agent.blocking:
        return ThreadCrew(desk, agent, copy_context())
    from fairtrial.trials.loops import LoopCrew  # noqa: PLC0415 - loads asyncio

    return LoopCrew(desk, agent, copy_context())


def _watch(
    desk: Desk, crew: "ThreadCrew | LoopCrew", tick: Callable[[], None] | None
) -> StoppedBy | None:
    """Look at what is under way until all is done; say whether the run's time ran out."""
    limit = desk.bounds.run_timeout
    until = None if limit is None else desk.clock() + limit
    glances = 0
    while not (desk.done or desk.hung()):
        if desk.wake.wait(_GLANCE):
            desk.wake.clear()
            continue
        if until is not None and desk.clock() >= until:
            return "run timeout"
        crew.watch()
        glances += 1
        if tick is not None and glances % _GLANCES_A_TICK == 0:
            with desk.hold():
                tick()
    return None


def _halt(desk: Desk, patience: float) -> list[Attempt]:
    """Give what is under way when the last finish has come to its end, or is left behind."""
    held = desk.acquire(patience)
    try:
        return desk.halt(held=held)
    finally:
        if held:
            desk.lock.release()


def _abandon_all(agent: Agent, left: list[Attempt]) -> None:
    """Abandon attempts from another thread: an agent that is slow to let go holds up nobody."""
    if not left:
        return

    def work() -> None:
        for attempt in left:
            abandon(agent, attempt)

    thread = Thread(target=work, name="fairtrial-abandon", daemon=True)
    thread.start()
    thread.join(_LAST_WAIT)


def _never(outcome: Outcome, staged: object) -> Retry | None:  # noqa: ARG001 - the shape asked for
    """Try nothing again."""
    return None
