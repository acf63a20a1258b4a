"""What a judge may spend: looked at before each call, passed by those under way at most."""

import threading


class Purse:
    """A bound on what a judge's calls cost. Thread-safe.

    >>> purse = Purse(0.5)
    >>> purse.refusal is None
    True
    >>> purse.pay(0.6)
    >>> purse.refusal
    'the judge may spend 0.5 in a run (judge.max_cost), and that is spent'
    """

    def __init__(self, limit: float | None = None) -> None:
        """Take the bound; None: there is none."""
        self._limit = limit
        self._spent = 0.0
        self._unknown = False
        self._lock = threading.Lock()

    @property
    def refusal(self) -> str | None:
        """Why nothing more may be asked; None: it may."""
        if self._limit is None:
            return None
        with self._lock:
            if self._unknown:
                return (
                    "a reply's cost is not known, so judge.max_cost cannot be kept; give the "
                    "model's price under [prices], or leave it out"
                )
            if self._spent < self._limit:
                return None
        return f"the judge may spend {self._limit:g} in a run (judge.max_cost), and that is spent"

    def pay(self, cost: float | None) -> None:
        """Note what a call cost; None: it is not known."""
        with self._lock:
            if cost is None:
                self._unknown = True
            else:
                self._spent += cost
