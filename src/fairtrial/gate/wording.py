"""How the gate's reasons write numbers and the reasons of trials."""

import math
from collections.abc import Sequence

from fairtrial.gate.candidate import CaseOutcome
from fairtrial.text import cut

REASON_LENGTH = 200
"""A reason is a line on a terminal: enough for path, wanted and got of a mismatch."""


def percent(share: float) -> str:
    """Write a share in percent, with one decimal where it needs one.

    Only what is whole is written as 0 % or 100 %.

    >>> percent(0.25), percent(1), percent(0.98765), percent(0.0001)
    ('25 %', '100 %', '98.8 %', '0.01 %')
    """
    return _hundredths(share) + " %"


def points(difference: float) -> str:
    """Write the difference of two shares in percentage points.

    >>> points(1 / 3), points(0.01)
    ('33.3 points', '1 point')
    """
    figure = _hundredths(difference)
    return f"{figure} point" if figure == "1" else f"{figure} points"


def _hundredths(share: float) -> str:
    figure = f"{100 * share:.1f}"
    if float(figure) in {0, 100} and share not in {0, 1}:
        figure = f"{100 * share:.2g}" if share < 0.5 else f"{100 * share:.4f}"
    return figure.rstrip("0").rstrip(".") if "." in figure else figure


def chance(value: float) -> str:
    """Write a chance with two digits or three.

    >>> chance(0.946), chance(0.000067), chance(1e-9), chance(0.9999)
    ('0.946', '0.000067', 'less than 0.000001', '1.00')
    """
    if value < 1e-6:
        return "less than 0.000001"
    if value >= 0.1:
        return f"{value:.3f}" if value < 0.9995 else "1.00"
    return f"{value:.{1 - math.floor(math.log10(value))}f}"


def amount(value: float) -> str:
    """Write an amount, four digits when it is not whole.

    >>> amount(520.0), amount(1234567.0), amount(0.00123456)
    ('520', '1,234,567', '0.001235')
    """
    if abs(value) >= 1e15:
        return f"{value:.4g}"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.1f}"


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
