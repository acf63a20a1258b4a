"""What the gate lists and does not count: changed and new cases, informing checks, notes."""

from collections.abc import Iterator

import msgspec

from fairtrial.gate.comparison import Compared, Comparison, Finding
from fairtrial.gate.wording import counted, first_of, names, now_counts
from fairtrial.records import Reason, ReasonKind, Selection
from fairtrial.text import cut


def changed_cases(comparison: Comparison) -> Iterator[Finding]:
    """List the cases whose content changed, those first that passed before and now fail."""
    for case in comparison.cases:
        before, now = case.before, case.now
        if before is None or not case.changed:
            continue
        counts = f"{now_counts(now)}, and {before.passed} of {before.measured} as it was"
        text = f"has changed since the baseline: it passes {counts}"
        if case.was_passing and now.failed:
            loss = now.failed / now.measured
            yield case.finding("changed", "warning", text + first_of(now), loss=loss, leads=True)
        else:
            yield case.finding("changed", "note", text)


def new_cases(comparison: Comparison) -> Iterator[Finding]:
    """List the cases that the baseline does not know; without a baseline only those that fail."""
    for case in comparison.cases:
        now = case.now
        if case.before is not None:
            yield from _never_measured(case)
        elif now.failed and not case.protected:
            text = f"passes {now_counts(now)}; nothing was accepted for it yet"
            yield case.finding("new", "warning", text + first_of(now), loss=now.failed)
        elif comparison.baseline is not None:
            counts = f": it passes {now_counts(now)}" if now.measured else ""
            yield case.finding("new", "note", f"is new{counts}")


def _never_measured(case: Compared) -> Iterator[Finding]:
    now, before = case.now, case.before
    if before is None or before.measured or case.changed or not now.measured:
        return
    text = f"passes {now_counts(now)} and was not measured in the baseline"
    kind: ReasonKind = "warning" if now.failed and not case.protected else "note"
    yield case.finding("new", kind, text + first_of(now))


def informing_drops(comparison: Comparison) -> Iterator[Finding]:
    """Warn of checks and cases that only inform and pass less often than before."""
    for case in comparison.cases:
        before, now = case.before, case.now
        if before is None or case.changed:
            continue
        if now.informs and _fell((before.passed, before.measured), (now.passed, now.measured)):
            text = f"only informs and passed {before.passed} of {before.measured}"
            yield case.finding("checks", "warning", f"{text}, now {now_counts(now)}{first_of(now)}")
        for name in now.informing:
            old, new = before.checks.get(name, (0, 0)), now.checks[name]
            if _fell(old, new):
                yield _check_drop(case, name, old, new)


def _fell(old: tuple[int, int], new: tuple[int, int]) -> bool:
    return old[1] > 0 and new[0] * old[1] < old[0] * max(new[1], 1)


def _check_drop(case: Compared, name: str, old: tuple[int, int], new: tuple[int, int]) -> Finding:
    now = f"now {new[0]} of {new[1]}" if new[1] else "now it cannot be told"
    text = f"informs that {cut(name)} passed {old[0]} of {old[1]}, {now}"
    before, after = old[0] / old[1], new[0] / new[1] if new[1] else None
    found = case.finding("checks", "warning", text, loss=before - (after or 0.0))
    # The numbers are the check's here: the case itself may pass as before.
    reason = msgspec.structs.replace(found.reason, baseline=before, candidate=after)
    return msgspec.structs.replace(found, reason=reason)


def what_was_compared(comparison: Comparison) -> Iterator[Finding]:
    """Say what the reader must know of the comparison itself: filter, modes, no baseline."""
    baseline, info = comparison.baseline, comparison.candidate.info
    if comparison.candidate.filtered and info.selection is not None:
        yield _line("filter", "note", _filter(comparison, info.selection))
    if baseline is None:
        text = "there is no baseline: cases were held against nothing but protection and bars"
        yield _line("baseline", "note", text)
    elif baseline.mode != info.mode:
        text = f"the baseline is {_spoken(baseline.mode)}, this run {_spoken(info.mode)}"
        yield _line("baseline", "warning", f"{text}: they do not measure the same")
    if baseline is not None and baseline.judge != comparison.candidate.judge:
        yield _line("baseline", "warning", _judged(baseline.judge, comparison.candidate.judge))
    if not comparison.live and comparison.flaky_before:
        flaky = sorted(comparison.flaky_before)
        text = (
            f"{counted(len(flaky), 'case')} flaky in the baseline ({names(flaky)}):"
            " a loss can be chance and fails only when confirmed"
        )
        yield _line("baseline", "warning", text)


def _judged(before: str | None, now: str | None) -> str:
    if now is None:
        return "a judge decided in the baseline, and none decides here: what it saw cannot show"
    if before is None:
        return "a judge decides here, and none did in the baseline: they do not measure the same"
    return "another judge decided in the baseline: they do not measure the same"


def _filter(comparison: Comparison, chosen: Selection) -> str:
    accepted = comparison.baseline.cases if comparison.baseline else {}
    here = {case.now.id for case in comparison.cases}
    absent = sum(name not in here for name in accepted)
    parts = [
        f"{word} {names(values)}"
        for word, values in (("id", chosen.ids), ("tag", chosen.tags), ("only", chosen.only))
        if values
    ]
    parts += ["protected"] if chosen.protected else []
    text = f"the run is filtered ({'; '.join(parts)})"
    return f"{text}: {counted(absent, 'other case')} of the baseline not looked for"


def _spoken(mode: str) -> str:
    return "without a model" if mode == "none" else mode


def _line(rule: str, kind: ReasonKind, text: str) -> Finding:
    return Finding(reason=Reason(rule=rule, kind=kind, text=text))
