"""GitHub's annotations: workflow commands that put a reason at the line where its case stands."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from fairtrial.records import CaseOverview, Overview, Reason
from fairtrial.report.figures import counted
from fairtrial.report.measure import seen, seen_within
from fairtrial.report.place import place_of

MOST = 10
"""GitHub shows so many of one kind in one step, and drops the others without a word."""

_LONGEST_TITLE, _LONGEST = 100, 1000

Kind: TypeAlias = Literal["error", "warning"]

_DATA = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_PROPERTY = _DATA | {ord(":"): "%3A", ord(","): "%2C"}


class _Note(NamedTuple):
    kind: Kind
    title: str
    text: str
    source: str | None


def annotation_lines(overview: Overview) -> Iterator[str]:
    """Give workflow commands, the most important first: ten errors and ten warnings at most.

    Where there are more the tenth says how many. Errors are what the gate fails for or could not
    measure, warnings what it warns of and cannot tell; where nobody asked it, errors are cases with
    a failing trial or none, warnings those that only inform. Notes are left out.

    >>> from fairtrial.records import Decision, Gated, RunInfo, Scorecard
    >>> reason = Reason(rule="case", kind="fail", text="c1 passed 3 of 3, now 1 of 3", case="c1")
    >>> decision = Decision(decision="fail", exit=1, spent=None, reasons=(reason,))
    >>> page = Overview(
    ...     info=RunInfo(id="r1", folder=None, mode="none", variant=None, selection=None),
    ...     scorecard=Scorecard(**dict.fromkeys(Scorecard.__struct_fields__)), difference=None,
    ...     gated=Gated(decision=decision, file="b.json", baseline=None), cases=(), rates=(),
    ... )
    >>> list(annotation_lines(page))
    ['::error title=fairtrial%3A c1::c1 passed 3 of 3, now 1 of 3']
    """
    notes = list(_alone(overview.cases) if overview.gated is None else _gated(overview))
    kinds: tuple[Kind, ...] = ("error", "warning")
    for kind in kinds:
        same = [note for note in notes if note.kind == kind]
        most = len(same) if len(same) <= MOST else MOST - 1
        yield from map(_line, same[:most])
        if len(same) > most:
            rest = len(same) - most
            text = f"and {counted(rest, f'more {kind}')}: fairtrial report {overview.info.id}"
            yield _line(_Note(kind, "fairtrial", text, None))


def _gated(overview: Overview) -> Iterator[_Note]:
    cases = {case.id: case for case in overview.cases}
    for reason in () if overview.gated is None else overview.gated.decision.reasons:
        if reason.kind in {"fail", "error"}:
            yield _note("error", reason, cases)
        elif reason.kind in {"inconclusive", "warning"}:
            yield _note("warning", reason, cases)


def _note(kind: Kind, reason: Reason, cases: Mapping[str, CaseOverview]) -> _Note:
    case = None if reason.case is None else cases.get(reason.case)
    source = reason.source if case is None else case.source
    return _Note(kind, f"fairtrial: {reason.case or reason.rule}", reason.text, source)


def _alone(cases: Sequence[CaseOverview]) -> Iterator[_Note]:
    """Give the cases that did not simply pass, protected ones first, unmeasured ones last."""
    ordered = sorted(cases, key=lambda case: (case.status == "error", not case.protected))
    for case in ordered:
        if case.status == "passed" and case.measured >= case.planned and not case.errors:
            continue
        passed = f"passed {case.passed:,} of {case.measured:,}" if case.measured else "not measured"
        guarded = "protected, " if case.protected else ""
        why = f"; first: {case.reason}" if case.reason else ""
        kind: Kind = "warning" if case.informs else "error"
        yield _Note(kind, f"fairtrial: {case.id}", f"{guarded}{passed}{why}", case.source)


def _line(note: _Note) -> str:
    file, line = place_of(note.source)
    properties = {
        "file": file,
        "line": None if line is None else str(line),
        "title": seen_within(note.title, _LONGEST_TITLE),
    }
    said = ",".join(
        f"{name}={seen(value).translate(_PROPERTY)}" for name, value in properties.items() if value
    )
    return f"::{note.kind} {said}::{seen_within(note.text, _LONGEST).translate(_DATA)}"
