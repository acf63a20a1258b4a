"""fairtrial grade: options, and one call of the story in flow.grade."""

import gc
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from fairtrial.cli.apart import keep_outs_apart
from fairtrial.cli.options import (
    FAILED,
    PASSED,
    USAGE,
    config_option,
    json_option,
    judge_of,
    judge_option,
    project_of,
    shown,
    verbose_option,
)
from fairtrial.errors import StoreError, UsageError

if TYPE_CHECKING:
    from fairtrial.config import Project
    from fairtrial.flow.grade import GradeOptions
    from fairtrial.flow.graded import GradedRun
    from fairtrial.records import Json
    from fairtrial.store import SavedRun

_EPILOG = """\b
Examples:
  fairtrial grade evals/shop.yaml --recordings runs.jsonl
  fairtrial grade evals/*.yaml --recordings runs.jsonl --json out.json
  fairtrial grade latest               the newest saved run, as the cases are now

Exit codes: 0 all measured and passed, 1 a trial failed, 2 usage or files,
3 something could not be measured."""


def _only_one(ctx: click.Context, param: click.Parameter, given: tuple[Path, ...]) -> Path | None:
    if len(given) > 1:
        raise click.BadParameter(f"wanted one file, got {len(given)}", ctx, param)
    if given and str(given[0]) == "-":
        raise click.BadParameter("wanted a file, got '-'; /dev/stdin is standard input", ctx, param)
    return given[0] if given else None


