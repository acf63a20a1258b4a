"""How an agent is run as the settings say, and what a run's folder keeps of that."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from fairtrial.cases import Suite
from fairtrial.config.project import Project
from fairtrial.flow.course import RunOptions
from fairtrial.models import Prices
from fairtrial.records import Json
from fairtrial.trials import Bounds

if TYPE_CHECKING:
    from fairtrial.flow.judging import JudgeOptions

_UNSEEN = "live"  # the setting `model` says that the agent asks a model that is not seen here


def run_options(
    project: Project,
    suite: Suite,
    variant: str | None,
    *,
    live: bool,
    judge: "JudgeOptions | None" = None,
) -> RunOptions:
    """Give what a run of a suite is asked to do where nobody says more than the settings.

    Args:
        project: The settings, those of the variant.
        suite: What is run.
        variant: Its name, for the agent.
        live: The real model is asked.
        judge: Who answers rubric items, as `judge_options` gives it.

    Raises:
        PluginError: The world or a grader does not load.

    >>> from fairtrial.config import Config
    >>> project = Project(config=Config(trials=3), root=Path("/shop"), file=None)
    >>> run_options(project, Suite(cases=(), files=()), None, live=False).trials
    3
    """
    config = project.config
    unseen = config.model == _UNSEEN
    return RunOptions(
        root=project.root,
        settings=project.grading_settings(),
        world=project.world(),
        variant=project.variant(variant),
        trials=config.trials,
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
        judge=judge,
        prices=Prices(config.prices, library=live and config.currency == "USD"),
        recorded=recorded(project, suite, variant, live=live)
        | {"judge": None if judge is None else judge.asks},
    )


def recorded(project: Project, suite: Suite, variant: str | None, *, live: bool) -> dict[str, Json]:
    """Give what `run.json` keeps of how the run was made.

    >>> from fairtrial.config import Config
    >>> project = Project(config=Config(), root=Path("/shop"), file=None)
    >>> recorded(project, Suite(cases=(), files=()), None, live=True)["live"]
    True
    """
    config = project.config
    return {
        "cases": [str(Path(file.path).absolute()) for file in suite.files],
        "graders": list(config.graders),
        "tool_error": config.tool_error,
        "currency": config.currency,
        "protected_tags": list(config.protected_tags),
        "agent": config.agent,
        "world": config.world,
        "model": config.model,
        "isolation": config.isolation or "thread",
        "live": live,
        "concurrency": config.concurrency,
        "timeout": config.timeout,
        "step_cap": config.step_cap,
        "variant_settings": project.variant(variant).settings,
        "scripts": _fingerprint(suite),
    }


def _fingerprint(suite: Suite) -> str:
    """Give a hash over the scripts: what a case is known by leaves them out."""
    scripts = {case.id: case.script for case in suite.cases if case.script is not msgspec.UNSET}
    return hashlib.sha256(msgspec.json.encode(scripts, order="sorted")).hexdigest()[:16]
