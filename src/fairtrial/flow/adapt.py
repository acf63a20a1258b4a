"""The story of `run --adaptive`: more trials of the cases that may have become worse."""

import math
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec
from msgspec import Struct

from fairtrial.errors import StoreError
from fairtrial.flow.attempt import Attempt, Job
from fairtrial.flow.course import Ran, Watch, retry_of
from fairtrial.flow.endpoints import Endpoints
from fairtrial.flow.run import prepare_worlds
from fairtrial.flow.side import STOPPED, Side, SideCourse, bounds_left, side_info
from fairtrial.gate import (
    STEP,
    Adapting,
    Candidate,
    Further,
    read_baseline,
    summarise,
    write_baseline,
)
from fairtrial.records import Adaptive, Baseline, Case, Selection, Trial, Verdict
from fairtrial.store import CASES, EXTRA, RUN, TRIALS, Redactor, RunWriter, SavedRun
from fairtrial.trials import Bounds, Outcome, StoppedBy, run_trials
from fairtrial.worlds import Blueprint

_BESIDE = "baseline.json"  # in it: what they were begun beside, which may have been replaced since
_NOTHING_MEASURED = "nothing that was run last could be measured"


class More(Struct, frozen=True, kw_only=True):
    """What further trials are asked for."""

    baseline: Baseline
    """What a case may have become worse than."""
    most: int | None = None
    """Trials at most; None: as many as were planned."""


def adapt_run(
    ran: Ran,
    cases: Sequence[Case],
    side: Side,
    endpoints: Endpoints,
    asked: More,
    watch: Watch | None = None,
) -> Ran:
    """Spend more trials on the cases of a run that may have become worse, and say what it told.

    The run's own trials and rates stay as they are: what came of the further ones stands in
    `scorecard.adaptive`, and their transcripts in a run folder within that of the run. Those that
    are there already, of a run that was cut short, are not run again.

    Args:
        ran: The run, not closed yet. Nothing is added to one that ended early.
        cases: That it ran.
        side: The agent that it ran, and how; what the run took counts against its bounds.
        endpoints: As for the run.
        asked: Beside what, and how many.
        watch: Told of every trial.

    Raises:
        StoreError: Trials cannot be saved.
    """
    if ran.ended.stopped is not None:
        return ran
    with ExitStack() as stack:
        stack.callback(ran.graded.close)
        ran = _adapted(ran, cases, side, endpoints, asked, watch)
        stack.pop_all()
    return ran


def _adapted(
    ran: Ran,
    cases: Sequence[Case],
    side: Side,
    endpoints: Endpoints,
    asked: More,
    watch: Watch | None,
) -> Ran:
    outcomes = tuple(summarise(result) for result in ran.graded.results())
    candidate = Candidate(info=ran.graded.info, scorecard=ran.graded.scorecard, cases=outcomes)
    planned = {outcome.id: outcome.planned for outcome in outcomes}
    most = sum(planned.values()) if asked.most is None else asked.most
    state = Adapting.of(candidate, asked.baseline, most=most)
    if not state.wanted:
        ran.graded.add_adaptive(state.record())
        return ran
    fell = {one.id for one in state.cases}
    chosen = [case for case in cases if case.id in fell]
    course = _course(ran, chosen, side, endpoints, asked.baseline)
    further = _Further(course, planned, ran, watch)
    try:
        ran.graded.add_adaptive(further.told(state))
    finally:
        course.end(endpoints)
    ended = ran.ended
    if further.stopped == "interrupted":
        ended = msgspec.structs.replace(ended, stopped=further.stopped)
    return msgspec.structs.replace(ran, ended=ended, spent=further.total)


def lacks_more(run: SavedRun) -> bool:
    """Say whether a saved run can get further trials: it has none, or was cut short with them."""
    if not run.finished:
        return True
    adaptive = run.scorecard.adaptive
    return adaptive is None or not adaptive.whole


def cut_short(run: SavedRun) -> bool:
    """Say whether further trials of a saved run were asked for and are not all there."""
    begun = run.folder is not None and (run.folder / EXTRA).is_dir()
    return (begun or run.info.settings.get("adaptive") is True) and lacks_more(run)


def begun_beside(run: SavedRun) -> Baseline | None:
    """Give the baseline that a run's further trials were begun beside; None where none were.

    Raises:
        BaselineError: It cannot be read.
    """
    if run.folder is None or not (run.folder / EXTRA / _BESIDE).is_file():
        return None
    return read_baseline(run.folder / EXTRA / _BESIDE)


def next_numbers(run: SavedRun) -> dict[str, int]:
    """Give by case the number behind its last further trial; nothing of cases without any.

    Raises:
        StoreError: They cannot be read.
    """
    folder = None if run.folder is None else run.folder / EXTRA
    if folder is not None and (folder / RUN).is_file():
        numbers = ((one.id, one.trials) for one in SavedRun.read_folder(folder).results())
        return {case: trials[-1].trial + 1 for case, trials in numbers if trials}
    adaptive = run.scorecard.adaptive if run.finished else None
    more = {one.id: one.more_planned for one in adaptive.cases} if adaptive else {}
    # Where they were cut short within a round, a later one may have been run before an earlier.
    return {
        result.id: summarise(result).planned + math.ceil(more[result.id] / STEP) * STEP
        for result in run.results()
        if more.get(result.id)
    }


