"""What a RUN argument means: a folder, an id, the start of one, `latest`, or a report."""

from pathlib import Path

from fairtrial.errors import StoreError
from fairtrial.store.layout import HOME, RUN, RUNS
from fairtrial.store.saved_run import SavedRun
from fairtrial.text import cut

LATEST = "latest"
_SHOWN = 5


def find_run(name: str, root: Path) -> SavedRun:
    """Open the run that a name means.

    `latest` comes first, then an id, a path that is there (a folder or a JSON report), and the
    start of one id.

    Args:
        name: What was written for RUN.
        root: The folder that holds `.fairtrial`.

    Raises:
        StoreError: No run is meant, or several; says which there are.

    >>> find_run("latest", Path("/nowhere"))
    Traceback (most recent call last):
    fairtrial.errors.StoreError: no run in /nowhere/.fairtrial/runs yet
    """
    runs = root / HOME / RUNS
    ids = _ids(runs)
    if name == LATEST:
        if not ids:
            raise StoreError(_none_yet(runs))
        return SavedRun.read_folder(runs / ids[-1])
    if name in ids:
        return SavedRun.read_folder(runs / name)
    path = _existing(name)
    if path is not None:
        return SavedRun.read_folder(path) if path.is_dir() else SavedRun.read_report(path, root)
    starting = [run for run in ids if name and run.startswith(name)]
    if len(starting) == 1:
        return SavedRun.read_folder(runs / starting[0])
    if starting:
        raise StoreError(f"{cut(name)!r} is the start of {len(starting)} runs: {_list(starting)}")
    if not ids:
        raise StoreError(_none_yet(runs))
    raise StoreError(
        f"no run {cut(name)!r}; the newest in {runs}: {_list(ids)}. RUN is a folder, an id or "
        f"the start of one, `{LATEST}`, or a file that --json wrote"
    )


def _existing(name: str) -> Path | None:
    try:
        return Path(name) if name and Path(name).exists() else None
    except (OSError, ValueError):  # too long, or with a NUL: no path at all
        return None


def _ids(runs: Path) -> list[str]:
    """Give the ids of the runs in a folder, oldest first."""
    try:
        return sorted(entry.name for entry in runs.iterdir() if (entry / RUN).is_file())
    except OSError:
        return []


def _none_yet(runs: Path) -> str:
    return f"no run in {runs} yet; `fairtrial grade` makes one"


def _list(ids: list[str]) -> str:
    newest = ids[: -_SHOWN - 1 : -1]
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(newest) + more
