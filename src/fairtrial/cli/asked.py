"""The options of `fairtrial run`: what goes together, and what they change of the settings."""

from pathlib import Path

import msgspec
from msgspec import Struct

from fairtrial.cli.begun import options_of
from fairtrial.cli.written import Written
from fairtrial.config import Project, with_overrides
from fairtrial.errors import UsageError
from fairtrial.store import SavedRun

_SETTINGS: tuple[str, ...] = (
    *("agent", "world", "model", "seed", "concurrency", "timeout", "run_timeout"),
    *("isolation", "step_cap", "retries", "max_cost"),
)
"""Options that stand for a setting of the same name."""


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
    judge: str | None = None
    model: str | None = None
    seed: int | None = None
    concurrency: int | None = None
    timeout: float | None = None
    run_timeout: float | None = None
    isolation: str | None = None
    step_cap: int | None = None
    retries: int | None = None
    max_cost: float | None = None
    adaptive: bool = False
    max_extra: int | None = None
    resume: str | None = None
    with_gate: bool = False
    baseline: Path | None = None
    allow_removed: bool = False
    strict: bool = False
    json_out: Path | None = None
    written: Written = Written()
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


def refuse(asked: Asked) -> None:
    """Refuse options that do not go together, before anything is done.

    Raises:
        UsageError: Two of them exclude each other.
    """
    _refuse_reports(asked)
    if asked.max_extra is not None and not asked.adaptive and asked.resume is None:
        raise UsageError("--max-extra bounds what --adaptive adds; give both")
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


def _refuse_reports(asked: Asked) -> None:
    """Refuse several runs where one is wanted, and no run folder where it is read.

    Raises:
        UsageError: That is so.
    """
    if len(set(asked.variants)) < len(asked.variants):
        raise UsageError(f"--variant: {asked.variants[0]!r} is named twice; name two variants")
    if asked.json_out is not None and len(asked.variants) > 1:
        raise UsageError("--json holds one run, and each --variant makes one; run them one by one")
    if asked.written.asked and len(asked.variants) > 1:
        raise UsageError(
            "a report is of one run, and each --variant makes one; run them one by one"
        )
    if asked.written.asked and asked.no_save:
        raise UsageError(
            "--markdown, --junit and --annotations read the saved run; leave out --no-save"
        )
    if asked.with_gate and asked.no_save:
        raise UsageError("--gate reads the saved run; leave out --no-save")
    if asked.with_gate and len(asked.variants) > 1:
        raise UsageError("--gate decides about one run, and each --variant makes one")


def overridden(project: Project, asked: Asked) -> Project:
    """Give the settings with what the options say instead."""
    running = {name: getattr(asked, name) for name in _SETTINGS}
    return with_overrides(
        project,
        currency=asked.currency,
        tool_error=asked.tool_error,
        protected_tags=asked.protected_tags,
        graders=asked.graders,
        running=running,
    )


def as_begun(asked: Asked, run: SavedRun) -> Asked:
    """Give the options with those that the run to go on with was begun with."""
    from fairtrial.flow.adapt import cut_short

    said = {
        name: value for name, value in options_of(run).items() if getattr(asked, name) in {None, ()}
    }
    if asked.baseline is None and isinstance(run.info.settings.get("baseline"), str):
        said["baseline"] = Path(str(run.info.settings["baseline"]))
    return msgspec.structs.replace(
        asked,
        **said,
        seed=run.info.seed,
        variants=() if run.info.variant is None else (run.info.variant,),
        live=run.info.settings.get("live") is True,
        adaptive=asked.adaptive or cut_short(run),
    )
