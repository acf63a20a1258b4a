"""Graders turn a case and a trajectory into checks and a verdict.

Pure: no I/O, clock, randomness or model.
"""

from fairtrial.graders.grading import CaseGrader, Graders, GradingSettings
from fairtrial.graders.own import GraderFunction, grader, yes_no

__all__ = ["CaseGrader", "GraderFunction", "Graders", "GradingSettings", "grader", "yes_no"]
