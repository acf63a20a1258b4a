"""The story of `import`: files of another format in, recordings out."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from fairtrial.errors import ProblemsError
from fairtrial.records import Trajectory
from fairtrial.store import write_lines
from fairtrial.traces import read_openai_chat

_NAMED = 50


class _Named:
    """Texts of which only the first are kept, and all counted."""

    def __init__(self) -> None:
        self.first: list[str] = []
        self.total = 0

    def add(self, text: str) -> None:
        self.total += 1
        if self.total <= _NAMED:
            self.first.append(text)

    def lines(self) -> tuple[str, ...]:
        more = self.total - len(self.first)
        return (*self.first, f"and {more} more") if more else tuple(self.first)


class ImportedFiles(Struct, frozen=True):
    """What importing came to."""

    total: int
    """Conversations that were written."""
    notes: tuple[str, ...]
    """What was left out or understood with a grain of salt, with its place."""


def import_traces(
    files: Iterable[Path],
    out: Path,
    *,
    case_field: str | None = None,
    trial_field: str | None = None,
) -> ImportedFiles:
    """Read OpenAI chat messages and write them as recordings, a line each.

    What can be read is written, also when something else is refused.

    Args:
        files: In the order in which their conversations are written.
        out: The recordings file.
        case_field: The field that names the case; None: the usual ones.
        trial_field: The field that numbers the trial; None: `trial`.

    Raises:
        ImportFormatError: A file that cannot be read at all, or is not in the format.
        ProblemsError: Conversations that were refused, each with its place and the reason.
        StoreError: The recordings cannot be written.
    """
    notes, refused, written = _Named(), _Named(), 0

    def trajectories() -> Iterator[Trajectory]:
        nonlocal written
        for file in files:
            for item in read_openai_chat(file, case_field=case_field, trial_field=trial_field):
                if item.trajectory is None:
                    refused.add(str(item))
                    continue
                for note in item.notes:
                    notes.add(f"{item.place}: {note}")
                written += 1
                yield item.trajectory

    write_lines(out, trajectories())
    if refused.total:
        rest = "the other one was" if written == 1 else f"the other {written} were"
        raise ProblemsError([*refused.lines(), f"{out}: {rest} written"])
    return ImportedFiles(written, notes.lines())
