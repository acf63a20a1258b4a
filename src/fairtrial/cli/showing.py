"""A graded run in the terminal: what could not be read, the scorecard, what the exit code means."""

import os
import sys

from fairtrial.cli.options import FAILED, INTERRUPTED, PASSED, USAGE, complain, print_lines
from fairtrial.flow.graded import GradedRun
from fairtrial.report import scorecard_lines, style_for

_ENDED = {USAGE: "the report could not be written", INTERRUPTED: "interrupted"}


def show_graded(run: GradedRun, code: int | None, *, verbose: bool, quiet: bool) -> None:
    """Print the scorecard, and last what the exit code is and means; None: another one follows."""
    for line in run.unread.named:
        complain(line)
    more = run.unread.total - len(run.unread.named)
    if more > 0:
        complain(f"and {more} more lines that could not be read")
    closing = "" if code is None else f"exit {code}: {meaning(run, code)}"
    if quiet:
        for note in run.scorecard.notes:
            complain(note)
        print_lines([closing] if closing else [])
        return
    style = style_for(sys.stdout, os.environ)
    lines = scorecard_lines(
        run.info, run.scorecard, run.views(), style, closing=closing, verbose=verbose
    )
    print_lines(lines)


def meaning(run: GradedRun, code: int) -> str:
    """Say what the exit code means, for the last line."""
    card = run.scorecard
    if code in _ENDED:
        return _ENDED[code]
    if code == PASSED:
        if run.exit == FAILED:
            return "trials failed, and that is allowed here"
        only = card.failed or card.errors or card.not_measured
        return "all that decides passed" if only else "everything was measured and passed"
    if code == FAILED:
        return "a trial failed"
    if not card.passed and not card.failed:
        return "nothing was measured"
    if not run.decides:
        return "nothing decides: all cases only inform"
    if run.lost and not card.errors and not card.not_measured:
        is_run = "live" in run.info.settings  # `run` keeps it, and `grade` does not
        what = "planned was run" if is_run else "recorded could be graded"
        return f"not all that was {what}"
    return "something could not be measured"
