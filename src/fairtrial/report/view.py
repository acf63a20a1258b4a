"""A case as the scorecard shows it: its sums, and of its trials only those worth reading."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from fairtrial.records import CaseResult, Trial


class Figures(Protocol):
    """What is summed over the trials of a case. Measured are those that passed or failed."""

    @property
    def trials(self) -> int:
        """All trials."""

    @property
    def measured(self) -> int:
        """Trials that passed or failed."""

    @property
    def passed(self) -> int:
        """Trials that passed."""

    @property
    def fewest(self) -> int | None:
        """Steps of a measured trial; None where none are known, as in `most`."""

    @property
    def most(self) -> int | None:
        """Steps of a measured trial."""

    @property
    def steps_whole(self) -> bool:
        """The steps of every measured trial are known."""

    @property
    def guessed(self) -> bool:
        """The tokens of a measured trial are estimated."""

    @property
    def estimates(self) -> int:
        """Trials whose tokens are estimated."""

    @property
    def failed_calls(self) -> bool:
        """A call of some trial failed."""

    @property
    def telling(self) -> bool:
        """A check of some trial is no plain yes."""

    @property
    def deciding(self) -> Collection[str]:
        """Names, without brackets, of checks that decide."""

    @property
    def informing(self) -> Collection[str]:
        """Names, without brackets, of checks that do not."""

    def mean_tokens(self) -> tuple[float | None, bool]:
        """Give the mean a measured trial, at least, and whether it is whole; None of none."""

    def mean_cost(self) -> tuple[float | None, bool]:
        """Give the mean a measured trial, at least, and whether it is whole; None of none."""


class CaseView:
    """A case with its figures. Its trials are read when they are first wanted.

    Attributes:
        result: The case; its own trials are not looked at.
        figures: Of all its trials.
    """

    def __init__(
        self, result: CaseResult, figures: Figures, read: Callable[[], Iterable[Trial]]
    ) -> None:
        """Show a case.

        Args:
            result: The case.
            figures: Of all its trials.
            read: Gives its trials by number; may leave out those that passed without an error, and
                whose checks are all a plain yes.
        """
        self.result = result
        self.figures = figures
        self._read = read
        self._trials: tuple[Trial, ...] | None = None

    @classmethod
    def of(cls, result: CaseResult) -> "CaseView":
        """Show a case that has all its trials at hand."""
        return cls(result, _figures(result.trials), lambda: result.trials)

    @property
    def telling(self) -> tuple[Trial, ...]:
        """The trials of which there is something to tell, and perhaps others, by number."""
        if self._trials is None:
            self._trials = tuple(self._read())
        return self._trials


class _Counted(NamedTuple):
    """Figures counted from trials."""

    trials: int
    measured: int
    passed: int
    fewest: int | None
    most: int | None
    steps_whole: bool
    guessed: bool
    estimates: int
    failed_calls: bool
    telling: bool
    deciding: frozenset[str]
    informing: frozenset[str]
    tokens: tuple[float | None, bool]
    cost: tuple[float | None, bool]

    def mean_tokens(self) -> tuple[float | None, bool]:
        return self.tokens

    def mean_cost(self) -> tuple[float | None, bool]:
        return self.cost


def _figures(trials: Sequence[Trial]) -> _Counted:
    measured = [trial for trial in trials if trial.verdict != "error"]
    steps = [trial.steps for trial in measured if trial.steps is not None]
    checks = [check for trial in trials for check in trial.checks]
    tokens = [trial.known_tokens if trial.tokens is None else trial.tokens for trial in measured]
    cost = [trial.known_cost if trial.cost is None else trial.cost for trial in measured]
    return _Counted(
        trials=len(trials),
        measured=len(measured),
        passed=sum(trial.verdict == "passed" for trial in measured),
        fewest=min(steps, default=None),
        most=max(steps, default=None),
        steps_whole=len(steps) == len(measured),
        guessed=any(trial.estimated for trial in measured),
        estimates=sum(trial.estimated for trial in trials),
        failed_calls=any(trial.failed_calls for trial in trials),
        telling=any(check.passed is not True for check in checks),
        deciding=frozenset(check.name.partition("[")[0] for check in checks if check.decides),
        informing=frozenset(check.name.partition("[")[0] for check in checks if not check.decides),
        tokens=_mean(tokens, whole=all(trial.tokens is not None for trial in measured)),
        cost=_mean(cost, whole=all(trial.cost is not None for trial in measured)),
    )


def _mean(parts: Sequence[float], *, whole: bool) -> tuple[float | None, bool]:
    if not parts or (not whole and not any(parts)):
        return None, whole
    try:
        # Exact, so that the order of the trials does not show in the last figure.
        total = sum(parts) if isinstance(parts[0], int) else math.fsum(parts)
        return total / len(parts), whole
    except OverflowError:  # beyond every float
        return None, whole
