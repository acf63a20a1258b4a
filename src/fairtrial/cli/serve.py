"""fairtrial serve: options, and one call of the story in flow.serve."""

import os
import shlex
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import click

from fairtrial.cli.apart import keep_outs_apart
from fairtrial.cli.options import (
    PASSED,
    config_option,
    out_file,
    print_lines,
    project_of,
    shown,
)
from fairtrial.flow.surroundings import ended_in_order

_EPILOG = """\b
Examples:
  fairtrial serve refund-in-time                  in one terminal; start the agent in another
  fairtrial serve refund-in-time --out runs.jsonl keep what it did, as a recording

Exit codes: 0 ended by Ctrl-C, 2 usage or files."""


@click.command(name="serve", epilog=_EPILOG)
@click.argument("case", metavar="CASE")
@click.option("--world", metavar="MODULE:CLASS", help="The world. Default: as in the settings.")
@click.option("--variant", metavar="NAME", help="A variant, for its script.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Default: any free one.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    callback=out_file,
    metavar="FILE",
    help="Write what the agent did as a recording.",
)
@config_option
def command(
    case: str,
    world: str | None,
    variant: str | None,
    port: int,
    out: Path | None,
    config: Path | None,
) -> int:
    """Serve the world and the scripted model of one case to an agent started by hand.

    Prints the variables to start it with. Ctrl-C ends the trial and grades what was seen.
    """
    from fairtrial.cases import load_suite
    from fairtrial.config import with_overrides
    from fairtrial.flow.endpoints import open_endpoints
    from fairtrial.flow.selecting import Wanted, select
    from fairtrial.flow.serve import Serving
    from fairtrial.report import scorecard_lines, style_for
    from fairtrial.store import Redactor, write_lines

    project = with_overrides(project_of(config), running={"world": world}).for_variant(variant)
    files = [shown(file) for file in project.case_files()]
    keep_outs_apart({"--out": out}, project, others=tuple(files))
    suite = load_suite(files, protected_tags=project.config.protected_tags)
    (chosen, *_), _ = select(suite.cases, Wanted(ids=(case,)))
    with open_endpoints(live=False, port=port) as endpoints:
        serving = Serving(
            chosen,
            endpoints,
            world=project.world(),
            variant=project.variant(variant),
            seed=project.config.seed,
        )
        _serve(_told(chosen.id, serving.environment))
        served = serving.close(project.grading_settings())
        redactor = Redactor(endpoints.secrets)
    if out is not None:
        write_lines(out, [served.trajectory], redactor)
    report, style = served.report, style_for(sys.stdout, os.environ)
    lines = scorecard_lines(report.run, report.scorecard, report.cases, style)
    print_lines(["", *map(redactor.text, lines)])
    return PASSED


def _told(case: str, environment: Mapping[str, str]) -> list[str]:
    exports = [f"export {name}={shlex.quote(value)}" for name, value in environment.items()]
    return [
        f"# serving {shlex.quote(case)}; start the agent with these, Ctrl-C here ends the trial",
        *exports,
    ]


def _serve(told: list[str]) -> None:
    """Say how to start an agent, and wait for Ctrl-C, which may come as soon as that is said."""
    try:
        with ended_in_order():
            print_lines(told)
            threading.Event().wait()
    except KeyboardInterrupt:
        return
