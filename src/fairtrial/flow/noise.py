"""The story of `stats noise`: how far an unchanged agent strays, from runs of it."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fairtrial.errors import StoreError, UsageError
from fairtrial.flow.doubts import FEWEST, notes_of, warnings_of
from fairtrial.records import CaseNoise, Noise, RunInfo, Tolerance
from fairtrial.stats import (
    between_run_variance,
    pass_dispersion,
    prediction_factor_one_sided,
    smallest_drop,
    standard_error,
    suite_sight,
    tolerance_from_runs,
    variance_above,
)
from fairtrial.store import SavedRun, write_json

if TYPE_CHECKING:
    from fairtrial.flow.judging_twice import JudgeNoise

_FORMAT = 1
_ALPHA = 0.05
_ROUNDING = 1e-12  # rates that differ by less are the same


class _Counts(NamedTuple):
    hash: str
    informs: bool
    measured: int
    passed: int


class _Told(NamedTuple):
    """What is kept of one run."""

    info: RunInfo
    k: int
    trials: int
    errors: int
    cases: dict[str, _Counts]


class _Shared(NamedTuple):
    """The runs over the cases that all of them measured."""

    runs: Sequence[_Told]
    names: Sequence[str]
    counts: Sequence[Sequence[tuple[int, int]]]
    """By run, then by case: measured and passed trials."""

    @property
    def by_case(self) -> list[tuple[tuple[int, int], ...]]:
        """The same by case, then by run."""
        return list(zip(*self.counts, strict=True))

    @property
    def pooled(self) -> list[tuple[int, int]]:
        """Measured and passed trials of each case, in all runs."""
        return [(sum(n for n, _ in runs), sum(c for _, c in runs)) for runs in self.by_case]

    @property
    def rates(self) -> list[float]:
        return [math.fsum(c / n for n, c in cases) / len(cases) for cases in self.counts]


def tolerance_file(baseline: Path) -> Path:
    """Give the place of a measured tolerance: beside the baseline.

    >>> tolerance_file(Path("evals/baseline.json")).as_posix()
    'evals/tolerance.json'
    """
    return baseline.with_name("tolerance.json")


def read_tolerance(path: Path) -> Tolerance | None:
    """Read a measured tolerance; None where there is none.

    Raises:
        StoreError: What is there cannot be read, or is no tolerance that this version reads.

    >>> read_tolerance(Path("no-such-folder/tolerance.json")) is None
    True
    """
    again = "measure it anew with `fairtrial stats noise`"
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Tolerance)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise StoreError(f"{path}: no measured tolerance: {error}; {again}") from error
    if found.format != _FORMAT:
        raise StoreError(f"{path}: format {found.format}, this version reads {_FORMAT}; {again}")
    for name in ("tolerance", "tolerance_of_two"):
        share = getattr(found, name)
        if share is not None and not share >= 0:
            raise StoreError(f"{path}: {name}: wanted a share from 0 up, got {share}; {again}")
    return found


def write_tolerance(path: Path, tolerance: Tolerance) -> None:
    """Write a measured tolerance.

    Raises:
        StoreError: It cannot be written.
    """
    write_json(path, tolerance)


def measure_noise(runs: Sequence[SavedRun], *, margin: float | None = None) -> Noise:
    """Tell how far runs of one unchanged agent differ, over the cases that all of them measured.

    Args:
        runs: Two or more, each of another id.
        margin: The tolerance that the settings ask for.

    Raises:
        UsageError: Runs that are no repeats of each other.
        StoreError: A run cannot be read.
    """
    _refuse(runs)
    told = [_told(run) for run in runs]
    shared, left_out = _shared(told)
    live = "live" in {run.info.mode for run in told}
    same = all(counts == shared.counts[0] for counts in shared.counts)
    tolerance = _tolerance(shared, deterministic=same and not live)
    spread = pass_dispersion(shared.by_case)
    drop = _visible(shared, tolerance)
    found = Noise(
        tolerance=tolerance,
        runs=tuple(run.info.id for run in told),
        deterministic=same and not live,
        smallest_drop=drop,
        margin=margin,
        trials=sum(run.trials for run in told),
        errors=sum(run.errors for run in told),
        dispersion=None if spread is None else spread["ratio"],
        p_clumped=None if spread is None else spread["p_clumped"],
        p_alike=None if spread is None else spread["p_alike"],
        p_days=_p_days(shared, tolerance),
        flaky=tuple(_flaky(shared)),
        left_out=tuple(left_out),
        warnings=(),
        notes=tuple(notes_of(tolerance, deterministic=same and not live)),
    )
    return msgspec.structs.replace(
        found, warnings=tuple(warnings_of(found, [(run.info, run.k) for run in told]))
    )


def with_judge(noise: Noise, judge: "JudgeNoise | None") -> Noise:
    """Give the noise with what the judge alone adds; None: it decides nothing here."""
    if judge is None:
        return noise
    tolerance = msgspec.structs.replace(noise.tolerance, judge=judge.variance)
    return msgspec.structs.replace(
        noise, tolerance=tolerance, judged=judge.trials, judged_otherwise=judge.changed
    )


def _refuse(runs: Sequence[SavedRun]) -> None:
    """Refuse what cannot be compared.

    Raises:
        UsageError: Fewer than two runs, one of them twice, or live and offline ones together.
    """
    if len(runs) < 2:
        raise UsageError("noise is what differs between runs: name two or more, better ten")
    ids = [run.info.id for run in runs]
    twice = next((name for at, name in enumerate(ids) if name in ids[:at]), None)
    if twice is not None:
        raise UsageError(f"run {twice} is named twice, and would look like an agent without noise")
    modes = sorted({run.info.mode for run in runs})
    if "live" in modes and len(modes) > 1:
        raise UsageError(
            f"these runs are {' and '.join(modes)}: they do not measure the same; name runs that "
            "were made alike"
        )


def _told(run: SavedRun) -> _Told:
    cases: dict[str, _Counts] = {}
    for result in run.results():
        measured = sum(trial.verdict != "error" for trial in result.trials)
        passed = sum(trial.verdict == "passed" for trial in result.trials)
        cases[result.id] = _Counts(result.hash, result.informs, measured, passed)
    card = run.scorecard
    return _Told(run.info, card.k, card.trials, card.errors, cases)


def _shared(told: Sequence[_Told]) -> tuple[_Shared, list[str]]:
    """Give the runs over the cases that are the same and measured in all, and the other cases.

    Raises:
        UsageError: There is no such case.
    """
    names: dict[str, None] = {}
    for run in told:
        names |= dict.fromkeys(name for name, one in run.cases.items() if not one.informs)
    here = [name for name in names if _same(name, told)]
    if not here:
        raise UsageError(
            "no case is the same and was measured in all of these runs, so there is nothing to "
            "compare; name runs of one suite"
        )
    counts = [[run.cases[name][2:] for name in here] for run in told]
    kept = set(here)
    return _Shared(told, here, counts), [name for name in names if name not in kept]


def _same(name: str, told: Sequence[_Told]) -> bool:
    found = [run.cases.get(name) for run in told]
    return all(one is not None and one.measured for one in found) and (
        len({one.hash for one in found if one is not None}) == 1
    )


def _tolerance(shared: _Shared, *, deterministic: bool) -> Tolerance:
    rates, last = shared.rates, shared.runs[-1]
    measured = tolerance_from_runs(rates, _ALPHA)
    sampling = _sampling(shared)
    between = between_run_variance(rates, sampling)
    sd = 0.0 if measured["sd"] < _ROUNDING else measured["sd"]
    # Rates that are equal by luck are no sign of an agent without noise: its trials know better.
    used = 0.0 if deterministic else sd or between["sampling"] ** 0.5
    given = deterministic or (len(rates) >= FEWEST and used > 0)
    factor = prediction_factor_one_sided(len(rates), _ALPHA)
    of_two = factor * (2 / (1 + 1 / len(rates))) ** 0.5  # a second run is no mean of all of them
    return Tolerance(
        runs=len(rates),
        cases=len(shared.names),
        k=last.k,
        mode=last.info.mode,
        tolerance=factor * used if given else None,
        tolerance_of_two=of_two * used if given else None,
        tau2=between["tau2"],
        sampling=between["sampling"],
        mean=measured["mean"],
        sd=sd,
        rates=tuple(rates),
        alpha=_ALPHA,
        suite=last.info.suite,
        agent=last.info.agent,
        variant=last.info.variant,
        git=last.info.git,
    )


def _sampling(shared: _Shared) -> list[float]:
    """Give the variance that each run's rate has from its trials, known from those of all runs."""
    own = [c * (n - c) / (n * (n - 1)) for n, c in shared.pooled]
    return [
        math.fsum(one / n for one, (n, _) in zip(own, counts, strict=True)) / len(own) ** 2
        for counts in shared.counts
    ]


