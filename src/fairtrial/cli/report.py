"""fairtrial report: a saved run shown again, or written for others to read; and the past."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairtrial.cli.apart import keep_outs_apart
from fairtrial.cli.options import (
    complain,
    config_option,
    json_option,
    print_lines,
    project_of,
    tell_of_missing,
    verbose_option,
)
from fairtrial.cli.page import fit_options, page_options, show_history, write_run_page
from fairtrial.cli.written import (
    Written,
    annotate,
    write_asked,
    written_options,
)

if TYPE_CHECKING:
    from fairtrial.store import SavedRun

_EPILOG = """\b
Examples:
  fairtrial report                     the newest run in the terminal
  fairtrial report latest --json out.json
  fairtrial report --markdown comment.md --junit junit.xml
  fairtrial report --annotations       what GitHub shows at the lines of the cases
  fairtrial report --html report.html
  fairtrial report --html report.html --compare before.json
  fairtrial report --history --case cancel-ill-guest --last 30

Exit codes: 0 shown or written, 2 usage or files."""


@click.command(name="report", epilog=_EPILOG)
@click.argument("run", default="latest", metavar="[RUN]")
@json_option("the run")
@written_options
@page_options
@config_option
@verbose_option
def command(
    run: str,
    json_out: Path | None,
    written: Written,
    html: Path | None,
    compare: str | None,
    history: bool,
    case: str | None,
    last: int | None,
    config: Path | None,
    verbose: bool,
) -> int:
    """Show a saved run again; with an option that writes, write it instead.

    What the gate decided of the run is in it, if it was asked.

    RUN is a folder, an id, the start of one, `latest` (the default), or a file that --json wrote.
    """
    from fairtrial.report import scorecard_lines, style_for
    from fairtrial.store import find_run, write_report

    fit_options(
        html=html, compare=compare, history=history, case=case, last=last, others=written.asked
    )
    project = project_of(config)
    if history:
        show_history(run, project, (html, json_out), case=case, last=last, verbose=verbose)
        return 0
    found = find_run(run, project.root)
    anew = None if _is_report_of(found, json_out) else json_out  # it may be written over itself
    keep_outs_apart({"--html": html, "--json": anew, **written.files}, project, found)
    if found.folder is None:
        complain(f"the transcripts of run {found.info.id} are missing")
    tell_of_missing(found)
    if html is not None:
        write_run_page(html, found, compare, project)
    if json_out is not None:
        write_report(json_out, found.info, found.scorecard, found.results())
    write_asked(found, written)
    annotate(found, written)
    if html is not None or json_out is not None or written.asked:
        return 0
    style = style_for(sys.stdout, os.environ)
    print_lines(
        scorecard_lines(found.info, found.scorecard, found.results(), style, verbose=verbose)
    )
    return 0


def _is_report_of(run: "SavedRun", out: Path | None) -> bool:
    if out is None or run.report is None or not out.exists():
        return False
    return out.samefile(run.report)
