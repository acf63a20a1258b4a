"""The story of `grade`: cases and recordings in; trials, a scorecard and a saved run out."""

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

import msgspec
from msgspec import Struct

from fairtrial.cases import Suite
from fairtrial.errors import ProblemsError
from fairtrial.flow.commit import git_commit
from fairtrial.flow.graded import GradedRun, Unread, mode_of
from fairtrial.flow.lost import lost_of, with_lost
from fairtrial.graders import Graders, GradingSettings, Verdicts
from fairtrial.records import (
    Case,
    Json,
    JudgeUse,
    Mode,
    RunInfo,
    Trial,
)
from fairtrial.scorecard import Tally
from fairtrial.store import (
    Recording,
    Redactor,
    RunWriter,
    SavedRun,
    TrialNumbers,
    UnknownField,
    Unreadable,
    known_secrets,
    new_run_id,
    read_recordings,
    run_folder,
    unknown_fields,
)
from fairtrial.version import __version__

if TYPE_CHECKING:
    from fairtrial.flow.judging import JudgeOptions, Judging

_LOOKED = 100  # recordings whose fields are looked at for names that nothing reads
_BATCH = 2**17  # bytes: they and what is made of them fit into a processor's cache
_NAMED = 20  # unknown cases and unreadable lines that are named one by one


class GradeOptions(Struct, frozen=True, kw_only=True):
    """What `grade` is asked to do, besides the cases and recordings."""

    root: Path
    """The folder that holds `.fairtrial`."""
    settings: GradingSettings = GradingSettings()
    allow_unknown: bool = False
    """Grade the rest when recordings name cases that the suite does not have."""
    save: bool = True
    judge: "JudgeOptions | None" = None
    """Who answers rubric items; None: nobody."""
    recorded: dict[str, Json] = {}
    """What `run.json` keeps of how the run was made."""


def grade_recordings(suite: Suite, recordings: Path, options: GradeOptions) -> GradedRun:
    """Grade a recordings file as a stream and save the run.

    Raises:
        RecordingError: The file cannot be read, or a trial comes twice.
        ProblemsError: Recordings of cases that the suite does not have (not with `allow_unknown`).
        StoreError: The run cannot be saved.
    """
    numbered = _numbered(read_recordings(recordings), recordings)
    info = _info(suite, options)
    return _grade(info, suite.cases, numbered, options, str(recordings))


def grade_saved(suite: Suite, run: SavedRun, options: GradeOptions) -> GradedRun:
    """Grade a saved run's trajectories again, as the cases are now.

    A filtered run stays one: the cases that it selected are graded, and no others.

    Raises:
        StoreError: Its transcripts are gone, or the new run cannot be saved.
        RecordingError: A trial comes twice.
        ProblemsError: Trials of cases that the suite does not have (not with `allow_unknown`).
    """
    cases = suite.cases
    if run.info.selection is not None:
        chosen = {result.id for result in run.results()}
        cases = tuple(case for case in cases if case.id in chosen)
    info = msgspec.structs.replace(
        _info(suite, options),
        variant=run.info.variant,
        selection=run.info.selection,
        agent=run.info.agent,
        git=run.info.git,
        seed=run.info.seed,
    )
    lost = [*lost_of(run.info)]
    if not run.finished:
        lost.append(f"{run.name} was cut short: the trials that it lost could not be graded")
    numbered = _numbered(run.trajectories(), run.name)
    return _grade(info, cases, numbered, options, run.name, lost=lost)


def case_files_of(run: SavedRun) -> list[Path]:
    """Give the case files that a saved run was graded by; none when one of them is gone."""
    named = run.info.settings.get("cases")
    if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
        return []
    files = [Path(name) for name in named]
    return files if all(map(os.path.isfile, files)) else []


_Numbered = tuple[Recording, int] | Unreadable


def _numbered(items: Iterable[Recording | Unreadable], source: Path | str) -> Iterator[_Numbered]:
    numbers = TrialNumbers(source)
    for item in items:
        yield item if isinstance(item, Unreadable) else (item, numbers.take(item))


