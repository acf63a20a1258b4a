"""The story of `report --html`: a saved run, and what it is held against, on one page."""

import gc
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from fairtrial.errors import StoreError
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
    cases = list(shown_cases(run.folder))
    page = _begun(run, cases)
    listed = {case.id for case in cases}
    for shown in _listed(run.folder, listed):
        page.add_trial(shown)
    further = run.folder / EXTRA
    if further.is_dir():
        for shown in _listed(further, listed):
            page.add_trial(shown, further=True)
    for folder in (run.folder, further):
        for name, state in shown_states(folder, LONGEST_STATE):
            page.add_state(name, state)
    return page


def _listed(folder: Path, cases: Container[str]) -> Iterator[ShownTrial]:
    """Give the trials of a folder.

    Raises:
        StoreError: A trial of a case that the run does not list: what the case is, is lost.
    """
    for shown in shown_trials(folder):
        if shown.trial.case not in cases:
            raise StoreError(
                f"{folder}: a trial of {shown.trial.case!r}, which is no case of the run"
            )
        yield shown


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
