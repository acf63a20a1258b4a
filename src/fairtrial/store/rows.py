"""Where the trials of each case stand in a file, so that they can be read case by case."""

import functools
import io
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

_OFFSETS, _SIZES = "q", "i"  # 8 and 4 bytes, signed


class _Places:
    __slots__ = ("first", "offsets", "sizes", "trials")

    def __init__(self, first: int) -> None:
        self.first = first
        self.offsets = array(_OFFSETS)
        self.sizes = array(_SIZES)  # below 0 for trials of which there is nothing to tell
        self.trials: array[int] | None = None  # None while they are counted up from the first

    def number(self, trial: int) -> None:
        """Note the number of a trial that is not the next one, or comes after such a one."""
        if self.trials is None:
            self.trials = array(_OFFSETS, self.numbers())
        self.trials.append(trial)

    def numbers(self) -> Sequence[int]:
        if self.trials is not None:
            return self.trials
        return range(self.first, self.first + len(self.offsets))

    def order(self) -> Sequence[int]:
        """Give the indexes by trial number; of two with one number only the later."""
        if self.trials is None:
            return range(len(self.offsets))
        latest = {trial: at for at, trial in enumerate(self.trials)}
        return [latest[trial] for trial in sorted(latest)]


class Rows:
    """The places of trials by case: 12 bytes each, 20 where the numbers do not count up by 1.

    >>> import io
    >>> rows = Rows()
    >>> rows.add("c1", 1, offset=0, size=3)
    >>> rows.add("c1", 0, offset=3, size=4)
    >>> list(rows.read("c1", io.BytesIO(b"onenull")))
    [b'null', b'one']
    """

    def __init__(self) -> None:
        """Start with none."""
        self._cases: dict[str, _Places] = {}

    def add(self, case: str, trial: int, *, offset: int, size: int, telling: bool = True) -> None:
        """Note where a trial stands. Of two with one number the later replaces the earlier.

        Args:
            case: Its case.
            trial: Its number.
            offset: Where it begins.
            size: Bytes, at least 1.
            telling: There is something to tell of it.
        """
        places = self._cases.get(case)
        if places is None:
            places = self._cases[case] = _Places(trial)
        if places.trials is not None or trial != places.first + len(places.offsets):
            places.number(trial)
        places.offsets.append(offset)
        places.sizes.append(size if telling else -size)

    def cases(self) -> list[str]:
        """Give the cases with a trial, in the order of their first."""
        return list(self._cases)

    def has(self, case: str, trial: int) -> bool:
        """Say whether a trial was added."""
        places = self._cases.get(case)
        return places is not None and trial in places.numbers()

    def read(self, case: str, file: BinaryIO, *, telling: bool = False) -> Iterator[bytes]:
        """Give the bytes of each trial of a case, by trial number, from a file that can seek.

        Args:
            case: Its id.
            file: Where the trials stand.
            telling: Only those of which there is something to tell.
        """
        places = self._cases.get(case)
        if places is None:
            return
        read_at = _reader(file)
        offsets, sizes = places.offsets, places.sizes
        for at in places.order():
            size = sizes[at]
            if size > 0 or not telling:
                yield read_at(abs(size), offsets[at])


def _reader(file: BinaryIO) -> Callable[[int, int], bytes]:
    """Give what reads so many bytes at an offset, with one call of the system where it has one."""
    if isinstance(file, io.FileIO) and hasattr(os, "pread"):
        return functools.partial(os.pread, file.fileno())

    def read_at(size: int, offset: int) -> bytes:
        file.seek(offset)
        return file.read(size)

    return read_at
