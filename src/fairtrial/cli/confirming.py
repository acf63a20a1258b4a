"""Fresh trials for a saved run: both of its sides made from the settings, and confirmed."""

import io
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from fairtrial.agents import ProcessAgent
from fairtrial.cases import Suite, load_suite
from fairtrial.cli.begun import options_of
from fairtrial.cli.options import judge_of, shown
from fairtrial.config import Project, find_project, run_options, with_overrides
from fairtrial.errors import UsageError
from fairtrial.flow.confirm import Told, confirm_flagged, flagged_of
from fairtrial.flow.course import RunOptions
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.revision import checked_out, has_commit
from fairtrial.flow.side import Side
from fairtrial.flow.surroundings import ended_in_order, kept_surroundings
from fairtrial.gate import Confirmation, read_baseline
from fairtrial.ports import Agent
from fairtrial.records import GateSettings, Json
from fairtrial.report import Progress, style_for
from fairtrial.store import SavedRun
from fairtrial.text import cut

NO_VARIANT = "none"
"""What `--baseline-variant` calls the agent as the settings have it, without any variant."""

_UNSEEN = "live"  # the setting `model` says that the agent asks a model that is not seen here
_LONGEST_START = 60  # seconds
_BOTH = ("world", "model", "step_cap", "timeout", "concurrency", "isolation", "currency", "agent")


class Confirm(Struct, frozen=True, kw_only=True):
    """How a run is confirmed."""

    variant: str | None = None
    """The baseline side is this variant of the present tree."""
    revision: str | None = None
    """The baseline side is the agent of this revision."""
    python: str | None = None
    """The interpreter of the revision's agent; None: ours."""
    max_cost: float | None = None
    """What both sides together may spend; None: as the settings say."""
    quiet: bool = False


def confirm_saved(
    project: Project, run: SavedRun, baseline: Path, settings: GateSettings, asked: Confirm
) -> Told:
    """Run what a saved live run needs to be decided, on both sides, and say what it told.

    Args:
        project: The settings, without any variant.
        run: A run that `fairtrial run` made.
        baseline: The file.
        settings: Of the gate.
        asked: What the baseline side is, and what may be spent.

    Raises:
        UsageError: The run was made from recordings, its cases have changed, or nobody said what
            the baseline side is.
        ProblemsError: Mistakes in the settings or the case files.
        PluginError: An agent does not load.
        StoreError: The run cannot be read, or trials cannot be saved.
        BaselineError: The baseline cannot be read.
    """
    _refuse(run, asked)
    own = _as_begun(project, run, run.info.variant)
    files = [shown(Path(str(name))) for name in run.info.settings.get("cases") or ()]
    suite = load_suite(files or own.case_files(), protected_tags=own.config.protected_tags)
    flagged = flagged_of(run, baseline, settings, suite.cases)
    if not flagged.flags:
        return Told(confirmation=Confirmation(currency=own.config.currency))
    asked = _with_side(asked, baseline)
    live = run.info.settings.get("live") is True
    with ExitStack() as stack:
        stack.enter_context(ended_in_order())
        stack.enter_context(kept_surroundings())
        endpoints = stack.enter_context(open_endpoints(live=live))
        before = stack.enter_context(_baseline_side(project, run, suite, endpoints, asked))
        options = _options(own, run, run.info.variant, suite, asked)
        agent = _alike(own, asked).agent(endpoints.listener.point, live=live)
        stack.callback(agent.close)
        now = Side(name="this one", agent=agent, options=options)
        stream = io.StringIO() if asked.quiet else sys.stderr
        style = style_for(stream, os.environ)
        currency = own.config.currency
        progress = Progress(stream, style, clock=time.monotonic, currency=currency)
        stack.callback(progress.close)
        return confirm_flagged(flagged, before, now, endpoints, progress)


def confirm_by_itself(
    project: Project, run: SavedRun, baseline: Path, settings: GateSettings, asked: Confirm
) -> Told | None:
    """Confirm a run that was just made, where it is known what the baseline side is.

    Returns:
        None where the baseline does not say which commit it was made from, or that is not in the
        repository: then the decision names the command.

    Raises:
        FairtrialError: As `confirm_saved`, save for that.
    """
    commit = read_baseline(baseline).git if baseline.exists() else None
    if commit is None or not has_commit(project.root, commit):
        return None
    return confirm_saved(project, run, baseline, settings, asked)


def _refuse(run: SavedRun, asked: Confirm) -> None:
    """Refuse what cannot be confirmed, before anything is done.

    Raises:
        UsageError: Two sides are named, or there is no agent to run.
    """
    if asked.variant is not None and asked.revision is not None:
        raise UsageError("--baseline-variant and --baseline-rev name two baseline sides; keep one")
    if asked.python is not None and asked.variant is not None:
        raise UsageError("--baseline-python is for --baseline-rev: a variant runs as it is set")
    if "live" not in run.info.settings:  # as `run` keeps it, and `grade` does not
        raise UsageError(
            f"{run.name} cannot be confirmed: recordings were graded there, and no agent was run; "
            "record more trials of both sides, or make the run with `fairtrial run`"
        )


def _with_side(asked: Confirm, baseline: Path) -> Confirm:
    """Give what was asked for, with the commit that the baseline was made from where none was.

    Raises:
        UsageError: Nobody said what the baseline side is.
    """
    if asked.variant is not None or asked.revision is not None:
        return asked
    commit = read_baseline(baseline).git if baseline.exists() else None
    if commit is None:
        raise UsageError(
            f"{baseline} does not say which commit it was made from; say what the baseline side "
            f"is: --baseline-variant NAME ({NO_VARIANT}: no variant), or --baseline-rev REV"
        )
    return msgspec.structs.replace(asked, revision=commit)