class _ExtraCourse(SideCourse):
    """The further trials of a run.

    Attributes:
        verdicts: By case and number.
        cost: Of all of them; None where none is known.
    """

    def __init__(
        self,
        side: Side,
        cases: Sequence[Case],
        writer: RunWriter,
        endpoints: Endpoints,
        blueprints: Mapping[str, Blueprint],
    ) -> None:
        """Begin with none."""
        super().__init__(side, cases, writer, endpoints, blueprints)
        self.verdicts: dict[str, dict[int, Verdict]] = {case.id: {} for case in cases}
        self.cost: float | None = None

    def count(self, trial: Trial) -> None:
        """Count one, of now or of before."""
        super().count(trial)
        self.verdicts[trial.case][trial.trial] = trial.verdict
        if trial.cost is not None:
            self.cost = (self.cost or 0.0) + trial.cost

    def further(self, case: str, numbers: range) -> Further:
        """Give what the trials of these numbers came to, as many as there are of them."""
        known = self.verdicts[case]
        told = [known[number] for number in numbers if number in known]
        measured = len(told) - told.count("error")
        return Further(told.count("passed"), measured, len(told))


def _course(
    ran: Ran, cases: Sequence[Case], side: Side, endpoints: Endpoints, baseline: Baseline
) -> "_ExtraCourse":
    """Make the course of the further trials, with those that are there already."""
    blueprints = prepare_worlds(side.options.world, cases)
    redactor = Redactor(endpoints.secrets)
    info = ran.graded.info
    folder = None if info.folder is None else Path(info.folder, EXTRA)
    if folder is not None and _is_begun(folder):
        writer = RunWriter.resume(folder, redactor=redactor)
        course = _ExtraCourse(side, cases, writer, endpoints, blueprints)
        for result in SavedRun.read_folder(folder).results():
            for trial in result.trials:
                course.count(trial)
        return course
    selection = Selection(ids=tuple(case.id for case in cases))
    options = msgspec.structs.replace(side.options, selection=selection)
    side = msgspec.structs.replace(side, options=options)
    own = side_info(side, f"{info.id}-{EXTRA}", folder)
    writer = RunWriter.start(own, cases, folder=folder, redactor=redactor)
    if folder is not None:
        write_baseline(folder / _BESIDE, baseline)
    return _ExtraCourse(side, cases, writer, endpoints, blueprints)


def _is_begun(folder: Path) -> bool:
    """Say whether further trials are there to go on with; what was begun without any is cleared.

    Raises:
        StoreError: Trials are there without what is needed to go on.
    """
    missing = [name for name in (RUN, CASES, _BESIDE) if not (folder / name).is_file()]
    if not folder.is_dir() or not missing:
        return folder.is_dir()
    trials = folder / TRIALS
    if trials.is_file() and trials.stat().st_size:
        raise StoreError(
            f"{folder}: it holds further trials and no {missing[0]}, so nobody can go on with "
            "them; take the folder away to run them anew"
        )
    shutil.rmtree(folder)
    return False


class _Further:
    """Further trials under way.

    Attributes:
        stopped: What ended them before their end.
    """

    def __init__(
        self, course: _ExtraCourse, first: Mapping[str, int], ran: Ran, watch: Watch | None
    ) -> None:
        self.stopped: StoppedBy | None = None
        self._course = course
        self._first = first
        self._ran = ran
        self._watch = watch
        self._until_now = ran.seconds

    @property
    def total(self) -> float | None:
        """What the run and its further trials cost; None where none has a known cost."""
        known = [spent for spent in (self._ran.spent, self._course.spent) if spent is not None]
        return sum(known) if known else None

    def told(self, state: Adapting) -> Adaptive:
        while wanted := state.wanted:
            had = {one.id: one.more_planned for one in state.cases}
            before = {one.id: one.more_measured for one in state.cases}
            numbers = {
                case: range(self._first[case] + had[case], self._first[case] + had[case] + more)
                for case, more in wanted.items()
            }
            jobs = [*self._jobs(numbers)]
            if jobs:  # else all of it was run before the run was cut short
                self._run(jobs)
            state = state.look(
                {
                    case: self._course.further(case, range(self._first[case], run.stop))
                    for case, run in numbers.items()
                }
            )
            if self.stopped is not None:
                break  # what is there counts, and what is missing can still be run
            measured = {one.id: one.more_measured for one in state.cases if one.id in wanted}
            if jobs and all(measured[case] == before[case] for case in wanted):
                return state.record(cost=self._course.cost, stopped=_NOTHING_MEASURED)
        stopped = None if self.stopped is None else STOPPED[self.stopped]
        return state.record(cost=self._course.cost, stopped=stopped)

    def _jobs(self, numbers: Mapping[str, range]) -> Iterator[Job]:
        """Give what is not there yet: the first further trial of every case, then the second."""
        for at in range(max(map(len, numbers.values()))):
            for case, run in numbers.items():
                if at < len(run) and run[at] not in self._course.verdicts[case]:
                    yield Job(self._course.cases[case], run[at])

    def _run(self, jobs: Sequence[Job]) -> None:
        course = self._course
        options = course.side.options
        dearest = max(self._ran.dearest or 0.0, course.dearest or 0.0) or None
        bounds = bounds_left(
            options.bounds, spent=self.total, dearest=dearest, seconds=self._until_now
        )
        if not isinstance(bounds, Bounds):
            self.stopped = bounds
            return
        watch = self._watch
        if watch is not None:
            watch.began(len(jobs), 0)
        began = time.perf_counter()
        course.side.agent.warm(min(bounds.concurrency, len(jobs)))
        ended = run_trials(
            jobs,
            course.side.agent,
            bounds,
            stage=course.stage,
            finish=self._finish,
            retry=retry_of,
            tick=None if watch is None else watch.tick,
            clock=time.perf_counter,
            seed=options.seed,
        )
        ended = course.judge_all(ended)
        self._until_now += time.perf_counter() - began
        self.stopped = ended.stopped

    def _finish(self, job: Job, attempt: Attempt | None, outcome: Outcome) -> float | None:
        return self._course.take(job, attempt, outcome, self._watch)
