"""Our options as pytest read them, and the settings that they change."""

from pathlib import Path

import pytest
from msgspec import Struct

from fairtrial.config import Project, find_project, with_overrides
from fairtrial.errors import UsageError


class Asked(Struct, frozen=True, kw_only=True):
    """The options; None is what the settings say."""

    config: Path | None = None
    trials: int | None = None
    agent: str | None = None
    world: str | None = None
    variant: str | None = None
    live: bool = False
    max_cost: float | None = None
    gate: bool = False
    baseline: Path | None = None
    strict: bool = False
    allow_removed: bool = False


def asked_of(config: pytest.Config) -> Asked:
    """Give the options.

    Raises:
        UsageError: One of them makes no sense.
    """
    said = {name: config.getoption(f"fairtrial_{name}") for name in Asked.__struct_fields__}
    for name in ("config", "baseline"):
        if said[name] is not None:
            said[name] = config.invocation_params.dir / said[name]
    asked = Asked(**said)
    if asked.trials is not None and asked.trials < 1:
        raise UsageError(f"--fairtrial-trials: wanted a whole number from 1 up, got {asked.trials}")
    for name in ("baseline", "strict", "allow_removed"):
        if said[name] and not asked.gate:
            flag = f"--fairtrial-{name.replace('_', '-')}"
            raise UsageError(f"{flag} is for the gate; add --fairtrial-gate")
    return asked


def project_of(start: Path, asked: Asked) -> Project:
    """Give the settings that hold for a folder, with what the options say instead.

    Raises:
        UsageError: There is no such file or variant, or an option says what no setting takes.
        ProblemsError: The settings cannot be read.
    """
    project = find_project(start, asked.config).for_variant(asked.variant)
    running = {"agent": asked.agent, "world": asked.world, "max_cost": asked.max_cost}
    try:
        return with_overrides(project, running=running)
    except UsageError as error:
        raise UsageError(our_flags(str(error))) from error


def our_flags(text: str) -> str:
    """Give a text of the command line's with the options as pytest has them.

    >>> our_flags("no agent: set it, or give --agent")
    'no agent: set it, or give --fairtrial-agent'
    """
    for name in ("agent", "world", "max-cost"):
        text = text.replace(f"--{name}", f"--fairtrial-{name}")
    return text
