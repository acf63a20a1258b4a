"""What `fairtrial run` does with its options: a run for each variant, shown, and gated if asked."""

import gc
import io
import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fairtrial.cases import Suite, load_suite
from fairtrial.cli.apart import keep_outs_apart
from fairtrial.cli.asked import Asked, as_begun, overridden, refuse
from fairtrial.cli.begun import refuse_other
from fairtrial.cli.options import (
    FAILED,
    INTERRUPTED,
    NOT_MEASURED,
    PASSED,
    USAGE,
    complain,
    judge_of,
    print_lines,
    project_of,
    shown,
)
from fairtrial.cli.showing import meaning, show_graded
from fairtrial.cli.written import annotate, write_asked
from fairtrial.config import Project, run_options
from fairtrial.errors import StoreError, UsageError
from fairtrial.flow.course import Ran, RunOptions
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.run import resume_run, run_suite
from fairtrial.flow.selecting import Wanted, select
from fairtrial.flow.side import Side
from fairtrial.flow.surroundings import ended_in_order, kept_surroundings
from fairtrial.records import Case, Json, Selection
from fairtrial.report import Progress, decision_lines, difference_lines, style_for
from fairtrial.store import SavedRun, find_run

if TYPE_CHECKING:
    from fairtrial.flow.adapt import More
    from fairtrial.flow.judging import JudgeOptions

_CASE_FILES = (".yaml", ".yml", ".json", ".jsonl")
_SEVERITY = (PASSED, FAILED, NOT_MEASURED, USAGE, INTERRUPTED)


class _Selected(NamedTuple):
    suite: Suite
    cases: tuple[Case, ...]
    selection: Selection | None


def run_as_asked(asked: Asked) -> int:
    """Run every variant that was asked for, and give the exit code.

    Raises:
        UsageError: Options that do not fit together, or a setting that is missing.
        ProblemsError: Mistakes in the settings or the case files, or fixtures that do not fit.
        PluginError: The agent, the world or a grader does not load.
        StoreError: A run cannot be read or saved.
    """
    refuse(asked)
    project = project_of(asked.config)
    before = _run_before(asked, project)
    if before is not None and asked.resume is not None:
        asked = as_begun(asked, before)
    variants = asked.variants or (None,)
    projects = [overridden(project.for_variant(variant), asked) for variant in variants]
    codes = []
    runs: list[SavedRun] = []
    for own, variant in zip(projects, variants, strict=True):
        code, saved = _run_variant(own, asked, variant, before)
        codes.append(code)
        if saved is not None:
            runs.append(saved)
        if code == INTERRUPTED:
            break
    if len(runs) == 2 and not asked.quiet:
        _show_difference(*runs, sides=(asked.variants[0], asked.variants[1]))
    return max(codes, key=_SEVERITY.index) if len(codes) > 1 else codes[0]


def _show_difference(a: SavedRun, b: SavedRun, *, sides: tuple[str, str]) -> None:
    from fairtrial.flow.compare import diff_runs
    from fairtrial.flow.parting import with_partings

    style = style_for(sys.stdout, os.environ)
    difference = with_partings(diff_runs(a, b), a, b)
    print_lines(["", *difference_lines(difference, style, sides=sides)])


def repeat_as_asked(asked: Asked, times: int) -> Iterator[tuple[int, SavedRun]]:
    """Run the same agent again and again, and give each exit code with its run as it ends.

    Raises:
        UsageError: Options that do not fit together, or a setting that is missing.
        ProblemsError: Mistakes in the settings or the case files, or fixtures that do not fit.
        PluginError: The agent, the world or a grader does not load.
        StoreError: A run cannot be read or saved.
    """
    refuse(asked)
    project = project_of(asked.config)
    variant = asked.variants[0] if asked.variants else None
    own = overridden(project.for_variant(variant), asked)
    for _ in range(times):
        code, saved = _run_variant(own, asked, variant, None)
        assert saved is not None  # what is repeated is always saved
        yield code, saved
        if code == INTERRUPTED:
            return


