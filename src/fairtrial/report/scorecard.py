"""A scorecard for the terminal, streamed: who spoke, the cases worst first, the rates, the end."""

from collections.abc import Iterable, Iterator

from fairtrial.records import CaseResult, Mode, RunInfo, Scorecard, Selection, Status
from fairtrial.report.adaptive import adaptive_lines
from fairtrial.report.evidence import evidence_lines, findings
from fairtrial.report.figures import counted
from fairtrial.report.judge_use import judge_lines
from fairtrial.report.measure import seen
from fairtrial.report.prose import LABEL, aside, entry, names, paragraph
from fairtrial.report.rows import head_row, row
from fairtrial.report.style import Style
from fairtrial.report.summary import rate_lines, total_lines
from fairtrial.report.view import CaseView

SMALL = 40
"""Cases up to which the passed ones are shown too; beyond they are counted, save `--verbose`."""

MOST_IN_FULL = 40
"""Cases shown with all that failed in them, save `--verbose`; further bad ones get their row."""

_MOST_REASONS = 10
_LONGEST_REASON = 400

_NO_MODEL_ASKED = "No model was seen: the agent asked none that fairtrial can see."

_MODES: dict[Mode, str] = {
    "none": "No model was seen: recordings were graded as they are.",
    "scripted": "Scripted: the script decided for the model,"
    " so a prompt or model change cannot show here.",
    "live": "Live: the agent's own model spoke.",
    "replayed": "Replayed: recorded replies stood in for the model,"
    " so a model change cannot show here.",
}


def scorecard_lines(
    info: RunInfo,
    scorecard: Scorecard,
    results: Iterable[CaseResult | CaseView],
    style: Style,
    *,
    closing: str = "",
    verbose: bool = False,
) -> Iterator[str]:
    """Give the scorecard line by line, without line ends, while the results are being read.

    Cases that did not simply pass come first, in their order, with their evidence; then the passed
    ones, a line each (small suites, `verbose`) or counted; then rates, totals, notes and `closing`.

    Args:
        info: The run.
        scorecard: Its numbers, unrounded.
        results: Its cases, read once and never all held: with all their trials, or views of them.
        style: Of the stream.
        closing: The last line: what the exit code is and what it means.
        verbose: True shows everything that is else counted.

    >>> info = RunInfo(id="r1", folder=None, mode="none", variant=None, selection=None)
    >>> none = dict.fromkeys(Scorecard.__struct_fields__)
    >>> none |= {"trials": 0, "statuses": {}, "k": 1}
    >>> next(scorecard_lines(info, Scorecard(**none), [], Style()))
    'No model was seen: recordings were graded as they are. 0 cases, 0 trials.'
    """
    yield from opening_lines(info, scorecard, style)
    reading = _Reading(show_passed=verbose or sum(scorecard.statuses.values()) <= SMALL)
    yield from reading.case_lines(results, scorecard.currency, style, verbose=verbose)
    yield from rate_lines(scorecard, reading.informing(), style, verbose=verbose)
    live = info.mode == "live"
    yield from total_lines(scorecard, reading.estimated, style, verbose=verbose, live=live)
    if scorecard.adaptive is not None:
        yield from adaptive_lines(scorecard.adaptive, scorecard.currency, style, verbose=verbose)
    if scorecard.judge is not None:
        yield from judge_lines(scorecard.judge, scorecard.currency, style, verbose=verbose)
    yield from _protected(scorecard, style)
    yield from _not_measured(scorecard, reading, style)
    for note in scorecard.notes:
        yield from entry("note", note, style, most=8)
    if info.folder is not None:
        yield f"{'saved in':<{LABEL}}{seen(info.folder, unicode=style.unicode)}"
    if closing:
        yield ""
        yield from paragraph(closing, style, indent=(0, 0), most=20)


def opening_lines(info: RunInfo, scorecard: Scorecard, style: Style) -> Iterator[str]:
    """Give who spoke for the model, how much was run, how it came out, and what was run."""
    cases = sum(scorecard.statuses.values())
    each = f" ({scorecard.k:,} a case)" if scorecard.k > 1 else ""
    size = f"{counted(cases, 'case')}, {counted(scorecard.trials, 'trial')}{each}."
    yield from paragraph(f"{said_of_mode(info)} {size}", style, indent=(0, 0))
    yield from paragraph(_outcome(scorecard), style, indent=(0, 0))
    known = (("agent", info.agent), ("variant", info.variant))
    about = [f"{word} {text}" for word, text in known if text]
    if info.folder is None:
        about.append(f"run {info.id}, not saved")
    if about:
        yield from paragraph(", ".join(about), style, indent=(0, 0), most=3)
    if info.selection is not None:
        yield from paragraph(_selected(info.selection), style, indent=(0, 0), most=3)


def said_of_mode(info: RunInfo) -> str:
    """Say who spoke for the model, and what therefore cannot show in the run.

    >>> said_of_mode(RunInfo(id="r", folder=None, mode="live", variant=None, selection=None))
    "Live: the agent's own model spoke."
    """
    ran = info.mode == "none" and info.agent is not None
    return _NO_MODEL_ASKED if ran else _MODES[info.mode]


