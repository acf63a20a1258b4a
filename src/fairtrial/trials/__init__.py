"""One trial within its bounds, many at once, and the merging of what is known about each."""

from fairtrial.trials.allowance import StepAllowance, step_cap
from fairtrial.trials.assembly import assemble
from fairtrial.trials.attempt import Staged
from fairtrial.trials.bounds import Bounds, Ended, Outcome, Retry, StoppedBy
from fairtrial.trials.engine import run_trials
from fairtrial.trials.seeds import seed_of, whole_seed

__all__ = [
    "Bounds",
    "Ended",
    "Outcome",
    "Retry",
    "Staged",
    "StepAllowance",
    "StoppedBy",
    "assemble",
    "run_trials",
    "seed_of",
    "step_cap",
    "whole_seed",
]
