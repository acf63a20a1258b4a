"""Writing a run: its folder as the trials end, its scorecard, and its JSON report."""

import contextlib
import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self, cast

import msgspec

from fairtrial.errors import StoreError
from fairtrial.records import (
    Case,
    CaseResult,
    JudgeVerdict,
    RunInfo,
    Scorecard,
    Trial,
)
from fairtrial.store.atomic import write_whole
from fairtrial.store.claiming import claim
from fairtrial.store.document import write_document
from fairtrial.store.encoding import encode_record
from fairtrial.store.layout import (
    CASES,
    RUN,
    SCORECARD,
    STATES,
    TRAJECTORY_KEY,
    TRIALS,
    VERDICTS,
    CaseLine,
    TrialKey,
    index_trials,
    make_folder,
    replaced_heads,
)
from fairtrial.store.redaction import Redactor
from fairtrial.store.rows import Rows
from fairtrial.store.states import keep_state
from fairtrial.store.trial_lines import LineParts, TrialLines, tail_of

_KEY = msgspec.json.Decoder(TrialKey)
_END = b"}\n"
_BLOCK = 2**16  # bytes that are written together, where nobody waits for a line


class RunWriter:
    """Writes a run folder, a line a trial, or with no folder keeps the results for the report.

    Every line is whole and flushed before `add` returns, so a kill loses at most the trial being
    written; with `blocks` it loses at most the last 64 KB. Memory: 12 bytes a trial, and some
    megabytes of checks that trials share. Secrets are taken out of all that is written. Used as a
    context manager it closes its files; the folder stays, whatever happened.

    Example:
        with RunWriter.start(info, suite.cases, folder=run_folder(root, info.id)) as writer:
            for recording in ...:
                writer.add(trial, recording.raw)
            writer.finish(scorecard)
            writer.report("out.json", scorecard, tally.results())
    """

    def __init__(
        self, info: RunInfo, folder: Path | None, start: "_Start", redactor: Redactor
    ) -> None:
        """Go on from a start; callers use `start` or `resume`."""
        self.info = info
        self.folder = folder
        self._redactor = redactor
        self._rows = start.rows
        self._size = start.size
        self._flushes = folder is not None and not start.blocks
        self._states = (folder or Path()) / STATES
        self._lines = TrialLines(redactor)
        self._read: BinaryIO | None = None  # opened when the first trial is read
        self._judged: dict[tuple[str, int], bytes] = {}
        self._verdicts: BinaryIO | None = None  # opened when the first verdict is written
        self._file: BinaryIO
        if folder is None:
            import tempfile  # noqa: PLC0415 - slow to import, and most runs are saved

            whole = tempfile.TemporaryFile(buffering=_BLOCK)  # noqa: SIM115 - closed in close()
            self._file = cast("BinaryIO", whole)
        else:
            self._file = (folder / TRIALS).open("ab", buffering=_BLOCK)
            claim(self._file, folder)

    @classmethod
    def start(
        cls,
        info: RunInfo,
        cases: Iterable[Case],
        *,
        folder: Path | None = None,
        planned: Mapping[str, int] | None = None,
        redactor: Redactor | None = None,
        blocks: bool = False,
    ) -> Self:
        """Make the folder with `run.json` and `cases.jsonl`, or a temporary file with no folder.

        Args:
            info: What goes into `run.json`.
            cases: The selected cases in suite order.
            folder: The run's own folder, which must not be there yet; None: nothing is saved.
            planned: Trials by case id; None for recordings, which plan nothing.
            redactor: Knows the secrets; None: values under telling names only.
            blocks: True: lines are written in blocks, for trials that are quickly had again.

        Raises:
            StoreError: The folder is there already or cannot be made.
        """
        redactor = redactor or Redactor()
        with _words(folder):
            if folder is not None:
                make_folder(folder)
                lines = (CaseLine.of(case, (planned or {}).get(case.id)) for case in cases)
                write_whole(folder / CASES, (_line(line, redactor) for line in lines))
                write_whole(folder / RUN, [redactor.line(encode_record(info)), b"\n"])
            return cls(info, folder, _Start(Rows(), 0, blocks=blocks), redactor)

    @classmethod
    def resume(cls, folder: Path, *, redactor: Redactor | None = None) -> Self:
        """Go on with a run that was cut short: a torn last line is dropped, the rest kept.

        `has(case, trial)` then says what is there.

        Raises:
            StoreError: The folder holds no run, or a file of it cannot be read or written.
        """
        with _words(folder):
            try:
                info = msgspec.json.decode((folder / RUN).read_bytes(), type=RunInfo)
            except msgspec.DecodeError as error:
                raise StoreError(f"{folder / RUN}: cannot be read: {error}") from error
            if info.folder is not None:  # it may have moved since
                info = msgspec.structs.replace(info, folder=str(folder.absolute()))
            with (folder / TRIALS).open("ab+") as file:
                claim(file, folder)
                rows, size = index_trials(folder / TRIALS)
                file.truncate(size)
                file.seek(max(0, size - 1))
                if size and file.read(1) != b"\n":
                    size += file.write(b"\n")
            return cls(info, folder, _Start(rows, size), redactor or Redactor())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files, once all that was added is written; what could not be was told."""
        if self._read is not None:
            self._read.close()
        with contextlib.suppress(OSError):
            if self._verdicts is not None:
                self._verdicts.close()
            self._file.close()

    def discard(self) -> None:
        """Close the files and take the folder away, for a run that came to nothing."""
        with contextlib.suppress(OSError):  # what could not be written is not wanted any more
            self.close()
        if self.folder is not None:
            import shutil  # noqa: PLC0415 - slow to import, and most runs come to something

            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def redactor(self) -> Redactor:
        """What takes secrets out of all that is written."""
        return self._redactor

    def has(self, case: str, trial: int) -> bool:
        """Say whether a trial is written."""
        return self._rows.has(case, trial)

    def add(self, trial: Trial, trajectory: bytes | None = None) -> None:
        """Write one trial.

        Args:
            trial: The graded trial, without its trajectory.
            trajectory: The trajectory as JSON, one line or more; it is not encoded again.

        Raises:
            StoreError: It cannot be written.
        """
        tail = tail_of(trial, trajectory)
        line = self._lines.parts(trial, tail, clean=self._redactor.is_clean(tail))
        self._write([(trial, line)])

    def add_all(
        self, trials: Sequence[tuple[Trial, bytes | None]], *, may_have_state: bool = True
    ) -> None:
        """Write trials, each with its trajectory, as `add` does, in less time.

        Args:
            trials: As for `add`; all of their lines are held.
            may_have_state: False where no trajectory is known to hold an initial state.

        Raises:
            StoreError: They cannot be written.
        """
        tails = [tail_of(trial, trajectory) for trial, trajectory in trials]
        clean = self._lines.clean(tails)
        lines = [
            (trial, self._lines.parts(trial, tail, clean=tail_clean))
            for (trial, _), tail, tail_clean in zip(trials, tails, clean, strict=True)
        ]
        self._write(lines, may_have_state=may_have_state)

    def _write(
        self, lines: Sequence[tuple[Trial, LineParts]], *, may_have_state: bool = True
    ) -> None:
        pieces: list[bytes] = []
        sizes: list[int] = []
        saved = self.folder is not None
        try:
            for _, (head, tail, _) in lines:
                if not (saved and tail):
                    pieces += (head, _END)
                    sizes.append(len(head) + len(_END))
                    continue
                kept = keep_state(tail, self._states) if may_have_state else tail
                pieces += (head, TRAJECTORY_KEY, kept, _END)
                sizes.append(len(head) + len(TRAJECTORY_KEY) + len(kept) + len(_END))
            self._file.write(b"".join(pieces))
            if self._flushes:
                self._file.flush()
        except OSError as error:
            raise StoreError(_unsaved(error, self.folder)) from error
        note, place = self._rows.add, self._size
        for (trial, line), size in zip(lines, sizes, strict=True):
            head_size = len(line.head)
            note(trial.case, trial.trial, offset=place, size=head_size, telling=line.telling)
            place += size
        self._size = place

    def judged(self, trial: Trial, trajectory: bytes, verdicts: Iterable[JudgeVerdict]) -> None:
        """Put a judged trial in the place of the one that was added before it was judged.

        Until `finish` it is held in memory: `trials.jsonl` never has two lines of one trial.

        Args:
            trial: The trial, graded again.
            trajectory: Its trajectory, which stays as it was written.
            verdicts: What the judge says of it.

        Raises:
            StoreError: The verdicts cannot be written.
        """
        line = self._lines.parts(trial, trajectory, clean=self._redactor.is_clean(trajectory))
        self._judged[trial.case, trial.trial] = line.head
        self.add_verdicts(verdicts)

    def add_verdicts(self, verdicts: Iterable[JudgeVerdict]) -> None:
        """Write what a judge says, a line a verdict, flushed.

        Raises:
            StoreError: They cannot be written.
        """
        if self.folder is None:
            return
        with _words(self.folder):
            if self._verdicts is None:
                self._verdicts = (self.folder / VERDICTS).open("wb")
            self._verdicts.writelines(_line(verdict, self._redactor) for verdict in verdicts)
            self._verdicts.flush()

    def _settle(self) -> None:
        """Write the judged trials over those that were not judged yet, all at once."""
        if not self._judged:
            return
        judged, self._judged = self._judged, {}
        if self.folder is None:
            for (case, trial), head in judged.items():
                self._file.write(head + _END)
                self._rows.add(case, trial, offset=self._size, size=len(head))
                self._size += len(head) + len(_END)
            return
        path = self.folder / TRIALS
        write_whole(path, replaced_heads(path, judged))
        before, self._file = self._file, path.open("ab", buffering=_BLOCK)
        claim(self._file, self.folder)
        before.close()
        if self._read is not None:
            self._read.close()
            self._read = None
        self._rows, self._size = index_trials(path)

    def finish(self, scorecard: Scorecard, info: RunInfo | None = None) -> None:
        """Write `scorecard.json`, and `run.json` again where more is known of the run by now.

        Raises:
            StoreError: They cannot be written.
        """
        if info is not None:
            self.info = info
        with _words(self.folder):
            self._file.flush()
            self._settle()
        if self.folder is None:
            return
        with _words(self.folder):
            if info is not None:
                write_whole(self.folder / RUN, [self._redactor.line(encode_record(info)), b"\n"])
            write_whole(self.folder / SCORECARD, [_line(scorecard, self._redactor)])

    def report(self, out: Path | str, scorecard: Scorecard, results: Iterable[CaseResult]) -> None:
        """Write the JSON report.

        Args:
            out: The file.
            scorecard: The run's summary.
            results: The cases in suite order, without trials: those that were added are filled
                in from the disk, one at a time.

        Raises:
            StoreError: It cannot be written.
        """
        cases = ((result, self.rows(result.id)) for result in results)
        write_document(out, self.info, scorecard, cases, redactor=self._redactor)

    def rows(self, case: str, *, telling: bool = False) -> Iterator[bytes]:
        """Give each trial of a case, by trial number, as JSON without its trajectory.

        Args:
            case: Its id.
            telling: Only the trials of which there is something to tell: that did not pass, have an
                error, or a check that is no plain yes. Trials of before a `resume` are all given.
        """
        for row in self._written(case, telling=telling):
            if not self._judged:
                yield row
                continue
            key = _KEY.decode(row)
            head = self._judged.get((key.case, key.trial))
            yield row if head is None else head + b"}"

    def _written(self, case: str, *, telling: bool) -> Iterator[bytes]:
        self._file.flush()
        if self.folder is None:
            try:
                yield from _closed(self._rows.read(case, self._file, telling=telling))
            finally:
                self._file.seek(self._size)
            return
        if self._read is None:
            self._read = (self.folder / TRIALS).open("rb", buffering=0)
        yield from _closed(self._rows.read(case, self._read, telling=telling))


class _Start(NamedTuple):
    rows: Rows
    size: int  # bytes of trials that are there
    blocks: bool = False


def _closed(heads: Iterator[bytes]) -> Iterator[bytes]:
    return map(operator.add, heads, itertools.repeat(b"}"))


def _line(record: msgspec.Struct, redactor: Redactor) -> bytes:
    return redactor.line(encode_record(record), names=False) + b"\n"


@contextlib.contextmanager
def _words(folder: Path | None) -> Iterator[None]:
    # Turns the system's errors into ours, with the place.
    try:
        yield
    except OSError as error:
        raise StoreError(_unsaved(error, folder)) from error


def _unsaved(error: OSError, folder: Path | None) -> str:
    if isinstance(error, FileExistsError):
        return f"{folder}: there already; a run never overwrites another"
    import tempfile  # noqa: PLC0415 - only on the way to an error

    return (
        f"{error.filename or folder or tempfile.gettempdir()}: the run cannot be saved: "
        f"{error.strerror or error}; free the place, or go without it (--no-save)"
    )
