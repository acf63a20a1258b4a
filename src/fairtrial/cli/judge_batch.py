"""fairtrial judge batch: options, and one call of the story in flow.judge_batch."""

import os
import secrets
import sys
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import (
    NOT_MEASURED,
    PASSED,
    config_option,
    json_option,
    keep_apart,
    print_lines,
    project_of,
    shown,
)

if TYPE_CHECKING:
    from fairtrial.config import Project
    from fairtrial.flow.judge_batch import BatchJudging
    from fairtrial.store import SavedRun

_EPILOG = """\b
Examples:
  fairtrial judge batch latest                      what it would cost; or fetch what was sent
  fairtrial judge batch latest --submit             send what is missing, wait, fetch
  fairtrial judge batch latest --submit --no-wait   send, and fetch another day
  fairtrial grade latest --judge replay             then: the run with these replies

Exit codes: 0 done, counted or sent, 2 usage, files or provider, 3 replies are still missing."""


@click.command(name="batch", epilog=_EPILOG, short_help="Ask a judge in batches, at half price.")
@click.argument("run", metavar="RUN")
@click.option("--submit", is_flag=True, help="Send what is missing: this costs money.")
@click.option("--no-wait", is_flag=True, help="Do not wait for batches that have not ended.")
@click.option(
    "--every",
    type=click.FloatRange(min=0.01),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Look how far a batch is at least this often.",
)
@json_option("what it came to")
@config_option
def batch(
    run: str,
    submit: bool,
    no_wait: bool,
    every: float,
    json_out: Path | None,
    config: Path | None,
) -> int:
    """Ask the judge about a saved run through the batch API of its provider.

    Batches of OpenAI and Anthropic cost half and take up to a day. Without --submit nothing is
    sent: batches that were are fetched, else it is said what it would cost. It may be ended at
    any time; the same command goes on, and sends nothing twice.
    """
    from fairtrial.report import batched_lines, style_for
    from fairtrial.store import find_run, write_json

    project = project_of(config)
    saved = find_run(run, project.root)
    keep_apart("--json", json_out, [project.file, *saved.files])
    currency, style = project.config.currency, style_for(sys.stdout, os.environ)
    judging = _judging(project, saved, every, submit=submit)
    with judging.file:
        use = judging.go(submit=submit, wait=not no_wait)
    if json_out is not None:
        write_json(json_out, use)
    print_lines(batched_lines(use, currency, run, style))
    return NOT_MEASURED if submit and use.missing and not use.waiting else PASSED


def _judging(
    project: "Project", saved: "SavedRun", every: float, *, submit: bool
) -> "BatchJudging":
    from fairtrial.cases import load_suite
    from fairtrial.config import judge_options
    from fairtrial.flow.batch_waiting import BatchMeans
    from fairtrial.flow.grade import case_files_of
    from fairtrial.flow.judge_batch import has_open_batches, judge_in_batches
    from fairtrial.report import batch_wanted_lines, style_for
    from fairtrial.store import Redactor, known_secrets

    files = [shown(file) for file in case_files_of(saved) or project.case_files()]
    suite = load_suite(files, protected_tags=project.config.protected_tags)
    asks = "live" if submit or has_open_batches(saved) else "dry"
    options = judge_options(project, asks)
    assert options is not None  # only `off` gives none
    style = style_for(sys.stdout, os.environ)
    means = BatchMeans(
        say=lambda line: print_lines([line]),
        show=lambda use: print_lines(batch_wanted_lines(use, project.config.currency, style)),
        sleep=time.sleep,
        now=partial(datetime.now, UTC),  # noqa: TID251 - when a batch was sent, to find it by
        new_key=partial(secrets.token_hex, 16),
        every=every,
    )
    return judge_in_batches(suite, saved, options, Redactor(known_secrets(os.environ)), means)
