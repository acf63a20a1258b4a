"""The lists of a scorecard in Markdown: what was lost and why, then what else changed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from fairtrial.records import CaseDifference, CaseOverview, Overview, Reason, ReasonKind
from fairtrial.report.figures import counted
from fairtrial.report.markdown_tables import fallen_tags
from fairtrial.report.markup import code, folded, prose
from fairtrial.report.place import address_of
from fairtrial.text import cut

MOST_LOST = 25
"""Cases that are shown with their reasons; the others are counted."""

_MOST = 10
"""Entries of any other list."""

_LONGEST_REASON = 300

_T = TypeVar("_T")

_AGAINST: tuple[ReasonKind, ...] = ("fail", "error")
_UNSURE: tuple[ReasonKind, ...] = ("inconclusive", "warning")


def lost_ids(overview: Overview) -> frozenset[str]:
    """Give the cases for which the gate fails or cannot decide."""
    return frozenset(reason.case for reason in _reasons(overview, _AGAINST) if reason.case)


def case_blocks(overview: Overview, blob: str | None = None) -> Iterator[str]:
    """Give what stands against the run, case by case and the rest; then what is not sure.

    Args:
        overview: The run.
        blob: The address below which the repository's files are, for links to cases.
    """
    by_id = {case.id: case for case in overview.cases}
    if overview.gated is None:
        bad = partial(_bad_case, blob=blob)
        yield from _listed("#### Did not pass", _bad(overview), bad, MOST_LOST)
    against = _reasons(overview, _AGAINST)
    of_cases = [reason for reason in against if reason.case is not None]
    write = partial(_reason, cases=by_id, blob=blob)
    title = "#### Lost" if any(one.kind == "fail" for one in of_cases) else "#### Not measured"
    yield from _listed(title, of_cases, write, MOST_LOST)
    fallen = fallen_tags(overview)
    others = [
        write(one)
        for one in against
        if one.case is None
        and not (one.rule == "rate" and one.tag is not None and one.tag in fallen)
    ]
    if fallen:
        others.append(_fell(fallen))
    yield from _listed("#### Also against it" if of_cases else "#### Why", others, str, _MOST)
    yield from _listed("#### Not sure", _reasons(overview, _UNSURE), write, _MOST)


def _fell(tags: Sequence[str]) -> str:
    """Name the tags of which the table says by how much they fell."""
    named = ", ".join(code(tag) for tag in tags[:_MOST])
    more = f" and {len(tags) - _MOST:,} more" if len(tags) > _MOST else ""
    which = "tag" if len(tags) == 1 else "tags"
    return f"- **rate** of {which} {named}{more}: fell by more than is allowed, ❌ in the table"


def _reasons(overview: Overview, kinds: Sequence[ReasonKind]) -> list[Reason]:
    reasons = () if overview.gated is None else overview.gated.decision.reasons
    return [reason for reason in reasons if reason.kind in kinds]


def _bad(overview: Overview) -> list[CaseOverview]:
    """Give the cases that did not simply pass, protected ones first, those that inform last."""
    bad = [
        case
        for case in overview.cases
        if case.status != "passed" or case.errors or case.measured < case.planned
    ]
    return sorted(
        bad,
        key=lambda case: (
            case.informs,
            not case.protected,
            ("failed", "flaky", "error", "passed").index(case.status),
        ),
    )


def _listed(
    title: str, items: Sequence[_T], write: Callable[[_T], str], most: int
) -> Iterator[str]:
    """Give a list under its title; what is beyond `most` is counted."""
    if items:
        lines = [write(item) for item in items[:most]]
        if len(items) > most:
            lines.append(f"- and {len(items) - most:,} more")
        yield "\n".join([title, "", *lines] if title else lines)


def _bad_case(case: CaseOverview, blob: str | None) -> str:
    passed = f"passed {case.passed:,} of {case.measured:,}" if case.measured else "was not measured"
    unmeasured = max(case.planned, case.measured + case.errors) - case.measured
    if case.measured and unmeasured:
        passed += f", {unmeasured:,} not measured"
    return _case_line(case, passed + _standing(case), blob)


def _standing(case: CaseOverview) -> str:
    words = ["protected"] * case.protected + ["only informs"] * case.informs
    return f" ({', '.join(words)})" if words else ""


def _case_line(case: CaseOverview, words: str, blob: str | None) -> str:
    where = "" if case.source is None else f" · {_place(case.source, blob)}"
    why = "" if case.reason is None else f"<br>{code(case.reason, _LONGEST_REASON)}"
    return f"- **{code(case.id)}** {words}{where}{why}"


def _place(source: str, blob: str | None) -> str:
    address = None if blob is None else address_of(source, blob)
    return code(source, 200) if address is None else f"[{code(source, 200)}]({address})"


def _reason(reason: Reason, cases: Mapping[str, CaseOverview], blob: str | None = None) -> str:
    """Give a reason: of a case its name, the gate's words, its place, and why its trial failed."""
    case = None if reason.case is None else cases.get(reason.case)
    if case is None:
        named = "" if reason.case is None else f"**{code(reason.case)}** "
        text = reason.text if reason.case is None else _without_name(reason.text, reason.case)
        return f"- {named or f'{_rule(reason)} '}{prose(text)}"
    words = _without_first(_without_name(reason.text, case.id), case.reason)
    return _case_line(case, prose(words), blob)


