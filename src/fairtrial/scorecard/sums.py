"""Sums that trials are added to one by one: exact, so that no order of adding changes them."""

from fairtrial.records import Case, Check

FINE = 2**80  # amounts are summed as whole multiples of 1/FINE, so that no order changes a sum
_HUGE = 1e200  # an amount of this size, below 0 or not finite is a mistake: not known


class Mean:
    """A mean of numbers that come one by one."""

    __slots__ = ("count", "fine")

    def __init__(self) -> None:
        self.count = 0
        self.fine = 0  # their sum in 1/FINE

    def add(self, value: float, times: int = 1) -> None:
        """Add a number, as often as it came."""
        self.count += times
        self.fine += int(value * FINE) * times

    @property
    def value(self) -> float | None:
        """The mean; None of nothing."""
        return self.fine / (self.count * FINE) if self.count else None


class Amount:
    """One amount over all trials: steps, tokens or money."""

    __slots__ = ("known", "some", "total", "unknown")

    def __init__(self) -> None:
        self.known = Mean()  # over the measured trials where it is known
        self.unknown = 0  # trials where it is not
        self.some = False  # whether anything is known, if only in part
        self.total = 0  # the known part of all trials, in 1/FINE

    def add(self, amount: float | None, known_part: float, *, measured: bool) -> None:
        """Add one trial's amount; `known_part` is what is known where the whole is not."""
        part = known_part if amount is None else amount
        if not 0 <= part < _HUGE:
            amount, part = None, 0
        fine = int(part * FINE)
        self.total += fine
        if amount is None:
            self.unknown += 1
            self.some = self.some or part > 0
            return
        self.some = True
        if measured:
            self.known.count += 1
            self.known.fine += fine


class Group:
    """Trials of one case that share one tuple of checks."""

    __slots__ = ("case", "checks", "trials")

    def __init__(self, checks: tuple[Check, ...], case: "CaseSums") -> None:
        self.checks = checks  # held, so that no other tuple can get its identity
        self.case = case
        self.trials = 0


class CaseSums:
    """What is kept of the trials of one case."""

    __slots__ = ("case", "errors", "failed", "informs", "passed", "plan", "precision", "recall")

    def __init__(self, case: Case) -> None:
        self.case = case
        self.informs = case.informs is True
        self.passed = self.failed = self.errors = 0
        self.plan, self.precision, self.recall = Mean(), Mean(), Mean()

    @property
    def measured(self) -> int:
        """Trials that were passed or failed."""
        return self.passed + self.failed

    @property
    def trials(self) -> int:
        """All trials, those with an error too."""
        return self.passed + self.failed + self.errors

    @property
    def rate(self) -> float | None:
        """Share of the measured trials that passed; None without any."""
        return self.passed / self.measured if self.measured else None

    def add_plan(self, group: "Group") -> None:
        """Add the plan's score, precision and recall; without a plan those of `next`."""
        named = [check for check in group.checks if check.name == "tools.plan"]
        named = named or [check for check in group.checks if check.name == "next"]
        for check in named[:1]:
            for mean, value in (
                (self.plan, check.score),
                (self.precision, check.precision),
                (self.recall, check.recall),
            ):
                if isinstance(value, int | float) and 0 <= value <= 1 and check.score is not None:
                    mean.add(value, group.trials)
