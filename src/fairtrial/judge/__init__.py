"""The judge: a model that answers rubric items, and what it takes before it may decide."""

from fairtrial.judge.calibration import calibrate

__all__ = ["calibrate"]
