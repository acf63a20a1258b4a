"""One HTML file that opens anywhere and asks nobody: a run, two runs, or the history of cases."""

from fairtrial.report.html.history_page import history_pieces
from fairtrial.report.html.run_page import LONGEST_STATE, Beside, RunPage

__all__ = ["LONGEST_STATE", "Beside", "RunPage", "history_pieces"]
