"""The story of `report --html`: a saved run, and what it is held against, on one page."""

import gc
from collections.abc import Iterable
from pathlib import Path

from fairtrial.records import CaseResult, ShownCase, ShownTrial
from fairtrial.report import LONGEST_STATE, Beside, RunPage
from fairtrial.store import (
    EXTRA,
    SavedRun,
    shown_cases,
    shown_states,
    shown_trials,
    write_pieces,
)
from fairtrial.version import __version__


def write_page(out: Path, run: SavedRun, beside: Beside | None = None) -> None:
    """Write a run as one HTML file.

    The trials come from the run's folder, one in memory at a time; of a run that has none any
    more the page shows what its JSON report holds, and says so.

    Args:
        out: The file.
        run: The run.
        beside: Another run that is shown beside it.

    Raises:
        StoreError: A run cannot be read, or the file cannot be written.
    """
    collecting = gc.isenabled()
    gc.disable()  # thousands of small records, none of them in a cycle
    try:
        page = _page(run)
        if beside is not None:
            page.set_beside(beside)
        write_pieces(out, page.pieces())
    finally:
        if collecting:
            gc.enable()


def _page(run: SavedRun) -> RunPage:
    if run.folder is None:
        results = list(run.results())
        page = _begun(run, [_case(result) for result in results])
        for result in results:
            for trial in result.trials:
                page.add_trial(ShownTrial(trial=trial))
        return page
    page = _begun(run, shown_cases(run.folder))
    for shown in shown_trials(run.folder):
        page.add_trial(shown)
    further = run.folder / EXTRA
    if further.is_dir():
        for shown in shown_trials(further):
            page.add_trial(shown, further=True)
    for folder in (run.folder, further):
        for name, state in shown_states(folder, LONGEST_STATE):
            page.add_state(name, state)
    return page


def _begun(run: SavedRun, cases: Iterable[ShownCase]) -> RunPage:
    return RunPage(run.info, run.scorecard, cases, gated=run.gated, version=__version__)


def _case(result: CaseResult) -> ShownCase:
    return ShownCase(
        id=result.id,
        hash=result.hash,
        tags=result.tags,
        protected=result.protected,
        informs=result.informs,
        planned=result.planned,
        source=result.source,
    )
