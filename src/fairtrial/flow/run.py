"""The story of `run`: the team's agent on every case, k times each, graded and saved as it goes."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from fairtrial.cases import Suite
from fairtrial.errors import ProblemsError, UsageError, WorldError
from fairtrial.flow.commit import git_commit
from fairtrial.flow.course import Course, Ran, RunOptions, Watch
from fairtrial.flow.endpoints import Endpoints
from fairtrial.flow.names import unknown_fields_of
from fairtrial.ports import Agent
from fairtrial.records import Case, RunInfo
from fairtrial.store import Redactor, RunWriter, SavedRun, new_run_id, run_folder
from fairtrial.text import cut
from fairtrial.version import __version__
from fairtrial.worlds import Blueprint, World, prepare


def plan_trials(cases: Iterable[Case], *, trials: int, k: int | None) -> dict[str, int]:
    """Give the number of trials by case id: k, else the case's own, else that of the settings.

    >>> plan_trials([], trials=1, k=None)
    {}
    """
    return {case.id: k or case.trials or trials for case in cases}


def prepare_worlds(world: type[World] | None, cases: Iterable[Case]) -> dict[str, Blueprint]:
    """Check the fixtures, faults and stub tools of every case against the world, before any trial.

    Raises:
        ProblemsError: What does not fit, of all cases, each with its place.
    """
    blueprints: dict[str, Blueprint] = {}
    problems: dict[str, list[Case]] = {}
    untold: Blueprint | None = None  # of cases that say nothing of their world: they share it
    for case in cases:
        tells = case.fixtures or case.tools or case.faults or case.context is not None
        try:
            blueprint = prepare(world, case) if tells or untold is None else untold
        except WorldError as error:
            found: Iterable[str] = error.problems
        else:
            blueprints[case.id] = blueprint
            untold = untold if tells else blueprint
            found = unknown_fields_of(case, blueprint)
        for text in found:
            problems.setdefault(text, []).append(case)
    if problems:
        raise ProblemsError([_told(text, of_cases) for text, of_cases in problems.items()])
    return blueprints


def _told(problem: str, cases: Sequence[Case]) -> str:
    """Say what does not fit, once: what stands in the defaults is met by many cases."""
    first, *more = cases
    others = f" (and {len(more)} more {'case' if len(more) == 1 else 'cases'})" if more else ""
    return f"{first.source}: case {first.id}{others}: {problem}"


def run_suite(
    suite: Suite,
    cases: Sequence[Case],
    agent: Agent,
    endpoints: Endpoints,
    options: RunOptions,
    watch: Watch | None = None,
) -> Ran:
    """Run an agent on cases, and save and grade every trial as it ends.

    Args:
        suite: Where the cases come from.
        cases: Those of it that are to be run, in suite order.
        agent: The system under test.
        endpoints: Where it finds its model and tools.
        options: Everything else.
        watch: Told of every trial.

    Raises:
        ProblemsError: A case's fixtures, faults or stub tools do not fit the world.
        StoreError: The run cannot be saved.
        FairtrialError: The agent cannot be started at all.
    """
    planned = plan_trials(cases, trials=options.trials, k=options.k)
    blueprints = prepare_worlds(options.world, cases)
    info = run_info(suite, agent.name, options)
    folder = None if info.folder is None else Path(info.folder)
    redactor = Redactor(endpoints.secrets)
    with ExitStack() as stack:
        writer = RunWriter.start(info, cases, folder=folder, planned=planned, redactor=redactor)
        course = Course(writer, cases, planned, options)
        stack.callback(lambda: writer.close() if course.kept else writer.discard())
        ran = course.run(agent, endpoints, blueprints, watch)
        stack.pop_all()
    return ran


def resume_run(
    run: SavedRun,
    cases: Sequence[Case],
    agent: Agent,
    endpoints: Endpoints,
    options: RunOptions,
    watch: Watch | None = None,
) -> Ran:
    """Go on with a run that was cut short: only trials that are missing are run.

    Args:
        run: The run.
        cases: As the files are now; those that the run has, in its order.
        agent: The system under test.
        endpoints: Where it finds its model and tools.
        options: As for `run_suite`; seed, variant and trials are those of the run.
        watch: Told of every trial.

    Raises:
        UsageError: The cases are no longer those that the run began with, or nothing is missing.
        ProblemsError: A case's fixtures, faults or stub tools do not fit the world.
        StoreError: The run cannot be read or written.
    """
    begun = {
        result.id: _Begun(result.hash, result.planned, len(result.trials))
        for result in run.results()
    }
    _refuse_changed(run, cases, begun)
    if not options.adaptive:
        _refuse_whole(run, begun)
    assert run.folder is not None  # its results were just read from there
    run.forget_gated()
    planned = {name: case.planned for name, case in begun.items()}
    blueprints = prepare_worlds(options.world, cases)
    redactor = Redactor(endpoints.secrets)
    with ExitStack() as stack:
        writer = RunWriter.resume(run.folder, redactor=redactor)
        stack.callback(writer.close)
        course = Course(writer, cases, planned, options)
        course.take_up(run)
        ran = course.run(agent, endpoints, blueprints, watch)
        stack.pop_all()
    return ran


class _Begun(NamedTuple):
    """What a run that was cut short has of a case."""

    hash: str
    planned: int
    trials: int


def _refuse_changed(run: SavedRun, cases: Sequence[Case], begun: Mapping[str, _Begun]) -> None:
    now = {case.id: case.hash for case in cases}
    changed = [name for name, case in begun.items() if now.get(name) not in {None, case.hash}]
    gone = [name for name in begun if name not in now]
    if changed or gone:
        named = ", ".join(map(cut, (changed or gone)[:5]))
        verb = "changed" if changed else "is gone" if len(gone) == 1 else "are gone"
        what = f"{named} {verb}"
        raise UsageError(
            f"{run.name} cannot be gone on with: since it began {what}; start a new run"
        )


def _refuse_whole(run: SavedRun, begun: Mapping[str, _Begun]) -> None:
    if run.finished and all(case.trials >= case.planned for case in begun.values()):
        raise UsageError(
            f"{run.name} is whole: nothing is missing; `fairtrial report {run.info.id}` shows it, "
            "and `fairtrial run --only failed,errored` runs anew what did not pass"
        )


def run_info(suite: Suite, agent: str, options: RunOptions) -> RunInfo:
    """Give what is known of a new run before its first trial.

    >>> from fairtrial.models import Prices
    >>> options = RunOptions(root=Path("/shop"), prices=Prices(), save=False, seed=7)
    >>> run_info(Suite(cases=(), files=()), "shop:agent", options).seed
    7
    """
    run_id = new_run_id(datetime.now(UTC), os.urandom(3).hex())  # noqa: TID251 - names the run only
    return RunInfo(
        id=run_id,
        folder=str(run_folder(options.root, run_id)) if options.save else None,
        mode="none",
        variant=options.variant.name,
        selection=options.selection,
        suite=", ".join(file.name for file in suite.files),
        agent=agent,
        git=git_commit(options.root),
        seed=options.seed,
        version=__version__,
        settings=options.recorded,
        started=datetime.now(UTC).isoformat(timespec="seconds"),  # noqa: TID251 - for people
    )
