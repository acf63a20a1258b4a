"""The trials of a saved run that a judge is asked about, each with its case and trajectory."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import UNSET

from fairtrial.errors import StoreError
from fairtrial.records import Case, Source, Trajectory, Trial
from fairtrial.store import SavedRun
from fairtrial.text import cut


def measured_trials(
    run: SavedRun, cases: Sequence[Case] = ()
) -> Iterator[tuple[Trial, Case, Trajectory]]:
    """Give the trials in which the agent had its way or its own failure, in the order they ended.

    Args:
        run: The run.
        cases: As they are now; of a case that is not there nothing but its name is known.

    Raises:
        StoreError: The transcripts are gone, or cannot be read.
    """
    known = {case.id: case for case in cases}
    for trial in run.trials():
        if trial.trajectory is UNSET:
            continue
        case = known.get(trial.case)
        try:
            trajectory = msgspec.json.decode(trial.trajectory, type=Trajectory)
        except (msgspec.DecodeError, RecursionError) as error:
            told = f"trial {trial.trial} of case {cut(trial.case)!r} cannot be read: {error}"
            raise StoreError(f"{run.name}: {told}") from error
        # Not by the verdict: a trial that only a rubric could decide is an error without a judge.
        if trajectory.error is None or trajectory.error.kind == "agent":
            yield trial, case or _unknown(trial.case), trajectory


def _unknown(case: str) -> Case:
    return Case(id=case, hash="", source=Source("", 0))
