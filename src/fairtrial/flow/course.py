"""One pass over the trials of a run: each is run, graded, written and counted."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec import Struct

from fairtrial.agents import failure_of, retry_after_of
from fairtrial.errors import StoreError
from fairtrial.flow.attempt import Attempt, Job, Setting, refuse_setup
from fairtrial.flow.endpoints import Endpoints
from fairtrial.flow.graded import GradedRun, Unread, mode_of
from fairtrial.flow.lost import not_judged, not_run, with_lost, without_lost
from fairtrial.flow.names import notes_on_tools
from fairtrial.graders import Graders, GradingSettings
from fairtrial.models import Prices
from fairtrial.ports import Agent
from fairtrial.records import (
    Case,
    Json,
    Selection,
    Trajectory,
    TrajectoryError,
    Trial,
    Variant,
)
from fairtrial.scorecard import Tally
from fairtrial.store import RunWriter, SavedRun, Unreadable
from fairtrial.trials import Bounds, Ended, Outcome, Retry, run_trials
from fairtrial.worlds import Blueprint, World

if TYPE_CHECKING:
    from fairtrial.flow.awaiting import Awaiting
    from fairtrial.flow.judging import JudgeOptions

_LONG_HOLD = 1.0  # seconds that an async agent may keep the others waiting without a word
_ENCODE = msgspec.json.Encoder().encode


class Watch(Protocol):
    """Whoever looks on while trials run. Nothing here is called from two threads at once."""

    def began(self, planned: int, done: int) -> None:
        """Say how many trials there are, and how many were done before."""
        ...

    def trial(self, case: Case, trial: Trial) -> None:
        """Say that a trial is graded and saved."""
        ...

    def unjudged(self, trial: Trial) -> None:
        """Say that a trial is saved and waits for the judge."""
        ...

    def judging(self, trials: int) -> None:
        """Say how many trials wait for the judge, now that all have run."""
        ...

    def judged(self, case: Case, trial: Trial) -> None:
        """Say that a trial which waited for the judge is graded."""
        ...

    def tick(self) -> None:
        """Say that time goes by, some times a second."""
        ...


class RunOptions(Struct, frozen=True, kw_only=True):
    """What `run` is asked to do, besides the suite and the agent."""

    root: Path
    """The folder that holds `.fairtrial`."""
    settings: GradingSettings = GradingSettings()
    world: type[World] | None = None
    variant: Variant = Variant()
    selection: Selection | None = None
    trials: int = 1
    """A case, where the case does not say."""
    k: int | None = None
    """A case, whatever the case says."""
    seed: int = 0
    bounds: Bounds = Bounds()
    step_cap: int | None = None
    model: str | None = None
    """The model's name for the agent; None: its own choice."""
    unseen: bool = False
    """The agent asks a real model that is not seen here."""
    prices: Prices
    save: bool = True
    judge: "JudgeOptions | None" = None
    """Who answers rubric items; None: nobody."""
    adaptive: bool = False
    """Further trials will follow: a run that is whole can be gone on with."""
    recorded: dict[str, Json] = {}
    """What `run.json` keeps of how the run was made."""


class Ran(Struct, frozen=True, kw_only=True):
    """What a run came to."""

    graded: GradedRun
    ended: Ended
    spent: float | None
    """Of the trials run now, in the suite's currency; None where none has a known cost."""
    seconds: float
    """That they took, all together."""
    dearest: float | None
    """The largest cost of any trial."""


