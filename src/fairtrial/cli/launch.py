"""What `fairtrial run` does with its options: a run for each variant, shown, and gated if asked."""

import io
import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from fairtrial.cases import Suite, load_suite
from fairtrial.cli.begun import options_of, recorded, refuse_other
from fairtrial.cli.options import (
    FAILED,
    INTERRUPTED,
    NOT_MEASURED,
    PASSED,
    USAGE,
    complain,
    keep_apart,
    print_lines,
    project_of,
    shown,
)
from fairtrial.cli.showing import show_graded
from fairtrial.cli.surroundings import ended_in_order, kept_surroundings
from fairtrial.config import Project, with_overrides
from fairtrial.errors import StoreError, UsageError
from fairtrial.flow.compare import diff_runs, gate_run
from fairtrial.flow.course import Ran, RunOptions
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.parting import with_partings
from fairtrial.flow.run import resume_run, run_suite
from fairtrial.flow.selecting import Wanted, select
from fairtrial.models import Prices
from fairtrial.records import Case, Selection
from fairtrial.report import (
    Progress,
    decision_lines,
    difference_lines,
    style_for,
)
from fairtrial.store import SavedRun, find_run
from fairtrial.trials import Bounds

_CASE_FILES = (".yaml", ".yml", ".json", ".jsonl")
_UNSEEN = "live"  # the setting `model` says that the agent asks a model that is not seen here
_SEVERITY = (PASSED, FAILED, NOT_MEASURED, USAGE, INTERRUPTED)


class Asked(Struct, frozen=True, kw_only=True):
    """The options of `fairtrial run`; None is what the settings say."""

    names: tuple[str, ...] = ()
    k: int | None = None
    tags: tuple[str, ...] = ()
    protected: bool = False
    only: tuple[str, ...] = ()
    agent: str | None = None
    world: str | None = None
    variants: tuple[str, ...] = ()
    live: bool = False
    model: str | None = None
    seed: int | None = None
    concurrency: int | None = None
    timeout: float | None = None
    run_timeout: float | None = None
    isolation: str | None = None
    step_cap: int | None = None
    retries: int | None = None
    max_cost: float | None = None
    resume: str | None = None
    with_gate: bool = False
    baseline: Path | None = None
    allow_removed: bool = False
    strict: bool = False
    json_out: Path | None = None
    allow_failures: bool = False
    no_save: bool = False
    graders: tuple[str, ...] = ()
    tool_error: str | None = None
    currency: str | None = None
    protected_tags: tuple[str, ...] = ()
    config: Path | None = None
    verbose: bool = False
    quiet: bool = False
    silent: bool = False
    """Show nothing at all: somebody else tells what came out."""


class _Selected(NamedTuple):
    suite: Suite
    cases: tuple[Case, ...]
    selection: Selection | None


_SETTINGS: tuple[str, ...] = (
    *("agent", "world", "model", "seed", "concurrency", "timeout", "run_timeout"),
    *("isolation", "step_cap", "retries", "max_cost"),
)
"""Options that stand for a setting of the same name."""


def run_as_asked(asked: Asked) -> int:
    """Run every variant that was asked for, and give the exit code.

    Raises:
        UsageError: Options that do not fit together, or a setting that is missing.
        ProblemsError: Mistakes in the settings or the case files, or fixtures that do not fit.
        PluginError: The agent, the world or a grader does not load.
        StoreError: A run cannot be read or saved.
    """
    _refuse(asked)
    project = project_of(asked.config)
    before = _run_before(asked, project)
    if before is not None and asked.resume is not None:
        asked = _as_begun(asked, before)
    variants = asked.variants or (None,)
    projects = [_overridden(project.for_variant(variant), asked) for variant in variants]
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
        a, b = runs
        style = style_for(sys.stdout, os.environ)
        difference = with_partings(diff_runs(a, b), a, b)
        print_lines(
            ["", *difference_lines(difference, style, sides=(asked.variants[0], asked.variants[1]))]
        )
    return max(codes, key=_SEVERITY.index) if len(codes) > 1 else codes[0]


def repeat_as_asked(asked: Asked, times: int) -> Iterator[tuple[int, SavedRun]]:
    """Run the same agent again and again, and give each exit code with its run as it ends.

    Raises:
        UsageError: Options that do not fit together, or a setting that is missing.
        ProblemsError: Mistakes in the settings or the case files, or fixtures that do not fit.
        PluginError: The agent, the world or a grader does not load.
        StoreError: A run cannot be read or saved.
    """
    _refuse(asked)
    project = project_of(asked.config)
    variant = asked.variants[0] if asked.variants else None
    own = _overridden(project.for_variant(variant), asked)
    for _ in range(times):
        code, saved = _run_variant(own, asked, variant, None)
        assert saved is not None  # what is repeated is always saved
        yield code, saved
        if code == INTERRUPTED:
            return