def _outcome(scorecard: Scorecard) -> str:
    """Count cases and trials by how they came out, leaving out what there is none of."""
    known: tuple[Status, ...] = ("passed", "failed", "flaky", "error")
    cases = [(scorecard.statuses.get(status, 0), status) for status in known]
    trials = [
        (scorecard.passed, "passed"),
        (scorecard.failed, "failed"),
        (scorecard.errors, "error"),
    ]
    parts = [
        f"{what}: " + ", ".join(f"{count:,} {word}" for count, word in counts if count)
        for what, counts in (("cases", cases), ("trials", trials))
        if any(count for count, _ in counts)
    ]
    return "; ".join(parts) if parts else "Nothing was measured."


def _selected(selection: Selection) -> str:
    parts = [
        f"{word} {', '.join(chosen[:20])}" + (f" and {len(chosen) - 20} more" * (len(chosen) > 20))
        for word, chosen in (
            ("ids", selection.ids),
            ("tags", selection.tags),
            ("only", selection.only),
        )
        if chosen
    ]
    parts += ["protected cases"] * bool(selection.protected)
    return "Part of the suite: " + "; ".join(parts)


class _Reading:
    """What is kept of the results while they pass by once."""

    def __init__(self, *, show_passed: bool) -> None:
        self.estimated = 0
        self.reasons: dict[str, list[str]] = {}
        self._show_passed = show_passed
        self._marked = False
        self._deciding: set[str] = set()
        self._informing: set[str] = set()

    def case_lines(
        self,
        results: Iterable[CaseResult | CaseView],
        currency: str,
        style: Style,
        *,
        verbose: bool,
    ) -> Iterator[str]:
        bad = passed = 0
        rows_of_passed: list[str] = []
        for result in results:
            view = result if isinstance(result, CaseView) else CaseView.of(result)
            if not bad and not passed:
                yield ""
                yield from head_row(style, currency)
            self._take(view)
            if _simply_passed(view):
                passed += 1
                if self._show_passed:
                    rows_of_passed += row(view, style)
                    rows_of_passed += findings(view, style, verbose=verbose)
                continue
            bad += 1
            yield from row(view, style)
            if verbose or bad <= MOST_IN_FULL:
                yield from evidence_lines(view, style, verbose=verbose)
            self._marked |= view.figures.failed_calls
        yield from rows_of_passed
        if bad > MOST_IN_FULL and not verbose:
            rest = counted(bad - MOST_IN_FULL, "case")
            yield from aside(f"{rest} without details (show with --verbose)", style)
        if passed and not self._show_passed:
            yield from aside(f"{passed:,} passed (show with --verbose)", style)
        if self._marked:
            yield style.paint("In calls, ! marks one that failed.", "dim")

    def informing(self) -> frozenset[str]:
        return frozenset(self._informing - self._deciding)

    def _take(self, view: CaseView) -> None:
        self.estimated += view.figures.estimates
        self._deciding.update(view.figures.deciding)
        self._informing.update(view.figures.informing)
        if view.result.status == "error":
            reason = _why_unmeasured(view)
            if reason in self.reasons or len(self.reasons) <= _MOST_REASONS:
                self.reasons.setdefault(reason, []).append(view.result.id)


def _simply_passed(view: CaseView) -> bool:
    trials, measured = view.figures.trials, view.figures.measured
    return view.result.status == "passed" and measured == trials >= view.result.planned


def _why_unmeasured(view: CaseView) -> str:
    for trial in view.telling:
        if trial.error is not None:
            return trial.error[:_LONGEST_REASON]
        for check in trial.checks:
            if check.decides and check.passed is None:
                return f"{check.name}: {check.reason}"[:_LONGEST_REASON]
    return "no reason was kept" if view.figures.trials else "no trial"


def _protected(scorecard: Scorecard, style: Style) -> Iterator[str]:
    failed = scorecard.protected_failed
    if failed:
        text = f"{counted(len(failed), 'case')} with a failing trial: "
        listed = names(failed, style, most=100)
        yield from entry("protected", text + listed, style, most=12)


def _not_measured(scorecard: Scorecard, reading: _Reading, style: Style) -> Iterator[str]:
    unmeasured = scorecard.not_measured
    if not unmeasured:
        return
    yield from entry("not measured", counted(len(unmeasured), "case"), style)
    by_size = sorted(reading.reasons.items(), key=lambda item: -len(item[1]))[:_MOST_REASONS]
    told = 0
    for reason, ids in by_size:
        told += len(ids)
        text = f"{names(ids, style, most=4)}: {reason}"
        yield from paragraph(text, style, indent=(LABEL, LABEL + 4), most=3)
    if told < len(unmeasured):
        yield from aside(f"and {counted(len(unmeasured) - told, 'more case')}", style, LABEL)