def _rule(reason: Reason) -> str:
    return f"**{reason.rule.replace('_', ' ')}**" if reason.rule.isidentifier() else ""


def _without_name(text: str, name: str) -> str:
    """Give the gate's sentence without the name that it begins with."""
    return text.removeprefix(f"{cut(name, 60)} ")


def _without_first(text: str, reason: str | None) -> str:
    """Give the gate's sentence without the reason of the first trial, which is told apart."""
    if reason is None:
        return text
    return text.removesuffix(f"; first: {cut(reason, 200)}")


def beside_blocks(overview: Overview) -> Iterator[str]:
    """Give what was not measured and the protected cases, then, folded, all that changed."""
    yield from _not_measured(overview)
    yield from _protected(overview)
    yield from _changes(overview)
    notes = [*_reasons(overview, ("note",))]
    if notes:
        write = partial(_reason, cases={})
        listed = _listed("", notes, write, 2 * _MOST)
        yield folded(f"{counted(len(notes), 'note')} of the gate", listed)
    for note in overview.scorecard.notes[:_MOST]:
        yield f"Note: {prose(note)}"


def _not_measured(overview: Overview) -> Iterator[str]:
    scorecard = overview.scorecard
    none = [case for case in overview.cases if not case.measured]
    missing = sum(
        max(case.planned, case.measured + case.errors) - case.measured for case in overview.cases
    )
    if not missing and not none:
        return
    planned = scorecard.passed + scorecard.failed + missing
    text = f"**Not measured:** {missing:,} of {counted(planned, 'planned trial')}"
    if none:
        named = ", ".join(code(case.id) for case in none[:_MOST])
        more = f" and {len(none) - _MOST:,} more" if len(none) > _MOST else ""
        text += f"; no trial of {named}{more}"
    yield f"{text}. What was not measured was not passed."


def _protected(overview: Overview) -> Iterator[str]:
    guarded = [case for case in overview.cases if case.protected]
    if not guarded:
        return
    bad = [case for case in guarded if case.status != "passed"]
    text = f"**Protected:** {len(guarded) - len(bad):,} of {counted(len(guarded), 'case')} passed"
    if bad:
        named = ", ".join(code(case.id) for case in bad[:_MOST])
        text += f"; not {named}" + (f" and {len(bad) - _MOST:,} more" if len(bad) > _MOST else "")
    yield f"{text}."


_CHANGES = (
    ("fixes", "better", "better"),
    ("regressions", "worse", "worse"),
    ("changed", "changed, so not compared", "changed, so not compared"),
    ("new", "new", "new"),
    ("removed", "gone from the files", "gone from the files"),
    ("unmeasured", "measured on one side only", "measured on one side only"),
    ("other_checks", "with other checks", "with other checks"),
)


def _changes(overview: Overview) -> Iterator[str]:
    difference = overview.difference
    if difference is None:
        return
    parts: list[str] = []
    blocks: list[str] = []
    for name, one, many in _CHANGES:
        cases: Sequence[CaseDifference] = getattr(difference, name)
        if cases:
            words = f"{len(cases):,} {one if len(cases) == 1 else many}"
            parts.append(words)
            blocks += _listed(f"**{words}**", cases, _change, _MOST)
    same = f"{difference.unchanged:,} the same"
    if not parts:
        yield f"**Changes:** none; {same}."
        return
    yield folded(f"Changes: {', '.join(parts)}; {same}", blocks)


def _change(case: CaseDifference) -> str:
    guarded = " (protected)" if case.protected else ""
    if case.a is None or case.b is None:
        return f"- {code(case.id)}{guarded} {_passed(case.b if case.a is None else case.a)}"
    text = f"- {code(case.id)}{guarded} {_passed(case.a)}, now {_passed(case.b)}"
    checks = ", ".join(code(check.name, 60) for check in case.checks[:4])
    more = f" and {len(case.checks) - 4:,} more" if len(case.checks) > 4 else ""
    return f"{text}: {checks}{more}" if checks else text


def _passed(counts: tuple[int, int] | None) -> str:
    if counts is None or not counts[1]:
        return "not measured"
    return f"{counts[0]:,} of {counts[1]:,}"
