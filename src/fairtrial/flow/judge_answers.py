"""The answers of a saved run as a judge is shown them: with their cases, without secrets."""

from collections.abc import Iterator, Mapping, Set
from typing import TypeAlias

import msgspec
from msgspec import UNSET, Struct

from fairtrial.cases import Suite
from fairtrial.errors import UsageError
from fairtrial.judge import transcript_of
from fairtrial.records import Case, LeftOut, Trajectory, Trial
from fairtrial.store import Redactor, SavedRun

Key: TypeAlias = tuple[str, int]
"""Case and trial."""


class Answer(Struct, frozen=True, kw_only=True):
    """One trial of a saved run."""

    case: Case
    trial: int
    trajectory: Trajectory
    """Without secrets: it leaves this machine."""
    passed: bool

    @property
    def transcript(self) -> str:
        """What the judge is shown."""
        return transcript_of(self.case, self.trajectory)


class Answers:
    """Reads the answers of one run.

    Attributes:
        left_out: What could not be read so far, and why.
    """

    def __init__(self, run: SavedRun, suite: Suite, redactor: Redactor, name: str) -> None:
        """Take the run and the cases as they are now.

        Args:
            run: It must have its transcripts.
            suite: Its cases.
            redactor: Takes the secrets out.
            name: Of the run, for what is left out.

        Raises:
            UsageError: No case of the run is in the suite.
            StoreError: The run cannot be read.
        """
        self.left_out: list[LeftOut] = []
        self.name = name
        self._run = run
        self._redactor = redactor
        cases = {case.id: case for case in suite.cases}
        self.hashes = {result.id: result.hash for result in run.results()}
        if self.hashes and not self.hashes.keys() & cases.keys():
            files = ", ".join(file.name for file in suite.files)
            raise UsageError(
                f"{run.name}: none of its cases is in {files}; name its case files with --cases"
            )
        self._cases = self._as_run(cases)

    def _as_run(self, cases: Mapping[str, Case]) -> dict[str, Case]:
        """Give the cases that are still what the agent met; note the others."""
        known = {}
        for name, hashed in self.hashes.items():
            case = cases.get(name)
            if case is not None and case.hash == hashed:
                known[name] = case
                continue
            reason = "the case is no longer in the suite" if case is None else _CHANGED
            self.left_out.append(LeftOut(run=self.name, case=name, trial=None, reason=reason))
        return known

    def read(self, wanted: Set[Key] | None = None) -> Iterator[Answer]:
        """Give the answers, one in memory at a time; of two with one number both, the later last.

        Args:
            wanted: Only these; None: all.

        Raises:
            StoreError: The transcripts are gone, or cannot be read.
        """
        for trial in self._run.trials():
            case = self._cases.get(trial.case)
            if case is None or (wanted is not None and (trial.case, trial.trial) not in wanted):
                continue
            answer = self._answer(case, trial)
            if isinstance(answer, Answer):
                yield answer
                continue
            self.left_out.append(
                LeftOut(run=self.name, case=trial.case, trial=trial.trial, reason=answer)
            )

    def measured(self) -> dict[str, list[int]]:
        """Give the numbers of the trials that were measured, by case.

        Raises:
            StoreError: The run cannot be read.
        """
        return {
            result.id: [one.trial for one in result.trials if not _is_lost(one)]
            for result in self._run.results()
            if result.id in self._cases
        }

    def _answer(self, case: Case, trial: Trial) -> Answer | str:
        """Give a trial as it is judged, or why it is not."""
        if _is_lost(trial):
            return f"it could not be measured: {trial.error or 'no reason was kept'}"
        if trial.trajectory is UNSET:
            return "it was saved without a trajectory"
        line = self._redactor.line(bytes(trial.trajectory))
        try:
            trajectory = msgspec.json.decode(line, type=Trajectory)
        except (msgspec.DecodeError, RecursionError):
            return "its trajectory cannot be read"
        return Answer(
            case=case,
            trial=trial.trial,
            trajectory=trajectory,
            passed=trial.verdict == "passed",
        )


_CHANGED = "the case has changed since the run: the judge would read another request"


def _is_lost(trial: Trial) -> bool:
    """Say whether what the agent did is not known; that a check cannot be told loses nothing."""
    return trial.verdict == "error" and not trial.checks
