"""The best alignment of a plan that has groups with calls that were made in parallel.

A plan is a sequence of units, each one item or a group of up to 8 whose order is free; calls come
in steps, and the order inside a step is free too. No call of an earlier unit may lie in a later
step than a call of a later one.

The search goes through the steps once and keeps, for each point in the plan that can be reached,
the most pairs made so far. A point is a unit and which of its items are used; earlier units are
closed. In one step the search moves from a point to one in the same or a later unit. What it gains
is the size of a maximum pairing of the step's calls with the items passed on the way and those used
at the new point. Bipartite pairing is a matroid on the items, so those that must be held are added
first, the others then one by one, and only sets that the others cannot stand in for are worth
holding.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairtrial.match.pairing import Assignment


class _Move(NamedTuple):
    """A way to go on in one step. Sets of items are bits."""

    to: int
    """The unit moved to."""
    held: int
    """Items of that unit that the step must pair."""
    optional: int
    """Items that the step may pair, since the point moved to does not need them any more."""
    gain: int
    """How many it pairs in all."""


class _Point(NamedTuple):
    """A point in the plan that was reached, and how."""

    paired: int
    """Pairs made so far."""
    unit: int
    used: int
    """Items of the unit that are used, or that no later call matches."""
    before: "_Point | None" = None
    step: int = 0
    """The step in which it was reached, as the bits of its calls."""
    move: _Move | None = None


class StepSearch:
    """A plan and the calls that may meet it, ready to be aligned.

    Args:
        sizes: Of each unit: how many items it has.
        rows: For each item, over all units in order, the calls that match it, as bits.
        steps: The calls of each step that match any item, as bits, in order.

    >>> StepSearch([2, 1], rows=[0b100, 0b001, 0b010], steps=[0b001, 0b110]).best()
    [2, 0, 1]
    """

    def __init__(self, sizes: Sequence[int], rows: Sequence[int], steps: Sequence[int]) -> None:
        self._rows = rows
        self._steps = steps
        self._members: list[int] = []  # the items of each unit, as bits
        start = 0
        for size in sizes:
            self._members.append(((1 << size) - 1) << start)
            start += size
        self._twins = _earlier_twins(self._members, rows)

    def best(self) -> list[int | None]:
        """Give for each item the position of its call, or None: as many calls as possible."""
        unmatched = sum(1 << item for item, row in enumerate(self._rows) if not row)
        points = [self._settled(_Point(0, 0, 0), unmatched)]
        for step, spent in zip(self._steps, self._spent_after(), strict=True):
            points = self._after(points, step, spent)
        return self._pairs(max(points, key=lambda point: point.paired))

    def _spent_after(self) -> list[int]:
        """Give for each step the items that no call after it matches."""
        spent, later = [], 0
        for step in reversed(self._steps):
            spent.append(sum(1 << item for item, row in enumerate(self._rows) if not row & later))
            later |= step
        return spent[::-1]

    def _settled(self, point: _Point, spent: int) -> _Point:
        """Count spent items as used, and pass the units that have no other."""
        unit, used = point.unit, point.used
        while unit < len(self._members):
            used |= self._members[unit] & spent
            if used != self._members[unit]:
                break
            unit, used = unit + 1, 0
        return point._replace(unit=unit, used=used)

    def _after(self, points: Sequence[_Point], step: int, spent: int) -> list[_Point]:
        """Give the points that are worth keeping after a step."""
        moves = _StepMoves(self._members, self._twins, [row & step for row in self._rows], spent)
        reached: dict[tuple[int, int], _Point] = {}

        def offer(point: _Point) -> None:
            settled = self._settled(point, spent)
            known = reached.get((settled.unit, settled.used))
            if known is None or known.paired < settled.paired:
                reached[settled.unit, settled.used] = settled

        for point in points:
            offer(point)  # a step need not be used
        left_from: set[tuple[int, int]] = set()
        for point in sorted(points, key=lambda point: -point.paired):
            if point.unit == len(self._members):
                continue
            live = moves.live & self._members[point.unit] & ~point.used
            for move in moves.within(point.unit, live):
                offer(_moved(point, point.used | move.held, step, move))
            if (point.unit, live) not in left_from:  # else another made more pairs up to here
                left_from.add((point.unit, live))
                for move in moves.onward(point.unit, live, step):
                    offer(_moved(point, move.held, step, move))
        return _worth_keeping(reached)

    def _pairs(self, last: _Point) -> list[int | None]:
        pairs: list[int | None] = [None] * len(self._rows)
        point: _Point | None = last
        while point is not None and point.move is not None:
            rows = [row & point.step for row in self._rows]
            assignment = Assignment(point.step)
            for item in (*_bits(point.move.held), *_bits(point.move.optional)):
                assignment.add(item, rows)
            for bit, item in assignment.owner.items():
                pairs[item] = bit.bit_length() - 1
            point = point.before
        return pairs


def _moved(point: _Point, used: int, step: int, move: _Move) -> _Point:
    return _Point(point.paired + move.gain, move.to, used, point, step, move)


def _bits(items: int) -> Iterator[int]:
    """Give the places of the bits, lowest first."""
    while items:
        lowest = items & -items
        items ^= lowest
        yield lowest.bit_length() - 1


def _earlier_twins(units: Sequence[int], rows: Sequence[int]) -> list[int]:
    """Give for each item the earlier ones of its unit that match the same calls.

    Twins are exchangeable, so only the first of those that are left is ever held.
    """
    twins = []
    for members in units:
        alike: dict[int, int] = {}
        for item in _bits(members):
            twins.append(alike.get(rows[item], 0))
            alike[rows[item]] = twins[-1] | 1 << item
    return twins


def _worth_keeping(reached: dict[tuple[int, int], _Point]) -> list[_Point]:
    """Drop points whose every way on is open to another that made as many pairs.

    Such another one lies in an earlier unit, or in the same with fewer items used.
    """
    kept = []
    unit = best_earlier = best_here = -1
    for point in sorted(reached.values(), key=lambda point: (point.unit, point.used)):
        if point.unit != unit:
            unit, best_earlier = point.unit, max(best_earlier, best_here)
        if point.paired <= best_earlier:
            continue
        best_here = max(best_here, point.paired)
        fewer = (reached.get((unit, point.used & ~(1 << item))) for item in _bits(point.used))
        if all(other is None or other.paired < point.paired for other in fewer):
            kept.append(point)
    return kept


class _StepMoves:
    """The moves that one step allows. Rows hold this step's calls only."""

    def __init__(
        self, members: Sequence[int], twins: Sequence[int], rows: Sequence[int], spent: int
    ) -> None:
        self._members = members
        self._twins = twins
        self._rows = rows
        self._spent = spent
        self.live = sum(1 << item for item, row in enumerate(rows) if row)
        """The items that a call of this step matches."""
        self._units = [unit for unit, items in enumerate(members) if items & self.live]
        self._other_from = self._ends_of_runs()
        self._within: dict[tuple[int, int], list[_Move]] = {}

    def _ends_of_runs(self) -> list[int]:
        """Give for each unit where the run of single items that match the same calls ends."""
        ends: list[int] = []
        for index in range(len(self._units) - 1, -1, -1):
            end, calls = index + 1, self._only_row(index)
            if ends and calls is not None and calls == self._only_row(end):
                end = ends[-1]
            ends.append(end)
        return ends[::-1]

    def _only_row(self, index: int) -> int | None:
        """Give the calls that a unit of a single item matches; None for a group."""
        items = self._members[self._units[index]]
        return None if items & (items - 1) else self._rows[items.bit_length() - 1]

    def within(self, unit: int, live: int) -> list[_Move]:
        """Give the moves that stay in a unit, of whose items `live` are unused and matched here."""
        known = self._within.get((unit, live))
        if known is None:
            assignment = Assignment(self._calls(live))
            known = list(self._held(unit, live, assignment, 0))
            self._within[unit, live] = known
        return known

    def _calls(self, items: int) -> int:
        calls = 0
        for item in _bits(items):
            calls |= self._rows[item]
        return calls

    def _held(self, unit: int, live: int, passed_by: Assignment, passed: int) -> Iterator[_Move]:
        """Give the moves to points in a unit, on top of the items passed on the way there."""
        base, before = passed_by.copy(), len(passed_by.owner)
        passed |= live & self._spent
        for item in _bits(live & self._spent):
            base.add(item, self._rows)
        if len(base.owner) > before:
            yield _Move(unit, 0, passed, len(base.owner))
        lasting = live & ~self._spent
        items = list(_bits(lasting))
        todo = [(base, 0, 0)]
        while todo:
            assignment, held, start = todo.pop()
            for index in range(start, len(items)):
                item = items[index]
                if self._twins[item] & lasting & ~held:
                    continue
                grown = assignment.copy()
                if grown.add(item, self._rows):
                    more = held | 1 << item
                    yield _Move(unit, more, passed, len(grown.owner))
                    todo.append((grown, more, index + 1))

    def onward(self, unit: int, live: int, step: int) -> Iterator[_Move]:
        """Give the moves to later units, of whose items the step pairs as many as it can."""
        passed = live
        base = Assignment(step)
        for item in _bits(live):
            base.add(item, self._rows)
        if base.owner:
            yield _Move(unit + 1, 0, passed, len(base.owner))
        index = bisect_right(self._units, unit)
        while index < len(self._units) and base.free:
            later = self._units[index]
            here = self.live & self._members[later]
            if self._members[later] & (self._members[later] - 1):
                yield from self._held(later, here, base, passed)
            before = len(base.owner)
            for item in _bits(here):
                base.add(item, self._rows)
            passed |= here
            if len(base.owner) > before:
                yield _Move(later + 1, 0, passed, len(base.owner))
                index += 1
            else:  # units that match the same calls add no more either
                index = self._other_from[index]
