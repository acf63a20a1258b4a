"""Sums that trials are added to one by one: exact, so that no order of adding changes them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeGuard

from fairtrial.records import Case, Check, Trial

FINE = 2**80  # amounts are summed as whole multiples of 1/FINE, so that no order changes a sum
_HUGE = 1e200  # an amount of this size, below 0 or not finite is a mistake: not known


class Mean:
    """A mean of numbers that come one by one."""

    __slots__ = ("count", "fine")

    def __init__(self) -> None:
        self.count = 0
        self.fine = 0  # their sum in 1/FINE

    def add(self, fine: int, times: int) -> None:
        """Add a number, which is in 1/FINE, as often as it came."""
        self.count += times
        self.fine += fine * times

    @property
    def value(self) -> float | None:
        """The mean; None of nothing."""
        return self.fine / (self.count * FINE) if self.count else None


class Amount:
    """One amount over trials: steps, tokens or money."""

    __slots__ = ("count", "fine", "odd", "part", "rest", "some", "unknown", "untold")

    def __init__(self) -> None:
        self.count = 0  # the measured trials where it is known
        self.fine = 0  # their sum in 1/FINE
        self.unknown = 0  # trials where it is not known
        self.untold = 0  # those of them that were measured
        self.part = 0  # what is known of the untold ones, in 1/FINE
        self.rest = 0  # what is known of the trials that were not measured, in 1/FINE
        self.some = False  # whether anything is known of any, if only in part
        self.odd = False  # whether a trial had one that cannot be

    def add(self, amount: float | None, known_part: float, *, measured: bool) -> None:
        """Add one trial's amount; `known_part` is what is known where the whole is not."""
        if measured and amount is not None and 0 <= amount < _HUGE:
            self.count += 1
            self.fine += int(amount * FINE)
            return
        part = known_part if amount is None else amount
        if not 0 <= part < _HUGE:
            amount, part = None, 0
            self.odd = True
        fine = int(part * FINE)
        self.some = self.some or amount is not None or part > 0
        self.unknown += amount is None
        if measured:
            self.untold += 1
            self.part += fine
        else:
            self.rest += fine

    def join(self, other: "Amount") -> None:
        """Add all that was added to another one."""
        self.count += other.count
        self.fine += other.fine
        self.unknown += other.unknown
        self.untold += other.untold
        self.part += other.part
        self.rest += other.rest
        self.some = self.some or other.some
        self.odd = self.odd or other.odd

    @property
    def any_known(self) -> bool:
        """Whether anything is known of any trial, if only in part."""
        return self.some or self.count > 0

    @property
    def total(self) -> int:
        """The known part of all trials, in 1/FINE."""
        return self.fine + self.part + self.rest

    @property
    def mean(self) -> float | None:
        """The mean of the measured trials where it is known; None of nothing."""
        return self.fine / (self.count * FINE) if self.count else None


class Group:
    """Trials of one case that share one tuple of checks."""

    __slots__ = ("checks", "trials")

    def __init__(self, checks: tuple[Check, ...]) -> None:
        self.checks = checks  # held, so that no other tuple can get its identity
        self.trials = 0


class Told:
    """What one tuple of checks tells, for all trials of all cases that share it.

    Attributes:
        trials: How many share it, so far.
        outcomes: By name, without brackets: whether all checks of the name passed; None where one
            could not be told.
        deciding: Names of the checks that decide; `informing` of those that do not.
        telling: One of them is no plain yes.
        plan: Score, precision and recall of the plan, else of `next`, in 1/FINE; None where there
            is neither, or no score.
    """

    __slots__ = ("checks", "deciding", "informing", "outcomes", "plan", "telling", "trials")

    def __init__(self, checks: tuple[Check, ...]) -> None:
        self.checks = checks  # held, so that no other tuple can get its identity
        self.trials = 0
        self.outcomes: dict[str, bool | None] = {}
        names: dict[bool, set[str]] = {True: set(), False: set()}
        for check in checks:
            name = _bracketless(check.name)
            names[check.decides].add(name)
            known = self.outcomes.get(name, True)
            if check.passed is None or known is None:
                self.outcomes[name] = None
            else:
                self.outcomes[name] = known and check.passed
        self.deciding = frozenset(names[True])
        self.informing = frozenset(names[False])
        self.telling = any(check.passed is not True for check in checks)
        named = {check.name: check for check in reversed(checks)}
        self.plan = _fine_shares(named.get("tools.plan") or named.get("next"))


