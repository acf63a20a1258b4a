"""fairtrial stats: what is known of noise and size; options, and one call of a story each."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.apart import keep_outs_apart
from fairtrial.cli.options import (
    INTERRUPTED,
    NOT_MEASURED,
    PASSED,
    baseline_option,
    complain,
    config_option,
    json_option,
    judge_of,
    judge_option,
    keep_apart,
    out_file,
    print_lines,
    project_of,
    shown,
)
from fairtrial.errors import UsageError

if TYPE_CHECKING:
    from fairtrial.config import Project
    from fairtrial.flow.judging_twice import JudgeNoise
    from fairtrial.records import Noise
    from fairtrial.store import SavedRun

_SIZE = """\b
Examples:
  fairtrial stats size                          from the newest run
  fairtrial stats size 20261130 --drop 3 --power 0.9 --json size.json

Exit codes: 0 told, 2 usage or files, 3 nothing was measured in the run."""

_NOISE = """\b
Examples:
  fairtrial stats noise --live -k 5             the unchanged agent, five runs
  fairtrial stats noise --runs 10 --live        ten give a steadier tolerance
  fairtrial stats noise RUN RUN RUN RUN RUN     from runs that are there

Exit codes: 0 measured, 2 usage or files, 3 nothing was measured, 130 interrupted."""


class _Points(click.ParamType[float]):
    """Percentage points of a pass rate."""

    name = "points"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Give the points."""
        text = str(value).strip().removesuffix("%").rstrip()
        try:
            number = float(text)
        except ValueError:
            self.fail(f"wanted points of the pass rate, such as 5, got {str(value)!r}", param, ctx)
        if not 0.1 <= number < 100:
            wanted = "wanted points from 0.1 up and below 100 (5 is five points of the pass rate)"
            self.fail(f"{wanted}, got {value}", param, ctx)
        return number


@click.group(name="stats")
def command() -> None:
    """Tell noise from news: how far an unchanged agent strays, and what a suite can see."""


@command.command(
    name="noise", epilog=_NOISE, short_help="How far an unchanged agent strays from itself."
)
@click.argument("names", nargs=-1, metavar="[RUN...]")
@click.option("--runs", type=int, metavar="N", help="How often the agent is run. Default: 5.")
@click.option("-k", "--trials", "k", type=click.IntRange(min=1), help="Trials a case, each run.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag.")
@click.option("--protected", is_flag=True, help="Only protected cases.")
@click.option("--agent", metavar="MODULE:NAME", help="The agent. Default: as in the settings.")
@click.option("--world", metavar="MODULE:CLASS", help="The world. Default: as in the settings.")
@click.option("--variant", metavar="NAME", help="A variant of the agent.")
@click.option("--live", is_flag=True, help="Ask the real model; without, scripts speak for it.")
@click.option("--model", metavar="NAME", help="The model's name, for the agent.")
@click.option("--seed", type=int, metavar="N", help="Of worlds and agents. Default: 0.")
@click.option("--concurrency", type=int, metavar="N", help="Trials at once. Default: 8.")
@click.option("--timeout", type=float, metavar="S", help="Seconds a trial. Default: 120.")
@click.option(
    "--isolation",
    type=click.Choice(["thread", "process"]),
    help="process: the agent runs in processes of its own.",
)
@click.option("--max-cost", type=float, metavar="AMOUNT", help="What each run may spend.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    callback=out_file,
    metavar="FILE",
    help="Write the tolerance here. Default: tolerance.json beside the baseline, of live runs.",
)
@judge_option
@baseline_option
@json_option("all that was found")
@config_option
def noise(
    names: tuple[str, ...],
    runs: int | None,
    out: Path | None,
    baseline: Path | None,
    json_out: Path | None,
    config: Path | None,
    **given: Any,
) -> int:
    """Repeat the unchanged agent, or read runs of it, and measure how far it strays.

    RUN is a folder, an id, the start of one, `latest`, or a file that --json wrote. Without any
    the agent is run as `fairtrial run` does. With --judge live the judge is asked again about the
    last run, which tells its noise from the agent's.
    """
    from fairtrial.flow.doubts import FEWEST
    from fairtrial.flow.noise import measure_noise, tolerance_file, with_judge, write_tolerance
    from fairtrial.report import noise_lines, style_for
    from fairtrial.store import find_run, write_json

    project = project_of(config)
    place = shown(tolerance_file(baseline or project.baseline))
    outs = {"--json": json_out, "--out": out}
    keep_outs_apart(outs, project, others=(baseline,))
    keep_apart("--json", json_out, [out or place])
    if names:
        _refuse_running(runs, {name: given[name] for name in given if name != "judge"})
        found = [find_run(name, project.root) for name in names]
        keep_outs_apart(outs, project, *found)
    else:
        times = FEWEST if runs is None else runs
        found, code = _repeated(times, config, given)
        if code == INTERRUPTED:
            return code
    if not any(run.scorecard.passed or run.scorecard.failed for run in found):
        complain("nothing was measured in these runs, so there is no noise to tell")
        return NOT_MEASURED
    measured = measure_noise(found, margin=_margin(project, given["variant"]))
    if given["judge"] == "live":
        measured = with_judge(measured, _judged_again(project, found[-1]))
    if json_out is not None:
        write_json(json_out, measured)
    to = _place(measured, out, place)
    if to is not None:
        write_tolerance(to, measured.tolerance)
    print_lines(noise_lines(measured, style_for(sys.stdout, os.environ)))
    print_lines(_written(measured, to))
    return PASSED


