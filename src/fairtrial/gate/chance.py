"""Losses in a live run, where a failing trial can be chance: what may be said of each case."""

import math

import msgspec

from fairtrial.gate.comparison import Compared, Comparison, Finding
from fairtrial.gate.confirming import BUDGET, LOOKS, MARGIN, Confirmed, Fresh
from fairtrial.gate.screening import chance_worse, flag_of, threshold
from fairtrial.gate.wording import chance, first_of, points
from fairtrial.records import ReasonKind
from fairtrial.stats import difference_two_independent, normal_quantile
from fairtrial.text import cut

_POWER = 0.8


def live_protected(comparison: Comparison, case: Compared, text: str, *, loss: float) -> Finding:
    """Judge a protected case with a failing trial that chance may have failed."""
    confirmed = comparison.confirmed.get(case.now.id)
    if confirmed is None:
        text = (
            f"{text}, which can be chance; only fresh trials can tell: "
            f"{comparison.way_on}{first_of(case.now)}"
        )
        return case.finding("protected", "inconclusive", text, loss=loss)
    return _told(comparison, case, confirmed, text, rule="protected")


def live_loss(comparison: Comparison, case: Compared, text: str, *, loss: float) -> Finding:
    """Judge a case that lost trials which chance may have failed."""
    confirmed = comparison.confirmed.get(case.now.id)
    if confirmed is not None:
        return _told(comparison, case, confirmed, text, rule="case")
    worse = chance_worse(case) or 0.0
    bar = threshold(comparison.settings.thoroughness)
    kind: ReasonKind = "warning"
    if flag_of(comparison, case) is not None:
        text += f", not confirmed: worse with a chance of {chance(worse)}, so it is flagged"
    elif comparison.confirmation is not None:
        kind = "note"
        text += f", worse with a chance of {chance(worse)}; from {chance(bar)} on it is looked at"
    else:
        text += f", not confirmed: worse with a chance of {chance(worse)}, below {chance(bar)}"
    return case.finding("case", kind, text + first_of(case.now), loss=loss)


def _told(
    comparison: Comparison, case: Compared, confirmed: Confirmed, text: str, *, rule: str
) -> Finding:
    """Say what fresh trials told of a case."""
    fresh = confirmed.fresh
    against = comparison.confirmation.against if comparison.confirmation else ""
    text = f"{text}; on fresh trials {_sides(fresh, against)}"
    kind, said = _verdict(comparison, confirmed)
    found = case.finding(rule, kind, f"{text}: {said}{first_of(case.now)}", loss=_drop(fresh))
    if not (fresh.measured and fresh.base_measured):
        return found
    reason = msgspec.structs.replace(
        found.reason,
        baseline=fresh.base_passed / fresh.base_measured,
        candidate=fresh.passed / fresh.measured,
        interval=_interval(fresh),
    )
    return msgspec.structs.replace(found, reason=reason)


def _sides(fresh: Fresh, against: str) -> str:
    base = f"{fresh.base_passed} of {fresh.base_measured}"
    return f"{cut(against, 100)} passed {base} and this one {fresh.passed} of {fresh.measured}"


def _verdict(comparison: Comparison, confirmed: Confirmed) -> tuple[ReasonKind, str]:
    fresh = confirmed.fresh
    protected = confirmed.arm == "protected"
    if confirmed.verdict == "worse":
        return "fail", f"worse by {_figures(confirmed)}"
    if protected and confirmed.planned and not fresh.passed and fresh.measured:
        return "fail", "no worse, and it passes none, which a protected case must"
    if confirmed.verdict == "cleared":
        return "note", f"a drop by more than {points(MARGIN)} is unlikely, so it is cleared"
    if confirmed.planned < LOOKS[-1]:
        why = comparison.confirmation.stopped if comparison.confirmation else None
        return "inconclusive", f"not told, for {why or 'confirming ended early'}"
    kind: ReasonKind = "inconclusive" if protected else "warning"
    return kind, (
        f"not told by {confirmed.planned} on either side: lower by {_figures(confirmed)}"
        f"{_would_decide(confirmed)}"
    )


def _figures(confirmed: Confirmed) -> str:
    """Give the drop with its interval, and the chance beside what it was held to."""
    fresh = confirmed.fresh
    if not (fresh.measured and fresh.base_measured) or confirmed.p is None:
        return "nobody knows what, for nothing could be measured"
    low, high = _interval(fresh)
    text = (
        f"{points(_drop(fresh))} (95 %: {points(-high)} to {points(-low)};"
        f" p = {chance(confirmed.p)}"
    )
    return f"{text}, needed {chance(confirmed.needed or 0.0)})"


def _would_decide(confirmed: Confirmed) -> str:
    """Say about how many trials would tell a drop like this one, by the normal approximation."""
    fresh = confirmed.fresh
    drop = _drop(fresh)
    if drop <= 0:
        return ""
    base, now = fresh.base_passed / fresh.base_measured, fresh.passed / fresh.measured
    reach = normal_quantile(confirmed.needed or BUDGET[confirmed.arm]) + normal_quantile(1 - _POWER)
    needed = math.ceil(reach**2 * (base * (1 - base) + now * (1 - now)) / drop**2)
    return f"; to tell a drop like this takes about {needed:,} on either side"


def _drop(fresh: Fresh) -> float:
    if not (fresh.measured and fresh.base_measured):
        return 0.0
    return fresh.base_passed / fresh.base_measured - fresh.passed / fresh.measured


def _interval(fresh: Fresh) -> tuple[float, float]:
    counts = (fresh.base_passed, fresh.base_measured, fresh.passed, fresh.measured)
    return difference_two_independent(*counts)["newcombe"]
