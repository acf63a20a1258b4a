"""fairtrial.toml to objects: the only place where a name becomes an object."""

import importlib
from typing import TYPE_CHECKING

from fairtrial.config.overrides import with_overrides
from fairtrial.config.project import Project
from fairtrial.config.reading import find_project
from fairtrial.config.settings import Config, GateTable, wanted

if TYPE_CHECKING:
    from fairtrial.config.running import recorded, run_options

_LATER = frozenset({"recorded", "run_options"})
"""What grading and the gate do not need: it loads agents and worlds."""

__all__ = [
    "Config",
    "GateTable",
    "Project",
    "find_project",
    "recorded",
    "run_options",
    "wanted",
    "with_overrides",
]


def __getattr__(name: str) -> object:
    """Load what running alone needs when it is asked for.

    Raises:
        AttributeError: There is no such name.
    """
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.running"), name)