def _judged_again(project: "Project", run: "SavedRun") -> "JudgeNoise | None":
    """Judge a run's trials twice.

    Raises:
        UsageError: There is no judge, or the run names no case files that are there.
    """
    from fairtrial.cases import load_suite
    from fairtrial.flow.grade import case_files_of
    from fairtrial.flow.judging_twice import judge_noise
    from fairtrial.store import Redactor, known_secrets

    options = judge_of(project, "live")
    assert options is not None  # asked for, it is there or refused
    files = case_files_of(run) or project.case_files()
    suite = load_suite(files, protected_tags=project.config.protected_tags)
    redactor = Redactor(known_secrets(os.environ))
    return judge_noise(run, suite.cases, options, project.grading_settings(), redactor)


def _refuse_running(runs: int | None, given: dict[str, Any]) -> None:
    """Refuse options of a run where runs are read.

    Raises:
        UsageError: There is one.
    """
    said = {"runs": runs} | given
    for name, value in said.items():
        if value is not None and value is not False and value != ():  # 0 is a seed
            option = {"k": "-k", "tags": "--tag"}.get(name, f"--{name.replace('_', '-')}")
            raise UsageError(
                f"{option} is for running the agent, and RUN names runs that are there"
            )


def _repeated(
    times: int, config: Path | None, given: dict[str, Any]
) -> "tuple[list[SavedRun], int]":
    """Run the agent so often; give the runs and the code that the last one ended with.

    Raises:
        UsageError: Fewer than two times.
    """
    from fairtrial.cli.asked import Asked
    from fairtrial.cli.launch import repeat_as_asked

    if times < 2:
        raise UsageError(
            f"--runs: noise is what differs between runs: wanted 2 or more, got {times}"
        )
    variant = given.pop("variant")
    variants = () if variant is None else (variant,)
    asked = Asked(config=config, variants=variants, silent=True, **given)
    given["variant"] = variant
    found: list[SavedRun] = []
    code = PASSED
    for code, run in repeat_as_asked(asked, times):
        if code == INTERRUPTED:
            ids = " ".join(one.info.id for one in found)
            also = f"; those before are saved: fairtrial stats noise {ids}" if ids else ""
            complain(f"interrupted in run {len(found) + 1} of {times}{also}")
            break
        found.append(run)
        card = run.scorecard
        measured = card.passed + card.failed
        complain(
            f"run {len(found)} of {times}: {card.passed} of {measured} measured trials passed, "
            f"{card.errors} errors ({run.info.id})"
        )
    return found, code


def _margin(project: "Project", variant: str | None) -> float | None:
    return project.for_variant(variant).config.gate.tolerance


def _place(measured: "Noise", out: Path | None, beside: Path) -> Path | None:
    """Give where the tolerance is written; None where there is none that says anything."""
    if measured.tolerance.tolerance is None:
        return None
    return out or (None if measured.deterministic else beside)


def _written(measured: "Noise", to: Path | None) -> Iterator[str]:
    if to is None:
        yield ""
        yield "no tolerance was written"
        return
    yield ""
    yield f"written: {to}"
    if measured.margin is not None:
        yield "[gate] tolerance in the settings wins over it"


@command.command(name="size", epilog=_SIZE, short_help="Which drops a suite can see.")
@click.argument("run", default="latest", metavar="[RUN]")
@click.option(
    "--drop", type=_Points(), default=5.0, metavar="POINTS", help="To be seen. Default: 5 points."
)
@click.option(
    "--power", type=float, default=0.8, metavar="SHARE", help="Chance of seeing it. Default: 0.8."
)
@click.option(
    "--alpha", type=float, default=0.05, metavar="SHARE", help="False alarms. Default: 0.05."
)
@json_option("the plan")
@config_option
def size(
    run: str, drop: float, power: float, alpha: float, json_out: Path | None, config: Path | None
) -> int:
    """Tell which drops a suite can see, and how many cases and trials see this one.

    RUN is a folder, an id, the start of one, `latest` (the default), or a file that --json wrote.
    """
    from fairtrial.flow.size import size_run
    from fairtrial.report import size_lines, style_for
    from fairtrial.store import find_run, write_json

    project = project_of(config)
    found = find_run(run, project.root)
    keep_outs_apart({"--json": json_out}, project, found)
    told = size_run(found, drop=drop / 100, power=power, alpha=alpha)
    if json_out is not None:
        write_json(json_out, told)
    print_lines(size_lines(told, style_for(sys.stdout, os.environ)))
    return PASSED if told.cases else NOT_MEASURED
