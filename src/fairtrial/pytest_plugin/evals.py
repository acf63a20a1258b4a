"""The cases and the run of one process: read once, opened when a case is first run, summed up."""

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import msgspec

from fairtrial.cases import Suite, load_suite
from fairtrial.config import Project, judge_options, run_options
from fairtrial.errors import FairtrialError, UsageError
from fairtrial.flow.course import RunOptions
from fairtrial.flow.endpoints import Endpoints, led_to, open_listener
from fairtrial.flow.graded import GradedRun
from fairtrial.flow.piecewise import Piecewise
from fairtrial.flow.run import plan_trials, prepare_worlds
from fairtrial.flow.side import STOPPED
from fairtrial.flow.surroundings import ended_in_order, kept_surroundings
from fairtrial.pytest_plugin.asked import Asked, our_flags
from fairtrial.records import Case, CaseResult, Selection
from fairtrial.worlds import Blueprint


class Place:
    """Where a run goes, and which share of what it may take is this process's.

    Attributes:
        run: Its id and folder; None: a new run.
        share: Of how many processes this is one.
    """

    def __init__(self, run: tuple[str, Path] | None = None, share: int = 1) -> None:
        """Say where."""
        self.run = run
        self.share = share


class Evals:
    """The cases that pytest runs here, and the run that they make.

    Attributes:
        project: The settings.
        files: Case files that are collected.
        cases: What was selected, in suite order.
    """

    def __init__(self, asked: Asked, project: Project, files: Sequence[Path], base: Path) -> None:
        """Get ready; nothing is read yet.

        Args:
            asked: The options.
            project: The settings.
            files: Case files that may be collected.
            base: The folder that their names are relative to.
        """
        self.asked = asked
        self.project = project
        self.files = tuple(files)
        self.cases: tuple[Case, ...] = ()
        self.place = Place()
        self._base = base
        self._stack = ExitStack()
        self._endpoints: Endpoints | None = None
        self._suite: Suite | None = None
        self._options: RunOptions | None = None
        self._blueprints: dict[str, Blueprint] = {}
        self._pieces: Piecewise | None = None
        self._order: list[Case] = []
        self._places: dict[str, int] = {}
        self._planned: dict[str, int] = {}
        self._asked_for: set[str] = set()
        self._broken: str | None = None

    def suite(self) -> Suite:
        """Give the suite, read and checked against its world once.

        Raises:
            ProblemsError: Mistakes in the case files, or fixtures that do not fit; all of them.
            UsageError: The settings name no agent.
            PluginError: The world or a grader does not load.
        """
        if self._suite is not None:
            return self._suite
        protected = self.project.config.protected_tags
        suite = load_suite(self.files, protected_tags=protected, root=self._base)
        if self.project.config.agent is None:
            where = self.project.file or "a fairtrial.toml (there is none yet)"
            text = f'no agent: set agent = "module:function" in {where}, or give --fairtrial-agent'
            raise UsageError(text)
        with led_to(self.endpoints()):  # a world may be in the agent's module
            options = run_options(
                self.project,
                suite,
                self.asked.variant,
                live=self.asked.live,
                judge=judge_options(self.project) if self.project.has_judge else None,
            )
            self._blueprints = prepare_worlds(options.world, suite.cases)
        self._options = options
        self._suite = suite
        return suite

    def endpoints(self) -> Endpoints:
        """Give the listener of this process.

        Raises:
            UsageError: No port can be had.
        """
        if self._endpoints is None:
            self._endpoints = self._stack.enter_context(open_listener(live=self.asked.live))
        return self._endpoints

    def choose(self, order: Sequence[Case], *, whole: bool) -> None:
        """Say which cases are run, in which order, and whether that is the whole suite."""
        suite, options = self.suite(), self._options
        assert options is not None  # the suite was read
        self._order = list(order)
        self._places = {case.id: place for place, case in enumerate(order)}
        self.cases = tuple(case for case in suite.cases if case.id in self._places)
        if not whole:
            ids = tuple(case.id for case in self.cases)
            options = msgspec.structs.replace(options, selection=Selection(ids=ids))
        options = self._shared(msgspec.structs.replace(options, k=self.asked.trials))
        self._planned = plan_trials(self.cases, trials=options.trials, k=options.k)
        self._options = options

    def _shared(self, options: RunOptions) -> RunOptions:
        """Give the options with this process's share of what all may take at once and spend."""
        bounds, share = options.bounds, self.place.share
        bounds = msgspec.structs.replace(
            bounds,
            concurrency=max(1, bounds.concurrency // share),
            max_cost=None if bounds.max_cost is None else bounds.max_cost / share,
        )
        return msgspec.structs.replace(options, bounds=bounds)

    @property
    def options(self) -> RunOptions:
        """How it is run, once cases were chosen."""
        assert self._options is not None
        return self._options

    def run(self, case: Case, *, ahead: bool) -> tuple[CaseResult | None, str]:
        """Run a case's trials, and give what they came to; None where nothing can be run.

        Args:
            case: The case.
            ahead: Trials of the next cases may be run beside them, as many as there are places.

        Returns:
            The case with its trials, and why some are missing, if any are.

        Raises:
            KeyboardInterrupt: Ctrl-C.
            StoreError: A trial cannot be saved.
        """
        if self._broken is not None:
            return None, f"the run could not be begun, as told above: {self._broken}"
        try:
            with ended_in_order(), kept_surroundings(), led_to(self.endpoints()):
                pieces = self._begun()
                pieces.run_cases(self._batch(case, ahead=ahead))
        except FairtrialError as error:
            self._broken = str(error).partition("\n")[0]
            return None, our_flags(str(error))
        if pieces.stopped == "interrupted":
            raise KeyboardInterrupt
        why = STOPPED[pieces.stopped] if pieces.stopped is not None else ""
        return pieces.result(case), why

    def _begun(self) -> Piecewise:
        if self._pieces is None:
            suite = msgspec.structs.replace(self.suite(), cases=self.cases)
            endpoints = self.endpoints()
            agent = self.project.agent(endpoints.listener.point, live=self.asked.live)
            self._stack.callback(agent.close)
            self._pieces = Piecewise.begin(
                suite, agent, endpoints, self._blueprints, self.options, self.place.run
            )
        return self._pieces

    def _batch(self, case: Case, *, ahead: bool) -> Collection[Case]:
        """Give a case, and the next ones that have room beside it."""
        if case.id in self._asked_for:
            return []
        batch = [case]
        if ahead:
            room = self.options.bounds.concurrency - self._planned[case.id]
            for other in islice(self._order, self._places[case.id] + 1, None):
                room -= self._planned[other.id]
                if room < 0:
                    break
                if other.id not in self._asked_for:
                    batch.append(other)
        self._asked_for.update(one.id for one in batch)
        return batch

    def end(self) -> tuple[GradedRun | None, tuple[str, ...], str | None]:
        """Sum up what was run, once; give the run, what must be known of it, what stopped it.

        Raises:
            StoreError: It cannot be written.
        """
        pieces, self._pieces = self._pieces, None
        if pieces is None:
            return None, (), None
        self._broken = "the run has ended"
        graded, told = pieces.end()
        return graded, told, pieces.stopped

    def close(self) -> None:
        """Let go of the agent and the listener."""
        self._stack.close()
