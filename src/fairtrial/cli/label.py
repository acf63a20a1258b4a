"""fairtrial judge label: options, and one call of a story."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import (
    config_option,
    keep_apart,
    out_file,
    print_lines,
    project_of,
    shown,
)
from fairtrial.errors import UsageError

if TYPE_CHECKING:
    from fairtrial.config import Project
    from fairtrial.flow.label import LabelOptions
    from fairtrial.records import Case
    from fairtrial.store import SavedRun

LABELS = Path("evals/labels.jsonl")
"""Where labels are kept, from the project's folder."""

_EPILOG = """\b
Examples:
  fairtrial judge label                       the newest run, 100 questions an item
  fairtrial judge label latest --item "Says sorry" --sample 60
  fairtrial judge label latest --export questions.jsonl
  fairtrial judge label latest --import questions.jsonl

Keys: p pass, f fail, 1 to 5 where a score is asked for, u cannot tell, s skip,
n note, b back, space and arrows through the transcript, ? help, q quit.

Exit codes: 0 labelled as far as you went, 2 usage or files."""


@click.command(name="label", epilog=_EPILOG, short_help="Say yourself what a judge is asked.")
@click.argument("run", default="latest", metavar="[RUN]")
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    metavar="F",
    help="Where your labels go, a line each; for git. Default: evals/labels.jsonl.",
)
@click.option("--labeller", metavar="NAME", help="Who you are. Default: git's user.name.")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Questions an item, more of those that a judge may get wrong.",
)
@click.option("--item", metavar="TEXT", help="Only the items that hold this text.")
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Draws another sample."
)
@click.option(
    "--export",
    type=click.Path(path_type=Path),
    callback=out_file,
    metavar="FILE",
    help="Write the open questions to a file instead, to be answered elsewhere.",
)
@click.option(
    "--import",
    "sheet",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take over the answers in such a file.",
)
@config_option
def command(
    run: str,
    labels: Path | None,
    labeller: str | None,
    sample: int,
    item: str | None,
    seed: int,
    export: Path | None,
    sheet: Path | None,
    config: Path | None,
) -> int:
    """Answer what a judge is asked about a run, by the keyboard, without seeing what it says.

    Each answer is on file at once; the next time goes on where you left.

    RUN is a folder, an id, the start of one, `latest` (the default), or a file that --json wrote.
    """
    from fairtrial.flow.label import LabelOptions, labeller_of
    from fairtrial.store import find_run

    _fit(export, sheet)
    project = project_of(config)
    found = find_run(run, project.root)
    options = LabelOptions(
        labels=labels or project.root / LABELS,
        labeller=labeller_of(labeller, project.root, os.environ),
        size=sample,
        seed=seed,
        item=item,
    )
    keep_apart("--export", export, [options.labels, project.file, found.report])
    cases = cases_of(found, project)
    if sheet is not None:
        return _import(sheet, found, cases, options)
    if export is not None:
        return _export(export, found, cases, options)
    return _ask(found, cases, options)


def _fit(export: Path | None, sheet: Path | None) -> None:
    """Refuse options that say nothing together.

    Raises:
        UsageError: Both were given.
    """
    if export is not None and sheet is not None:
        raise UsageError("--export and --import: one at a time")


def cases_of(run: "SavedRun | None", project: "Project") -> "tuple[Case, ...]":
    """Give the cases of a run as they are now; without a run those of the settings.

    Raises:
        UsageError: There are none.
        ProblemsError: They cannot be read.
    """
    from fairtrial.cases import load_suite
    from fairtrial.flow.grade import case_files_of

    files = (case_files_of(run) if run else []) or project.case_files()
    return load_suite(files, protected_tags=project.config.protected_tags).cases


def _ask(run: "SavedRun", cases: "tuple[Case, ...]", options: "LabelOptions") -> int:
    from fairtrial.cli.sitting import Sitting
    from fairtrial.cli.terminal import Terminal
    from fairtrial.flow.label import open_labelling
    from fairtrial.report import style_for

    terminal = Terminal(os.environ)  # before any work: without one there is none to do
    labelling = open_labelling(run, cases, options)
    with terminal:
        Sitting(labelling, terminal, style_for(sys.stdout, os.environ)).run()
    total, place = len(labelling.questions), shown(options.labels.absolute())
    told = f"{labelling.done} of {total} questions answered by {labelling.labeller}"
    on = f"fairtrial judge label {run.info.id}" if labelling.done < total else ""
    done = f"fairtrial judge calibrate --labels {place} --verdicts {run.info.id}"
    print_lines([f"{told}, in {place}", f"go on with: {on or done}"])
    return 0


def _export(out: Path, run: "SavedRun", cases: "tuple[Case, ...]", options: "LabelOptions") -> int:
    from fairtrial.flow.label import open_labelling
    from fairtrial.flow.label_sheet import write_sheet

    written = write_sheet(out, open_labelling(run, cases, options))
    print_lines(
        [
            f"{written} questions written to {out}: fill in each `label`, then",
            f"fairtrial judge label {run.info.id} --import {out}",
        ]
    )
    return 0


def _import(
    sheet: Path, run: "SavedRun", cases: "tuple[Case, ...]", options: "LabelOptions"
) -> int:
    from fairtrial.flow.label_sheet import read_sheet

    taken = read_sheet(sheet, run, cases, options)
    print_lines([f"{taken} answers taken over into {shown(options.labels.absolute())}"])
    return 0
