"""Whatever acts: Python callables, programs, addresses, worker processes and a built-in loop."""

import importlib
from typing import TYPE_CHECKING

from fairtrial.agents.callables import callable_agent
from fairtrial.agents.failure import failure_of, retry_after_of
from fairtrial.agents.raised import AgentFailedError, ProviderFailedError
from fairtrial.agents.target import find_target
from fairtrial.agents.wire import task_json

if TYPE_CHECKING:
    from fairtrial.agents.command import CommandAgent
    from fairtrial.agents.loop import LoopAgent
    from fairtrial.agents.url import UrlAgent
    from fairtrial.agents.workers import ProcessAgent

_LATER = {
    "CommandAgent": "command",
    "LoopAgent": "loop",
    "ProcessAgent": "workers",
    "UrlAgent": "url",
}
"""Kinds of agents of which a run has one, most often none, and where each is."""

__all__ = [
    "AgentFailedError",
    "CommandAgent",
    "LoopAgent",
    "ProcessAgent",
    "ProviderFailedError",
    "UrlAgent",
    "callable_agent",
    "failure_of",
    "find_target",
    "retry_after_of",
    "task_json",
]


def __getattr__(name: str) -> object:
    """Load a kind of agent when it is asked for.

    Raises:
        AttributeError: There is no such name.
    """
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
