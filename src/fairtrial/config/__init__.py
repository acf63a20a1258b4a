"""fairtrial.toml to objects: the only place where a name becomes an object."""

import importlib
from typing import TYPE_CHECKING

from fairtrial.config.overrides import with_overrides
from fairtrial.config.project import Project
from fairtrial.config.reading import find_project
from fairtrial.config.settings import Config, GateTable, wanted

if TYPE_CHECKING:
    from fairtrial.config.judging import judge_options, judge_table, read_calibration, trust_bar
    from fairtrial.config.running import recorded, run_options

_LATER = {
    **dict.fromkeys(("recorded", "run_options"), "running"),
    **dict.fromkeys(("judge_options", "judge_table", "read_calibration", "trust_bar"), "judging"),
}
"""What most commands do not need: it loads agents and worlds, or the judge."""

__all__ = [
    "Config",
    "GateTable",
    "Project",
    "find_project",
    "judge_options",
    "judge_table",
    "read_calibration",
    "recorded",
    "run_options",
    "trust_bar",
    "wanted",
    "with_overrides",
]


def __getattr__(name: str) -> object:
    """Load what few commands need when it is asked for.

    Raises:
        AttributeError: There is no such name.
    """
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
