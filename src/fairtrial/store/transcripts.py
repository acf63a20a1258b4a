"""Single transcripts of a saved run: found in one pass, then read one at a time."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct, UnsetType

from fairtrial.errors import StoreError
from fairtrial.records import Trajectory
from fairtrial.store.layout import TRIALS, read_whole_lines
from fairtrial.store.reasons import decode_reason


class _Key(Struct, frozen=True, gc=False):
    case: str
    trial: int


class _Line(Struct, frozen=True):
    case: str
    trial: int
    trajectory: Trajectory | UnsetType = UNSET


class _Place(Struct, frozen=True, gc=False):
    number: int
    offset: int
    size: int


class Transcripts:
    """The trajectories of one trial a case, none of them in memory before it is asked for."""

    def __init__(self, folder: Path, wanted: Mapping[str, int]) -> None:
        """Find them.

        Args:
            folder: The run's.
            wanted: The number of the trial, by case.

        Raises:
            StoreError: A line is no trial, or the file cannot be read.
        """
        self._path = folder / TRIALS
        self._places: dict[str, _Place] = {}
        offset = 0
        decode = msgspec.json.Decoder(_Key).decode
        for number, line in read_whole_lines(self._path):
            try:
                key = decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                reason = decode_reason(error, line)
                raise StoreError(f"{self._path}:{number}: {reason}") from error
            if wanted.get(key.case) == key.trial:  # of two with one number the later stands
                self._places[key.case] = _Place(number, offset, len(line))
            offset += len(line)

    def read(self, case: str) -> Trajectory | None:
        """Give the trajectory, numbered as the trial was; its initial state is left out.

        Returns:
            None where no such trial was saved, or it has no trajectory.

        Raises:
            StoreError: It cannot be read.
        """
        place = self._places.get(case)
        if place is None:
            return None
        line = self._bytes(place)
        try:
            trial = msgspec.json.decode(line, type=_Line)
        except (msgspec.DecodeError, RecursionError) as error:
            reason = decode_reason(error, line)
            raise StoreError(f"{self._path}:{place.number}: {reason}") from error
        if trial.trajectory is UNSET:
            return None
        return msgspec.structs.replace(
            trial.trajectory, case=trial.case, trial=trial.trial, initial_state=None
        )

    def _bytes(self, place: _Place) -> bytes:
        try:
            with self._path.open("rb") as file:
                file.seek(place.offset)
                return file.read(place.size)
        except OSError as error:
            raise StoreError(f"{self._path}: cannot be read: {error.strerror or error}") from error
