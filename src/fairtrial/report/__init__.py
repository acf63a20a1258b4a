"""What people read in the terminal: scorecards, decisions, differences and located mistakes."""

from fairtrial.report.calibration import calibration_lines
from fairtrial.report.coverage import coverage_lines
from fairtrial.report.decision import decision_lines
from fairtrial.report.differences import difference_lines
from fairtrial.report.planning import noise_lines, size_lines
from fairtrial.report.problems import problem_lines
from fairtrial.report.progress import Progress
from fairtrial.report.scorecard import scorecard_lines
from fairtrial.report.style import PLAIN, Style, style_for
from fairtrial.report.view import CaseView

__all__ = [
    "PLAIN",
    "CaseView",
    "Progress",
    "Style",
    "calibration_lines",
    "coverage_lines",
    "decision_lines",
    "difference_lines",
    "noise_lines",
    "problem_lines",
    "scorecard_lines",
    "size_lines",
    "style_for",
]
