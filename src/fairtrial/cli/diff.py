"""fairtrial diff: options, and the stories of flow.compare and flow.parting."""

import os
import sys
from pathlib import Path

import click

from fairtrial.cli.apart import keep_outs_apart
from fairtrial.cli.options import (
    complain,
    config_option,
    json_option,
    print_lines,
    project_of,
    verbose_option,
)

_EPILOG = """\b
Examples:
  fairtrial diff before.json after.json
  fairtrial diff 20261129-101500 latest

Exit codes: 0 compared, 2 usage or files."""


@click.command(name="diff", epilog=_EPILOG)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@json_option("the difference")
@config_option
@verbose_option
def command(a: str, b: str, json_out: Path | None, config: Path | None, verbose: bool) -> int:
    """Show what differs between two runs, case by case and check by check: B seen from A.

    A and B are runs: a folder, an id, the start of one, `latest`, or a file that --json wrote.

    Of each case that is worse (with --verbose of each that differs) one trial of B is followed to
    the first step where it parts from one of A; cases that part by one cause are told together.
    """
    from fairtrial.flow.compare import diff_runs
    from fairtrial.flow.parting import with_partings
    from fairtrial.report import difference_lines, style_for
    from fairtrial.store import find_run, write_json

    project = project_of(config)
    runs = [find_run(a, project.root), find_run(b, project.root)]
    keep_outs_apart({"--json": json_out}, project, *runs)
    for run in runs:
        if run.folder is None:
            complain(f"the transcripts of run {run.info.id} are missing")
    found = with_partings(diff_runs(*runs), *runs, every=verbose)
    if json_out is not None:
        write_json(json_out, found)
    style = style_for(sys.stdout, os.environ)
    print_lines(difference_lines(found, style, sides=(a, b), verbose=verbose))
    return 0
