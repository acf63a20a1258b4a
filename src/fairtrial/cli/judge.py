"""fairtrial judge: options, and one call of a story each."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from fairtrial.cli.judge_batch import batch
from fairtrial.cli.judge_pairs import compare, probe
from fairtrial.cli.label import LABELS, cases_of
from fairtrial.cli.label import command as label
from fairtrial.cli.options import (
    NOT_MEASURED,
    PASSED,
    config_option,
    json_option,
    keep_apart,
    print_lines,
    project_of,
    shown,
    verbose_option,
)
from fairtrial.errors import StoreError

if TYPE_CHECKING:
    from fairtrial.config import Project
    from fairtrial.flow.calibrate import CalibrateOptions
    from fairtrial.store import SavedRun

_CALIBRATE = """\b
Examples:
  fairtrial judge calibrate --verdicts latest
  fairtrial judge calibrate --labels labels.jsonl --verdicts verdicts.jsonl
  fairtrial judge calibrate --labels L --verdicts V --json calibration.json

Exit codes: 0 measured, 2 usage or files, 3 nothing to compare."""

_F = TypeVar("_F", bound=Callable[..., object])


@click.group(name="judge")
def command() -> None:
    """Measure a judge against people before it may decide."""


for _verb in (label, compare, probe, batch):
    command.add_command(_verb)


def _bar_options(function: _F) -> _F:
    """Add an option for each part of the bar."""
    for name, kind, text in (
        ("fails", click.IntRange(min=0), "Human fails among them, at least."),
        ("labels", click.IntRange(min=1), "Labels of an item, at least."),
        ("false-pass", click.FloatRange(0, 1), "Share of the fails that it passes, at most."),
        ("kappa", click.FloatRange(-1, 1), "Kappa, at least."),
        ("accuracy", click.FloatRange(0, 1), "Accuracy, at least."),
    ):
        metavar = "N" if isinstance(kind, click.IntRange) else "X"
        help_text = f"{text} Default: as [judge.bar] says."
        function = click.option(f"--bar-{name}", type=kind, metavar=metavar, help=help_text)(
            function
        )
    return function


@command.command(
    name="calibrate", epilog=_CALIBRATE, short_help="How far a judge agrees with people."
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    metavar="F",
    help="What people said: JSON lines of case, trial, item, label, labeller. Default: "
    "evals/labels.jsonl.",
)
@click.option(
    "--verdicts",
    required=True,
    metavar="F",
    help="What the judge said: JSON lines of case, trial, item, verdict, judge; or a RUN that it "
    "judged.",
)
@click.option("--run", metavar="RUN", help="The run that was judged, for its transcripts.")
@_bar_options
@json_option("the calibration")
@config_option
@verbose_option
def calibrate(
    labels: Path | None,
    verdicts: str,
    run: str | None,
    json_out: Path | None,
    config: Path | None,
    verbose: bool,
    **bar: float | None,
) -> int:
    """Measure a judge's verdicts against what people said of the same trials.

    An item is trusted when the bounds of its figures meet the bar of the settings; without any it
    is accuracy .85, kappa .6, at most .1 of the fails passed, on 50 labels of which 25 are fails.
    """
    from fairtrial.flow.calibrate import calibrate_files
    from fairtrial.report import calibration_lines, style_for
    from fairtrial.store import write_json

    project = project_of(config)
    labels = labels or project.root / LABELS
    judged = _judged(verdicts, project)
    keep_apart("--json", json_out, [labels, judged if isinstance(judged, Path) else None])
    calibration = calibrate_files(labels, judged, _options(judged, run, project, bar))
    place = None if json_out is not None else _place(project)
    out = json_out or place
    if out is not None and calibration.overall.labels:
        write_json(out, calibration)
    style = style_for(sys.stdout, os.environ)
    print_lines(calibration_lines(calibration, style, verbose=verbose))
    if place is not None and calibration.overall.labels:
        print_lines(["", f"kept in {shown(place)}, where the judge's trust comes from; commit it"])
    return PASSED if calibration.overall.labels else NOT_MEASURED


def _judged(verdicts: str, project: "Project") -> "Path | SavedRun":
    """Give the file of verdicts, or the run that a judge was asked about."""
    from fairtrial.store import find_run

    path = Path(verdicts)
    if path.is_file():
        return path
    try:
        return find_run(verdicts, project.root)
    except StoreError:
        return path  # told when it is read, after what is wrong with the labels


def _options(
    judged: "Path | SavedRun", run: str | None, project: "Project", bar: dict[str, float | None]
) -> "CalibrateOptions":
    """Give the bar, the run and its cases, as far as they are known."""
    from fairtrial.config import judge_table, trust_bar
    from fairtrial.flow.calibrate import CalibrateOptions
    from fairtrial.store import find_run

    found = None if isinstance(judged, Path) else judged
    if run is not None:
        found = find_run(run, project.root)
    given = {name.removeprefix("bar_"): value for name, value in bar.items() if value is not None}
    return CalibrateOptions(
        bar=msgspec.structs.replace(trust_bar(judge_table(project)), **given),
        cases=cases_of(found, project) if found or project.config.cases else (),
        run=found,
    )


def _place(project: "Project") -> Path | None:
    """Give where the settings' judge looks for its calibration; None where they have none."""
    from fairtrial.config import judge_table

    table = judge_table(project)
    named = table.function or table.model or table.panel
    return project.root / table.calibration if named else None
