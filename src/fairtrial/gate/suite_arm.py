"""Rates of a live run: the paired test over cases, what it could have seen, and tags beside it."""

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from fairtrial.gate.comparison import ROUNDING, Compared, Comparison, Finding, rate
from fairtrial.gate.wording import chance, counted, percent, points
from fairtrial.records import Reason, ReasonKind
from fairtrial.stats import (
    difference_across_days,
    multiple_comparisons,
    paired_difference,
    sign_flip_permutation_exact,
    smallest_drop,
    suite_sight,
    trials_needed,
    true_difference_variance,
    within_variance,
)
from fairtrial.text import cut

SUITE_ALPHA = 0.01
"""How often the rates of a build without any change may stop it."""

FEW = 10
"""Cases below which Student's t is not to be trusted on shares of few trials."""

TAGS_SHARE = 0.5
"""Of it, for all tags together, where there are any with enough cases."""

REPORTED = 0.1
"""The share of false ones among the tags that are warned of."""

_POWER = 0.8


class Paired(Struct, frozen=True, kw_only=True):
    """Rates of the same cases on both sides, tested."""

    cases: int
    before: float
    now: float
    delta: float
    """The candidate minus the baseline."""
    interval: tuple[float, float]
    """95 %, of the delta."""
    p: float
    """One-sided: the chance of as low a delta without any change."""
    detectable: float | None
    """The smallest drop that the test sees 8 times in 10, with as many trials on either side as the
    baseline has; None: not known, with a trial a case."""
    needed: int | None
    """Trials a case on either side with which it would see a drop like this one; None: not known,
    or no number of them does."""


def live_rates(comparison: Comparison) -> Iterator[Finding]:
    """Find whether the rate of the suite, or of a tag, fell by more than chance makes it."""
    groups = _groups(comparison.shared)
    many = any(tag is not None and len(cases) >= FEW for tag, cases in groups.items())
    level = SUITE_ALPHA * (1 - TAGS_SHARE if many else 1)
    tests = {
        tag: paired(comparison, cases, level) for tag, cases in groups.items() if len(cases) > 1
    }
    failing = _failing(tests, level)
    told = _told_tags(tests)
    needed = level if None in failing else None
    yield from _suite(comparison, tests.get(None), needed=needed)
    for tag in sorted(tag for tag in groups if tag is not None):
        test = tests.get(tag)
        if test is not None and test.delta < -ROUNDING:
            yield _tag(tag, test, fails=tag in failing, warns=tag in told)


def _groups(cases: Sequence[Compared]) -> dict[str | None, list[Compared]]:
    groups: dict[str | None, list[Compared]] = {None: list(cases)}
    for case in cases:
        for tag in dict.fromkeys(case.now.tags):
            groups.setdefault(tag, []).append(case)
    return groups


def paired(comparison: Comparison, cases: Sequence[Compared], level: float = SUITE_ALPHA) -> Paired:
    """Test two or more cases, by Student's t; fewer than ten by all ways to flip their signs.

    `level` is what the chance will be held to: it says what can be seen.

    Where runs of the unchanged agent were measured to differ by more than their trials explain,
    that is in the error: the baseline was run on another day.
    """
    before = [(rate(case.before) if case.before else None) or 0.0 for case in cases]
    now = [case.now.rate or 0.0 for case in cases]
    tau2 = comparison.settings.tau2 or 0.0
    test = paired_difference(before, now)
    drift = difference_across_days(test["delta"], test["se"], test["df"], tau2, alpha=0.025)
    p = drift["p_candidate_worse"]
    if len(cases) < FEW:
        p = max(p or 0.0, sign_flip_permutation_exact(before, now)["p_candidate_worse"])
    base_counts = [(case.before.measured, case.before.passed) for case in cases if case.before]
    counts = [(case.now.measured, case.now.passed) for case in cases]
    return Paired(
        cases=len(cases),
        before=math.fsum(before) / len(before),
        now=math.fsum(now) / len(now),
        delta=test["delta"],
        interval=(drift["lower"], drift["upper"]),
        p=1.0 if p is None else p,
        detectable=_detectable(base_counts, tau2, level),
        needed=_needed(-test["delta"], base_counts, counts, level),
    )


_Counts = list[tuple[int, int]]


def _detectable(base: _Counts, tau2: float, level: float) -> float | None:
    """Give the smallest drop from the baseline's rate that is seen with the usual power."""
    sight = suite_sight(base)
    return None if sight is None else smallest_drop(sight, level, _POWER, tau2)


def _needed(drop: float, base: _Counts, now: _Counts, level: float) -> int | None:
    within = [known for known in (within_variance(base), within_variance(now)) if known is not None]
    if drop <= ROUNDING or not within or max(within) == 0:
        return None
    spread = true_difference_variance(base, now) or 0.0
    return trials_needed(drop, len(now), spread, max(within), alpha=level, power=_POWER)


