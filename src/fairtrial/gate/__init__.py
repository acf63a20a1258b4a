"""The gate: baseline files, the rules that hold a run against one, how two runs differ."""

from fairtrial.gate.baseline_file import make_baseline, read_baseline, write_baseline
from fairtrial.gate.candidate import Candidate, CaseOutcome, summarise
from fairtrial.gate.deciding import decide
from fairtrial.gate.differences import difference

__all__ = [
    "Candidate",
    "CaseOutcome",
    "decide",
    "difference",
    "make_baseline",
    "read_baseline",
    "summarise",
    "write_baseline",
]
