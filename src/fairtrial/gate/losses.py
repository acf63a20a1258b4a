"""Rules 2 and 3: protected cases, each case that passed before, and cases gone from the files."""

from collections.abc import Iterator

from fairtrial.gate.chance import live_loss, live_protected
from fairtrial.gate.comparison import Compared, Comparison, Finding, rate
from fairtrial.gate.screening import lost_all
from fairtrial.gate.wording import first_of, now_counts
from fairtrial.records import BaselineCase, Reason
from fairtrial.text import cut


def protected_cases(comparison: Comparison) -> Iterator[Finding]:
    """Find protected cases with a failing trial, and protection that was taken off."""
    for case in comparison.cases:
        before, now = case.before, case.now
        if case.protected and now.failed:
            yield _protected_failure(comparison, case)
        if before is not None and before.protected and (now.informs or not now.protected):
            text = (
                "is protected in the baseline and no longer in the files;"
                " it counts as protected until `fairtrial accept`"
            )
            yield case.finding("protected", "warning", text)


def _protected_failure(comparison: Comparison, case: Compared) -> Finding:
    now = case.now
    text = f"is protected and passed {_change(case)}"
    loss = 1 - now.passed / now.measured
    if comparison.deterministic or lost_all(case):
        return case.finding("protected", "fail", text + first_of(now), loss=loss)
    return live_protected(comparison, case, text, loss=loss)


def _change(case: Compared) -> str:
    if case.before is None or not case.before.measured or case.changed:
        return now_counts(case.now)
    more = case.more
    further = ""
    if more and more.more_measured:
        further = f", then {more.more_passed} of {more.more_measured} more"
    return f"{_counts(case.before)}, now {now_counts(case.now)}{further}"


def _counts(before: BaselineCase) -> str:
    return f"{before.passed} of {before.measured}"


def each_case(comparison: Comparison) -> Iterator[Finding]:
    """Find cases that lost trials, and those that gained some or fail as before."""
    for case in comparison.shared:
        before, now = case.accepted, case.now
        if before is None or (case.protected and (now.failed or now.unmeasured)):
            continue  # rules 1 and 2 have said it
        balance = now.passed * before.measured - before.passed * now.measured
        if balance < 0:
            yield _loss(comparison, case)
        elif case.was_passing and now.unmeasured and comparison.deterministic:
            yield _hidden(case)
        elif balance > 0:
            yield _rise(comparison, case)
        elif now.failed:
            text = f"passed {_change(case)}: no better and no worse"
            yield case.finding("case", "note", text + first_of(now))


def _loss(comparison: Comparison, case: Compared) -> Finding:
    now = case.now
    before = (rate(case.before) if case.before else None) or 0.0
    loss = before - now.passed / now.measured
    text = f"passed {_change(case)}"
    if comparison.deterministic:
        return case.finding("case", "fail", text + first_of(now), loss=loss)
    return live_loss(comparison, case, text, loss=loss)


def _hidden(case: Compared) -> Finding:
    """Warn of an error where a pass was; rule 1 says how many of them are too many."""
    now = case.now
    text = f"passed {_change(case)}: what was not measured may hide a loss"
    return case.finding("case", "warning", text + first_of(now), loss=1 - now.strict_rate)


def _rise(comparison: Comparison, case: Compared) -> Finding:
    now = case.now
    text = f"passed {_change(case)}"
    if comparison.deterministic and now.failed:
        text += ": better, and flaky although no live model spoke"
        return case.finding("case", "warning", text + first_of(now))
    return case.finding("case", "note", f"{text}: better")


def removed_cases(comparison: Comparison) -> Iterator[Finding]:
    """Find accepted cases that are gone from the files."""
    accepted = comparison.baseline.cases if comparison.baseline else {}
    fresh = sorted(
        (case.id, case.hash) for case in comparison.candidate.cases if case.id not in accepted
    )
    renamed = {content: name for name, content in reversed(fresh)}
    for place, (name, before) in enumerate(
        sorted(comparison.gone.items()), start=len(comparison.cases)
    ):
        twin = renamed.get(before.hash)
        hint = f"; {cut(twin)} has the same content: renamed?" if twin else ""
        yield _removal(comparison, name, before, hint=hint, place=place)


def _removal(
    comparison: Comparison, name: str, before: BaselineCase, *, hint: str, place: int
) -> Finding:
    text = f"{cut(name)} is gone from the files (it passed {_counts(before)}){hint}"
    allowed = comparison.settings.allow_removed and not before.protected
    if before.protected:
        text = f"{text}; it is protected, and only `fairtrial accept` takes it off"
    elif not allowed:
        text = f"{text}; `--allow-removed` or `fairtrial accept` lets it go"
    reason = Reason(
        rule="protected" if before.protected else "removed",
        kind="note" if allowed else "fail",
        text=text,
        case=name,
        baseline=rate(before),
    )
    return Finding(reason=reason, protected=before.protected, loss=1.0, place=place)
