"""Graders turn a case and a trajectory into checks and a verdict.

Pure: no I/O, clock, randomness or model.
"""

from fairtrial.graders.grading import CaseGrader, Graders, GradingSettings, Verdicts
from fairtrial.graders.own import GraderFunction, grader, yes_no
from fairtrial.graders.rubric import gating_items, judge_questions

__all__ = [
    "CaseGrader",
    "GraderFunction",
    "Graders",
    "GradingSettings",
    "Verdicts",
    "gating_items",
    "grader",
    "judge_questions",
    "yes_no",
]
