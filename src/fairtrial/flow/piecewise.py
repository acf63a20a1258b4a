"""A run case by case: trials are run when somebody asks for a case, and summed up in the end."""

import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import msgspec

from fairtrial.cases import Suite
from fairtrial.flow.course import Course, RunOptions
from fairtrial.flow.endpoints import Endpoints
from fairtrial.flow.graded import GradedRun
from fairtrial.flow.names import notes_on_tools
from fairtrial.flow.run import plan_trials, run_info
from fairtrial.flow.side import bounds_left
from fairtrial.ports import Agent
from fairtrial.records import Case, CaseResult, Trial
from fairtrial.store import Redactor, RunWriter
from fairtrial.trials import Bounds, Ended, StoppedBy
from fairtrial.worlds import Blueprint

_TRIAL = msgspec.json.Decoder(Trial)


class Piecewise(Course):
    """A run whose cases are asked for one by one; its bounds hold for all of them together.

    Attributes:
        info: What is run.
        stopped: What keeps further trials from being run; None where nothing does.
    """

    def __init__(  # noqa: PLR0913 - what a run is made of; `begin` makes most of it
        self,
        writer: RunWriter,
        cases: Sequence[Case],
        planned: Mapping[str, int],
        agent: Agent,
        endpoints: Endpoints,
        blueprints: Mapping[str, Blueprint],
        options: RunOptions,
    ) -> None:
        """Get ready; callers use `begin`."""
        super().__init__(writer, cases, planned, options)
        self.info = writer.info
        self.stopped: StoppedBy | None = None
        self._agent = agent
        self._endpoints = endpoints
        self._blueprints = blueprints
        self._setting = self.setting(endpoints, blueprints)
        self._seconds = 0.0  # that all trials took
        self._longest_hold = 0.0
        self._dearest = 0.0  # cost of one trial

    @classmethod
    def begin(
        cls,
        suite: Suite,
        agent: Agent,
        endpoints: Endpoints,
        blueprints: Mapping[str, Blueprint],
        options: RunOptions,
        place: tuple[str, Path] | None = None,
    ) -> "Piecewise":
        """Make the run's folder; nothing is run yet.

        Args:
            suite: The cases that may be asked for.
            agent: The system under test.
            endpoints: Where it finds its model and tools.
            blueprints: Of the world, by case id.
            options: Everything else.
            place: The run's id and folder; None: a new run.

        Raises:
            StoreError: The folder cannot be made.
        """
        cases = suite.cases
        planned = plan_trials(cases, trials=options.trials, k=options.k)
        info = run_info(suite, agent.name, options)
        if place is not None and info.folder is not None:
            info = msgspec.structs.replace(info, id=place[0], folder=str(place[1]))
        folder = None if info.folder is None else Path(info.folder)
        redactor = Redactor(endpoints.secrets)
        writer = RunWriter.start(info, cases, folder=folder, planned=planned, redactor=redactor)
        return cls(writer, cases, planned, agent, endpoints, blueprints, options)

    def run_cases(self, cases: Collection[Case]) -> None:
        """Run what is missing of these cases, as many trials at once as the run may.

        Where it is stopped, `stopped` says by what, and nothing is run from then on.

        Raises:
            PluginError: The agent cannot be started at all.
            StoreError: A trial cannot be saved.
        """
        jobs = list(self.missing(cases))
        if not jobs or self.stopped is not None:
            return
        bounds = self._bounds_left()
        if not isinstance(bounds, Bounds):
            self.stopped = bounds
            return
        self._agent.warm(min(bounds.concurrency, len(jobs)))
        began = time.perf_counter()
        ended = self.go(jobs, self._agent, self._setting, bounds)
        self._seconds += time.perf_counter() - began
        self._longest_hold = max(self._longest_hold, ended.longest_hold)
        self.stopped = ended.stopped

    def _bounds_left(self) -> Bounds | StoppedBy:
        bounds = bounds_left(self._options.bounds, spent=self._spent, seconds=self._seconds)
        if isinstance(bounds, Bounds) and (bounds.max_cost or self._dearest) < self._dearest:
            return "max cost"  # as one engine for all of them would know: each trial is reserved
        return bounds

    def count(self, trial: Trial) -> None:
        """Count a trial."""
        super().count(trial)
        self._dearest = max(self._dearest, trial.cost or 0.0)

    def planned_of(self, case: Case) -> int:
        """Give how many trials of a case were planned."""
        return self._planned[case.id]

    def result(self, case: Case) -> CaseResult:
        """Give a case with the trials that there are of it, without secrets."""
        trials = tuple(map(_TRIAL.decode, self._writer.rows(case.id)))
        result = self._tally.result(case.id, self._planned[case.id])
        return msgspec.structs.replace(result, trials=trials)

    def end(self) -> tuple[GradedRun | None, tuple[str, ...]]:
        """Sum up; where nothing was run, take the folder away.

        Returns:
            The run, to be closed, or None; and what its reader must know of how it was run.

        Raises:
            StoreError: It cannot be written.
        """
        if not self.done:
            self._writer.discard()
            return None, ()
        ended = Ended(
            started=self.done,
            finished=self.done,
            stopped=self.stopped,
            longest_hold=self._longest_hold,
        )
        self._odd_names = notes_on_tools(list(self.cases.values()), dict(self._blueprints))
        refused = self._endpoints.listener.refused
        told = tuple(self.notes(ended, refused))
        return self.close(ended, sum(self._planned.values()), refused), told