def _run_before(asked: Asked, project: Project) -> SavedRun | None:
    """Give the run that is gone on with, or that --only looks at.

    Raises:
        StoreError: There is none, or its folder is gone.
        UsageError: Recordings were graded there.
    """
    if asked.resume is not None:
        run = find_run(asked.resume, project.root)
        if run.folder is None:
            raise StoreError(f"{run.name}: its folder is gone, so it cannot be gone on with")
        if "live" not in run.info.settings:  # as `run` keeps it, and `grade` does not
            raise UsageError(
                f"{run.name} cannot be gone on with: recordings were graded there; `fairtrial "
                "grade` grades them again"
            )
        return run
    return find_run("latest", project.root) if asked.only else None


def _run_variant(
    project: Project, asked: Asked, variant: str | None, before: SavedRun | None
) -> tuple[int, SavedRun | None]:
    """Run one variant and show it; give the exit code and the run, if it was saved."""
    selected = _select(project, asked, before)
    more = _more(project, asked, before)
    judge = judge_of(project, asked.judge)  # before the agent's surroundings are changed
    gc.freeze()  # the cases stay to the end, and need not be looked through again and again
    with ended_in_order(), kept_surroundings(), open_endpoints(live=asked.live) as endpoints:
        options = _options(project, asked, variant, selected, judge)
        ran = _run(project, asked, options, selected, endpoints, before, more)
    gc.unfreeze()
    with closing(ran.graded) as graded:
        unwritten = _write(ran, asked.json_out)
        code = _code(ran, asked)
        _show(ran, code if unwritten is None else USAGE, asked)
        folder = graded.info.folder
    if unwritten is not None:
        raise unwritten
    saved = None if folder is None else find_run(folder, project.root)
    if asked.with_gate and saved is not None and code != INTERRUPTED:
        code = _gate(asked, saved, ran.spent)
    elif saved is not None and asked.written.annotations:
        annotate(saved, asked.written)
        print_lines([f"exit {code}: {meaning(ran.graded, code)}"])
    if saved is not None:
        write_asked(saved, asked.written)
    return code, saved


def _select(project: Project, asked: Asked, before: SavedRun | None) -> _Selected:
    files = [Path(name) for name in asked.names if _is_case_file(name)]
    if before is not None and asked.resume is not None:
        files = [Path(str(name)) for name in before.info.settings.get("cases") or ()]
    files = [shown(file) for file in files or project.case_files()]
    outs = {"--json": asked.json_out, **asked.written.files}
    runs = () if before is None else (before,)
    keep_outs_apart(outs, project, *runs, others=(asked.baseline, *files))
    suite = load_suite(files, protected_tags=project.config.protected_tags)
    if before is not None and asked.resume is not None:
        begun = [result.id for result in before.results()]
        known = {case.id: case for case in suite.cases}
        cases = tuple(known[name] for name in begun if name in known)
        return _Selected(suite, cases, before.info.selection)
    wanted = Wanted(
        ids=tuple(name for name in asked.names if not _is_case_file(name)),
        tags=asked.tags,
        protected=asked.protected,
        only=asked.only,  # type: ignore[arg-type]  # checked by the option
    )
    return _Selected(suite, *select(suite.cases, wanted, before))


def _is_case_file(name: str) -> bool:
    return name.endswith(_CASE_FILES) and (os.sep in name or Path(name).is_file())


def _run(
    project: Project,
    asked: Asked,
    options: RunOptions,
    selected: _Selected,
    endpoints: Endpoints,
    before: SavedRun | None,
    more: "More | None",
) -> Ran:
    agent = project.agent(endpoints.listener.point, live=asked.live)
    stream = io.StringIO() if asked.silent or asked.quiet else sys.stderr
    progress = Progress(
        stream,
        style_for(stream, os.environ),
        clock=time.monotonic,
        currency=project.config.currency,
    )
    try:
        if asked.resume is not None and before is not None:
            refuse_other(before, options.recorded, endpoints.secrets)
            if more is not None:
                from fairtrial.flow.adapt import lacks_more

                options = msgspec.structs.replace(options, adaptive=lacks_more(before))
            told = before.scorecard.adaptive if before.finished else None
            ran = resume_run(before, selected.cases, agent, endpoints, options, progress)
            if told is not None:  # stands until more of it is there
                ran.graded.add_adaptive(told)
        else:
            ran = run_suite(selected.suite, selected.cases, agent, endpoints, options, progress)
        if more is None:
            return ran
        from fairtrial.flow.adapt import adapt_run

        side = Side(name="this one", agent=agent, options=options)
        return adapt_run(ran, selected.cases, side, endpoints, more, progress)
    finally:
        progress.close()
        agent.close()