@click.command(name="grade", epilog=_EPILOG)
@click.argument("names", nargs=-1, metavar="[CASES...] [RUN]")
@click.option(
    "--recordings",
    type=click.Path(path_type=Path),
    metavar="FILE",
    multiple=True,
    callback=_only_one,
    help="Trajectories, one JSON object a line (also .gz).",
)
@json_option("the run")
@click.option("--allow-failures", is_flag=True, help="Exit 0 though trials failed.")
@click.option(
    "--allow-unknown", is_flag=True, help="Leave out recordings of cases that are not in the suite."
)
@click.option("--no-save", is_flag=True, help="Keep no run folder under .fairtrial/runs.")
@click.option(
    "--grader",
    "graders",
    multiple=True,
    metavar="MODULE:FUNCTION",
    help="A grader of your own, besides those of the settings.",
)
@click.option(
    "--tool-error",
    metavar="MATCHER",
    help='Which results count as errors, as JSON: \'{"matches": "^Error"}\'.',
)
@click.option(
    "--currency",
    metavar="CODE",
    help="What costs are counted in. Default: as in the settings, USD.",
)
@click.option(
    "--protected-tag",
    "protected_tags",
    multiple=True,
    metavar="TAG",
    help="Cases with this tag are protected: they must pass.",
)
@judge_option
@config_option
@verbose_option
@click.option("-q", "--quiet", is_flag=True, help="Print only the last line.")
def command(
    names: tuple[str, ...],
    recordings: Path | None,
    json_out: Path | None,
    allow_failures: bool,
    allow_unknown: bool,
    no_save: bool,
    graders: tuple[str, ...],
    tool_error: str | None,
    currency: str | None,
    protected_tags: tuple[str, ...],
    judge: str | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> int:
    """Grade recordings, or a saved run again; no agent runs.

    CASES are case files (default: those of the settings, or of the RUN). With --recordings the
    trajectories come from a file; without, the last argument is a RUN: a folder, an id, the start
    of one, `latest`, or a file that --json wrote.
    """
    from fairtrial.cli.showing import show_graded
    from fairtrial.config import with_overrides
    from fairtrial.flow.grade import GradeOptions

    project = project_of(config)
    saved, files = _inputs(names, recordings, project)
    again = _as_graded(saved, project)
    project = with_overrides(
        project,
        currency=currency or again.get("currency"),
        tool_error=tool_error or again.get("tool_error"),
        protected_tags=(*protected_tags, *again.get("protected_tags", ())),
        graders=tuple(dict.fromkeys((*graders, *again.get("graders", ())))),
    )
    runs = () if saved is None else (saved,)
    keep_outs_apart({"--json": json_out}, project, *runs, others=(recordings, *files))
    options = GradeOptions(
        root=project.root,
        settings=project.grading_settings(),
        allow_unknown=allow_unknown,
        save=not no_save,
        judge=judge_of(project, judge),
        recorded=_recorded(project, files, recordings),
    )
    with _graded(files, project, recordings, saved, options) as run:
        unwritten = _write(run, json_out)
        code = PASSED if run.exit == FAILED and allow_failures else run.exit
        show_graded(run, code if unwritten is None else USAGE, verbose=verbose, quiet=quiet)
    if unwritten is not None:
        raise unwritten
    return code


def _inputs(
    names: tuple[str, ...], recordings: Path | None, project: "Project"
) -> tuple["SavedRun | None", list[Path]]:
    """Give the saved run to grade again, if it is one, and the case files.

    Raises:
        UsageError: There is nothing to grade.
    """
    from fairtrial.flow.grade import case_files_of
    from fairtrial.store import find_run

    if recordings is not None:
        return None, [Path(name) for name in names] or [shown(one) for one in project.case_files()]
    if not names:
        raise UsageError("nothing to grade: name a file with --recordings, or a RUN such as latest")
    *cases, run = names
    if run.endswith((".yaml", ".yml", ".jsonl")):
        raise UsageError(
            f"{run!r} is no RUN: name the trajectories with --recordings FILE, or a RUN such as "
            "latest after the case files"
        )
    saved = find_run(run, project.root)
    files = [Path(name) for name in cases] or case_files_of(saved)
    return saved, [shown(file) for file in files or project.case_files()]


def _as_graded(saved: "SavedRun | None", project: "Project") -> dict[str, "Json"]:
    """Give what a saved run was graded with, where the settings now do not say otherwise."""
    if saved is None:
        return {}
    was, now = saved.info.settings, project.config
    again: dict[str, Json] = {
        name: [item for item in was.get(name) or () if item not in getattr(now, name)]
        for name in ("graders", "protected_tags")
    }
    if now.tool_error is None and was.get("tool_error") is not None:
        again["tool_error"] = msgspec.json.encode(was["tool_error"]).decode()
    if project.file is None and was.get("currency"):
        again["currency"] = was["currency"]
    return again


def _recorded(project: "Project", files: list[Path], recordings: Path | None) -> dict[str, "Json"]:
    """Give what `run.json` keeps of how the run was made."""
    config = project.config
    return {
        "recordings": None if recordings is None else str(recordings),
        "cases": [str(file.absolute()) for file in files],
        "graders": list(config.graders),
        "tool_error": config.tool_error,
        "currency": config.currency,
        "protected_tags": list(config.protected_tags),
    }


def _graded(
    files: list[Path],
    project: "Project",
    recordings: Path | None,
    saved: "SavedRun | None",
    options: "GradeOptions",
) -> "GradedRun":
    from fairtrial.cases import load_suite
    from fairtrial.flow.grade import grade_recordings, grade_saved

    _collect_nothing(options)
    suite = load_suite(files, protected_tags=project.config.protected_tags)
    if recordings is not None:
        return grade_recordings(suite, recordings, options)
    assert saved is not None
    return grade_saved(suite, saved, options)


def _collect_nothing(options: "GradeOptions") -> None:
    """Turn the collector off: grading leaves no cycles, only a team's graders may make some.

    There is nothing to look for in a growing heap. The entry point turns it on again.
    """
    if not options.settings.graders:
        gc.disable()


def _write(run: "GradedRun", out: Path | None) -> StoreError | None:
    if out is None:
        return None
    try:
        run.write_json(out)
    except StoreError as error:
        return error  # told last: what was graded is shown all the same
    return None
