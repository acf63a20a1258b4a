"""What a case or the gate has to say for itself, told through pytest without a traceback."""

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

from fairtrial.records import CaseResult
from fairtrial.report import Style, case_headline, case_lines, inert

Kind: TypeAlias = Literal["failed", "error", "informs"]
"""failed: a failing test. error: pytest's error, as of a test whose setup failed. informs: what
pytest calls xfailed: shown, and never failing."""


class Told(pytest.fail.Exception):  # type: ignore[misc, name-defined]  # made by a decorator
    """Raised in a test of ours; the report shows its lines and nothing else.

    One of pytest's own, so that pytest does not look through its traceback, which takes a second.
    """

    def __init__(self, kind: Kind, headline: str, lines: Iterable[str]) -> None:
        """Keep what is to be told.

        Args:
            kind: What it is to pytest.
            headline: One line, for the summary.
            lines: All of it, inert.
        """
        self.kind = kind
        self.headline = headline
        super().__init__("\n".join(lines), pytrace=False)


def of_case(result: CaseResult, why: str | None, style: Style) -> Told | None:
    """Say what a case came to; None where all trials passed.

    Args:
        result: The case with all its trials.
        why: Why trials are missing, if any are.
        style: Of the stream.
    """
    lines = list(case_lines(result, style))
    headline = case_headline(result, style)
    missing = result.planned - len(result.trials)
    if missing > 0:
        told = f"{missing} of {result.planned} planned trials were not run: {why or 'unknown'}"
        lines.insert(1, inert(told))
        headline = told if not result.trials else headline
    passed = sum(trial.verdict == "passed" for trial in result.trials)
    if missing <= 0 and passed == len(result.trials):
        return None
    if result.informs:
        return Told("informs", f"the case only informs: {headline}", lines)
    measured = sum(trial.verdict != "error" for trial in result.trials)
    kind: Kind = "failed" if measured == result.planned else "error"
    return Told(kind, headline, lines)


def put_into(
    report: pytest.TestReport, excinfo: "pytest.ExceptionInfo[Any]", place: tuple[Path, int]
) -> None:
    """Let a report show what was told, at the place in the case file, and nothing of ours."""
    told = excinfo.value
    if not isinstance(told, Told):
        return
    path, line = place
    shown: Any = excinfo.getrepr(style="value", chain=False)
    crash = dataclasses.replace(shown.reprcrash, path=str(path), lineno=line, message=told.headline)
    report.longrepr = type(shown)([(shown.reprtraceback, crash, None)])
    if told.kind == "informs":
        report.outcome = "skipped"
        report.wasxfail = told.headline
