"""Fairtrial: know whether your tool-using agent works, works every time, and got worse today.

Everything here is loaded when it is first used, so `import fairtrial` costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING

from fairtrial.version import __version__

if TYPE_CHECKING:
    from fairtrial import testing as testing
    from fairtrial.cases import load_cases
    from fairtrial.errors import FairtrialError, ProviderError, ToolError
    from fairtrial.flow.in_memory import compare, grade
    from fairtrial.flow.in_memory_run import run
    from fairtrial.graders import GradingSettings, grader, yes_no
    from fairtrial.ports import Agent, Grader, Model, Tools
    from fairtrial.records import (
        Baseline,
        Case,
        Check,
        Decision,
        GateSettings,
        Report,
        Scorecard,
        Step,
        Task,
        Tokens,
        ToolCall,
        Trajectory,
        Trial,
    )
    from fairtrial.worlds import World, tool

_HOMES = {
    "Agent": "ports",
    "FairtrialError": "errors",
    "Grader": "ports",
    "GradingSettings": "graders",
    "Model": "ports",
    "ProviderError": "errors",
    "ToolError": "errors",
    "Tools": "ports",
    "World": "worlds",
    "compare": "flow.in_memory",
    "grade": "flow.in_memory",
    "grader": "graders",
    "load_cases": "cases",
    "run": "flow.in_memory_run",
    "tool": "worlds",
    "yes_no": "graders",
    **dict.fromkeys(
        (
            "Baseline",
            "Case",
            "Check",
            "Decision",
            "GateSettings",
            "Report",
            "Scorecard",
            "Step",
            "Task",
            "Tokens",
            "ToolCall",
            "Trajectory",
            "Trial",
        ),
        "records",
    ),
}
"""Where each public name lives, below this package."""

_ROOMS = frozenset(
    {"agents", "cases", "config", "errors", "flow", "gate", "graders", "match", "models"}
    | {"ports", "records", "report", "scorecard", "serve", "stats", "store", "text", "traces"}
    | {"testing", "trials", "worlds"}
)

__all__ = [
    "Agent",
    "Baseline",
    "Case",
    "Check",
    "Decision",
    "FairtrialError",
    "GateSettings",
    "Grader",
    "GradingSettings",
    "Model",
    "ProviderError",
    "Report",
    "Scorecard",
    "Step",
    "Task",
    "Tokens",
    "ToolCall",
    "ToolError",
    "Tools",
    "Trajectory",
    "Trial",
    "World",
    "__version__",
    "compare",
    "grade",
    "grader",
    "load_cases",
    "run",
    "tool",
    "yes_no",
]


def __getattr__(name: str) -> object:
    """Load a public name or a room on first use.

    Raises:
        AttributeError: There is no such name.
    """
    if name in _HOMES:
        value = getattr(importlib.import_module(f"fairtrial.{_HOMES[name]}"), name)
    elif name in _ROOMS:
        value = importlib.import_module(f"fairtrial.{name}")
    else:
        raise AttributeError(f"module 'fairtrial' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
