"""Two runs, or a baseline and a run, case by case and check by check."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from fairtrial.gate.candidate import Candidate, CaseOutcome
from fairtrial.records import (
    Baseline,
    BaselineCase,
    CaseDifference,
    CheckDifference,
    Measure,
    NumberDifference,
    RunDifference,
)


class _Entry(Struct, frozen=True):
    """A case of either kind of side."""

    case: CaseOutcome | BaselineCase
    reason: str | None = None

    @property
    def counts(self) -> tuple[int, int]:
        return self.case.passed, self.case.measured


_Kind: TypeAlias = Literal[
    "regressions", "fixes", "unmeasured", "other_checks", "changed", "new", "removed"
]


def difference(a: Candidate | Baseline, b: Candidate | Baseline) -> RunDifference:
    """Give what differs between two runs, b seen from a; either may be a baseline.

    Rates are compared, so that runs with different numbers of trials can be. A case that a filter
    kept out of one side is neither new nor removed.

    >>> before = Baseline(suite=None, git=None, mode="none", k=1, cases={})
    >>> difference(before, before).unchanged
    0
    """
    old, new = _entries(a), _entries(b)
    found: dict[_Kind, list[CaseDifference]] = {}
    unchanged = left_out = 0
    for name in [*new, *(name for name in old if name not in new)]:
        kind = _kind(old.get(name), new.get(name))
        if kind is None:
            unchanged += 1
        elif (kind == "removed" and _filtered(b)) or (kind == "new" and _filtered(a)):
            left_out += 1
        else:
            found.setdefault(kind, []).append(_case(name, old.get(name), new.get(name)))
    return RunDifference(
        regressions=_sorted(found, "regressions"),
        fixes=_sorted(found, "fixes"),
        unmeasured=_sorted(found, "unmeasured"),
        other_checks=_sorted(found, "other_checks"),
        changed=_sorted(found, "changed"),
        new=_sorted(found, "new"),
        removed=_sorted(found, "removed"),
        unchanged=unchanged,
        left_out=left_out,
        numbers=tuple(_number(name, old, new) for name in _MEASURES),
    )


_MEASURES: tuple[Measure, ...] = ("pass_rate", "steps", "tokens", "cost")


def _entries(side: Candidate | Baseline) -> dict[str, _Entry]:
    if isinstance(side, Baseline):
        return {name: _Entry(case) for name, case in side.cases.items()}
    return {case.id: _Entry(case, case.reason) for case in side.cases}


def _filtered(side: Candidate | Baseline) -> bool:
    return isinstance(side, Candidate) and side.filtered


def _kind(old: _Entry | None, new: _Entry | None) -> _Kind | None:
    if old is None or new is None:
        return "new" if old is None else "removed"
    if old.case.hash != new.case.hash:
        return "changed"
    if bool(old.case.measured) != bool(new.case.measured):
        return "unmeasured"
    balance = _balance(old.counts, new.counts)
    if balance:
        return "fixes" if balance > 0 else "regressions"
    return "other_checks" if _checks(old.case.checks, new.case.checks) else None


def _balance(old: tuple[int, int], new: tuple[int, int]) -> int:
    """Compare two rates without rounding: above 0 when the new one is higher."""
    return new[0] * old[1] - old[0] * new[1]


def _rate(counts: tuple[int, int] | None) -> float | None:
    return counts[0] / counts[1] if counts and counts[1] else None


def _loss(old: tuple[int, int] | None, new: tuple[int, int] | None) -> float:
    was, now = _rate(old), _rate(new)
    return 0.0 if was is None or now is None else was - now


def _case(name: str, old: _Entry | None, new: _Entry | None) -> CaseDifference:
    a, b = (old.counts if old else None), (new.counts if new else None)
    both = _rate(a) is not None and _rate(b) is not None
    return CaseDifference(
        id=name,
        protected=any(entry.case.protected for entry in (old, new) if entry),
        a=a,
        b=b,
        difference=-_loss(a, b) if both else None,
        checks=_checks(old.case.checks, new.case.checks) if old and new else (),
        reason=new.reason if new else None,
    )


def _checks(
    old: Mapping[str, tuple[int, int]], new: Mapping[str, tuple[int, int]]
) -> tuple[CheckDifference, ...]:
    differing = [
        CheckDifference(name=name, a=old.get(name), b=new.get(name))
        for name in dict.fromkeys([*new, *old])
        if _check_differs(old.get(name), new.get(name))
    ]
    return tuple(sorted(differing, key=lambda check: (-_loss(check.a, check.b), check.name)))


def _check_differs(old: tuple[int, int] | None, new: tuple[int, int] | None) -> bool:
    if old is None or new is None:
        return True
    return bool(old[1]) != bool(new[1]) or _balance(old, new) != 0


def _sorted(
    found: Mapping[_Kind, Sequence[CaseDifference]], kind: _Kind
) -> tuple[CaseDifference, ...]:
    cases = found.get(kind, ())
    return tuple(sorted(cases, key=lambda case: (not case.protected, -_loss(case.a, case.b))))


def _number(
    name: Measure, old: Mapping[str, _Entry], new: Mapping[str, _Entry]
) -> NumberDifference:
    pairs = [
        (_measure(name, entry), _measure(name, new[case]))
        for case, entry in old.items()
        if case in new and entry.case.hash == new[case].case.hash
    ]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    if not known:
        return NumberDifference(name=name, a=None, b=None, difference=None, cases=0)
    a = math.fsum(pair[0] for pair in known) / len(known)
    b = math.fsum(pair[1] for pair in known) / len(known)
    return NumberDifference(name=name, a=a, b=b, difference=b - a, cases=len(known))


def _measure(name: Measure, entry: _Entry) -> float | None:
    case = entry.case
    match name:
        case "pass_rate":
            return _rate(entry.counts)
        case "steps":
            return case.steps
        case "tokens":
            return case.tokens
        case "cost":
            return case.cost