def _refuse(asked: Asked) -> None:
    """Refuse options that do not go together, before anything is done.

    Raises:
        UsageError: Two of them exclude each other.
    """
    if len(set(asked.variants)) < len(asked.variants):
        raise UsageError(f"--variant: {asked.variants[0]!r} is named twice; name two variants")
    if asked.json_out is not None and len(asked.variants) > 1:
        raise UsageError("--json holds one run, and each --variant makes one; run them one by one")
    if asked.with_gate and asked.no_save:
        raise UsageError("--gate reads the saved run; leave out --no-save")
    if asked.with_gate and len(asked.variants) > 1:
        raise UsageError("--gate decides about one run, and each --variant makes one")
    if asked.resume is None:
        return
    fixed = {
        "IDS": asked.names,
        "-k": asked.k,
        "--tag": asked.tags,
        "--only": asked.only,
        "--protected": asked.protected,
        "--variant": asked.variants,
        "--seed": asked.seed,
        "--no-save": asked.no_save,
        "--live": asked.live,
    }
    for name, value in fixed.items():
        if value is not None and value is not False and value != ():  # 0 is a seed
            raise UsageError(f"{name} does not go with --resume: the run says it; leave it out")


def _overridden(project: Project, asked: Asked) -> Project:
    running = {name: getattr(asked, name) for name in _SETTINGS}
    return with_overrides(
        project,
        currency=asked.currency,
        tool_error=asked.tool_error,
        protected_tags=asked.protected_tags,
        graders=asked.graders,
        running=running,
    )


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


def _as_begun(asked: Asked, run: SavedRun) -> Asked:
    """Give the options with those that the run to go on with was begun with."""
    said = {
        name: value for name, value in options_of(run).items() if getattr(asked, name) in {None, ()}
    }
    return msgspec.structs.replace(
        asked,
        **said,
        seed=run.info.seed,
        variants=() if run.info.variant is None else (run.info.variant,),
        live=run.info.settings.get("live") is True,
    )


def _run_variant(
    project: Project, asked: Asked, variant: str | None, before: SavedRun | None
) -> tuple[int, SavedRun | None]:
    """Run one variant and show it; give the exit code and the run, if it was saved."""
    selected = _select(project, asked, before)
    with ended_in_order(), kept_surroundings(), open_endpoints(live=asked.live) as endpoints:
        ran = _run(project, asked, variant, selected, endpoints, before)
    with closing(ran.graded) as graded:
        unwritten = _write(ran, asked.json_out)
        code = _code(ran, asked)
        _show(ran, code if unwritten is None else USAGE, asked)
        folder = graded.info.folder
    if unwritten is not None:
        raise unwritten
    saved = None if folder is None else find_run(folder, project.root)
    if asked.with_gate and saved is not None and code != INTERRUPTED:
        return _gate(asked, saved, ran.spent), saved
    return code, saved


def _select(project: Project, asked: Asked, before: SavedRun | None) -> _Selected:
    files = [Path(name) for name in asked.names if _is_case_file(name)]
    if before is not None and asked.resume is not None:
        files = [Path(str(name)) for name in before.info.settings.get("cases") or ()]
    files = [shown(file) for file in files or project.case_files()]
    keep_apart("--json", asked.json_out, [project.file, *files])
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
    variant: str | None,
    selected: _Selected,
    endpoints: Endpoints,
    before: SavedRun | None,
) -> Ran:
    agent = project.agent(endpoints.listener.point, live=asked.live)
    options = _options(project, asked, variant, selected)
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
            return resume_run(before, selected.cases, agent, endpoints, options, progress)
        return run_suite(selected.suite, selected.cases, agent, endpoints, options, progress)
    finally:
        progress.close()
        agent.close()


def _options(
    project: Project, asked: Asked, variant: str | None, selected: _Selected
) -> RunOptions:
    config = project.config
    unseen = config.model == _UNSEEN
    return RunOptions(
        root=project.root,
        settings=project.grading_settings(),
        world=project.world(),
        variant=project.variant(variant),
        selection=selected.selection,
        trials=config.trials,
        k=asked.k,
        seed=config.seed,
        bounds=Bounds(
            concurrency=config.concurrency,
            timeout=config.timeout,
            run_timeout=config.run_timeout,
            retries=config.retries,
            max_cost=config.max_cost,
        ),
        step_cap=config.step_cap,
        model=None if unseen else config.model,
        unseen=unseen,
        # The library counts in dollars; a table of the suite's own counts in the suite's currency.
        prices=Prices(config.prices, library=asked.live and config.currency == "USD"),
        save=not asked.no_save,
        recorded=recorded(project, selected.suite, variant, live=asked.live),
    )


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
    told = None if gate_follows else code
    show_graded(ran.graded, told, verbose=asked.verbose, quiet=asked.quiet)
    info = ran.graded.info
    if ran.ended.stopped is not None and info.folder is not None:
        complain(f"what is done is saved; go on with: fairtrial run --resume {info.id}")


def _gate(asked: Asked, saved: SavedRun, spent: float | None) -> int:
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
    style = style_for(sys.stdout, os.environ)
    print_lines(["", *decision_lines(decision, style, baseline_name=name)])
    return INTERRUPTED if told is not None and told.interrupted else decision.exit