def _info(suite: Suite, options: GradeOptions) -> RunInfo:
    run_id = new_run_id(datetime.now(UTC), os.urandom(3).hex())  # noqa: TID251 - names the run only
    return RunInfo(
        id=run_id,
        folder=str(run_folder(options.root, run_id)) if options.save else None,
        mode="none",
        variant=None,
        selection=None,
        suite=", ".join(file.name for file in suite.files),
        git=git_commit(options.root),
        version=__version__,
        settings=options.recorded,
        started=datetime.now(UTC).isoformat(timespec="seconds"),  # noqa: TID251 - for people
    )


def _grade(
    info: RunInfo,
    cases: Sequence[Case],
    stream: Iterable[_Numbered],
    options: GradeOptions,
    source: str,
    *,
    lost: Sequence[str] = (),
) -> GradedRun:
    redactor = Redactor(known_secrets(os.environ))
    stream = iter(stream)
    first = list(itertools.islice(stream, 1))  # a file that cannot be read leaves no folder behind
    with ExitStack() as stack:
        folder = None if info.folder is None else Path(info.folder)
        writer = RunWriter.start(info, cases, folder=folder, redactor=redactor, blocks=True)
        stack.callback(writer.discard)
        grading = _Grading(cases, writer, options)
        for batch in _batches(itertools.chain(first, stream)):
            grading.take(batch, source)
        grading.refuse_unknown(source)
        lost = (*lost, *grading.lost(source))
        scorecard = grading.tally.scorecard(None, notes=(*lost, *grading.notes()))
        scorecard = msgspec.structs.replace(scorecard, judge=grading.judge_use())
        info = with_lost(msgspec.structs.replace(info, mode=grading.mode()), lost)
        writer.finish(scorecard, info)
        stack.pop_all()  # from here on the run is whole, and stays
    return GradedRun(writer, grading.tally, scorecard, grading.unread())


def _batches(stream: Iterable[_Numbered]) -> Iterator[list[_Numbered]]:
    """Give the recordings in batches of about `_BATCH` bytes, of one where they are longer."""
    batch: list[_Numbered] = []
    size = 0
    for item in stream:
        batch.append(item)
        size += 100 if isinstance(item, Unreadable) else len(item[0].raw)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    yield batch


