"""Whatever acts: Python callables, programs, addresses, worker processes and a built-in loop."""

from fairtrial.agents.callables import callable_agent
from fairtrial.agents.command import CommandAgent
from fairtrial.agents.failure import failure_of, retry_after_of
from fairtrial.agents.loop import LoopAgent
from fairtrial.agents.raised import AgentFailedError, ProviderFailedError
from fairtrial.agents.target import find_target
from fairtrial.agents.url import UrlAgent
from fairtrial.agents.wire import task_json
from fairtrial.agents.workers import ProcessAgent

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
