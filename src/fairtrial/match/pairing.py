"""Maximum pairing: as many of the left as possible with different ones of the right."""

from collections.abc import Callable, Sequence


class Assignment:
    """Left ones, each holding one right one; grows one left at a time and never gives a left up.

    Right ones are bits of whole numbers, so that a set of them is one number.

    >>> held = Assignment(free=0b11)
    >>> held.add(0, [0b01, 0b01]), held.add(1, [0b01, 0b01]), held.owner
    (True, False, {1: 0})
    """

    __slots__ = ("_dead", "free", "owner")

    def __init__(self, free: int) -> None:
        """Begin with nothing held and the bits of `free` to be had."""
        self.free = free
        self.owner: dict[int, int] = {}
        """The left that holds each bit."""
        self._dead = 0  # bits from which no free one can be reached any more: stays true for ever

    def copy(self) -> "Assignment":
        """Give one that grows apart from this one."""
        twin = Assignment(self.free)
        twin.owner = self.owner.copy()
        twin._dead = self._dead
        return twin

    def add(self, left: int, rows: Sequence[int]) -> bool:
        """Let `left` hold a right one, moving others where need be; say whether that is possible.

        Takes the lowest free bit that the fewest moves reach: the same calls give the same pairs.

        Args:
            left: Index into `rows`.
            rows: The bits that each left can hold. Must not change between calls.
        """
        direct = rows[left] & self.free
        if direct:
            bit = direct & -direct
            self.free ^= bit
            self.owner[bit] = left
            return True
        return self._move(left, rows)

    def _move(self, left: int, rows: Sequence[int]) -> bool:
        seen = self._dead
        queue = [left]
        reached_from: dict[int, int] = {}  # bit: the left that was looking
        for seeker in queue:
            fresh = rows[seeker] & ~seen
            seen |= fresh
            free = fresh & self.free
            if free:
                bit = free & -free
                self.free ^= bit
                reached_from[bit] = seeker
                self._shift(bit, left, reached_from)
                return True
            while fresh:
                bit = fresh & -fresh
                fresh ^= bit
                reached_from[bit] = seeker
                queue.append(self.owner[bit])
        self._dead = seen
        return False

    def _shift(self, bit: int, start: int, reached_from: dict[int, int]) -> None:
        """Pass bits along the way that was found, from its free end back to `start`."""
        held = {left: bit for bit, left in self.owner.items()}
        while True:
            seeker = reached_from[bit]
            self.owner[bit] = seeker
            if seeker == start:
                return
            bit = held[seeker]


def maximum_pairing(
    left_count: int, right_count: int, fits: Callable[[int, int], bool]
) -> list[int | None]:
    """Pair as many as possible of the left with different ones of the right.

    The number paired never depends on the order of either side. Each pair is asked about at most
    once, and in the simple case only few are.

    Args:
        left_count: How many are on the left.
        right_count: How many are on the right.
        fits: Says whether a left and a right go together, by index.

    Returns:
        For each left the index of its right, the earliest where there is a choice, or None.

    >>> maximum_pairing(2, 2, lambda left, right: left == 0 or right == 0)
    [1, 0]
    """
    rows = [0] * left_count
    asked = [0] * left_count
    assignment = Assignment((1 << right_count) - 1)
    for left in range(left_count):
        free = assignment.free
        while free:
            bit = free & -free
            free ^= bit
            asked[left] |= bit
            if fits(left, bit.bit_length() - 1):
                rows[left] |= bit
                break
        if rows[left]:
            assignment.add(left, rows)
    if len(assignment.owner) == left_count or not assignment.free:
        return _pairs(assignment, left_count)
    for left in range(left_count):
        for right in range(right_count):
            bit = 1 << right
            if not asked[left] & bit and fits(left, right):
                rows[left] |= bit
    return pair_rows(rows, right_count)


def pair_rows(rows: Sequence[int], right_count: int) -> list[int | None]:
    """Do as `maximum_pairing`, where the right ones that fit each left are known as bits.

    >>> pair_rows([0b11, 0b01], 2)
    [1, 0]
    """
    assignment = Assignment((1 << right_count) - 1)
    for left, row in enumerate(rows):
        if row:
            assignment.add(left, rows)
    return _pairs(assignment, len(rows))


def _pairs(assignment: Assignment, left_count: int) -> list[int | None]:
    pairs: list[int | None] = [None] * left_count
    for bit, left in assignment.owner.items():
        pairs[left] = bit.bit_length() - 1
    return pairs
