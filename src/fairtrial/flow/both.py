"""Two agents as one, so that one engine runs the trials of both in turn."""

from collections.abc import Awaitable, Mapping
from typing import Generic, TypeVar, cast

from fairtrial.ports import Agent
from fairtrial.records import Task

Name = TypeVar("Name")


class BothAgents(Generic[Name]):
    """Agents by name; each task goes to the agent that it was made for.

    Where one of them blocks and another is awaited, the awaited one gets an event loop of its own
    for each task, in the thread of the trial.
    """

    def __init__(self, agents: Mapping[Name, Agent]) -> None:
        """Keep the agents; who made them closes them."""
        self._agents = dict(agents)
        self._made_for: dict[str, Name] = {}
        self.name = " and ".join(dict.fromkeys(agent.name for agent in self._agents.values()))
        self.blocking = any(agent.blocking for agent in self._agents.values())

    def take(self, task: Task, name: Name) -> None:
        """Say which agent a task is for."""
        assert task.token is not None  # every trial has its own
        self._made_for[task.token] = name

    def __call__(self, task: Task) -> object:
        """Answer one task, or give an awaitable of it."""
        agent = self._of(task)
        answer = agent(task)
        if self.blocking and not agent.blocking:
            import asyncio  # noqa: PLC0415 - only where agents of both kinds meet

            return asyncio.run(_waited(cast("Awaitable[object]", answer)))
        return answer

    def warm(self, count: int) -> None:
        """Get each agent ready for so many tasks at once.

        Raises:
            PluginError: An agent does not load.
        """
        for agent in self._agents.values():
            agent.warm(count)

    def abandon(self, task: Task) -> None:
        """Stop working on a task."""
        self._of(task).abandon(task)

    def close(self) -> None:
        """Let go of nothing: who made the agents closes them."""

    def _of(self, task: Task) -> Agent:
        return self._agents[self._made_for[task.token or ""]]


async def _waited(answer: Awaitable[object]) -> object:
    return await answer