def _options(
    project: Project,
    asked: Asked,
    variant: str | None,
    selected: _Selected,
    judge: "JudgeOptions | None",
) -> RunOptions:
    options = run_options(project, selected.suite, variant, live=asked.live, judge=judge)
    adaptive: dict[str, Json] = {}
    if asked.adaptive:
        baseline = None if asked.baseline is None else str(asked.baseline.absolute())
        adaptive = {"adaptive": True, "max_extra": asked.max_extra, "baseline": baseline}
    return msgspec.structs.replace(
        options,
        selection=selected.selection,
        k=asked.k,
        save=not asked.no_save,
        recorded=options.recorded | adaptive,
    )


def _more(project: Project, asked: Asked, before: SavedRun | None) -> "More | None":
    """Give what further trials are asked for, before anything is run.

    Those that were begun go on beside the baseline that they were begun beside.

    Raises:
        UsageError: There is nothing that a case may have become worse than.
        BaselineError: The baseline cannot be read.
    """
    if not asked.adaptive:
        return None
    from fairtrial.flow.adapt import More, begun_beside
    from fairtrial.gate import read_baseline

    begun = begun_beside(before) if before is not None and asked.resume is not None else None
    if begun is not None:
        return More(baseline=begun, most=asked.max_extra)
    path = shown(asked.baseline or project.baseline)
    if not path.exists():
        raise UsageError(
            f"--adaptive: there is no baseline at {path} that a case may have become worse than; "
            "make one with `fairtrial accept`, or leave --adaptive out"
        )
    return More(baseline=read_baseline(path), most=asked.max_extra)


def _write(ran: Ran, out: Path | None) -> StoreError | None:
    if out is None:
        return None
    try:
        ran.graded.write_json(out)
    except StoreError as error:
        return error  # told last: what was run is shown all the same
    return None


def _code(ran: Ran, asked: Asked) -> int:
    if ran.ended.stopped == "interrupted":
        return INTERRUPTED
    code = ran.graded.exit
    return PASSED if code == FAILED and asked.allow_failures else code


def _show(ran: Ran, code: int, asked: Asked) -> None:
    if asked.silent:
        return
    gate_follows = asked.with_gate and code in {PASSED, FAILED, NOT_MEASURED}
    told = None if gate_follows or asked.written.annotations else code
    show_graded(ran.graded, told, verbose=asked.verbose, quiet=asked.quiet)
    info = ran.graded.info
    adaptive = ran.graded.scorecard.adaptive
    short = ran.ended.stopped is not None or (adaptive is not None and not adaptive.whole)
    if short and info.folder is not None:
        complain(f"what is done is saved; go on with: fairtrial run --resume {info.id}")


def _gate(asked: Asked, saved: SavedRun, spent: float | None) -> int:
    from fairtrial.flow.compare import gate_run

    project = project_of(asked.config)  # as confirming wants it: without the variant
    settings = project.gate_settings({}, allow_removed=asked.allow_removed, strict=asked.strict)
    path = shown(asked.baseline or project.baseline)
    name = str(path) if path.exists() else None
    told = None
    if saved.info.mode == "live":
        from fairtrial.cli.confirming import Confirm, confirm_by_itself

        cap = asked.max_cost or project.config.max_cost
        left = None if cap is None else max(cap - (spent or 0.0), 0.0)
        confirm = Confirm(max_cost=left, quiet=asked.quiet)
        told = confirm_by_itself(project, saved, path, settings, confirm)
    confirmation = None if told is None else told.confirmation
    decision = gate_run(saved, path, settings, os.environ, confirmation)
    annotate(saved, asked.written)
    style = style_for(sys.stdout, os.environ)
    print_lines(["", *decision_lines(decision, style, baseline_name=name)])
    return INTERRUPTED if told is not None and told.interrupted else decision.exit
