"""fairtrial gate: options, and one call of the story in flow.compare."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.apart import keep_outs_apart
from fairtrial.cli.options import (
    INTERRUPTED,
    baseline_option,
    complain,
    config_option,
    json_option,
    print_lines,
    project_of,
    shown,
    tell_of_missing,
)
from fairtrial.cli.written import (
    Written,
    annotate,
    write_asked,
    written_options,
)

if TYPE_CHECKING:
    from fairtrial.config import Project
    from fairtrial.flow.confirm import Told
    from fairtrial.records import GateSettings
    from fairtrial.store import SavedRun

_EPILOG = """\b
Examples:
  fairtrial gate                       the newest run against evals/baseline.json
  fairtrial gate 20261130 --baseline evals/baseline.json --json decision.json
  fairtrial gate --markdown comment.md --junit junit.xml
  fairtrial gate --confirm --baseline-rev main --max-cost 2

Exit codes: 0 pass, 1 fail, 2 usage or files, 3 not measured,
4 inconclusive (with --strict, or for a protected case)."""


@click.command(name="gate", epilog=_EPILOG)
@click.argument("run", default="latest", metavar="[RUN]")
@baseline_option
@json_option("the decision")
@written_options
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
@click.option(
    "--thoroughness",
    type=float,
    metavar="T",
    help="Flag a live case from a chance of 1 - T/10 that it is worse. Default: 1.",
)
@click.option(
    "--confirm", is_flag=True, help="Run fresh trials of what a live run flags, on both sides."
)
@click.option(
    "--baseline-variant", metavar="NAME", help="The baseline side is this variant (or none)."
)
@click.option(
    "--baseline-rev", metavar="REV", help="It is this revision. Default: the baseline's commit."
)
@click.option(
    "--baseline-python", metavar="PYTHON", help="The interpreter of the revision's agent."
)
@click.option(
    "--max-cost",
    type=click.FloatRange(min=0, min_open=True),
    metavar="AMOUNT",
    help="What confirming may spend.",
)
@config_option
def command(
    run: str,
    baseline: Path | None,
    json_out: Path | None,
    written: Written,
    allow_removed: bool,
    strict: bool,
    thoroughness: float | None,
    confirm: bool,
    baseline_variant: str | None,
    baseline_rev: str | None,
    baseline_python: str | None,
    max_cost: float | None,
    config: Path | None,
    **shares: float | None,
) -> int:
    """Compare a run with the baseline, print every reason, and decide.

    RUN is a folder, an id, the start of one, `latest` (the default), or a file that --json wrote.
    In a live run a loss can be chance: --confirm tells, by fresh trials of the flagged cases.
    """
    from fairtrial.flow.compare import gate_run
    from fairtrial.report import decision_lines, style_for
    from fairtrial.store import find_run, write_json

    asked: dict[str, Any] = {
        "variant": baseline_variant,
        "revision": baseline_rev,
        "python": baseline_python,
        "max_cost": max_cost,
    }
    if not confirm:
        _refuse_alone(asked)
    project = project_of(config)
    shares["thoroughness"] = thoroughness
    settings = project.gate_settings(shares, allow_removed=allow_removed, strict=strict)
    found = find_run(run, project.root)
    path = shown(baseline or project.baseline)
    keep_outs_apart({"--json": json_out, **written.files}, project, found, others=(path,))
    name = str(path) if path.exists() else None
    told = _confirmed(project, found, path, settings, asked) if confirm else None
    tell_of_missing(found)
    confirmation = None if told is None else told.confirmation
    decision = gate_run(found, path, settings, os.environ, confirmation)
    if json_out is not None:
        write_json(json_out, decision)
    annotate(found, written)
    print_lines(decision_lines(decision, style_for(sys.stdout, os.environ), baseline_name=name))
    for folder in told.folders if told is not None else ():
        complain(f"fresh trials are in {shown(folder)}")
    write_asked(found, written)
    return INTERRUPTED if told is not None and told.interrupted else decision.exit


def _confirmed(
    project: "Project", run: "SavedRun", path: Path, settings: "GateSettings", asked: dict[str, Any]
) -> "Told":
    from fairtrial.cli.confirming import Confirm, confirm_saved

    return confirm_saved(project, run, path, settings, Confirm(**asked))


def _refuse_alone(asked: dict[str, Any]) -> None:
    """Refuse what is for confirming where nothing is confirmed.

    Raises:
        UsageError: Something is.
    """
    from fairtrial.errors import UsageError

    flags = ("--baseline-variant", "--baseline-rev", "--baseline-python", "--max-cost")
    for flag, value in zip(flags, asked.values(), strict=True):
        if value is not None:
            raise UsageError(f"{flag} is for confirming; add --confirm")
