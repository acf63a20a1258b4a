"""The story of `report --history`: how often each case passed, run after run."""

import contextlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from fairtrial.errors import StoreError, UsageError
from fairtrial.records import History, PastRun
from fairtrial.report import history_pieces
from fairtrial.store import keep_past_runs, past_runs, write_pieces
from fairtrial.version import __version__


def read_history(root: Path, *, last: int | None = None, until: str | None = None) -> History:
    """Give the history of the suite: the runs that can be compared with the newest one.

    Those are of its suite, variant and mode. What is read is kept in `.fairtrial/history.jsonl`,
    so that the history is there when the folders are gone, as in a build.

    Args:
        root: The folder that holds `.fairtrial`.
        last: Runs at most, the newest ones; None: all.
        until: The id of the run that the history ends with, or its start; None: the newest.

    Raises:
        StoreError: The kept history cannot be read.
        UsageError: There is no such run, or no run at all.
    """
    runs, unread = past_runs(root)
    if not runs:
        why = f": {unread[0]}" if unread else ""
        raise UsageError(f"no finished run in {root / '.fairtrial'} yet{why}")
    with contextlib.suppress(StoreError):  # a folder that cannot be written has a history too
        keep_past_runs(root, runs)
    newest = _ending(runs, until)
    upto = runs[: runs.index(newest) + 1]
    alike = [run for run in upto if _kind(run) == _kind(newest)]
    shown = alike if last is None else alike[-last:]
    return History(runs=tuple(shown), others=len(upto) - len(alike), unread=tuple(unread))


def of_case(history: History, case: str) -> History:
    """Give the history of one case alone.

    Raises:
        UsageError: No run of the history has it.
    """
    names = dict.fromkeys(name for run in history.runs for name in run.cases)
    if case not in names:
        near = [name for name in names if case and case in name][:3]
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise UsageError(f"--case: no run of the history has a case {case!r}{hint}")
    runs = tuple(
        msgspec.structs.replace(
            run,
            cases={case: run.cases[case]} if case in run.cases else {},
            protected=tuple(name for name in run.protected if name == case),
        )
        for run in history.runs
    )
    return msgspec.structs.replace(history, runs=runs)


def write_history(out: Path, history: History) -> None:
    """Write a history as one HTML file.

    Raises:
        StoreError: The file cannot be written.
    """
    write_pieces(out, history_pieces(history, version=__version__))


def _ending(runs: Sequence[PastRun], until: str | None) -> PastRun:
    if until is None:
        return runs[-1]
    found = [run for run in runs if run.id == until] or [
        run for run in runs if until and run.id.startswith(until)
    ]
    if len(found) != 1:
        what = "no finished run" if not found else f"{len(found)} runs"
        raise UsageError(f"{what} in the history whose id begins with {until!r}")
    return found[0]


def _kind(run: PastRun) -> tuple[str | None, str | None, str]:
    return run.suite, run.variant, run.mode