def _visible(shared: _Shared, tolerance: Tolerance) -> float | None:
    """Give the smallest drop that one such run sees beside another, on different days."""
    sight = suite_sight(shared.pooled)
    if sight is None:
        return None
    inverse = [1 / n for counts in shared.counts for n, _ in counts]
    of_one = sight._replace(sampling=tolerance.sampling, inverse_trials=sum(inverse) / len(inverse))
    return smallest_drop(of_one, tau2=tolerance.tau2)


def _p_days(shared: _Shared, tolerance: Tolerance) -> float | None:
    """Give the chance of so different runs, were only the cases on their own to differ.

    Each case's spread over runs is taken as it is, so trials that go together do not look like days
    that differ; None where no case has any.
    """
    spreads = [standard_error([c / n for n, c in runs]) ** 2 for runs in shared.by_case]
    alone = math.fsum(spreads) * tolerance.runs / len(spreads) ** 2
    return variance_above(tolerance.sd**2, alone, tolerance.runs) if alone > 0 else None


def _flaky(shared: _Shared) -> list[CaseNoise]:
    """Give the cases that came out both ways, those nearest to a toss of a coin first."""
    found = [
        CaseNoise(
            id=name,
            passed=passed,
            measured=measured,
            lowest=min(c / n for n, c in runs),
            highest=max(c / n for n, c in runs),
        )
        for name, runs, (measured, passed) in zip(
            shared.names, shared.by_case, shared.pooled, strict=True
        )
        if 0 < passed < measured
    ]
    return sorted(found, key=lambda one: abs(one.passed / one.measured - 0.5))
