"""Where the trials of each case stand in a file, so that they can be read case by case."""

from array import array
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

_OFFSETS, _SIZES = "q", "i"  # 8 and 4 bytes, signed


class Place(NamedTuple):
    """Where a trial stands."""

    offset: int
    size: int
    telling: bool
    """There is something to tell of the trial."""


class _Places:
    __slots__ = ("first", "offsets", "sizes", "trials")

    def __init__(self, first: int) -> None:
        self.first = first
        self.offsets = array(_OFFSETS)
        self.sizes = array(_SIZES)  # below 0 for those of which there is nothing to tell
        self.trials: array[int] | None = None  # None while they are counted up from the first

    def note(self, trial: int, offset: int, size: int) -> None:
        if self.trials is not None:
            self.trials.append(trial)
        elif trial != self.first + len(self.offsets):
            self.trials = array(_OFFSETS, [*self.numbers(), trial])
        self.offsets.append(offset)
        self.sizes.append(size)

    def numbers(self) -> "range | array[int]":
        if self.trials is not None:
            return self.trials
        return range(self.first, self.first + len(self.offsets))

    def order(self) -> Iterator[int]:
        """Give the indexes by trial number; of two with one number only the later."""
        if self.trials is None:
            yield from range(len(self.offsets))
            return
        trials = self.trials
        order = sorted(range(len(trials)), key=trials.__getitem__)
        for position, at in enumerate(order):
            if position + 1 == len(order) or trials[order[position + 1]] != trials[at]:
                yield at


class Rows:
    """The places of trials by case: 12 bytes each, 20 where the numbers do not count up by 1.

    >>> rows = Rows()
    >>> rows.add("c1", 1, offset=0, size=10)
    >>> rows.add("c1", 0, offset=10, size=20)
    >>> [(place.offset, place.size) for place in rows.places("c1")]
    [(10, 20), (0, 10)]
    """

    def __init__(self) -> None:
        """Start with none."""
        self._cases: dict[str, _Places] = {}

    def add(self, case: str, trial: int, *, offset: int, size: int, telling: bool = True) -> None:
        """Note where a trial stands. Of two with one number the later replaces the earlier."""
        places = self._cases.get(case)
        if places is None:
            places = self._cases[case] = _Places(trial)
        places.note(trial, offset, size if telling else -size)

    def cases(self) -> list[str]:
        """Give the cases with a trial, in the order of their first."""
        return list(self._cases)

    def has(self, case: str, trial: int) -> bool:
        """Say whether a trial was added."""
        places = self._cases.get(case)
        return places is not None and trial in places.numbers()

    def places(self, case: str) -> Iterator[Place]:
        """Give the place of each trial of a case, by trial number."""
        places = self._cases.get(case)
        if places is None:
            return
        offsets, sizes = places.offsets, places.sizes
        for at in places.order():
            yield Place(offsets[at], abs(sizes[at]), sizes[at] > 0)

    def read(self, case: str, file: BinaryIO, *, telling: bool = False) -> Iterator[bytes]:
        """Give the bytes of each trial of a case, by trial number, from a file that can seek.

        Args:
            case: Its id.
            file: Where the trials stand.
            telling: Only those of which there is something to tell.
        """
        for place in self.places(case):
            if place.telling or not telling:
                file.seek(place.offset)
                yield file.read(place.size)
