"""A graded run: its scorecard, and its trials read back from the disk one case at a time."""

import functools
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import msgspec
from msgspec import Struct

from fairtrial.flow.lost import lost_of
from fairtrial.records import Adaptive, CaseResult, Mode, Scorecard, Trial
from fairtrial.scorecard import Tally, exit_code
from fairtrial.store import RunWriter

if TYPE_CHECKING:
    from fairtrial.report import CaseView

_TRIAL = msgspec.json.Decoder(Trial)
_MODES: tuple[Mode, ...] = ("live", "scripted", "replayed", "none")
"""The mode of a run is the first of these that any of its trials has."""


class Unread(Struct, frozen=True):
    """Lines of the recordings that are no trajectories."""

    named: tuple[str, ...]
    """The first of them: `file:line: reason`."""
    total: int


class GradedRun:
    """A graded run. Close it (or use it in `with`): its results may live in a temporary file.

    Attributes:
        info: What was run.
        scorecard: Its summary.
        unread: Lines of the recordings that are no trajectories.
        exit: What the command line exits with, failures counted.
        decides: False when there are only cases that inform.
        lost: What was there and could not be graded, a sentence each.
    """

    def __init__(
        self,
        writer: RunWriter,
        tally: Tally,
        scorecard: Scorecard,
        unread: Unread,
        planned: Mapping[str, int] | None = None,
    ) -> None:
        """Keep what was graded; callers use `grade_recordings`."""
        self.info = writer.info
        self.scorecard = scorecard
        self.unread = unread
        self.lost = lost_of(writer.info)
        self.exit = 3 if self.lost else exit_code(tally)
        self.decides = bool(tally.deciding())
        self._writer = writer
        self._tally = tally
        self._planned = planned

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
        """Let go of the files. What was saved stays."""
        self._writer.close()

    def results(self) -> Iterator[CaseResult]:
        """Give the cases in suite order, each with its trials, read from the disk one at a time."""
        for result in self._tally.results(self._planned):
            yield self._whole(result)

    def views(self) -> Iterator["CaseView"]:
        """Give the cases in suite order, as the terminal shows them: few trials are read."""
        from fairtrial.report import CaseView  # noqa: PLC0415 - only needed where it is shown

        for result in self._tally.results(self._planned):
            sums = self._tally.sums(result.id)
            if sums.odd:  # what the sums leave out is shown as it is
                yield CaseView.of(self._whole(result))
            else:
                yield CaseView(result, sums, functools.partial(self._telling, result.id))

    def _whole(self, result: CaseResult) -> CaseResult:
        trials = tuple(map(_TRIAL.decode, self._writer.rows(result.id)))
        return msgspec.structs.replace(result, trials=trials)

    def _telling(self, case_id: str) -> Iterator[Trial]:
        return map(_TRIAL.decode, self._writer.rows(case_id, telling=True))

    def add_adaptive(self, adaptive: Adaptive) -> None:
        """Say in the scorecard what further trials came to.

        Raises:
            StoreError: It cannot be written.
        """
        self.scorecard = msgspec.structs.replace(self.scorecard, adaptive=adaptive)
        self._writer.finish(self.scorecard)

    def write_json(self, out: Path) -> None:
        """Write the JSON report.

        Raises:
            StoreError: The file cannot be written.
        """
        self._writer.report(out, self.scorecard, self._tally.results(self._planned))


def mode_of(models: Container[str]) -> Mode:
    """Give the mode of a run from those of its trials: that of the liveliest.

    >>> mode_of({"none", "scripted"})
    'scripted'
    """
    return next((mode for mode in _MODES if mode in models), "none")
