"""A case and a run in few words, for reports of others: a test runner has its own frame."""

from collections.abc import Iterator

from fairtrial.records import CaseResult, RunInfo, Scorecard
from fairtrial.report.evidence import INDENT, evidence_lines, first_finding
from fairtrial.report.figures import counted
from fairtrial.report.harmless import inert
from fairtrial.report.prose import entry, short
from fairtrial.report.scorecard import opening_lines
from fairtrial.report.style import Style
from fairtrial.report.summary import rate_line
from fairtrial.report.view import CaseView

_HEADLINE = 200  # cells


def case_lines(result: CaseResult, style: Style) -> Iterator[str]:
    """Give how many trials passed, and for each check that failed its most frequent reason.

    Args:
        result: The case, with all its trials.
        style: Of the stream.

    >>> result = CaseResult(id="c", tags=(), protected=True, hash="0", status="error",
    ...     pass_rate=None, trials=(), planned=3, source="a.yaml:1")
    >>> list(case_lines(result, Style()))
    ['0 of 0 measured trials passed', 'a.yaml:1 (protected)', '0 of 3 planned trials measured']
    """
    view = CaseView.of(result)
    figures = view.figures
    yield f"{figures.passed} of {counted(figures.measured, 'measured trial')} passed"
    for line in evidence_lines(view, style, verbose=False):
        yield inert(line.removeprefix(" " * INDENT))


def case_headline(result: CaseResult, style: Style) -> str:
    """Give the first thing that was wrong with a case on one line.

    >>> result = CaseResult(id="c", tags=(), protected=True, hash="0", status="error",
    ...     pass_rate=None, trials=(), planned=3, source="a.yaml:1")
    >>> case_headline(result, Style())
    'nothing was measured'
    """
    return inert(short(first_finding(CaseView.of(result)), style, _HEADLINE))


def run_lines(info: RunInfo, scorecard: Scorecard, style: Style) -> Iterator[str]:
    """Give who spoke, how cases and trials came out, the pass rate, and what must be known.

    >>> info = RunInfo(id="r1", folder=None, mode="none", variant=None, selection=None)
    >>> none = dict.fromkeys(Scorecard.__struct_fields__)
    >>> none |= {"passed": 0, "failed": 0, "trials": 0, "statuses": {}, "k": 1, "notes": ("Odd.",)}
    >>> none["not_measured"] = ()
    >>> list(run_lines(info, Scorecard(**none), Style()))[-2:]
    ['pass rate    - nothing was measured', 'note         Odd.']
    """
    yield from map(inert, opening_lines(info, scorecard, style))
    yield from rate_line(scorecard, style)
    for note in scorecard.notes:
        yield from map(inert, entry("note", note, style, most=8))
