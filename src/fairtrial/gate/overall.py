"""Rules 4 and 5: rates of the suite and its tags, absolute bars, growth of what it takes."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from fairtrial.gate.comparison import ROUNDING, Compared, Comparison, Finding, rate
from fairtrial.gate.suite_arm import live_rates
from fairtrial.gate.wording import amount, counted, percent, points
from fairtrial.records import Reason, ReasonKind
from fairtrial.stats import geometric_ratio, pass_hat_k
from fairtrial.text import cut

_Name: TypeAlias = Literal["tokens", "cost", "steps"]

_GROWTH_ALPHA = 0.001
"""Of the paired test's lower bound, which must be above 1 for live growth to fail: the three
amounts together add next to nothing to the false alarms of a build."""

_FEWEST = 5
"""Cases with fewer of which no paired test of growth is made."""

_Known: TypeAlias = tuple[float | None, tuple[float, float] | None]
"""A number of the scorecard and its interval."""


def rates(comparison: Comparison) -> Iterator[Finding]:
    """Find where the pass rate of the suite or of a tag moved, over the shared unchanged cases.

    Live, without a tolerance that somebody set, the paired test decides.
    """
    if not comparison.deterministic and comparison.settings.tolerance is None:
        yield from live_rates(comparison)
        return
    groups: dict[str | None, list[Compared]] = {None: comparison.shared}
    for case in comparison.shared:
        for tag in dict.fromkeys(case.now.tags):
            groups.setdefault(tag, []).append(case)
    for name in sorted(groups, key=lambda tag: (tag is not None, tag or "")):
        if groups[name]:
            yield from _rate(comparison, name, groups[name])


def _rate(comparison: Comparison, tag: str | None, cases: Sequence[Compared]) -> Iterator[Finding]:
    before = _mean([(rate(case.before) if case.before else None) or 0.0 for case in cases])
    now = _mean([case.now.rate or 0.0 for case in cases])
    strict = _mean([case.now.strict_rate for case in cases])
    tolerance = 0.0 if comparison.deterministic else comparison.settings.tolerance or 0.0
    judged = _judged(before - now, before - strict, tolerance)
    if judged is None or (judged[0] == "note" and tag is not None and now > before):
        return  # a tag's rise shows in its cases and in the suite's
    kind, remark = judged
    subject = "the pass rate" if tag is None else f"the pass rate of tag {cut(tag)}"
    moved = "rose" if now > before else "fell" if before - now > ROUNDING else "stayed"
    between = f"at {percent(now)}" if moved == "stayed" else f"{percent(before)} to {percent(now)}"
    text = f"{subject} {moved} {'' if moved == 'stayed' else 'from '}{between}"
    reason = Reason(
        rule="rate",
        kind=kind,
        text=f"{text} over {counted(len(cases), 'shared case')}{remark}",
        tag=tag,
        baseline=before,
        candidate=now,
        interval=_interval(_pass_rate(comparison), now) if tag is None else None,
    )
    yield Finding(reason=reason, loss=max(before - now, 0.0))


def _judged(drop: float, strict: float, tolerance: float) -> tuple[ReasonKind, str] | None:
    """Judge a drop, and the drop that there would be if all that was not measured had failed."""
    if drop > tolerance + ROUNDING:
        return "fail", f", by {points(drop)}; {percent(tolerance)} is allowed"
    if strict > tolerance + ROUNDING:
        hides = "; with what was not measured counted as failed it falls by "
        return "warning", f"{hides}{points(strict)}; {percent(tolerance)} is allowed"
    if drop > ROUNDING:
        return "note", f", within the tolerance of {percent(tolerance)}"
    return ("note", "") if drop < -ROUNDING else None


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def bars(comparison: Comparison) -> Iterator[Finding]:
    """Find absolute bars that the run does not reach."""
    settings, scorecard = comparison.settings, comparison.candidate.scorecard
    k = scorecard.k
    cases = [case for case in comparison.cases if not case.now.informs]
    if settings.min_pass_rate is not None:
        now = [case.now.rate for case in cases if case.now.rate is not None]
        strict = [case.now.strict_rate for case in cases if case.now.planned]
        yield from _bar(
            "the pass rate", settings.min_pass_rate, now, strict, _pass_rate(comparison)
        )
    if settings.min_pass_hat_k is not None:
        known = scorecard.pass_hat_k, scorecard.pass_hat_k_interval
        now = _pass_hats([(case.now.measured, case.now.passed) for case in cases], k)
        strict = _pass_hats([(case.now.planned, case.now.passed) for case in cases], k)
        yield from _bar(f"pass^{k}", settings.min_pass_hat_k, now, strict, known)


def _pass_hats(counts: Sequence[tuple[int, int]], k: int) -> list[float]:
    """Give pass^k of each case that has k trials."""
    values = [pass_hat_k(n=trials, c=passed, k=k) for trials, passed in counts if k > 0]
    return [value for value in values if value is not None]


def _pass_rate(comparison: Comparison) -> _Known:
    return comparison.candidate.scorecard.pass_rate, comparison.candidate.scorecard.interval


def _interval(known: _Known, now: float) -> tuple[float, float] | None:
    """Give the scorecard's interval where it is one of this very rate."""
    number, interval = known
    return interval if number is not None and abs(number - now) < ROUNDING else None


