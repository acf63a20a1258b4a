"""fairtrial lint: mistakes and weak spots of case files."""

import os
import sys
from pathlib import Path

import click

from fairtrial.cli.options import config_option, print_lines, project_of, shown

_EPILOG = """\b
Examples:
  fairtrial lint                       the case files of the settings
  fairtrial lint evals/*.yaml --strict

Exit codes: 0, 2 with mistakes; with --strict 1 with warnings."""


@click.command(name="lint", epilog=_EPILOG)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[CASES...]")
@click.option("--strict", is_flag=True, help="Exit 1 when there are warnings.")
@config_option
def command(files: tuple[Path, ...], strict: bool, config: Path | None) -> int:
    """Look for checks that prove nothing, likely mistakes and coverage in case files."""
    from fairtrial.cases import lint_suite, load_suite
    from fairtrial.report import coverage_lines, problem_lines, style_for

    project = project_of(config)
    paths = list(files) or [shown(file) for file in project.case_files()]
    suite = load_suite(paths, protected_tags=project.config.protected_tags)
    lint = lint_suite(suite)
    style = style_for(sys.stdout, os.environ)
    if lint.warnings:
        print_lines(problem_lines(lint.warnings, style, noun="warning"))
    found = lint.coverage
    counts = {"tags": found.tags, "checks": found.checks, "tools": found.tools}
    print_lines(coverage_lines(found.cases, found.protected, counts, style))
    return 1 if strict and lint.warnings else 0
