"""Trials in, scorecard out."""

from fairtrial.scorecard.estimates import rate_interval
from fairtrial.scorecard.tally import Tally, exit_code

__all__ = ["Tally", "exit_code", "rate_interval"]
