"""Where the trials of each case stand in a file, so that they can be read case by case."""

from array import array
from collections.abc import Iterator
from typing import BinaryIO

_INTEGERS = "q"  # 8 bytes, signed


class _Places:
    __slots__ = ("offsets", "sizes", "trials")

    def __init__(self) -> None:
        self.trials = array(_INTEGERS)
        self.offsets = array(_INTEGERS)
        self.sizes = array(_INTEGERS)


class Rows:
    """The places of trials by case: 24 bytes each.

    >>> rows = Rows()
    >>> rows.add("c1", 1, offset=0, size=10)
    >>> rows.add("c1", 0, offset=10, size=20)
    >>> list(rows.places("c1"))
    [(10, 20), (0, 10)]
    """

    def __init__(self) -> None:
        """Start with none."""
        self._cases: dict[str, _Places] = {}

    def add(self, case: str, trial: int, *, offset: int, size: int) -> None:
        """Note where a trial stands. Of two with one number the later replaces the earlier."""
        places = self._cases.get(case)
        if places is None:
            places = self._cases[case] = _Places()
        places.trials.append(trial)
        places.offsets.append(offset)
        places.sizes.append(size)

    def cases(self) -> list[str]:
        """Give the cases with a trial, in the order of their first."""
        return list(self._cases)

    def has(self, case: str, trial: int) -> bool:
        """Say whether a trial was added."""
        places = self._cases.get(case)
        return places is not None and trial in places.trials

    def places(self, case: str) -> Iterator[tuple[int, int]]:
        """Give offset and size of each trial of a case, by trial number."""
        places = self._cases.get(case)
        if places is None:
            return
        trials, offsets, sizes = places.trials, places.offsets, places.sizes
        order = sorted(range(len(trials)), key=lambda at: (trials[at], at))
        for position, at in enumerate(order):
            if position + 1 < len(order) and trials[order[position + 1]] == trials[at]:
                continue
            yield offsets[at], sizes[at]

    def read(self, case: str, file: BinaryIO) -> Iterator[bytes]:
        """Give the bytes of each trial of a case, by trial number, from a file that can seek."""
        for offset, size in self.places(case):
            file.seek(offset)
            yield file.read(size)
