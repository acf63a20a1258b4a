"""What a judge said of changed answers, held against what it should have said."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from fairtrial.judge.comparison import place_bias
from fairtrial.judge.ordering import judged_pair
from fairtrial.judge.probes import Ask, Change, Probe
from fairtrial.records import (
    Detection,
    Expected,
    JudgeVerdict,
    ProbeExample,
    ProbeResult,
)
from fairtrial.stats import (
    clopper_pearson,
    judge_test_retest,
    wilson,
)

_MOST_EXAMPLES: Final = 5


class _Outcome(NamedTuple):
    change: Change
    before: JudgeVerdict | None
    after: JudgeVerdict
    known: bool
    """There is a verdict of it, and of the unchanged one."""
    judged: bool
    """And they tell something."""
    flip: bool


def probe_result(probe: Probe, said: Callable[[Ask], JudgeVerdict]) -> ProbeResult:
    """Sum up a probe.

    Args:
        probe: What was asked.
        said: Gives the verdict on one of its questions.

    >>> probe = Probe(name="tone", change="surer", expected="same", changes=(), lacking="no trial")
    >>> probe_result(probe, lambda ask: JudgeVerdict(case="c", verdict=True)).not_measured
    'not measured: no trial'
    """
    outcomes = [_outcome(probe, change, said) for change in probe.changes]
    judged = [one for one in outcomes if one.judged]
    flips = [one for one in judged if one.flip]
    result = ProbeResult(
        name=probe.name,
        change=probe.change,
        expected=probe.expected,
        pairs=len(judged),
        flips=len(flips),
        rate=len(flips) / len(judged) if judged else None,
        interval=wilson(len(flips), len(judged)) if judged else None,
        to_pass=sum(one.after.verdict is True for one in flips),
        to_fail=sum(one.after.verdict is False for one in flips),
        unjudged=sum(not one.known for one in outcomes),
        unfit=sum(one.known and not one.judged for one in outcomes),
        not_measured=_why_not(probe, outcomes, judged),
        examples=tuple(_example(one) for one in flips[:_MOST_EXAMPLES]),
    )
    return _with_more(result, judged)


def _outcome(probe: Probe, change: Change, said: Callable[[Ask], JudgeVerdict]) -> _Outcome:
    before = None if change.before is None else said(change.before)
    after = said(change.after)
    known = after.verdict is not None and (before is None or before.verdict is not None)
    fit = probe.start is None or (before is not None and before.verdict is probe.start)
    judged = known and fit
    flip = judged and _flipped(probe.expected, before, after)
    return _Outcome(change, before, after, known=known, judged=judged, flip=flip)


def _flipped(expected: Expected, before: JudgeVerdict | None, after: JudgeVerdict) -> bool:
    if expected != "same" or before is None:
        return after.verdict is not (expected == "PASS")
    if isinstance(after.verdict, str):
        return judged_pair(before, after).flip
    return after.verdict != before.verdict


def _why_not(probe: Probe, outcomes: Sequence[_Outcome], judged: Sequence[_Outcome]) -> str | None:
    if judged:
        return None
    if not outcomes:
        return f"not measured: {probe.lacking}"
    mute = next(
        (v for one in outcomes for v in (one.before, one.after) if v and v.verdict is None), None
    )
    if mute is None:
        return "not measured: no unchanged record was judged as it had to be"
    return f"not measured: {mute.reason}"


def _example(one: _Outcome) -> ProbeExample:
    return ProbeExample(
        case=one.after.case,
        trial=one.after.trial,
        question=one.after.item,
        before=None if one.before is None else one.before.verdict,
        after=one.after.verdict,
        change=one.change.told,
        reason=one.after.reason,
    )


def _with_more(result: ProbeResult, judged: Sequence[_Outcome]) -> ProbeResult:
    """Add what only one probe has."""
    if not judged:
        return result
    if result.name == "retest":
        again = judge_test_retest(result.to_fail, result.to_pass, result.pairs)
        return replace(result, noise=again["per_call_noise_if_symmetric"])
    if judged[0].change.kind is not None:
        return replace(result, detections=tuple(_detections(judged)))
    if judged[0].change.after.question.scale != "order":
        return result
    place = place_bias(judged_pair(one.before, one.after) for one in judged if one.before)
    if place is None:
        return result
    return replace(result, first=place.first, second=place.second, p=place.p)


def _detections(judged: Sequence[_Outcome]) -> list[Detection]:
    by_kind: dict[str, list[bool]] = defaultdict(list)
    for one in judged:
        by_kind[str(one.change.kind)].append(not one.flip)
    whole = [found for of_kind in by_kind.values() for found in of_kind]
    return [_detection("all", whole)] + [
        _detection(kind, found) for kind, found in sorted(by_kind.items())
    ]


def _detection(kind: str, found: Sequence[bool]) -> Detection:
    return Detection(
        kind=kind,
        planted=len(found),
        found=sum(found),
        rate=sum(found) / len(found),
        interval=clopper_pearson(sum(found), len(found)),
    )
