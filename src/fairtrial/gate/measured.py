"""Rule 1: what was not measured was not passed."""

from collections.abc import Iterator

from fairtrial.gate.comparison import Compared, Comparison, Finding
from fairtrial.gate.wording import counted, first_of, percent
from fairtrial.records import Reason, ReasonKind

_RULE = "not_measured"


def not_measured(comparison: Comparison) -> Iterator[Finding]:
    """Find an empty run, cases without a measured trial, and too many unmeasured trials."""
    gating = [case for case in comparison.cases if case.gates]
    if not gating:
        yield _of_the_run("error", _nothing(comparison), loss=1.0)
    for case in comparison.cases:
        yield from _of_a_case(case)
    yield from _share(comparison, gating)


def _nothing(comparison: Comparison) -> str:
    if not comparison.cases:
        return "nothing was measured: the run holds no case"
    total = counted(len(comparison.cases), "case")
    return f"nothing was decided: of the {total} of the run all only inform (informs: true)"


def _of_a_case(case: Compared) -> Iterator[Finding]:
    now = case.now
    if now.measured == 0:
        text = (
            f"was not measured in any of its {counted(now.planned, 'planned trial')}"
            if now.planned
            else "has no trial"
        )
        kind: ReasonKind = "error" if case.gates else "warning"
        yield case.finding(_RULE, kind, text + first_of(now), loss=1.0)
    elif case.protected and now.unmeasured:
        share = now.unmeasured / now.planned
        text = (
            f"is protected and {now.unmeasured} of its {counted(now.planned, 'planned trial')}"
            f" {_was(now.unmeasured)} not measured{_why(case)}"
        )
        yield case.finding(_RULE, "error", text, loss=share)


def _why(case: Compared) -> str:
    """The kept reason is that of a failure where there is one: then it says nothing of errors."""
    return "" if case.now.failed else first_of(case.now)


def _share(comparison: Comparison, gating: list[Compared]) -> Iterator[Finding]:
    planned = sum(case.now.planned for case in gating)
    unmeasured = sum(case.now.unmeasured for case in gating)
    if not unmeasured:
        return
    share = unmeasured / planned
    allowed = comparison.settings.errors
    text = (
        f"{unmeasured} of {counted(planned, 'planned trial')} ({percent(share)})"
        f" {_was(unmeasured)} not measured; {percent(allowed)} may be"
    )
    yield _of_the_run("error" if share > allowed else "warning", text, loss=share)


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _of_the_run(kind: ReasonKind, text: str, *, loss: float) -> Finding:
    return Finding(reason=Reason(rule=_RULE, kind=kind, text=text), loss=loss)
