"""fairtrial report: a saved run shown again, or written as JSON."""

import os
import sys
from pathlib import Path

import click

from fairtrial.cli.options import (
    complain,
    config_option,
    json_option,
    keep_apart,
    print_lines,
    project_of,
    tell_of_missing,
    verbose_option,
)

_EPILOG = """\b
Examples:
  fairtrial report                     the newest run in the terminal
  fairtrial report latest --json out.json

Exit codes: 0 shown or written, 2 usage or files."""


@click.command(name="report", epilog=_EPILOG)
@click.argument("run", default="latest", metavar="[RUN]")
@json_option("the run")
@config_option
@verbose_option
def command(run: str, json_out: Path | None, config: Path | None, verbose: bool) -> int:
    """Show a saved run again; with --json write it to a file instead.

    RUN is a folder, an id, the start of one, `latest` (the default), or a file that --json wrote.
    """
    from fairtrial.report import scorecard_lines, style_for
    from fairtrial.store import find_run, write_report

    project = project_of(config)
    found = find_run(run, project.root)
    keep_apart("--json", json_out, [project.file])
    if found.folder is None:
        complain(f"the transcripts of run {found.info.id} are missing")
    tell_of_missing(found)
    if json_out is not None:
        write_report(json_out, found.info, found.scorecard, found.results())
        return 0
    style = style_for(sys.stdout, os.environ)
    print_lines(
        scorecard_lines(found.info, found.scorecard, found.results(), style, verbose=verbose)
    )
    return 0
