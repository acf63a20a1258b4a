"""The gate: baseline files, the rules that hold a run against one, how two runs differ."""

from fairtrial.gate.adapting import LIKELY_FROM, MOST, STEP, UNLIKELY_BELOW, Adapting, Further
from fairtrial.gate.baseline_file import make_baseline, read_baseline, write_baseline
from fairtrial.gate.candidate import Candidate, CaseOutcome, summarise
from fairtrial.gate.confirming import (
    BUDGET,
    LOOKS,
    SHARES,
    Confirmation,
    Confirmed,
    Confirming,
    Fresh,
    Verdict,
)
from fairtrial.gate.deciding import decide
from fairtrial.gate.differences import difference
from fairtrial.gate.flag import Arm, Flag
from fairtrial.gate.screening import screen, threshold
from fairtrial.gate.suite_arm import SUITE_ALPHA

__all__ = [
    "BUDGET",
    "LIKELY_FROM",
    "LOOKS",
    "MOST",
    "SHARES",
    "STEP",
    "SUITE_ALPHA",
    "UNLIKELY_BELOW",
    "Adapting",
    "Arm",
    "Candidate",
    "CaseOutcome",
    "Confirmation",
    "Confirmed",
    "Confirming",
    "Flag",
    "Fresh",
    "Further",
    "Verdict",
    "decide",
    "difference",
    "make_baseline",
    "read_baseline",
    "screen",
    "summarise",
    "threshold",
    "write_baseline",
]