def _bar(
    subject: str, bar: float, now: Sequence[float], strict: Sequence[float], known: _Known
) -> Iterator[Finding]:
    wanted = f"at least {percent(bar)} is wanted"
    if not now:
        text = f"{subject} could not be measured in any case; {wanted}"
        yield Finding(reason=Reason(rule="bar", kind="error", text=text), loss=bar)
        return
    reached, least = _mean(now), _mean(strict)
    text = f"{subject} is {percent(reached)} over {counted(len(now), 'case')}"
    if reached < bar - ROUNDING:
        kind: ReasonKind = "fail"
    elif least < bar - ROUNDING:
        kind = "warning"
        text += f", and {percent(least)} with what was not measured counted as failed"
    else:
        return
    reason = Reason(
        rule="bar",
        kind=kind,
        text=f"{text}; {wanted}",
        candidate=reached,
        interval=_interval(known, reached),
    )
    yield Finding(reason=reason, loss=max(bar - reached, 0.0))


def growth(comparison: Comparison) -> Iterator[Finding]:
    """Find mean tokens, cost or steps that grew over the cases that passed on both sides."""
    cases = [case for case in comparison.shared if case.was_passing and not case.now.failed]
    for name in _READERS:
        yield from _growth(comparison, name, cases)


def _growth(comparison: Comparison, name: _Name, cases: Sequence[Compared]) -> Iterator[Finding]:
    read = _READERS[name]
    both = [(case, *read(case)) for case in cases]
    known = [(case, old, new) for case, old, new in both if old is not None and new is not None]
    if not known:
        if any(old is not None for _, old, _ in both):
            text = f"mean {name} cannot be compared: unknown or estimated in this run"
            yield Finding(reason=Reason(rule="growth", kind="warning", text=text))
        return
    before, now = _mean([old for _, old, _ in known]), _mean([new for _, _, new in known])
    allowed = comparison.settings.growth
    if now <= before * (1 + allowed) * (1 + ROUNDING):
        return
    typical = _typical(known)
    reason = Reason(
        rule="growth",
        kind="fail" if comparison.deterministic or typical.lower > 1 else "warning",
        text=f"mean {name} rose from {amount(before)} to {amount(now)}{_up(before, now)} over the"
        f" {counted(len(known), 'case')} that passed on both sides; {percent(allowed)} is allowed"
        + ("" if comparison.deterministic else typical.words)
        + _most(known),
        baseline=before,
        candidate=now,
    )
    yield Finding(reason=reason)


class _Typical(NamedTuple):
    lower: float
    """99.9 %, one-sided; 0 where it is not known."""
    words: str


def _typical(known: Sequence[tuple[Compared, float, float]]) -> _Typical:
    """Give how many times as much the typical case takes: a few cases can move the mean alone."""
    before, now = [old for _, old, _ in known], [new for _, _, new in known]
    if len(known) < _FEWEST or not any(before):
        return _Typical(0.0, ", and not confirmed: too few cases for the paired test")
    typical = geometric_ratio(before, now, alpha=_GROWTH_ALPHA)
    if typical["ratio"] is None or typical["lower"] is None:
        return _Typical(0.0, ", and not confirmed: too few cases for the paired test")
    lower = typical["lower"] if typical["cases"] >= _FEWEST else 0.0
    times = f"the typical case takes {amount(typical['ratio'])} times as much"
    confirmed = "at least" if lower > 1 else "not confirmed, at least"
    return _Typical(lower, f"; {times} ({confirmed} {amount(typical['lower'])} at 99.9 %)")


def _up(before: float, now: float) -> str:
    return f", by {percent(now / before - 1)}," if before else ""


def _most(known: Sequence[tuple[Compared, float, float]]) -> str:
    case, old, new = max(known, key=lambda entry: (entry[2] - entry[1], entry[0].now.id))
    return f"; most in {cut(case.now.id)}, from {amount(old)} to {amount(new)}"


_READERS: dict[_Name, Callable[[Compared], tuple[float | None, float | None]]] = {
    "tokens": lambda case: (case.before.tokens if case.before else None, case.now.tokens),
    "cost": lambda case: (case.before.cost if case.before else None, case.now.cost),
    "steps": lambda case: (case.before.steps if case.before else None, case.now.steps),
}
