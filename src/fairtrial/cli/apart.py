"""Files that are written kept apart: from what a suite lives on, and from each other."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from fairtrial.cli.options import keep_apart
from fairtrial.errors import UsageError

if TYPE_CHECKING:
    from fairtrial.config import Project
    from fairtrial.store import SavedRun


def keep_outs_apart(
    outs: Mapping[str, Path | None],
    project: "Project",
    *runs: "SavedRun",
    others: tuple[Path | None, ...] = (),
) -> None:
    """Refuse to write over the suite, its baseline, a run or another input, or a file twice.

    Args:
        outs: The files to be written, each by its option.
        project: The suite.
        runs: Runs that are read.
        others: What else is read.

    Raises:
        UsageError: Saying which file that is.
    """
    written = {option: out for option, out in outs.items() if out is not None}
    if not written:
        return
    read = [*_suite_files(project), *others, *(file for run in runs for file in run.files)]
    taken: dict[Path, str] = {}
    for option, out in written.items():
        keep_apart(option, out, read)
        place = out.resolve()
        first = taken.setdefault(place, option)
        if first != option and not _is_stream(place):
            raise UsageError(f"{first} and {option} both write {out}; name two files")


def _suite_files(project: "Project") -> Iterator[Path | None]:
    yield project.file
    yield project.baseline
    try:
        yield from project.case_files()
    except UsageError:  # no cases here: the run is what counts
        return


def _is_stream(path: Path) -> bool:
    return path.exists() and not path.is_file()
