"""The story of `gate`, `accept` and `diff`: a run beside the baseline, or beside another run."""

import contextlib
import math
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from fairtrial.errors import BaselineError, StoreError
from fairtrial.flow.lost import lost_of
from fairtrial.flow.noise import read_tolerance, tolerance_file
from fairtrial.gate import (
    Candidate,
    Confirmation,
    decide,
    difference,
    make_baseline,
    read_baseline,
    summarise,
    write_baseline,
)
from fairtrial.records import (
    Baseline,
    Decision,
    Gated,
    GateSettings,
    Reason,
    RunDifference,
)
from fairtrial.store import SavedRun

_NOTHING = 3


class Accepted(NamedTuple):
    """What accepting a run came to."""

    cases: int
    """Cases whose results were taken over."""
    unmeasured: tuple[str, ...]
    """Cases of the run without a measured trial: what was accepted for them before stays."""
    failing: tuple[str, ...]
    """Protected cases with a failing trial: the gate fails for them, accepted or not."""
    exit: int
    """0; 3 when nothing was measured, and then nothing was written."""


def candidate_of(run: SavedRun) -> Candidate:
    """Fold a saved run to a small record a case, one case in memory at a time.

    Raises:
        StoreError: The run cannot be read, or holds a case twice.
    """
    cases = {}
    for result in run.results():
        if result.id in cases:
            raise StoreError(f"{run.name}: case {result.id!r} is in it twice")
        cases[result.id] = summarise(result)
    return Candidate(info=run.info, scorecard=run.scorecard, cases=tuple(cases.values()))


def gate_run(
    run: SavedRun,
    baseline: Path,
    settings: GateSettings,
    environ: Mapping[str, str],
    confirmation: Confirmation | None = None,
) -> Decision:
    """Decide whether a run may replace the baseline.

    Where `tolerance.json` lies beside the baseline, live rates are tested with the noise that was
    measured, if it was measured with as many trials a case.

    The decision is kept in the run's folder, with the baseline as it is now.

    Where there is no baseline yet and the run passes, it is written, which the decision says; in CI
    (the variable `CI` is set and not empty, 0 or false) nothing is, and it is an error.

    Raises:
        StoreError: The run cannot be read, or the measured noise beside the baseline.
        BaselineError: The baseline cannot be read, or not be written.
    """
    candidate = candidate_of(run)
    named = str(run.report or run.info.id)
    errors = [Reason(rule="not_measured", kind="error", text=text) for text in lost_of(run.info)]
    if baseline.exists():
        accepted = read_baseline(baseline)
        settings = _with_measured(settings, baseline, candidate)
        decision = decide(candidate, accepted, settings, confirmation, named=named)
        return _kept(run, _with_errors(decision, errors), baseline, accepted)
    if environ.get("CI", "").strip().lower() not in {"", "0", "false"}:
        errors.append(_no_baseline(run, baseline))
    decision = decide(candidate, None, settings, confirmation, named=named)
    decision = _with_errors(decision, errors)
    if decision.decision != "pass":
        return _kept(run, decision, baseline, None)
    write_baseline(baseline, make_baseline(candidate))
    text = f"there was no baseline, so this run was written as the first: {baseline}; commit it"
    note = Reason(rule="baseline", kind="note", text=text)
    decision = msgspec.structs.replace(decision, reasons=(*decision.reasons, note))
    return _kept(run, decision, baseline, None)


def _kept(run: SavedRun, decision: Decision, file: Path, accepted: Baseline | None) -> Decision:
    """Keep a decision beside its run, for reports; the decision stands where it cannot be kept."""
    with contextlib.suppress(StoreError):
        run.keep_gated(Gated(decision=decision, file=str(file), baseline=accepted))
    return decision


def _with_measured(settings: GateSettings, baseline: Path, candidate: Candidate) -> GateSettings:
    """Give the settings with the noise that `fairtrial stats noise` measured, where it fits.

    Noise that was measured with another number of trials a case is that of another run.

    Raises:
        StoreError: What lies beside the baseline is no measured tolerance.
    """
    measured = read_tolerance(tolerance_file(baseline))
    fits = measured is not None and measured.k == candidate.scorecard.k
    if measured is None or not fits or not 0 <= measured.tau2 < math.inf:
        return settings
    return msgspec.structs.replace(settings, measured=measured.tolerance_of_two, tau2=measured.tau2)


def _no_baseline(run: SavedRun, baseline: Path) -> Reason:
    named = str(run.report or run.info.id)
    command = shlex.join(["fairtrial", "accept", named, "--baseline", str(baseline)])
    text = (
        f"there is no baseline at {baseline}, and in CI none is made in passing; make it on your "
        f"machine with `{command}` and commit it"
    )
    return Reason(rule="baseline", kind="error", text=text)


def _with_errors(decision: Decision, errors: Sequence[Reason]) -> Decision:
    """Give the decision with errors that the rules do not know of; fail still beats error."""
    if not errors:
        return decision
    fails = [reason for reason in decision.reasons if reason.kind == "fail"]
    reasons = (*fails, *errors, *decision.reasons[len(fails) :])
    if decision.decision == "fail":
        return msgspec.structs.replace(decision, reasons=reasons)
    return msgspec.structs.replace(decision, decision="error", exit=_NOTHING, reasons=reasons)


def accept_run(run: SavedRun, baseline: Path) -> Accepted:
    """Write a run as the baseline; a filtered run replaces only its own cases.

    Raises:
        StoreError: The run cannot be read.
        BaselineError: The baseline there cannot be read (a filtered run keeps part of it), what is
            there is another kind of file, or the new one cannot be written.
    """
    candidate = candidate_of(run)
    unmeasured = tuple(case.id for case in candidate.cases if not case.measured)
    measured = len(candidate.cases) - len(unmeasured)
    if not measured:
        return Accepted(0, unmeasured, (), _NOTHING)
    previous = _previous(candidate, baseline) if baseline.exists() else None
    write_baseline(baseline, make_baseline(candidate, previous=previous))
    failing = tuple(
        case.id for case in candidate.cases if case.protected and case.failed and not case.informs
    )
    return Accepted(measured, unmeasured, failing, 0)


def _previous(candidate: Candidate, baseline: Path) -> Baseline | None:
    try:
        return read_baseline(baseline)
    except BaselineError as error:
        if candidate.filtered:
            raise
        if not _was_baseline(baseline):
            raise BaselineError(
                f"{baseline}: is there and is no baseline, so it is not replaced; name another "
                "file, or take it away first"
            ) from error
        return None  # a whole run replaces all of it, also one that a merge has broken


def _was_baseline(file: Path) -> bool:
    """Say whether a file that cannot be read as a baseline may be a damaged or a newer one."""
    if file.suffix not in {".json", ""}:
        return False
    try:
        data = msgspec.json.decode(file.read_bytes())
    except msgspec.DecodeError:
        return True
    except (OSError, RecursionError):
        return False
    return isinstance(data, dict) and isinstance(data.get("cases"), dict)


def diff_runs(a: SavedRun, b: SavedRun) -> RunDifference:
    """Give what differs between two saved runs, b seen from a.

    Raises:
        StoreError: A run cannot be read.
    """
    return difference(candidate_of(a), candidate_of(b))
