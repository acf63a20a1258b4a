"""What a suite can see: which drops, with how many cases and trials."""

from msgspec import Struct

from fairtrial.records.trajectory import Mode


class SizePlan(Struct, frozen=True, kw_only=True):
    """How many cases see the wanted drop, with so many trials each."""

    k: int
    """Trials a case."""
    cases: int | None
    """None: no number of cases does."""
    trials: int | None
    """Of one run: cases times trials."""
    cost: float | None
    """Of one run; None where the cost of a trial is not known."""


class SizeRow(Struct, frozen=True, kw_only=True):
    """The smallest drop that so many cases see, by the trials of each."""

    cases: int
    drops: dict[str, float | None]
    """By trials a case, as text; shares. None where even a fall to nothing may go unseen."""


class SuiteSize(Struct, frozen=True, kw_only=True):
    """What `fairtrial stats size` finds. All rates and drops are shares, 0 to 1."""

    run: str
    """Its id."""
    mode: Mode
    drop: float
    """The drop that was asked about."""
    power: float
    """The chance of seeing it that was asked for."""
    alpha: float
    """The chance of a false alarm, one-sided."""
    cases: int
    """With a measured trial; those that only inform are left out."""
    k: int
    """Planned trials a case."""
    trials: int
    """Measured trials of these cases."""
    pass_rate: float | None
    between: float | None
    """Variance of the cases' true rates; None where it cannot be told, as in `within`."""
    within: float | None
    """Mean of p(1-p) over cases: how much a case disagrees with itself."""
    smallest_drop: float | None
    """What this suite sees with that power; None where it is not known, or is none at all."""
    seen: float | None
    """The power with which this suite sees the drop; None where it is not known."""
    powers: dict[str, float | None]
    """The same for other drops, by their points as text; None where the rate cannot fall so far."""
    trials_needed: int | None
    """Trials a case with which the cases at hand see the drop; None: no number, or not known."""
    plans: tuple[SizePlan, ...]
    table: tuple[SizeRow, ...]
    cost_of_trial: float | None
    """Mean of this run; None where it is not known of every trial."""
    currency: str
    unknown: tuple[str, ...]
    """What is not known and how to get it, a sentence each."""
    format: int = 1
