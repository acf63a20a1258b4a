"""The story of `gate --confirm`: fresh trials of both sides, of the flagged cases alone.

Nothing of the gated run is used but which cases it flags: its trials picked them.
"""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from fairtrial.errors import UsageError
from fairtrial.flow.adapt import next_numbers
from fairtrial.flow.attempt import Attempt, Job
from fairtrial.flow.both import BothAgents
from fairtrial.flow.compare import candidate_of
from fairtrial.flow.course import Watch, retry_of
from fairtrial.flow.endpoints import Endpoints
from fairtrial.flow.run import prepare_worlds
from fairtrial.flow.side import STOPPED, Side, SideCourse, bounds_left, side_folder, side_info
from fairtrial.gate import (
    Confirmation,
    Confirming,
    Flag,
    Fresh,
    read_baseline,
    screen,
)
from fairtrial.records import Baseline, Case, GateSettings, Selection
from fairtrial.store import Redactor, RunWriter, SavedRun, new_run_id
from fairtrial.text import cut
from fairtrial.trials import Bounds, Outcome, StoppedBy, run_trials, seed_of

Which: TypeAlias = Literal["baseline", "candidate"]


class Flagged(NamedTuple):
    """What a saved run is to be confirmed of."""

    flags: tuple[Flag, ...]
    cases: tuple[Case, ...]
    """Of the flags, in their order."""
    first: dict[str, int]
    """By case, the number of its first fresh trial: seeds go on where both sides ended."""


class Told(Struct, frozen=True, kw_only=True):
    """What confirming came to, and where its trials are."""

    confirmation: Confirmation
    folders: tuple[Path, ...] = ()
    """Run folders of the baseline's and the candidate's fresh trials; none where none were run."""
    interrupted: bool = False


class _Planned(Struct, frozen=True, gc=False):
    which: Which
    job: Job


def flagged_of(
    run: SavedRun, baseline: Path, settings: GateSettings, cases: Sequence[Case]
) -> Flagged:
    """Give what a saved run flags against the baseline, as the case files are now.

    Raises:
        UsageError: A flagged case is gone from the files or has changed since the run.
        StoreError: The run cannot be read.
        BaselineError: The baseline is there and cannot be read.
    """
    accepted = read_baseline(baseline) if baseline.exists() else None
    candidate = candidate_of(run)
    flags = screen(candidate, accepted, settings)
    known = {case.id: case for case in cases}
    hashes = {case.id: case.hash for case in candidate.cases}
    other = [
        flag.case
        for flag in flags
        if flag.case not in known or known[flag.case].hash != hashes[flag.case]
    ]
    if other:
        named = ", ".join(map(cut, other[:5]))
        raise UsageError(
            f"{run.name} cannot be confirmed: since it was made {named} changed or went from the "
            "files; run the suite anew"
        )
    return Flagged(flags, tuple(known[flag.case] for flag in flags), _first(run, flags, accepted))


def _first(run: SavedRun, flags: Sequence[Flag], accepted: Baseline | None) -> dict[str, int]:
    wanted = {flag.case for flag in flags}
    before = accepted.cases if accepted else {}
    further = next_numbers(run)
    first = {}
    for result in run.results():
        if result.id in wanted:
            numbers = [trial.trial + 1 for trial in result.trials]
            planned = before[result.id].planned if result.id in before else 0
            first[result.id] = max([result.planned, planned, further.get(result.id, 0), *numbers])
    return first


def confirm_flagged(
    flagged: Flagged,
    baseline: Side,
    candidate: Side,
    endpoints: Endpoints,
    watch: Watch | None = None,
) -> Told:
    """Run fresh trials of both sides, interleaved, until every flagged case is told or open.

    Both sides meet the same cases, worlds, seeds and graders. Each side's trials are saved in a
    run folder of its own.

    Args:
        flagged: What is to be told.
        baseline: The side that the gated run is compared with.
        candidate: The side that made the gated run. Its options bound both: trials at once, time,
            and what may be spent on both together.
        endpoints: Where both find their models and tools.
        watch: Told of every trial.

    Raises:
        ProblemsError: A case's fixtures, faults or stub tools do not fit the world.
        StoreError: Trials cannot be saved.
        FairtrialError: An agent cannot be started at all.
    """
    currency = candidate.options.settings.currency
    if not flagged.flags:
        return Told(confirmation=Confirmation(against=baseline.name, currency=currency))
    blueprints = prepare_worlds(candidate.options.world, flagged.cases)
    with ExitStack() as stack:
        courses: dict[Which, SideCourse] = {}
        sides: tuple[tuple[Which, Side], ...] = (("baseline", baseline), ("candidate", candidate))
        run_id = new_run_id(datetime.now(UTC), os.urandom(3).hex())  # noqa: TID251 - a name only
        for which, side in sides:
            folder = side_folder(candidate.options.root, run_id, which)
            selected = _selected(side, flagged)
            info = side_info(selected, folder.name, folder)
            writer = RunWriter.start(
                info, flagged.cases, folder=folder, redactor=Redactor(endpoints.secrets)
            )
            course = SideCourse(selected, flagged.cases, writer, endpoints, blueprints)
            stack.callback(course.end, endpoints)
            courses[which] = course
        pass_ = _Pass(flagged, courses, candidate, endpoints, watch)
        return pass_.told(baseline.name)


