"""Reports of a run in files and in the log of a build: the options, and one call of each."""

import contextlib
import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct

from fairtrial.cli.options import complain, out_file, print_commands
from fairtrial.records import Overview
from fairtrial.store import SavedRun

_F = TypeVar("_F", bound=Callable[..., object])

_SUMMARY = "GITHUB_STEP_SUMMARY"
_LONGEST_SUMMARY = 2**20  # bytes; GitHub refuses all of one that is longer


class Written(Struct, frozen=True, kw_only=True):
    """Which reports of a run are asked for."""

    markdown: Path | None = None
    junit: Path | None = None
    annotations: bool = False

    @property
    def files(self) -> dict[str, Path | None]:
        """The files, each by its option."""
        return {"--markdown": self.markdown, "--junit": self.junit}

    @property
    def asked(self) -> bool:
        """Whether any is."""
        return self.markdown is not None or self.junit is not None or self.annotations


def written_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add --markdown, --junit and --annotations, which the command gets as one, `written`."""

    @functools.wraps(function)
    def command(
        *, markdown_out: Path | None, junit_out: Path | None, annotations: bool, **given: Any
    ) -> int:
        written = Written(markdown=markdown_out, junit=junit_out, annotations=annotations)
        return function(written=written, **given)

    options = (
        _file("--markdown", "Write a scorecard for a pull request, at most 60,000 bytes."),
        _file("--junit", "Write JUnit XML, a case a test case."),
        click.option(
            "--annotations",
            is_flag=True,
            help="Print GitHub's workflow commands, at the lines of the cases.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _file(name: str, text: str) -> Callable[[_F], _F]:
    return click.option(
        name,
        f"{name.strip('-')}_out",
        type=click.Path(path_type=Path),
        callback=out_file,
        metavar="OUT",
        help=text,
    )


def write_asked(run: SavedRun, asked: Written) -> None:
    """Write the files that were asked for.

    Markdown goes behind what stands in the file that GITHUB_STEP_SUMMARY names, because the steps
    of a script share it; every other file is written anew.

    Raises:
        StoreError: The run cannot be read, or a file not be written.
    """
    if asked.junit is None and asked.markdown is None:
        return
    from fairtrial.flow.overview import overview_of
    from fairtrial.report import junit_lines
    from fairtrial.store import write_text

    overview = overview_of(run, Path.cwd())
    if asked.junit is not None:
        write_text(asked.junit, junit_lines(overview, run.results()))
    if asked.markdown is not None:
        _write_markdown(overview, asked.markdown)


def annotate(run: SavedRun, asked: Written) -> None:
    """Print the annotations, if they were asked for; before the line that tells the exit code.

    Raises:
        StoreError: The run cannot be read.
        UsageError: Standard output cannot be written.
    """
    if asked.annotations:
        from fairtrial.flow.overview import overview_of
        from fairtrial.report import annotation_lines

        print_commands(annotation_lines(overview_of(run, Path.cwd())))


def _write_markdown(overview: Overview, out: Path) -> None:
    from fairtrial.report import LEAST_BYTES, MOST_BYTES, blob_of, markdown_text
    from fairtrial.store import write_text

    room = _room(out)
    if room is not None and room < LEAST_BYTES:
        complain(f"{out}: the step summary is full, for GitHub shows no more than 1 MiB of one")
        return
    most = MOST_BYTES if room is None else min(MOST_BYTES, room)
    text = markdown_text(overview, most=most, blob=blob_of(os.environ)).rstrip("\n")
    write_text(out, [text], behind=room is not None)


def _room(out: Path) -> int | None:
    """Give the bytes that the step summary has room for; None of any other file."""
    named = os.environ.get(_SUMMARY)
    if not named:
        return None
    with contextlib.suppress(OSError):  # one of the two is not there
        if out.samefile(named):
            return _LONGEST_SUMMARY - out.stat().st_size
    return None
