"""Why a case is not simply passed: its checks over all trials, each said once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairtrial.records import Check, Trial
from fairtrial.report.figures import counted
from fairtrial.report.measure import cells
from fairtrial.report.path import path_line
from fairtrial.report.prose import aside, paragraph, short
from fairtrial.report.style import Paint, Style
from fairtrial.report.view import CaseView

INDENT = 8
"""Where what belongs to a case begins."""

_MOST_CHECKS = 8
"""Checks of one case, without `--verbose`; the others are counted."""

_EVERYTHING = 1_000_000

_LINES, _LINES_VERBOSE = 5, 40
"""Lines of one reason; a longer one ends in an ellipsis and is whole in the run and in `--json`."""


class _Finding(NamedTuple):
    rank: int
    """0 failed, 1 could not be told, 2 failed and only informs."""
    name: str


_WORDS: tuple[tuple[str, Paint], ...] = (
    ("failed", "red"),
    ("cannot tell", "yellow"),
    ("(informs) failed", "dim"),
)


def evidence_lines(view: CaseView, style: Style, *, verbose: bool) -> Iterator[str]:
    """Give the lines under a case: where it stands, the path of its first bad trial, what failed.

    Each deciding check that failed or could not be told comes once, with the number of trials and
    its most frequent reason; informing checks that failed come last and say so.
    """
    yield from _standing(view, style)
    yield from _path(view, style)
    yield from _errors(view, style, verbose=verbose)
    yield from findings(view, style, verbose=verbose)


def findings(view: CaseView, style: Style, *, verbose: bool) -> Iterator[str]:
    """Give a paragraph for each check that failed, or that decides and could not be told."""
    reasons: dict[_Finding, Counter[str]] = {}
    for trial in view.telling if view.figures.telling else ():
        for finding, reason in _of_trial(trial):
            reasons.setdefault(finding, Counter())[reason] += 1
    found = sorted(reasons, key=lambda finding: finding.rank)
    most = _EVERYTHING if verbose else _MOST_CHECKS
    for finding in found[:most]:
        where = _in_trials(reasons[finding], view.figures.trials)
        word, colour = _WORDS[finding.rank]
        (reason, _), *_ = reasons[finding].most_common(1)
        text = f"{short(finding.name, style, 100)}{where}: {reason}"
        yield from _under(text, (word + " ", colour), style, verbose=verbose)
    if len(found) > most:
        more = counted(len(found) - most, "more check")
        yield from aside(f"and {more} (show with --verbose)", style, INDENT)


def first_finding(view: CaseView) -> str:
    """Give the first check that failed or could not be told, else why nothing was measured."""
    found = [finding for trial in view.telling for finding in _of_trial(trial)]
    if found:
        (finding, reason) = min(found, key=lambda one: one[0].rank)
        return f"{finding.name}: {reason}"
    errors = (trial.error for trial in view.telling if trial.error is not None)
    return next(errors, "nothing failed" if view.figures.measured else "nothing was measured")


def _of_trial(trial: Trial) -> Iterator[tuple[_Finding, str]]:
    seen: set[_Finding] = set()
    for check in trial.checks:
        rank = _rank(check)
        if rank is None:
            continue
        finding = _Finding(rank, check.name)
        if finding not in seen:
            seen.add(finding)
            yield finding, check.reason


def _rank(check: Check) -> int | None:
    if check.passed:
        return None
    if check.decides:
        return 0 if check.passed is False else 1
    return 2 if check.passed is False else None


def _in_trials(reasons: Counter[str], trials: int) -> str:
    if trials <= 1:
        return ""
    others = f", {counted(len(reasons) - 1, 'other reason')}" if len(reasons) > 1 else ""
    return f" in {reasons.total()} of {trials} trials{others}"


def _under(text: str, label: tuple[str, Paint], style: Style, *, verbose: bool) -> Iterator[str]:
    most = _LINES_VERBOSE if verbose else _LINES
    yield from paragraph(text, style, label=label, indent=(INDENT, INDENT + 4), most=most)


def _standing(view: CaseView, style: Style) -> Iterator[str]:
    """Give the place of the case uncut, so that an editor can jump to it, and what is special."""
    result = view.result
    special = ["protected"] * result.protected + ["never gates: it informs"] * result.informs
    text = ", ".join(special)
    if result.source is not None:
        place = short(result.source, style, 4096)
        joined = f"{place} ({text})" if text else place
        if not text or INDENT + cells(joined) <= style.width:
            yield " " * INDENT + joined
            text = ""
        else:
            yield " " * INDENT + place
    if text:
        yield from aside(text, style, INDENT)
    yield from _unmeasured(view, style)


def _unmeasured(view: CaseView, style: Style) -> Iterator[str]:
    measured, planned = view.figures.measured, view.result.planned
    errors = view.figures.trials - measured
    if measured < planned or errors:
        with_errors = f", {counted(errors, 'error')}" if errors else ""
        text = f"{measured} of {planned} planned trials measured{with_errors}"
        yield from aside(text, style, INDENT)


def _path(view: CaseView, style: Style) -> Iterator[str]:
    trial = next((trial for trial in view.telling if trial.verdict != "passed"), None)
    if trial is None or (trial.verdict == "error" and not trial.tools):
        return
    label = f"trial {trial.trial}: " if view.figures.trials > 1 else "calls: "
    room = style.width - INDENT - len(label)
    if trial.steps is None and not trial.tools:
        line = "steps unknown"
    else:
        failed, unrun = frozenset(trial.failed_calls), frozenset(trial.unrun or ())
        line = path_line(trial.tools, failed, style, unrun=unrun, room=room)
    yield " " * INDENT + style.paint(label, "dim") + line
    for failure in trial.failures or ():
        yield from _under(failure, ("call failed: ", "dim"), style, verbose=False)
    if trial.unrun:
        yield from _under(
            _never_run(trial, trial.unrun), ("never run: ", "dim"), style, verbose=False
        )


def _never_run(trial: Trial, unrun: Sequence[int]) -> str:
    tools = ", ".join(dict.fromkeys(trial.tools[index] for index in unrun))
    return f"{tools}: the world saw no such call; does the agent call task.tools?"


def _errors(view: CaseView, style: Style, *, verbose: bool) -> Iterator[str]:
    """Give what could not be measured and what the agent raised, unless a check says it anyway."""
    errors: dict[tuple[str, Paint], Counter[str]] = {}
    for trial in view.telling:
        if trial.error is None or any(
            trial.error in check.reason for check in trial.checks if not check.passed
        ):
            continue
        label: tuple[str, Paint] = (
            ("not measured", "yellow") if trial.verdict == "error" else ("agent error", "red")
        )
        errors.setdefault(label, Counter())[trial.error] += 1
    for (words, colour), reasons in errors.items():
        (reason, _), *_ = reasons.most_common(1)
        where = _in_trials(reasons, view.figures.trials)
        yield from _under(
            f"{where}: {reason}".lstrip(" "),
            (words + " " * bool(where), colour),
            style,
            verbose=verbose,
        )
