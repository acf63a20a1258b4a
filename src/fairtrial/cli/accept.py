"""fairtrial accept: options, and one call of the story in flow.compare."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import (
    baseline_option,
    complain,
    config_option,
    print_lines,
    project_of,
    shown,
)

if TYPE_CHECKING:
    from fairtrial.store import SavedRun

_EPILOG = """\b
Examples:
  fairtrial accept                     the newest run becomes the baseline
  fairtrial accept out.json --baseline evals/baseline.json

Exit codes: 0 written, 2 usage or files, 3 nothing was measured."""

_NAMED = 10


@click.command(name="accept", epilog=_EPILOG)
@click.argument("run", default="latest", metavar="[RUN]")
@baseline_option
@config_option
def command(run: str, baseline: Path | None, config: Path | None) -> int:
    """Accept a run as the baseline; a filtered run replaces only its own cases.

    RUN is a folder, an id, the start of one, `latest` (the default), or a file that --json wrote.
    """
    from fairtrial.flow.compare import accept_run
    from fairtrial.flow.lost import lost_of
    from fairtrial.store import find_run

    project = project_of(config)
    path = shown(baseline or project.baseline)
    found = find_run(run, project.root)
    accepted = accept_run(found, path)
    if accepted.exit:
        complain(f"{found.info.id}: nothing was measured, so it is no baseline")
        return accepted.exit
    for lost in lost_of(found.info):
        complain(lost)
    cases = "1 case" if accepted.cases == 1 else f"{accepted.cases} cases"
    print_lines([f"{path}: {cases} of {_what(found)} accepted; commit it"])
    if accepted.unmeasured:
        named = _named(accepted.unmeasured)
        print_lines([f"not measured, so nothing new is accepted for them: {named}"])
    if accepted.failing:
        named = _named(accepted.failing)
        complain(f"protected, and the gate fails until every trial of them passes: {named}")
    return 0


def _what(run: "SavedRun") -> str:
    """Name a run, with what whoever accepts it should not overlook."""
    bad = sum(
        count for status, count in run.scorecard.statuses.items() if status in {"failed", "flaky"}
    )
    odd = [f"variant {run.info.variant}"] if run.info.variant else []
    if bad:
        odd.append("1 case does not pass" if bad == 1 else f"{bad} cases do not pass")
    return f"run {run.info.id}" + (f" ({', '.join(odd)})" if odd else "")


def _named(cases: Sequence[str]) -> str:
    more = len(cases) - _NAMED
    return ", ".join(cases[:_NAMED]) + (f" and {more} more" if more > 0 else "")
