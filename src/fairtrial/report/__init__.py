"""What people read: scorecards, decisions and differences, in the terminal, in files, as a page.

What only a report in a file, a judge or pytest needs is imported when it is asked for.
"""

import importlib
from typing import TYPE_CHECKING

from fairtrial.report.coverage import coverage_lines
from fairtrial.report.decision import decision_lines
from fairtrial.report.differences import difference_lines
from fairtrial.report.harmless import inert
from fairtrial.report.planning import noise_lines, size_lines
from fairtrial.report.problems import problem_lines
from fairtrial.report.progress import Progress
from fairtrial.report.scorecard import scorecard_lines
from fairtrial.report.style import NARROWEST, PLAIN, USUAL, WIDEST, Style, style_for
from fairtrial.report.view import CaseView

if TYPE_CHECKING:
    from fairtrial.report.annotations import annotation_lines
    from fairtrial.report.brief import case_headline, case_lines, run_lines
    from fairtrial.report.calibration import calibration_lines
    from fairtrial.report.comparison import comparison_lines
    from fairtrial.report.history import history_lines
    from fairtrial.report.html import LONGEST_STATE, Beside, RunPage, history_pieces
    from fairtrial.report.judge_batch import batch_wanted_lines, batched_lines
    from fairtrial.report.junit import junit_lines
    from fairtrial.report.labelling import (
        LabelView,
        body_height,
        end_screen,
        help_screen,
        label_screen,
        transcript_lines,
    )
    from fairtrial.report.markdown import LEAST_BYTES, MOST_BYTES, markdown_text
    from fairtrial.report.place import blob_of
    from fairtrial.report.probe import probe_lines

__all__ = [
    "LEAST_BYTES",
    "LONGEST_STATE",
    "MOST_BYTES",
    "NARROWEST",
    "PLAIN",
    "USUAL",
    "WIDEST",
    "Beside",
    "CaseView",
    "LabelView",
    "Progress",
    "RunPage",
    "Style",
    "annotation_lines",
    "batch_wanted_lines",
    "batched_lines",
    "blob_of",
    "body_height",
    "calibration_lines",
    "case_headline",
    "case_lines",
    "comparison_lines",
    "coverage_lines",
    "decision_lines",
    "difference_lines",
    "end_screen",
    "help_screen",
    "history_lines",
    "history_pieces",
    "inert",
    "junit_lines",
    "label_screen",
    "markdown_text",
    "noise_lines",
    "probe_lines",
    "problem_lines",
    "run_lines",
    "scorecard_lines",
    "size_lines",
    "style_for",
    "transcript_lines",
]

_HOMES = {
    "annotation_lines": "annotations",
    "case_headline": "brief",
    "case_lines": "brief",
    "run_lines": "brief",
    "calibration_lines": "calibration",
    "comparison_lines": "comparison",
    "history_lines": "history",
    "LONGEST_STATE": "html",
    "Beside": "html",
    "RunPage": "html",
    "history_pieces": "html",
    "batch_wanted_lines": "judge_batch",
    "batched_lines": "judge_batch",
    "junit_lines": "junit",
    "LabelView": "labelling",
    "body_height": "labelling",
    "end_screen": "labelling",
    "help_screen": "labelling",
    "label_screen": "labelling",
    "transcript_lines": "labelling",
    "LEAST_BYTES": "markdown",
    "MOST_BYTES": "markdown",
    "markdown_text": "markdown",
    "blob_of": "place",
    "probe_lines": "probe",
}


def __getattr__(name: str) -> object:
    """Load a name when it is first used.

    Raises:
        AttributeError: There is no such name.
    """
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
