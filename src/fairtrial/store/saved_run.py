"""A run that was saved, read back: from its folder, or from its JSON report."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct

from fairtrial.errors import StoreError
from fairtrial.records import (
    CaseResult,
    Gated,
    JudgeVerdict,
    RunInfo,
    Scorecard,
    Trajectory,
    Trial,
    status_of,
)
from fairtrial.store.json_file import write_json
from fairtrial.store.layout import (
    CASES,
    GATE,
    RUN,
    RUN_FILES,
    SCORECARD,
    STATES,
    TRIALS,
    VERDICTS,
    CaseLine,
    index_trials,
    read_whole_lines,
)
from fairtrial.store.reasons import decode_reason
from fairtrial.store.recordings import Recording, Unreadable
from fairtrial.store.states import restore_state

_T = TypeVar("_T")
_TRIAL = msgspec.json.Decoder(Trial)
_VERDICT = msgspec.json.Decoder(JudgeVerdict)
_FORMAT = 1


class _ReportLines(Struct, frozen=True, kw_only=True):
    """A JSON report whose cases are not decoded yet."""

    run: RunInfo
    scorecard: Scorecard
    cases: list[Raw]
    format: int = 1


class SavedRun:
    """A saved run.

    Attributes:
        info: What was run.
        folder: Where its transcripts are; None when they are gone, and then `trials` and
            `trajectories` raise StoreError.
        report: The JSON report it was read from; None when it was read from its folder.
    """

    def __init__(
        self, info: RunInfo, folder: Path | None, report: Path | None, lines: _ReportLines | None
    ) -> None:
        """Keep what was read; callers use `read_folder` or `read_report`."""
        self.info = info
        self.folder = folder
        self.report = report
        self._lines = lines

    @classmethod
    def read_folder(cls, folder: Path) -> "SavedRun":
        """Read a run folder.

        Raises:
            StoreError: It holds no run that this version reads.
        """
        file = folder / RUN
        if not file.is_file():
            raise StoreError(f"{folder}: no {RUN} in it, so it is no run's folder")
        info = _decode(file, RunInfo)
        _refuse_newer(file, info.format)
        return cls(info, folder, None, None)

    @classmethod
    def read_report(cls, file: Path, root: Path) -> "SavedRun":
        """Read a JSON report. Transcripts come from the folder it names, if that is still there.

        Raises:
            StoreError: It is no report that this version reads.
        """
        lines = _decode(file, _ReportLines)
        _refuse_newer(file, lines.format)
        return cls(lines.run, _same_run(lines.run, root), file, lines)

    @property
    def name(self) -> str:
        """The report's or the folder's path, for texts."""
        return str(self.report or self.folder)

    @property
    def files(self) -> tuple[Path, ...]:
        """What the run is read from: its report, and the files of its folder."""
        report = () if self.report is None else (self.report,)
        if self.folder is None:
            return report
        return (*report, *(self.folder / name for name in RUN_FILES))

    @property
    def finished(self) -> bool:
        """Whether the run came to its scorecard."""
        return self._lines is not None or (self._folder() / SCORECARD).is_file()

    @property
    def scorecard(self) -> Scorecard:
        """The summary.

        Raises:
            StoreError: The run was cut short and has none, or it cannot be read.
        """
        if self._lines is not None:
            return self._lines.scorecard
        file = self._folder() / SCORECARD
        if not file.is_file():
            raise StoreError(
                f"{self.folder}: no {SCORECARD}: the run was cut short; "
                f"`fairtrial grade {self.folder}` grades the trials that are there"
            )
        return _decode(file, Scorecard)

    @property
    def gated(self) -> Gated | None:
        """What the gate decided of it last; None where nobody asked, or its folder is gone.

        Raises:
            StoreError: It cannot be read.
        """
        if self.folder is None or not (self.folder / GATE).is_file():
            return None
        gated = _decode(self.folder / GATE, Gated)
        _refuse_newer(self.folder / GATE, gated.format)
        return gated

    def keep_gated(self, gated: Gated) -> None:
        """Keep what the gate decided, where the run has a folder.

        Raises:
            StoreError: It cannot be written.
        """
        if self.folder is not None:
            write_json(self.folder / GATE, gated)

    def forget_gated(self) -> None:
        """Take away what the gate decided: the run is no longer what it was asked about.

        Raises:
            StoreError: It cannot be taken away.
        """
        if self.folder is None:
            return
        try:
            (self.folder / GATE).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{self.folder / GATE}: {error.strerror or error}") from error

    def results(self) -> Iterator[CaseResult]:
        """Give each case with its trials by number, without trajectories, in suite order.

        One case is in memory at a time. Cases without a trial are given too.

        Raises:
            StoreError: A file of the run is missing or cannot be read.
        """
        if self._lines is None:
            yield from self._folder_results()
            return
        for number, raw in enumerate(self._lines.cases):
            try:
                yield msgspec.json.decode(raw, type=CaseResult)
            except (msgspec.DecodeError, RecursionError) as error:
                reason = decode_reason(error, bytes(raw))
                raise StoreError(f"{self.report}: cases[{number}]: {reason}") from error

    def trials(self) -> Iterator[Trial]:
        """Give each trial with its trajectory as JSON, in the order they ended.

        Raises:
            StoreError: The transcripts are gone, or a line cannot be read.
        """
        for _, trial in self._numbered():
            yield trial

    def trajectories(self) -> Iterator[Recording | Unreadable]:
        """Give each trial's trajectory, numbered as the trial was, to be graded again.

        Yields:
            Recordings whose `line` is that of `trials.jsonl`; Unreadable for a trial that was
            saved without a trajectory.

        Raises:
            StoreError: The transcripts are gone, or a line cannot be read.
        """
        for number, trial in self._numbered():
            if trial.trajectory is UNSET:
                yield Unreadable(number, f"trial {trial.trial} of {trial.case!r}: no trajectory")
                continue
            raw = bytes(trial.trajectory)
            try:
                trajectory = msgspec.json.decode(raw, type=Trajectory)
            except (msgspec.DecodeError, RecursionError) as error:
                yield Unreadable(number, decode_reason(error, raw))
                continue
            trajectory = msgspec.structs.replace(trajectory, case=trial.case, trial=trial.trial)
            yield Recording(number, raw, trajectory)

    def verdicts(self) -> Iterator[JudgeVerdict]:
        """Give what the judge of the run said; nothing where it had none.

        Raises:
            StoreError: The run's folder is gone, or a line is no verdict.
        """
        path = self._folder() / VERDICTS
        for number, line in read_whole_lines(path):
            try:
                yield _VERDICT.decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                raise StoreError(f"{path}:{number}: {decode_reason(error, line)}") from error

    def _numbered(self) -> Iterator[tuple[int, Trial]]:
        path = self._folder() / TRIALS
        for number, line in read_whole_lines(path):
            trial = _decode_trial(line, f"{path}:{number}")
            if trial.trajectory is not UNSET:
                raw = restore_state(bytes(trial.trajectory), self._folder() / STATES)
                trial = msgspec.structs.replace(trial, trajectory=Raw(raw))
            yield number, trial

    def _folder(self) -> Path:
        if self.folder is None:
            raise StoreError(
                f"{self.report}: the transcripts are missing: the run's folder "
                f"({self.info.folder or 'never saved'}) is not there"
            )
        return self.folder

    def _folder_results(self) -> Iterator[CaseResult]:
        folder = self._folder()
        if self.finished and not (folder / TRIALS).is_file():
            raise StoreError(f"{folder}: {TRIALS} is missing, so what the run measured is gone")
        rows, _ = index_trials(folder / TRIALS)
        cases = [_decode_line(folder / CASES, *item) for item in read_whole_lines(folder / CASES)]
        unknown = set(rows.cases()) - {case.id for case in cases}
        if unknown:
            raise StoreError(f"{folder / TRIALS}: case {min(unknown)!r} is not in {CASES}")
        if not (folder / TRIALS).is_file():
            yield from (_result(case, ()) for case in cases)
            return
        with (folder / TRIALS).open("rb", buffering=0) as file:
            for case in cases:
                heads = rows.read(case.id, file)
                trials = (_decode_trial(head + b"}", f"{folder / TRIALS}") for head in heads)
                yield _result(case, tuple(_bare(trial) for trial in trials))


def _result(case: CaseLine, trials: tuple[Trial, ...]) -> CaseResult:
    passed = sum(trial.verdict == "passed" for trial in trials)
    measured = sum(trial.verdict != "error" for trial in trials)
    return CaseResult(
        id=case.id,
        tags=case.tags,
        protected=case.protected,
        hash=case.hash,
        status=status_of(passed, measured),
        pass_rate=passed / measured if measured else None,
        trials=trials,
        planned=len(trials) if case.planned is None else case.planned,
        informs=case.informs,
        source=case.source,
    )


def _decode_trial(line: bytes, place: str) -> Trial:
    try:
        return _TRIAL.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise StoreError(f"{place}: {decode_reason(error, line)}") from error


def _decode_line(path: Path, number: int, line: bytes) -> CaseLine:
    try:
        return msgspec.json.decode(line, type=CaseLine)
    except (msgspec.DecodeError, RecursionError) as error:
        raise StoreError(f"{path}:{number}: {decode_reason(error, line)}") from error


def _decode(file: Path, kind: type[_T]) -> _T:
    try:
        data = file.read_bytes()
        record = msgspec.json.decode(data, type=kind)
    except OSError as error:
        raise StoreError(f"{file}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        reason = decode_reason(error, b"")
        raise StoreError(f"{file}: not what a run writes there: {reason}") from error
    return record


def _refuse_newer(file: Path, number: int) -> None:
    if number != _FORMAT:
        raise StoreError(
            f"{file}: format {number}, and this version reads {_FORMAT}; "
            "read it with the fairtrial that wrote it, or a newer one"
        )


def _bare(trial: Trial) -> Trial:
    if trial.trajectory is UNSET:
        return trial
    return msgspec.structs.replace(trial, trajectory=UNSET)


def _same_run(info: RunInfo, root: Path) -> Path | None:
    """Give the folder that a report names, as written or below `root`, if it holds that run."""
    if info.folder is None:
        return None
    for folder in (Path(info.folder), root / info.folder):
        try:
            if _decode(folder / RUN, RunInfo).id == info.id:
                return folder
        except StoreError:
            continue
    return None