def _selected(side: Side, flagged: Flagged) -> Side:
    selection = Selection(ids=tuple(case.id for case in flagged.cases))
    options = msgspec.structs.replace(side.options, selection=selection)
    return msgspec.structs.replace(side, options=options)


class _Pass:
    """One confirmation under way."""

    def __init__(
        self,
        flagged: Flagged,
        courses: Mapping[Which, SideCourse],
        candidate: Side,
        endpoints: Endpoints,
        watch: Watch | None,
    ) -> None:
        self._flagged = flagged
        self._courses = courses
        self._options = candidate.options
        self._endpoints = endpoints
        self._watch = watch
        self._stopped: StoppedBy | None = None
        self._agents = BothAgents({which: one.side.agent for which, one in courses.items()})
        self._number = dict(flagged.first)

    def told(self, against: str) -> Told:
        state = Confirming.of(self._flagged.flags)
        while wanted := state.wanted:
            self._run(wanted)
            if self._stopped is not None:
                break  # a look at fewer trials than planned is no look
            state = state.look({case: self._fresh(case) for case in wanted})
        courses = self._courses.values()
        stopped = None if self._stopped is None else STOPPED[self._stopped]
        confirmation = Confirmation(
            results=state.results,
            against=against,
            trials=sum(course.done for course in courses),
            cost=self._spent(),
            currency=self._options.settings.currency,
            stopped=stopped,
        )
        folders = tuple(course.folder for course in courses if course.done and course.folder)
        interrupted = self._stopped == "interrupted"
        return Told(confirmation=confirmation, folders=folders, interrupted=interrupted)

    def _run(self, wanted: Mapping[str, int]) -> None:
        """Run what one look wants."""
        known = [one.dearest for one in self._courses.values() if one.dearest is not None]
        dearest = max(known, default=None)
        bounds = bounds_left(self._options.bounds, spent=self._spent(), dearest=dearest)
        if not isinstance(bounds, Bounds):
            self._stopped = bounds
            return
        total = 2 * sum(wanted.values())
        watch = self._watch
        if watch is not None:
            watch.began(total, 0)
        self._agents.warm(max(1, min(bounds.concurrency, total) // 2))
        ended = run_trials(
            self._jobs(wanted),
            self._agents,
            bounds,
            stage=self._stage,
            finish=self._finish,
            retry=retry_of,
            tick=None if watch is None else watch.tick,
            clock=time.perf_counter,
            seed=self._options.seed,
        )
        for course in self._courses.values():
            ended = course.judge_all(ended)
        self._stopped = ended.stopped
        for case, more in wanted.items():
            self._number[case] += more

    def _jobs(self, wanted: Mapping[str, int]) -> Iterator[_Planned]:
        """Give the trials: of every case in turn, one of either side, now this one first, now that.

        What changes with time meets both sides alike.
        """
        known = {case.id: case for case in self._flagged.cases}
        for at in range(max(wanted.values())):
            for name, more in wanted.items():
                if at >= more:
                    continue
                number = self._number[name] + at
                job = Job(known[name], number)
                order: list[Which] = ["baseline", "candidate"]
                if seed_of(self._options.seed, name, number)[-1] & 1:
                    order.reverse()
                for which in order:
                    yield _Planned(which, job)

    def _stage(self, planned: _Planned) -> Attempt:
        attempt = self._courses[planned.which].stage(planned.job)
        self._agents.take(attempt.task, planned.which)
        return attempt

    def _finish(self, planned: _Planned, attempt: Attempt | None, outcome: Outcome) -> float | None:
        return self._courses[planned.which].take(planned.job, attempt, outcome, self._watch)

    def _fresh(self, case: str) -> Fresh:
        base, now = (self._courses[which].counts[case] for which in ("baseline", "candidate"))
        return Fresh(*base, *now)

    def _spent(self) -> float | None:
        known = [one.spent for one in self._courses.values() if one.spent is not None]
        return sum(known) if known else None
