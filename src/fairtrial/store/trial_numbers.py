"""Which trial of its case a recording is."""

from array import array
from pathlib import Path

from fairtrial.errors import RecordingError
from fairtrial.store.recordings import Recording

_ROOM = 1024  # how far beyond what was seen a number may lie and still be kept densely


class TrialNumbers:
    """Numbers the recordings of one file, and refuses a trial that comes twice.

    A recording without `trial` gets the number after the highest seen so far of its case, so
    recordings without any are 0, 1, 2, ... in file order. Memory: 8 bytes a recording (about
    100 for numbers with wide gaps).

    >>> from fairtrial.records import Trajectory
    >>> numbers = TrialNumbers("r.jsonl")
    >>> numbers.take(Recording(1, b"", Trajectory(case="c1")))
    0
    >>> numbers.take(Recording(2, b"", Trajectory(case="c1", trial=7)))
    7
    >>> numbers.take(Recording(3, b"", Trajectory(case="c1")))
    8
    """

    def __init__(self, path: Path | str) -> None:
        """Start with nothing seen; `path` is only for error texts."""
        self._path = path
        self._cases: dict[str, _Seen] = {}

    def take(self, recording: Recording) -> int:
        """Give the recording's trial number, 0 and up, and mark it as taken.

        Raises:
            RecordingError: The case already has that trial; names both lines.
        """
        trajectory = recording.trajectory
        seen = self._cases.get(trajectory.case)
        if seen is None:
            seen = self._cases[trajectory.case] = _Seen()
        following = seen.highest + 1
        trial = following if trajectory.trial is None else trajectory.trial
        if trial == following == len(seen.dense):  # the common case, which cannot be there already
            seen.highest = trial
            seen.count += 1
            seen.dense.append(recording.line)
            return trial
        first = seen.line_of(trial)
        if first:
            raise RecordingError(
                f"{self._path}:{recording.line}: trial {trial} of case {trajectory.case!r} is "
                f"already on line {first}; give each trial of a case its own number, or leave "
                "`trial` out of all of them"
            )
        seen.mark(trial, recording.line)
        return trial


class _Seen:
    """The trials of one case that were seen, with their lines."""

    __slots__ = ("count", "dense", "highest", "sparse")

    def __init__(self) -> None:
        self.highest = -1
        self.count = 0
        self.dense = array("Q")  # line by trial, 0 where none was seen
        self.sparse: dict[int, int] = {}

    def line_of(self, trial: int) -> int:
        if trial < len(self.dense) and self.dense[trial]:
            return self.dense[trial]
        return self.sparse.get(trial, 0)

    def mark(self, trial: int, line: int) -> None:
        self.count += 1
        self.highest = max(self.highest, trial)
        if trial < 2 * self.count + _ROOM:
            missing = trial + 1 - len(self.dense)
            if missing > 0:
                self.dense.frombytes(bytes(missing * self.dense.itemsize))
            self.dense[trial] = line
        else:
            self.sparse[trial] = line
