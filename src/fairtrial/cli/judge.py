"""fairtrial judge: options, and one call of a story each."""

import os
import sys
from pathlib import Path

import click

from fairtrial.cli.judge_pairs import compare, probe
from fairtrial.cli.label import command as label
from fairtrial.cli.options import (
    NOT_MEASURED,
    PASSED,
    json_option,
    keep_apart,
    print_lines,
    verbose_option,
)

_CALIBRATE = """\b
Examples:
  fairtrial judge calibrate --labels labels.jsonl --verdicts verdicts.jsonl
  fairtrial judge calibrate --labels L --verdicts V --json calibration.json

Exit codes: 0 measured, 2 usage or files, 3 nothing to compare."""


@click.group(name="judge")
def command() -> None:
    """Measure a judge against people before it may decide."""


command.add_command(label)


@command.command(
    name="calibrate", epilog=_CALIBRATE, short_help="How far a judge agrees with people."
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    required=True,
    metavar="F",
    help="What people said: JSON lines of case, trial, item, label, labeller.",
)
@click.option(
    "--verdicts",
    type=click.Path(path_type=Path),
    required=True,
    metavar="F",
    help="What the judge said: JSON lines of case, trial, item, verdict, judge.",
)
@json_option("the calibration")
@verbose_option
def calibrate(labels: Path, verdicts: Path, json_out: Path | None, verbose: bool) -> int:
    """Measure a judge's verdicts against what people said of the same trials.

    An item is trusted when the bounds of its figures meet the bar: accuracy .85, kappa .6, at most
    .1 of the fails passed, on 50 labels of which 25 are fails.
    """
    from fairtrial.flow.calibrate import calibrate_files
    from fairtrial.report import calibration_lines, style_for
    from fairtrial.store import write_json

    keep_apart("--json", json_out, [labels, verdicts])
    calibration = calibrate_files(labels, verdicts)
    if json_out is not None:
        write_json(json_out, calibration)
    style = style_for(sys.stdout, os.environ)
    print_lines(calibration_lines(calibration, style, verbose=verbose))
    return PASSED if calibration.overall.labels else NOT_MEASURED


command.add_command(compare)
command.add_command(probe)
