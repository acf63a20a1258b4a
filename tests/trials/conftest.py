"""A rig: the engine with a small stage, and a note of everything that happens on it."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from threading import Event, Lock
from typing import Any

import pytest

from fairtrial.records import ModelAddress, Task
from fairtrial.trials import Bounds, Ended, Outcome, Retry, StepAllowance, run_trials

ADDRESS = ModelAddress(base_url="", anthropic_base_url="")


class Trial:
    """What is staged for one attempt: a task, and an allowance that ends with it."""

    def __init__(self, job: int) -> None:
        self.allowance = StepAllowance(None, None)
        self.closed = Event()
        self.task = Task(
            case=f"c{job}", input="", messages=[], model=ADDRESS, trial=job, seed=0, world=self
        )

    def close(self) -> None:
        self.closed.set()
        self.allowance.close()


class Agent:
    """A function as an agent."""

    name = "agent"

    def __init__(self, target: Callable[[Task], Any], *, blocking: bool) -> None:
        self.blocking = blocking
        self.abandoned: list[int] = []
        self.target = target

    def __call__(self, task: Task) -> object:
        return self.target(task)

    def warm(self, count: int) -> None:
        pass

    def abandon(self, task: Task) -> None:
        self.abandoned.append(task.trial)

    def close(self) -> None:
        pass


class Rig:
    """Runs trials that are numbers, and remembers what came of them."""

    def __init__(self) -> None:
        self.outcomes: dict[int, Outcome] = {}
        self.staged: list[Trial] = []
        self.unfinished_setup: list[int] = []
        self.released = Event()
        """Set when the test is over: what hangs may go on."""
        self.agent = Agent(lambda task: None, blocking=True)
        self.retry: Callable[[Outcome, Trial | None], Retry | None] | None = None
        self.tick: Callable[[], None] | None = None
        self.cost: Callable[[int], float | None] = lambda job: None
        self._inside = Lock()

    def stage(self, job: int) -> Trial:
        trial = Trial(job)
        self.staged.append(trial)
        return trial

    def finish(self, job: int, trial: Trial | None, outcome: Outcome) -> float | None:
        assert self._inside.acquire(blocking=False), "two finishes at once"
        assert job not in self.outcomes, "finished twice"
        assert trial is None or trial.closed.is_set()
        self.outcomes[job] = outcome
        self._inside.release()
        return self.cost(job)

    def run(self, target: Callable[[Task], Any], jobs: int | Iterable[int], **bounds: Any) -> Ended:
        """Run a function as the agent; a coroutine function in the loop."""
        blocking = not asyncio.iscoroutinefunction(target)
        self.agent = Agent(target, blocking=blocking)
        return run_trials(
            range(jobs) if isinstance(jobs, int) else jobs,
            self.agent,
            Bounds(**bounds),
            stage=lambda job: self.stage(job),
            finish=lambda job, trial, outcome: self.finish(job, trial, outcome),
            clock=time.monotonic,
            retry=self.retry,
            tick=self.tick,
        )

    @property
    def returned(self) -> list[object]:
        """What the agent returned, by job."""
        return [self.outcomes[job].returned for job in sorted(self.outcomes)]


@pytest.fixture
def rig() -> Iterator[Rig]:
    """Give a rig; what still hangs when the test is over is let go."""
    made = Rig()
    yield made
    made.released.set()