class _Grading:
    """One pass over the recordings: grades, writes and sums."""

    def __init__(self, cases: Sequence[Case], writer: RunWriter, options: GradeOptions) -> None:
        self.tally = Tally(cases, options.settings.currency)
        self._cases: dict[str, Case] = {case.id: case for case in cases}
        self._judging: Judging | None = None
        if options.judge is not None:
            from fairtrial.flow.judging import judging_of  # noqa: PLC0415 - few suites have a judge

            self._judging = judging_of(options.judge, cases, writer.redactor)
        settings = options.settings
        if self._judging is not None:
            settings = settings._replace(trust=self._judging.trust)
        self._graders = Graders(settings)
        self._writer = writer
        self._options = options
        self._modes: set[str] = set()
        self._unknown: dict[str, int] = {}
        self._lines: list[str] = []
        self._unread = 0
        self._looked = 0
        self._fields: set[UnknownField] = set()

    def take(self, batch: Sequence[_Numbered], source: str) -> None:
        """Do one kind of work after the other: each has its code and data at hand then."""
        known = [item for item in batch if self._is_known(item, source)]
        self._modes.update([item.trajectory.model for item, _ in known])
        said = self._judged(known)
        trials: list[Trial] = []
        for case_id, same in itertools.groupby(known, lambda item: item[0].trajectory.case):
            grader = self._graders.of(self._cases[case_id])
            numbered = [(item.trajectory, number) for item, number in same]
            trials += grader.grade_all(numbered, said.get(case_id, {}))
        raw = [recording.raw for recording, _ in known]
        stated = any(item.trajectory.initial_state is not None for item, _ in known)
        self._writer.add_all([*zip(trials, raw, strict=True)], may_have_state=stated)
        for trial in trials:
            self.tally.add(trial)

    def _judged(self, known: Sequence[tuple[Recording, int]]) -> dict[str, dict[int, Verdicts]]:
        """Have trials judged, many at once; give the verdicts by case and number."""
        judging = self._judging
        if judging is None:
            return {}
        for recording, number in known:
            case = self._cases[recording.trajectory.case]
            if judging.wants(case, recording.trajectory):
                judging.submit(case, recording.trajectory, number)
        said: dict[str, dict[int, Verdicts]] = {}
        for judged in judging.drain():
            self._writer.add_verdicts(judged.verdicts.values())
            said.setdefault(judged.case.id, {})[judged.trial] = judged.verdicts
        return said

    def judge_use(self) -> JudgeUse | None:
        """Give what the judge was used for; None without one."""
        return None if self._judging is None else self._judging.use()

    def _is_known(self, item: _Numbered, source: str) -> TypeGuard[tuple[Recording, int]]:
        """Say whether it is a trial of a case of the suite; note what it is else."""
        if isinstance(item, Unreadable):
            self._note_unread(item, source)
            return False
        recording, _ = item
        if self._looked < _LOOKED:
            self._looked += 1
            self._fields.update(unknown_fields(recording.raw))
        case_id = recording.trajectory.case
        if case_id in self._cases:
            return True
        self._unknown.setdefault(case_id, recording.line)
        return False

    def _note_unread(self, item: Unreadable, source: str) -> None:
        self._unread += 1
        if len(self._lines) < _NAMED:
            self._lines.append(f"{source}:{item.line}: {item.reason}")

    def refuse_unknown(self, source: str) -> None:
        if self._unknown and not self._options.allow_unknown:
            raise ProblemsError([*self._named(source)])

    def _named(self, source: str) -> Iterator[str]:
        near = _nearest(list(self._unknown)[:_NAMED], list(self._cases))
        for case_id, line in list(self._unknown.items())[:_NAMED]:
            hint = f"; did you mean {near[case_id]!r}?" if case_id in near else ""
            yield (
                f"{source}:{line}: case {case_id[:200]!r} is not in the suite{hint} "
                "(--allow-unknown grades the rest)"
            )
        if len(self._unknown) > _NAMED:
            more = len(self._unknown) - _NAMED
            yield f"{source}: and {more} more cases that are not in the suite"

    def lost(self, source: str) -> Iterator[str]:
        if self._unread:
            lines, they = ("line", "it") if self._unread == 1 else ("lines", "they")
            yield f"{self._unread} {lines} of {source} could not be read: what {they} held is lost"

    def notes(self) -> Iterator[str]:
        if self._fields:
            told = [
                field.path if field.meant is None else f"{field.path} (did you mean {field.meant}?)"
                for field in sorted(self._fields)
            ]
            others = f" and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
            yield (
                f"the recordings have fields that nothing reads: {', '.join(told[:_NAMED])}"
                f"{others}; what is your own goes under `extra`"
            )
        if self._unknown:
            listed = ", ".join(name[:80] for name in list(self._unknown)[:_NAMED])
            more = len(self._unknown) - _NAMED
            count = "1 case" if len(self._unknown) == 1 else f"{len(self._unknown)} cases"
            yield (
                f"recordings of {count} not in the suite were left out: "
                f"{listed}{f' and {more} more' if more > 0 else ''}"
            )

    def mode(self) -> Mode:
        return mode_of(self._modes)

    def unread(self) -> Unread:
        return Unread(tuple(self._lines), self._unread)


def _nearest(names: list[str], known: list[str]) -> Mapping[str, str]:
    import difflib  # noqa: PLC0415 - only on the way to an error

    found = {}
    for name in names:
        near = difflib.get_close_matches(name[:200], known[:5000], 1)
        if near:
            found[name] = near[0]
    return found