def _failing(tests: Mapping[str | None, Paired], level: float) -> set[str | None]:
    """Give what fails: the suite at its level, and tags at the rest of it by Holm's procedure."""
    suite = tests.get(None)
    failing: set[str | None] = set()
    if suite is not None and suite.p <= level:
        failing.add(None)
    tags = _tested_tags(tests)
    if tags:
        chances = [tests[tag].p for tag in tags]
        rejected = multiple_comparisons(chances, SUITE_ALPHA * TAGS_SHARE)["holm_reject"]
        failing.update(tag for tag, worse in zip(tags, rejected, strict=True) if worse)
    return failing


def _tested_tags(tests: Mapping[str | None, Paired]) -> list[str]:
    return [tag for tag, test in tests.items() if tag is not None and test.cases >= FEW]


def _told_tags(tests: Mapping[str | None, Paired]) -> set[str | None]:
    """Give the tags to warn of: by Benjamini and Hochberg, of those with enough cases."""
    names = _tested_tags(tests)
    if not names:
        return set()
    rejected = multiple_comparisons([tests[tag].p for tag in names], REPORTED)["bh_reject"]
    return {tag for tag, worse in zip(names, rejected, strict=True) if worse}


def _suite(
    comparison: Comparison, test: Paired | None, *, needed: float | None
) -> Iterator[Finding]:
    """Say what the whole rate did; `needed` is what it was held to where it fails."""
    if test is None:
        yield from _one_case(comparison)
        return
    kind: ReasonKind = "note"
    text = f"{_moved('the pass rate', test)} over {counted(test.cases, 'shared case')}"
    if needed is not None:
        kind = "fail"
        text += f", more than chance does{_figures(test)}, needed {chance(needed)})"
    elif test.delta < -ROUNDING:
        kind = "note" if _is_settled(comparison, test) else "inconclusive"
        text += f", which can be chance{_figures(test)}){_would_show(test)}"
    elif hides := _hidden(comparison):
        kind = "warning"
        text += f"; with what was not measured counted as failed it falls by {points(hides)}"
    if test.detectable is not None:
        text += f"; a drop of {points(test.detectable)} is seen 8 times in 10"
    reason = Reason(
        rule="rate",
        kind=kind,
        text=text,
        baseline=test.before,
        candidate=test.now,
        interval=test.interval,
    )
    yield Finding(reason=reason, loss=max(-test.delta, 0.0))


def _is_settled(comparison: Comparison, test: Paired) -> bool:
    """Whether all that can be done was done, or an unchanged agent was measured to stray as far."""
    measured = comparison.settings.measured
    return comparison.confirmation is not None or (
        measured is not None and -test.delta <= measured + ROUNDING
    )


def _hidden(comparison: Comparison) -> float:
    """Give how far the rate falls when all that was not measured counts as failed."""
    cases = comparison.shared
    before = math.fsum((rate(case.before) if case.before else None) or 0.0 for case in cases)
    strict = math.fsum(case.now.strict_rate for case in cases)
    drop = (before - strict) / len(cases)
    return drop if drop > ROUNDING else 0.0


def _one_case(comparison: Comparison) -> Iterator[Finding]:
    """Say of one case, which no test over cases can tell anything of, what its rate did."""
    for case in comparison.shared:
        before, now = (rate(case.before) if case.before else None) or 0.0, case.now.rate or 0.0
        hides = _hidden(comparison)
        if before - now <= ROUNDING and not hides:
            return
        text = f"the pass rate of the one shared case went from {percent(before)} to {percent(now)}"
        kind: ReasonKind = "warning"
        if before - now > ROUNDING:
            kind = "note" if comparison.confirmation is not None else "inconclusive"
            text += ", which can be chance: no tolerance was measured"
        else:
            text += f"; with what was not measured counted as failed it falls by {points(hides)}"
        reason = Reason(rule="rate", kind=kind, text=text, baseline=before, candidate=now)
        yield Finding(reason=reason, loss=max(before - now, 0.0))


def _tag(tag: str, test: Paired, *, fails: bool, warns: bool) -> Finding:
    kind: ReasonKind = "fail" if fails else "warning" if warns else "note"
    text = _moved(f"the pass rate of tag {cut(tag)}", test)
    text += f" over {counted(test.cases, 'shared case')}"
    if test.cases < FEW:
        low, high = test.interval
        text += f" (95 %: {points(low)} to {points(high)}); too few cases to test"
    else:
        text += ", more than chance does" if fails else ", which can be chance"
        text += f"{_figures(test)})"
    reason = Reason(
        rule="rate",
        kind=kind,
        text=text,
        tag=tag,
        baseline=test.before,
        candidate=test.now,
        interval=test.interval,
    )
    return Finding(reason=reason, loss=max(-test.delta, 0.0))


def _moved(subject: str, test: Paired) -> str:
    if abs(test.delta) <= ROUNDING:
        return f"{subject} stayed at {percent(test.now)}"
    verb = "rose" if test.delta > 0 else "fell"
    return f"{subject} {verb} from {percent(test.before)} to {percent(test.now)}"


def _figures(test: Paired) -> str:
    low, high = test.interval
    return f" (95 %: {points(low)} to {points(high)}; p = {chance(test.p)}"


def _would_show(test: Paired) -> str:
    if test.needed is None:
        return ""
    return f"; {counted(test.needed, 'trial')} a case on either side would tell a drop like this"
