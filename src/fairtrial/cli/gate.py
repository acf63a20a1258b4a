"""fairtrial gate: options, and one call of the story in flow.compare."""

import os
import sys
from pathlib import Path

import click

from fairtrial.cli.options import (
    baseline_option,
    config_option,
    json_option,
    keep_apart,
    print_lines,
    project_of,
    shown,
)

_EPILOG = """\b
Examples:
  fairtrial gate                       the newest run against evals/baseline.json
  fairtrial gate 20261130 --baseline evals/baseline.json --json decision.json

Exit codes: 0 pass, 1 fail, 2 usage or files, 3 not measured,
4 inconclusive (with --strict, or for a protected case)."""


@click.command(name="gate", epilog=_EPILOG)
@click.argument("run", default="latest", metavar="[RUN]")
@baseline_option
@json_option("the decision")
@click.option(
    "--tolerance", type=float, metavar="SHARE", help="How far a live pass rate may fall, 0 to 1."
)
@click.option(
    "--growth",
    type=float,
    metavar="SHARE",
    help="How much mean tokens, cost or steps may grow. Default: 0.25.",
)
@click.option(
    "--errors",
    type=float,
    metavar="SHARE",
    help="Share of trials that may be unmeasured. Default: 0.05.",
)
@click.option("--min-pass-rate", type=float, metavar="SHARE", help="A bar for the pass rate.")
@click.option("--min-pass-hat-k", type=float, metavar="SHARE", help="A bar for pass^k.")
@click.option("--allow-removed", is_flag=True, help="Cases may be gone from the files.")
@click.option("--strict", is_flag=True, help="Exit 4 when inconclusive.")
@config_option
def command(
    run: str,
    baseline: Path | None,
    json_out: Path | None,
    allow_removed: bool,
    strict: bool,
    config: Path | None,
    **shares: float | None,
) -> int:
    """Compare a run with the baseline, print every reason, and decide.

    RUN is a folder, an id, the start of one, `latest` (the default), or a file that --json wrote.
    """
    from fairtrial.flow.compare import gate_run
    from fairtrial.report import decision_lines, style_for
    from fairtrial.store import find_run, write_json

    project = project_of(config)
    settings = project.gate_settings(shares, allow_removed=allow_removed, strict=strict)
    found = find_run(run, project.root)
    path = shown(baseline or project.baseline)
    keep_apart("--json", json_out, [path, found.report, project.file])
    name = str(path) if path.exists() else None
    decision = gate_run(found, path, settings, os.environ)
    if json_out is not None:
        write_json(json_out, decision)
    print_lines(decision_lines(decision, style_for(sys.stdout, os.environ), baseline_name=name))
    return decision.exit