@contextmanager
def _baseline_side(
    project: Project, run: SavedRun, suite: Suite, endpoints: Endpoints, asked: Confirm
) -> Iterator[Side]:
    if asked.revision is None:
        name = None if asked.variant == NO_VARIANT not in project.config.variants else asked.variant
        own = _as_begun(project, run, name)
        agent = own.agent(endpoints.listener.point, live=endpoints.live)
        told = "the agent without a variant" if name is None else f"variant {cut(name)}"
        try:
            options = _options(own, run, name, suite, asked)
            yield Side(name=told, agent=agent, options=options)
        finally:
            agent.close()
        return
    with checked_out(project.root, asked.revision) as revision:
        own, name = _of_tree(project, run, revision.suite)
        agent = _agent_of_tree(own, revision.suite, endpoints, asked)
        told = f"revision {cut(asked.revision, 12)}"
        try:
            options = _options_of_tree(project, own, name, run, suite, asked)
            yield Side(name=told, agent=agent, options=options, git=revision.commit)
        finally:
            agent.close()


def _options_of_tree(
    project: Project, own: Project, name: str | None, run: SavedRun, suite: Suite, asked: Confirm
) -> RunOptions:
    """Give the options of a revision: its variant and model, our cases, world, graders and bounds.

    Its world is not even loaded: in one process there is one module of a name.
    """
    config = own.config
    unseen = config.model == _UNSEEN
    options = _options(_as_begun(project, run, run.info.variant), run, None, suite, asked)
    return msgspec.structs.replace(
        options,
        variant=own.variant(name),
        unseen=unseen,
        model=None if unseen else config.model,
        recorded=options.recorded | {"agent": config.agent, "model": config.model},
    )


def _of_tree(project: Project, run: SavedRun, tree: Path) -> tuple[Project, str | None]:
    """Give the settings that the revision had, with the run's variant where it had that."""
    file = tree / project.file.name if project.file is not None else None
    if file is None or not file.is_file():
        return msgspec.structs.replace(project, root=tree), None
    then = find_project(tree, file)
    name = run.info.variant if run.info.variant in then.config.variants else None
    return then.for_variant(name), name


def _agent_of_tree(own: Project, tree: Path, endpoints: Endpoints, asked: Confirm) -> Agent:
    """Start the agent as it was: in its own tree, in processes of its own.

    Raises:
        UsageError: It is an address, or the interpreter cannot run it.
    """
    said = own.config.agent
    if isinstance(said, dict) and "url" in said:
        raise UsageError(
            "the agent is an address, so a revision of it cannot be started here; start the old "
            "one, and name it as a variant: [variants.old] agent = {url = ...}, "
            "--baseline-variant old"
        )
    point, live = endpoints.listener.point, endpoints.live
    if not isinstance(said, str):
        if asked.python is not None:
            raise UsageError("--baseline-python is for a Python agent; a command names its own")
        return own.agent(point, live=live)
    python = None if asked.python is None else _interpreter(asked.python)
    return ProcessAgent(
        said,
        import_from=(tree, tree / "src"),
        point=point,
        live=live,
        tree=tree,
        python=python,
    )


def _interpreter(name: str) -> str:
    """Give the path of an interpreter in which fairtrial can be imported.

    Raises:
        UsageError: There is none, or it cannot.
    """
    found = shutil.which(name)
    if found is None:
        raise UsageError(f"--baseline-python {name}: no such program, or not executable")
    path = str(Path(found).absolute())  # a link stays one: an environment is known by it
    words = [path, "-P", "-c", "import fairtrial.agents.worker"]
    try:
        done = subprocess.run(  # noqa: S603 - the team's own interpreter, and no shell
            words, capture_output=True, text=True, check=False, timeout=_LONGEST_START
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"--baseline-python {name}: cannot be run: {error}") from error
    if done.returncode != 0:
        said = cut(done.stderr.strip().rpartition("\n")[2], 200)
        raise UsageError(
            f"--baseline-python {name}: fairtrial cannot be imported there ({said}); install it "
            "beside the agent's own packages"
        )
    return path


def _alike(own: Project, asked: Confirm) -> Project:
    """Give the settings with which our side runs as a revision's does: in processes of its own."""
    if asked.revision is None:
        return own
    config = msgspec.structs.replace(own.config, isolation="process")
    return msgspec.structs.replace(own, config=config)


def _as_begun(project: Project, run: SavedRun, variant: str | None) -> Project:
    """Give the settings of a variant, with what the run's command line said instead of its own.

    What the variant itself sets stays: it is what makes it another one.
    """
    made = project.for_variant(run.info.variant)
    own = project.for_variant(variant)
    said = options_of(run)
    sets: Mapping[str, Json] = project.config.variants.get(variant or "", {})
    changed = {
        name: value
        for name in _BOTH
        if (value := said.get(name)) is not None
        and value != getattr(made.config, name)
        and (variant == run.info.variant or name not in sets)
    }
    return with_overrides(
        own,
        currency=changed.pop("currency", None),
        tool_error=said.get("tool_error"),
        protected_tags=said["protected_tags"],
        graders=said["graders"],
        running=changed | {"seed": run.info.seed},
    )


def _options(
    own: Project, run: SavedRun, variant: str | None, suite: Suite, asked: Confirm
) -> RunOptions:
    live = run.info.settings.get("live") is True
    options = run_options(own, suite, variant, live=live, judge=judge_of(own, None))
    bounds = options.bounds
    if asked.max_cost is not None:
        bounds = msgspec.structs.replace(bounds, max_cost=asked.max_cost)
    return msgspec.structs.replace(
        options, bounds=bounds, recorded=options.recorded | {"confirms": run.info.id}
    )
