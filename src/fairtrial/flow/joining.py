"""The parts of one run, each made in a process of its own, as one run folder."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from fairtrial.errors import StoreError
from fairtrial.flow.course import Course, RunOptions
from fairtrial.flow.graded import GradedRun
from fairtrial.records import Case
from fairtrial.store import Redactor, RunWriter, SavedRun
from fairtrial.trials import Ended, StoppedBy


class _Joined(Course):
    """Trials that were run elsewhere, counted once more."""

    told: tuple[str, ...] = ()

    def take(self, part: SavedRun) -> None:
        for trial in part.trials():
            if self._writer.has(trial.case, trial.trial):
                raise StoreError(
                    f"{part.name}: trial {trial.trial} of {trial.case!r} is there twice"
                )
            bare = msgspec.structs.replace(trial, trajectory=msgspec.UNSET)
            self._writer.add(bare, bytes(trial.trajectory or b""))
            self.count(bare)

    def notes(self, ended: Ended, refused: int) -> Iterator[str]:  # noqa: ARG002 - as Course has it
        yield from self.told


def join_parts(  # noqa: PLR0913 - the parts, what they are parts of, and where it goes
    parts: Sequence[Path],
    cases: Collection[Case],
    options: RunOptions,
    *,
    place: tuple[str, Path],
    secrets: Sequence[str],
    told: Sequence[str] = (),
    stopped: StoppedBy | None = None,
) -> GradedRun | None:
    """Join run folders of one run, whose trials differ, into one; the parts stay as they are.

    Args:
        parts: Their folders; of one that was cut short what is there is taken.
        cases: The suite; those that the parts have are the run's.
        options: Its currency; all else the parts say.
        place: The id and the folder of the whole run.
        secrets: What must reach no file.
        told: What the reader must know, each said once.
        stopped: What kept trials from being run.

    Returns:
        The run, to be closed; None where no part has a trial.

    Raises:
        StoreError: A part cannot be read, or the run cannot be saved.
    """
    saved = [SavedRun.read_folder(part) for part in parts]
    if not saved:
        return None
    planned = {result.id: result.planned for result in saved[0].results()}
    chosen = [case for case in cases if case.id in planned]
    run_id, folder = place
    info = msgspec.structs.replace(saved[0].info, id=run_id, folder=str(folder))
    with ExitStack() as stack:
        redactor = Redactor(secrets)
        writer = RunWriter.start(info, chosen, folder=folder, planned=planned, redactor=redactor)
        stack.callback(writer.discard)
        course = _Joined(writer, chosen, planned, options)
        course.told = tuple(dict.fromkeys(told))
        for part in saved:
            course.take(part)
        if not course.done:
            return None
        stack.pop_all()  # from here on there is a run, and it stays
    ended = Ended(started=course.done, finished=course.done, stopped=stopped)
    return course.close(ended, sum(planned.values()), 0)
