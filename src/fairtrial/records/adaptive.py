"""What adaptive trials came to: which cases had more of them, and what that told."""

from typing import Literal, TypeAlias

from msgspec import Struct

Worse: TypeAlias = Literal["likely", "unlikely", "undecided"]
"""Whether a case is worse than the baseline by more than the margin: `likely` from a chance of .9
on, `unlikely` below even odds."""


MOST_TRIALS = 1_000_000
"""Of a case that anybody has: a larger count was not measured."""


class AdaptiveCase(Struct, frozen=True, kw_only=True):
    """A case that looked worse than the baseline, and its further trials."""

    id: str
    base_passed: int
    """Of the baseline's trials."""
    base_measured: int
    passed: int
    """Of the planned trials."""
    measured: int
    more_passed: int = 0
    """Of the further trials."""
    more_measured: int = 0
    more_planned: int = 0
    p_worse: float
    """The chance that the pass rate fell by more than the margin, from all of these counts."""
    worse: Worse

    def __post_init__(self) -> None:
        """Refuse counts that no trials have: a file may have been edited.

        Raises:
            ValueError: More passed or were measured than there are, or nobody has so many.
        """
        counts = (
            (self.base_passed, self.base_measured),
            (self.passed, self.measured),
            (self.more_passed, self.more_measured),
            (self.more_measured, self.more_planned),
        )
        for part, whole in counts:
            if not 0 <= part <= whole <= MOST_TRIALS:
                raise ValueError(f"{part} of {whole} are no trials of a case")


class Adaptive(Struct, frozen=True, kw_only=True):
    """The further trials of a run. No rate of the scorecard counts them.

    Cases that looked bad have more of them, and a case has no more once it looks good: a rate that
    counted them would be too high.
    """

    margin: float
    """As a share."""
    cases: tuple[AdaptiveCase, ...] = ()
    """Those that had further trials, or are likely worse without any, in file order."""
    trials: int = 0
    """Further trials of all cases together."""
    everywhere: int = 0
    """What it would take to give every case as many as the case with most of them had."""
    cost: float | None = None
    """Of the further trials; None where none is known."""
    ended: str | None = None
    """Why there are no more, where the cases alone do not say it."""
    whole: bool = True
    """False: it was cut short, and can be gone on with."""
