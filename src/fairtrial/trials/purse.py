"""What a run may spend: money is reserved before a trial starts, and settled when it ends."""

import math


class Purse:
    """The money of one run. A trial's reserve is the largest cost of any trial so far.

    Attributes:
        price_known: False once a trial's cost could not be told under a cap.

    >>> purse = Purse(cap=1.0)
    >>> purse.has_room(0), purse.has_room(1)  # nothing is known of the price: one at a time
    (True, False)
    >>> purse.settle(0.4)
    >>> purse.has_room(0), purse.has_room(1)
    (True, False)
    """

    def __init__(self, cap: float | None, largest: float | None = None) -> None:
        """Begin with nothing spent; without a cap there is always room.

        `largest` is what a trial is known to have cost before, at most.
        """
        self.price_known = True
        self._cap = cap
        self._spent = 0.0
        self._largest = largest

    def has_room(self, under_way: int) -> bool:
        """Say whether one more trial may start beside those under way."""
        if self._cap is None:
            return True
        if self._largest is None:
            return under_way == 0 and self._cap > 0
        return self._spent + self._largest * (under_way + 1) <= self._cap

    def settle(self, cost: float | None) -> None:
        """Take note of what a finished trial cost; None is not known."""
        if self._cap is None:
            return
        if cost is None or not math.isfinite(cost) or cost < 0:
            self.price_known = False
            return
        self._spent += cost
        self._largest = max(cost, self._largest or 0.0)
