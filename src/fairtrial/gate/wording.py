"""How the gate's reasons write numbers and the reasons of trials."""

from collections.abc import Sequence

from fairtrial.gate.candidate import CaseOutcome
from fairtrial.text import cut

REASON_LENGTH = 200
"""A reason is a line on a terminal: enough for path, wanted and got of a mismatch."""


def percent(share: float) -> str:
    """Write a share in percent, with as many decimals as it needs, at most two.

    >>> percent(0.25), percent(1), percent(0.98765)
    ('25 %', '100 %', '98.77 %')
    """
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + " %"


def amount(value: float) -> str:
    """Write an amount, four digits when it is not whole.

    >>> amount(520.0), amount(1234567.0), amount(0.00123456)
    ('520', '1234567', '0.001235')
    """
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.1f}"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun.

    >>> counted(1, "case"), counted(3, "case")
    ('1 case', '3 cases')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def now_counts(case: CaseOutcome) -> str:
    """Write how many of the measured trials passed, and how many were not measured."""
    counts = f"{case.passed} of {case.measured}"
    return f"{counts} ({case.unmeasured} not measured)" if case.unmeasured else counts


def first_of(case: CaseOutcome) -> str:
    """Write why the first trial failed or could not be measured; empty where nobody said."""
    return f"; first: {cut(case.reason, REASON_LENGTH)}" if case.reason else ""


def names(ids: Sequence[str], most: int = 3) -> str:
    """Write a few names and how many more there are.

    >>> names(["a", "b"]), names(["a", "b", "c", "d", "e"])
    ('a, b', 'a, b, c and 2 more')
    """
    shown = ", ".join(cut(name) for name in ids[:most])
    return shown if len(ids) <= most else f"{shown} and {len(ids) - most} more"
