"""What `report` writes as HTML and tells of the past: options, and the stories behind them."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from fairtrial.cli.apart import keep_outs_apart
from fairtrial.cli.options import complain, out_file, print_lines
from fairtrial.errors import UsageError

if TYPE_CHECKING:
    from fairtrial.config import Project
    from fairtrial.store import SavedRun

_F = TypeVar("_F", bound=Callable[..., object])


def page_options(function: _F) -> _F:
    """Add --html, --compare, --history, --case and --last."""
    for option in (
        click.option(
            "--last",
            type=click.IntRange(min=1),
            metavar="N",
            help="With --history: the newest N runs. Default: all.",
        ),
        click.option("--case", metavar="ID", help="With --history: this case alone."),
        click.option(
            "--history",
            is_flag=True,
            help="Show how often each case passed, run after run, up to RUN.",
        ),
        click.option(
            "--compare",
            metavar="RUN2",
            help="With --html: show RUN2 beside it, as what was before.",
        ),
        click.option(
            "--html",
            type=click.Path(path_type=Path),
            callback=out_file,
            metavar="OUT",
            help="Write it as one HTML file that opens offline.",
        ),
    ):
        function = option(function)
    return function


def fit_options(
    *,
    html: Path | None,
    compare: str | None,
    history: bool,
    case: str | None,
    last: int | None,
    others: bool,
) -> None:
    """Refuse options that say nothing together; `others`: reports of one run are asked for.

    Raises:
        UsageError: Naming what is missing.
    """
    if compare is not None and html is None:
        raise UsageError("--compare shows two runs on one page: add --html OUT, or use `diff`")
    if compare is not None and history:
        raise UsageError("--compare and --history: a page shows one of them; leave one out")
    if history and others:
        raise UsageError("--history is written with --html or --json alone; leave the others out")
    for name, value in (("--case", case), ("--last", last)):
        if value is not None and not history:
            raise UsageError(f"{name} belongs to --history: add it, or leave {name} out")


def write_run_page(out: Path, run: "SavedRun", compare: str | None, project: "Project") -> None:
    """Write a run, and the one beside it, as a page.

    Raises:
        StoreError: A run cannot be read, or the page cannot be written.
        UsageError: The page would be written over what is read.
    """
    from fairtrial.flow.page import write_page
    from fairtrial.store import find_run

    if compare is None:
        write_page(out, run)
        return
    from fairtrial.flow.page_beside import beside_of  # all that compares is of no use without

    other = find_run(compare, project.root)
    keep_outs_apart({"--html": out}, project, other)
    if other.folder is None:
        complain(f"the transcripts of run {other.info.id} are missing")
    write_page(out, run, beside_of(run, other, name=compare))


def show_history(
    run: str,
    project: "Project",
    outs: tuple[Path | None, Path | None],
    *,
    case: str | None,
    last: int | None,
    verbose: bool,
) -> None:
    """Tell the history in the terminal, or write it to files where that is asked for.

    Args:
        run: That it ends with; `latest` is the newest.
        project: Whose runs.
        outs: Where to write it as a page, and as JSON.
        case: Of this case alone.
        last: Runs at most.
        verbose: Show also the cases that did not move.

    Raises:
        StoreError: The kept history cannot be read, or the page not be written.
        UsageError: There is no such run or case.
    """
    from fairtrial.flow.history import of_case, read_history, write_history
    from fairtrial.report import history_lines, style_for
    from fairtrial.store import write_json

    found = read_history(project.root, last=last, until=None if run == "latest" else run)
    if case is not None:
        found = of_case(found, case)
    html, json_out = outs
    keep_outs_apart({"--html": html, "--json": json_out}, project)
    if html is not None:
        write_history(html, found)
    if json_out is not None:
        write_json(json_out, found)
    if any(outs):
        return
    style = style_for(sys.stdout, os.environ)
    print_lines(history_lines(found, style, verbose=verbose))
