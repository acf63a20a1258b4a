"""How far an unchanged agent strays from itself, as it was measured."""

from msgspec import Struct

from fairtrial.records.trajectory import Mode


class Tolerance(Struct, frozen=True, kw_only=True):
    """A measured tolerance: the content of `tolerance.json`. Rates are shares, 0 to 1.

    It holds for the suite, the trials a case and the mode that it was measured with.
    """

    runs: int
    """Runs of the unchanged agent."""
    cases: int
    """Cases that were measured in every run; those that only inform are left out."""
    k: int
    """Planned trials a case, in each run."""
    mode: Mode
    tolerance: float | None
    """How far below the mean of these runs one more run of the same agent falls with a chance of
    `alpha`: a one-sided prediction interval. None below five runs, or where nothing varied."""
    tolerance_of_two: float | None
    """How far below one run another one falls with that chance: the tolerance for a baseline that
    is a single run. None as `tolerance`."""
    tau2: float
    """Variance of the runs' rates beyond what their trials explain: the day, the load."""
    sampling: float
    """Variance of a run's rate from its trials alone."""
    mean: float
    sd: float
    """Of the runs' rates, in one run."""
    rates: tuple[float, ...]
    """The pass rate of each run over these cases."""
    alpha: float = 0.05
    judge: float | None = None
    """Variance of a run's rate that the judge alone adds, judging the same trials again; None: not
    measured."""
    suite: str | None = None
    agent: str | None = None
    variant: str | None = None
    git: str | None = None
    """The commit of the last run; None outside a repository."""
    format: int = 1


class CaseNoise(Struct, frozen=True, kw_only=True):
    """One case that did not come out the same in all trials of the unchanged agent."""

    id: str
    passed: int
    measured: int
    """Trials of all runs."""
    lowest: float
    """The lowest pass rate that a run had for this case."""
    highest: float


class Noise(Struct, frozen=True, kw_only=True):
    """What `fairtrial stats noise` finds."""

    tolerance: Tolerance
    runs: tuple[str, ...]
    """Their ids."""
    deterministic: bool
    """No live model spoke, and all runs came out alike."""
    smallest_drop: float | None
    """The smallest drop between two such runs that is seen with 80 % power; None: not known."""
    margin: float | None
    """The tolerance that the settings ask for."""
    trials: int
    """Of these runs, the errors too."""
    errors: int
    """Trials that could not be measured."""
    dispersion: float | None
    """Spread of the passes over runs, beside that of independent trials: 1; None: not known."""
    p_clumped: float | None
    """The chance of so much spread, were trials independent."""
    p_alike: float | None
    """The chance of so little."""
    p_days: float | None
    """The chance of so different runs, had each the same rate."""
    judged: int | None = None
    """Trials that the judge was asked about twice; None: it was not."""
    judged_otherwise: int | None = None
    """Of these, the ones whose verdict was another one then."""
    flaky: tuple[CaseNoise, ...]
    """Cases with trials of both kinds, the noisiest first."""
    left_out: tuple[str, ...]
    """Cases that are not the same in all runs, or were not measured in one."""
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
