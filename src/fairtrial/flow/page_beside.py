"""The story of `report --html --compare`: another run, and its trials where the two part."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from fairtrial.flow.compare import diff_runs
from fairtrial.flow.parting import with_partings
from fairtrial.records import RunDifference, ShownTrial
from fairtrial.report import Beside
from fairtrial.store import SavedRun, shown_trials


def beside_of(run: SavedRun, other: SavedRun, *, name: str) -> Beside:
    """Give another run as what was before, for the page of a run.

    Args:
        run: The page's run.
        other: What it is held against.
        name: What the reader calls the other run.

    Raises:
        StoreError: A run cannot be read.
    """
    found = with_partings(diff_runs(other, run), other, run, every=True)
    return Beside(
        name=name,
        info=other.info,
        scorecard=other.scorecard,
        difference=found,
        trials=partial(_compared, other.folder, _wanted(found)),
    )


def _wanted(found: RunDifference) -> Mapping[str, int | None]:
    return {parting.case: parting.trial_a for parting in found.partings}


def _compared(folder: Path | None, wanted: Mapping[str, int | None]) -> Iterator[ShownTrial]:
    if folder is None or not wanted:
        return
    for shown in shown_trials(folder):
        if wanted.get(shown.trial.case) == shown.trial.trial:
            yield shown