def _fine_shares(plan: Check | None) -> tuple[int | None, ...] | None:
    if plan is None or plan.score is None:
        return None
    shares = (plan.score, plan.precision, plan.recall)
    return tuple([int(one * FINE) if _is_share(one) else None for one in shares])


def _is_share(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and 0 <= value <= 1


@lru_cache(10_000)
def _bracketless(name: str) -> str:
    return name.partition("[")[0] or name


class CaseSums:
    """What is kept of the trials of one case.

    Attributes:
        case: The case.
        informs: It never gates.
        passed: Trials, as `failed` and `errors`.
        fewest: Steps of a measured trial; None where none are known, as in `most`.
        failed_calls: A call of some trial failed.
        estimates: Trials whose tokens are estimated.
        deciding: Names, without brackets, of the checks that decide; `informing` of those that
            do not. Both grow when the tally settles, as does `telling`.
        telling: A check of some trial is no plain yes.
    """

    __slots__ = (
        "case", "cost", "deciding", "errors", "estimated", "estimates", "failed", "failed_calls",
        "fewest", "groups", "informing", "informs", "most", "passed", "plans", "steps", "telling",
        "told",
    )  # fmt: skip

    def __init__(self, case: Case) -> None:
        self.case = case
        self.informs = case.informs is True
        self.passed = self.failed = self.errors = 0
        self.plans: tuple[Mean, Mean, Mean] | None = None
        """Score, precision and recall of the plan; many cases have none."""
        self.steps, self.told, self.cost = Amount(), Amount(), Amount()
        self.estimated: Amount | None = None  # few trials have estimated tokens
        self.fewest: int | None = None  # steps of a measured trial
        self.most: int | None = None
        self.failed_calls = self.telling = False
        self.estimates = 0
        self.deciding: frozenset[str] = frozenset()
        self.informing: frozenset[str] = frozenset()
        self.groups: dict[int, Group] = {}
        """By the identity of their checks; those that are not counted yet."""

    def add(self, trial: Trial) -> None:
        """Count one trial, save its checks."""
        measured = True
        if trial.verdict == "passed":
            self.passed += 1
        elif trial.verdict == "failed":
            self.failed += 1
        else:
            self.errors += 1
            measured = False
        steps, tokens = trial.steps, self.told
        self.steps.add(steps, 0, measured=measured)
        if trial.estimated:
            self.estimates += 1
            tokens = self.estimated = self.estimated or Amount()
        tokens.add(trial.tokens, trial.known_tokens, measured=measured)
        self.cost.add(trial.cost, trial.known_cost, measured=measured)
        if trial.failed_calls:
            self.failed_calls = True
        if steps is None or not measured:
            return
        if self.fewest is None or self.most is None:
            self.fewest = self.most = steps
        elif steps < self.fewest:
            self.fewest = steps
        elif steps > self.most:
            self.most = steps

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

    @property
    def odd(self) -> bool:
        """Whether a trial has an amount that cannot be, which the sums leave out."""
        return any(amount.odd for amount in (self.steps, self.cost, *self._tokens()))

    @property
    def steps_whole(self) -> bool:
        """Whether the steps of every measured trial are known."""
        return not self.steps.untold

    @property
    def guessed(self) -> bool:
        """Whether the tokens of a measured trial are estimated."""
        return self.estimated is not None and self.estimated.count + self.estimated.untold > 0

    def mean_tokens(self) -> tuple[float | None, bool]:
        """Give the mean of the measured trials, at least, and whether it is whole; None of none."""
        return self._mean(self._tokens())

    def mean_cost(self) -> tuple[float | None, bool]:
        """Give the mean of the measured trials, at least, and whether it is whole; None of none."""
        return self._mean((self.cost,))

    def _tokens(self) -> Sequence[Amount]:
        return (self.told,) if self.estimated is None else (self.told, self.estimated)

    def _mean(self, amounts: Sequence[Amount]) -> tuple[float | None, bool]:
        total = sum(amount.fine + amount.part for amount in amounts)
        whole = not any(amount.untold for amount in amounts)
        if not self.measured or not (whole or total):
            return None, whole
        return total / FINE / self.measured, whole

    def add_plan(self, shares: Sequence[int | None], trials: int) -> None:
        """Add a plan's score, precision and recall, in 1/FINE, as often as they came."""
        if self.plans is None:
            self.plans = (Mean(), Mean(), Mean())
        for mean, share in zip(self.plans, shares, strict=True):
            if share is not None:
                mean.add(share, trials)
