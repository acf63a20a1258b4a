"""One agent's fresh trials, run elsewhere, and the run folder that they go into."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from fairtrial.flow.attempt import Attempt, Job
from fairtrial.flow.commit import git_commit
from fairtrial.flow.course import Course, RunOptions, Watch
from fairtrial.flow.endpoints import Endpoints
from fairtrial.ports import Agent
from fairtrial.records import Case, RunInfo, Selection, Trial
from fairtrial.store import RunWriter, run_folder
from fairtrial.trials import Bounds, Ended, Outcome, StoppedBy
from fairtrial.version import __version__
from fairtrial.worlds import Blueprint

_HOME = "confirm"
"""Beside the runs, so that the newest run is still the one that was gated."""

STOPPED: dict[StoppedBy, str] = {
    "interrupted": "it was interrupted",
    "run timeout": "the run's time was up (--run-timeout)",
    "max cost": "the next trial could have passed what it may spend (--max-cost)",
    "unknown price": "a trial's cost is not known, so --max-cost cannot be kept",
}
"""Why fresh trials ended before all was told."""


class Side(Struct, frozen=True, kw_only=True):
    """An agent as it is run on one side."""

    name: str
    """In words: `variant old`, `revision 4ac1`, `this one`."""
    agent: Agent
    options: RunOptions
    """Its seed is that of the gated run, on both sides."""
    git: str | None = None
    """The commit of its tree; None: that of the options' root."""


class SideCourse(Course):
    """The fresh trials of one side: run elsewhere, maybe with those of another; kept here."""

    def __init__(
        self,
        side: Side,
        cases: Sequence[Case],
        writer: RunWriter,
        endpoints: Endpoints,
        blueprints: Mapping[str, Blueprint],
    ) -> None:
        """Keep the fresh trials with this writer."""
        self.side = side
        self.folder = writer.folder
        self.counts: dict[str, tuple[int, int]] = {case.id: (0, 0) for case in cases}
        self.numbers: dict[str, int] = dict.fromkeys(self.counts, 0)
        super().__init__(writer, cases, self.numbers, side.options)
        self._setting = self.setting(endpoints, blueprints)

    @property
    def spent(self) -> float | None:
        """What the trials cost so far; None where none has a known cost."""
        return self._spent

    def count(self, trial: Trial) -> None:
        """Count a fresh trial; one that could not be measured is in no count but its own."""
        super().count(trial)
        self.numbers[trial.case] += 1
        passed, measured = self.counts[trial.case]
        if trial.verdict != "error":
            self.counts[trial.case] = (passed + (trial.verdict == "passed"), measured + 1)

    def stage(self, job: Job) -> Attempt:
        """Make a clean world for one trial of this side."""
        return Attempt(job, self._setting)

    def take(
        self, job: Job, attempt: Attempt | None, outcome: Outcome, watch: Watch | None
    ) -> float | None:
        """Grade, write and count one trial; give its cost."""
        self._watch = watch
        return self.finish(job, attempt, outcome)

    def end(self, endpoints: Endpoints) -> None:
        """Write the scorecard and close the files; where nothing was run, take the folder away."""
        if not self.done:
            self._writer.discard()
            return
        ended = Ended(started=self.done, finished=self.done)
        self.close(ended, self.done, endpoints.listener.refused).close()


def side_folder(root: Path, run_id: str, which: str) -> Path:
    """Give the folder of one side of a confirmation.

    >>> side_folder(Path("shop"), "20261130-141905-123-a1b2c3", "baseline").as_posix()
    'shop/.fairtrial/confirm/20261130-141905-123-a1b2c3-baseline'
    """
    return run_folder(root, run_id).parents[1] / _HOME / f"{run_id}-{which}"


def bounds_left(
    bounds: Bounds, *, spent: float | None, dearest: float | None = None, seconds: float = 0.0
) -> Bounds | StoppedBy:
    """Give what is left of the bounds of a run after what it took, or which of them is used up.

    `dearest` is the largest cost of any trial so far.

    >>> bounds_left(Bounds(max_cost=2.0), spent=0.5).max_cost
    1.5
    >>> bounds_left(Bounds(run_timeout=60.0), spent=None, seconds=60.5)
    'run timeout'
    """
    max_cost, run_timeout = bounds.max_cost, bounds.run_timeout
    if max_cost is not None:
        max_cost -= spent or 0.0
        if max_cost <= 0:
            return "max cost"
    if run_timeout is not None:
        run_timeout -= seconds
        if run_timeout <= 0:
            return "run timeout"
    return msgspec.structs.replace(
        bounds, max_cost=max_cost, run_timeout=run_timeout, dearest=dearest
    )


def side_info(side: Side, name: str, folder: Path | None) -> RunInfo:
    """Give what the run folder of a side's fresh trials says of them."""
    options = side.options
    selection = options.selection or Selection()
    return RunInfo(
        id=name,
        folder=None if folder is None else str(folder),
        mode="none",
        variant=options.variant.name,
        selection=selection,
        agent=side.agent.name,
        git=side.git or git_commit(options.root),
        seed=options.seed,
        version=__version__,
        settings=options.recorded,
        started=datetime.now(UTC).isoformat(timespec="seconds"),  # noqa: TID251 - for people
    )