class Course:
    """One pass over the trials: runs, grades, writes and sums.

    Attributes:
        cases: What is run, by id.
        done: How many trials there are results of.
        dearest: The largest cost of any of them; None where none is known.
    """

    def __init__(
        self,
        writer: RunWriter,
        cases: Sequence[Case],
        planned: Mapping[str, int],
        options: RunOptions,
    ) -> None:
        self._writer = writer
        self.cases = {case.id: case for case in cases}
        self._planned = planned
        self._options = options
        self._tally = Tally(cases, options.settings.currency)
        self._graders = Graders(options.settings)
        self._awaiting: Awaiting | None = None
        if options.judge is not None:
            from fairtrial.flow.awaiting import awaiting_of  # noqa: PLC0415 - few suites have one

            self._awaiting = awaiting_of(options.judge, cases, options.settings, writer)
        self._modes: set[str] = set()
        self.done = 0
        self.dearest: float | None = None
        self._spent: float | None = None
        self._again = 0  # trials that took more than one attempt
        self._watch: Watch | None = None
        self._odd_names: list[str] = []
        self._closed = False
        self._unjudged = 0  # trials that the judge never came to

    @property
    def kept(self) -> int:
        """How many trials are written: those that are done, and those that wait for the judge."""
        return self.done + (0 if self._awaiting is None else len(self._awaiting))

    def count(self, trial: Trial) -> None:
        """Count a trial that was run before."""
        self._modes.add(trial.model)
        self._tally.add(trial)
        self.done += 1
        if trial.cost is not None:
            self.dearest = max(trial.cost, self.dearest or 0.0)

    def take_up(self, run: SavedRun) -> None:
        """Count the trials of a run that was cut short; those for the judge are judged again.

        What it said of them before is on file.

        Raises:
            StoreError: They cannot be read.
        """
        wanted: dict[tuple[str, int], Trial] = {}
        for result in run.results():  # one case at a time is in memory
            for trial in result.trials:
                if self._awaiting is None or not self._awaiting.asks(self.cases[result.id]):
                    self.count(trial)
                else:
                    wanted[trial.case, trial.trial] = trial
        for item in run.trajectories() if wanted else ():
            trajectory = None if isinstance(item, Unreadable) else item.trajectory
            if trajectory is not None and trajectory.trial is not None:
                key = (trajectory.case, trajectory.trial)
                if key in wanted:
                    self._taken(self.cases[trajectory.case], wanted.pop(key), trajectory)
        for trial in wanted.values():  # nobody can judge what is not there
            self.count(trial)

    def run(
        self,
        agent: Agent,
        endpoints: Endpoints,
        blueprints: Mapping[str, Blueprint],
        watch: Watch | None,
    ) -> Ran:
        """Run what is not there yet, and sum up."""
        bounds = self._options.bounds
        self._watch = watch
        self._odd_names = notes_on_tools(list(self.cases.values()), dict(blueprints))
        total, done = sum(self._planned.values()), self.kept
        if watch is not None:
            watch.began(total, done)
        agent.warm(min(bounds.concurrency, total - done))
        began = time.perf_counter()
        jobs = self.missing(self.cases.values())
        ended = self.go(jobs, agent, self.setting(endpoints, blueprints), bounds)
        seconds = time.perf_counter() - began
        graded = self.close(ended, total, endpoints.listener.refused)
        return Ran(
            graded=graded, ended=ended, spent=self._spent, seconds=seconds, dearest=self.dearest
        )

    def setting(self, endpoints: Endpoints, blueprints: Mapping[str, Blueprint]) -> Setting:
        """Give what all trials have in common."""
        options = self._options
        return Setting(
            endpoints=endpoints,
            blueprints=blueprints,
            variant=options.variant,
            seed=options.seed,
            step_cap=options.step_cap,
            model=options.model,
            unseen=options.unseen,
        )

    def go(self, jobs: Iterable[Job], agent: Agent, setting: Setting, bounds: Bounds) -> Ended:
        """Run trials within bounds; each is graded, written and counted as it ends, or judged."""
        ended = run_trials(
            jobs,
            agent,
            bounds,
            stage=lambda job: Attempt(job, setting),
            finish=self.finish,
            retry=retry_of,
            tick=_tick_of(self._watch),
            clock=time.perf_counter,
            seed=self._options.seed,
        )
        return self.judge_all(ended)

    def missing(self, cases: Collection[Case]) -> Iterator[Job]:
        """Give what is to be run: the first trial of every case, then the second, and so on."""
        for number in range(max((self._planned[case.id] for case in cases), default=0)):
            for case in cases:
                if number < self._planned[case.id] and not self._writer.has(case.id, number):
                    yield Job(case, number)

    def finish(self, job: Job, attempt: Attempt | None, outcome: Outcome) -> float | None:
        """Grade, write and count one trial; give its cost."""
        case = job.case
        trajectory = self._trajectory(job, attempt, outcome)
        trial = self._graders.of(case).grade(trajectory, job.trial)
        if self._closed:  # a grader that was given up came back after all
            return None
        self._writer.add(trial, _ENCODE(trajectory))
        self._again += outcome.attempts > 1
        if trial.cost is not None:
            self._spent = (self._spent or 0.0) + trial.cost
        self._taken(case, trial, trajectory)
        return trial.cost if trial.model == "live" else trial.cost or 0.0  # else nobody is paid

    def _taken(self, case: Case, trial: Trial, trajectory: Trajectory) -> None:
        """Count a trial, or hand it to the judge first."""
        watch = self._watch
        if self._awaiting is not None and self._awaiting.wants(case, trajectory):
            self._awaiting.add(case, trial, trajectory)
            if watch is not None:
                watch.unjudged(trial)
            return
        self.count(trial)
        if watch is not None:
            watch.trial(case, trial)

    def judge_all(self, ended: Ended) -> Ended:
        """Wait for the judge, and grade, write and count what it says.

        Where the run was interrupted, or is now, what is not judged counts as it is.

        Args:
            ended: How the trials ended.

        Raises:
            StoreError: A reply or a verdict cannot be kept.
        """
        awaiting, watch = self._awaiting, self._watch
        if awaiting is None:
            return ended
        interrupted = ended.stopped == "interrupted"
        if awaiting and watch is not None and not interrupted:
            watch.judging(len(awaiting))
        try:
            for case, trial in () if interrupted else awaiting.judged(_tick_of(watch)):
                self.count(trial)
                if watch is not None:
                    watch.judged(case, trial)
        except KeyboardInterrupt:
            ended = msgspec.structs.replace(ended, stopped="interrupted")
        left = awaiting.leave()
        self._unjudged += len(left)
        for trial in left:
            self.count(trial)
        return ended

    def _trajectory(self, job: Job, attempt: Attempt | None, outcome: Outcome) -> Trajectory:
        if outcome.error is not None:
            refuse_setup(outcome.error)
            if attempt is None:  # its world could not be built, though its fixtures fit
                error = TrajectoryError(kind="world", message=failure_of(outcome.error).message)
                return Trajectory(case=job.case.id, trial=job.trial, error=error)
        assert attempt is not None
        return self._priced(attempt.trajectory(outcome))

    def _priced(self, trajectory: Trajectory) -> Trajectory:
        if trajectory.cost is not None or trajectory.tokens is None:
            return trajectory
        cost = self._options.prices.cost(self._options.model, trajectory.tokens)
        return trajectory if cost is None else msgspec.structs.replace(trajectory, cost=cost)

    def close(self, ended: Ended, total: int, refused: int) -> GradedRun:
        """Write the scorecard and give the graded run.

        Args:
            ended: How the trials ended.
            total: Trials that were planned.
            refused: Requests that came to the listener from no trial.

        Raises:
            StoreError: It cannot be written.
        """
        self._closed = True
        folder = self._writer.folder
        if folder is not None and not folder.is_dir():
            raise StoreError(
                f"{folder}: the run's folder was taken away while the run went on, and all that "
                "was measured with it"
            )
        known = self._writer.info
        lost = [*not_run(ended.stopped, total - self.done, total, known)]
        lost += not_judged(self._unjudged, known)
        scorecard = self._tally.scorecard(
            _lower_median(self._planned.values()),
            notes=(*lost, *self.notes(ended, refused)),
            each=self._planned,
        )
        if self._awaiting is not None:
            scorecard = msgspec.structs.replace(scorecard, judge=self._awaiting.use())
        info = without_lost(known)
        info = with_lost(msgspec.structs.replace(info, mode=mode_of(self._modes)), lost)
        self._writer.finish(scorecard, info)
        return GradedRun(self._writer, self._tally, scorecard, Unread((), 0), planned=self._planned)

    def notes(self, ended: Ended, refused: int) -> Iterator[str]:
        """Give what the reader of the scorecard must know of how the trials were run."""
        if ended.longest_hold > _LONG_HOLD and self._options.bounds.concurrency > 1:
            yield (
                f"the agent blocked its event loop for {ended.longest_hold:.1f} s, and all other "
                "trials waited; write it as a plain `def`, or let it await"
            )
        yield from self._odd_names
        if refused:
            came, were = ("request", "was") if refused == 1 else ("requests", "were")
            yield (
                f"{refused} model {came} came from no trial and {were} refused: the agent made its "
                "client before the trial; pass base_url=task.model.base_url, or set "
                'isolation = "process"'
            )
        if self._again:
            trials = "1 trial" if self._again == 1 else f"{self._again} trials"
            yield f"{trials} took more than one attempt, because the provider failed"


def _lower_median(counts: Iterable[int]) -> int:
    ordered = sorted(counts)
    return ordered[(len(ordered) - 1) // 2] if ordered else 0


def _tick_of(watch: Watch | None) -> Callable[[], None]:
    return (lambda: None) if watch is None else watch.tick


def retry_of(outcome: Outcome, attempt: Attempt | None) -> Retry | None:
    """Try again where the provider failed, and wait as long as it asked to."""
    if outcome.error is None or failure_of(outcome.error).kind != "provider":
        return None
    if attempt is not None and attempt.failed_as_scripted:
        return None
    return Retry(after=retry_after_of(outcome.error))
