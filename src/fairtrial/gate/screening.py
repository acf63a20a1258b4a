"""Screening a live run: which cases look worse, so that fresh trials are spent on those alone."""

from fairtrial.gate.candidate import Candidate
from fairtrial.gate.comparison import Compared, Comparison
from fairtrial.gate.flag import Flag
from fairtrial.records import Baseline, GateSettings
from fairtrial.stats import prob_worse_jeffreys_prior

ENOUGH_FAILED = 3
"""So many trials, none of which passes, need no confirming where all passed before."""

_LEAST, _MOST = 0.5, 0.999
_STEP = 0.1


def threshold(thoroughness: float) -> float:
    """Give the chance of being worse from which a case is flagged: 1 - thoroughness/10.

    It stays between .5 and .999. The error rate of the gate does not hang on it: it sets what is
    spent, and how many weak losses are seen.

    >>> [round(threshold(knob), 3) for knob in (0.5, 1, 2, 9)]
    [0.95, 0.9, 0.8, 0.5]
    """
    return min(_MOST, max(_LEAST, 1 - _STEP * thoroughness))


def screen(
    candidate: Candidate, baseline: Baseline | None, settings: GateSettings | None = None
) -> tuple[Flag, ...]:
    """Give the cases of a live run that fresh trials should look at, in file order.

    A protected case by any failing trial; another one when its rate fell and the chance that it
    is worse, from Beta(1/2, 1/2), reaches the threshold. Nothing in a deterministic run, where
    every loss is real.

    >>> from fairtrial.records import RunInfo, Scorecard
    >>> info = RunInfo(id="r1", folder=None, mode="live", variant=None, selection=None)
    >>> scorecard = Scorecard(**dict.fromkeys(Scorecard.__struct_fields__))
    >>> screen(Candidate(info=info, scorecard=scorecard, cases=()), None)
    ()
    """
    comparison = Comparison(candidate, baseline, settings or GateSettings())
    flags = (flag_of(comparison, case) for case in comparison.cases)
    return tuple(flag for flag in flags if flag is not None)


def flag_of(comparison: Comparison, case: Compared) -> Flag | None:
    """Give the flag of one case; None where it has none."""
    if comparison.deterministic or not case.now.measured:
        return None
    chance = chance_worse(case)
    if case.protected:
        if not case.now.failed or lost_all(case):
            return None
        return Flag(case=case.now.id, arm="protected", p_worse=chance)
    if chance is None or chance < threshold(comparison.settings.thoroughness) or not case.fell:
        return None
    return Flag(case=case.now.id, arm="other", p_worse=chance)


def chance_worse(case: Compared) -> float | None:
    """Give the chance that a case's rate fell; None where nothing comparable was accepted.

    The further trials of `run --adaptive` count: nothing is decided by it.
    """
    before = case.accepted
    if before is None or not case.now.measured:
        return None
    counts = (before.passed, before.measured, case.all_passed, case.all_measured)
    return prob_worse_jeffreys_prior(*counts)["p_worse"]


def lost_all(case: Compared) -> bool:
    """Say whether none of three or more trials passes, of a case whose trials all passed before."""
    lost = case.all_passed == 0 and case.now.measured >= ENOUGH_FAILED
    return lost and case.was_passing and not case.changed
