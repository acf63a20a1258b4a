"""What a plug-in looks like: small protocols on one screen. Whatever has the shape is one."""

from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

from fairtrial.records import (
    Case,
    Check,
    Completion,
    Json,
    JudgePrompt,
    JudgeReply,
    KeptReply,
    ModelRequest,
    Task,
    ToolReply,
    Trajectory,
)


@runtime_checkable
class Grader(Protocol):
    """A team's own grader, as `fairtrial.grader` marks it."""

    grader_name: str
    """Its checks are named after it."""

    def __call__(
        self, case: Case, trajectory: Trajectory, state: dict[str, Json] | None
    ) -> Check | list[Check]:
        """Give the checks of one trial."""
        ...


class Agent(Protocol):
    """The system under test, however it is reached."""

    name: str
    """For people: `module:function`, a command, an address."""
    blocking: bool
    """False: calling it gives an awaitable. True: it may block, and gets a thread of its own."""

    def __call__(self, task: Task) -> object:
        """Answer one task: give what the agent returned, or an awaitable of it."""
        ...

    def warm(self, count: int) -> None:
        """Get ready for so many tasks at once, before any clock runs.

        Raises:
            PluginError: The agent does not load.
        """
        ...

    def abandon(self, task: Task) -> None:
        """Stop working on a task that nobody waits for any more; called from another thread."""
        ...

    def close(self) -> None:
        """Let go of processes and connections."""
        ...


class Tools(Protocol):
    """The tools of one trial's world: a mapping of names to callables, and their schemas."""

    @property
    def openai(self) -> list[Json]:
        """Give the schemas for `tools=` of OpenAI's Chat Completions."""
        ...

    @property
    def openai_responses(self) -> list[Json]:
        """Give the schemas for `tools=` of OpenAI's Responses."""
        ...

    @property
    def anthropic(self) -> list[Json]:
        """Give the schemas for `tools=` of Anthropic's Messages."""
        ...

    @property
    def mcp(self) -> list[Json]:
        """Give the schemas as MCP lists them."""
        ...

    def __getitem__(self, name: str) -> Callable[..., Json]:
        """Give a tool by name, to be called with keyword arguments."""
        ...

    def __iter__(self) -> Iterator[str]:
        """Give the names."""
        ...

    def __len__(self) -> int:
        """Count the tools."""
        ...

    def call(self, name: str, arguments: Json = None) -> Json:
        """Call a tool with an object, or with the raw text that a model wrote.

        Raises:
            ToolError: The tool said no, there is no such tool, or the arguments do not fit it.
        """
        ...

    def reply(self, name: str, arguments: Json = None) -> ToolReply:
        """Call a tool and give what the model is to read: the result, or the error's words."""
        ...


class Model(Protocol):
    """Who speaks for the model in one trial."""

    def complete(self, request: ModelRequest) -> Completion:
        """Give the next reply.

        Raises:
            ScriptError: There is none for this request.
        """
        ...


class JudgeModel(Protocol):
    """Whoever replies to a judge's prompts. Called from several threads at once."""

    name: str
    """For people: the model, or `module:function`."""
    described: str
    """All that could change a reply: provider, model, settings."""

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        """Reply to a prompt.

        Raises:
            JudgeError: No reply is to be had.
        """
        ...


class Replies(Protocol):
    """Where a judge's replies are kept, so that none is paid for twice."""

    def find(self, key: str) -> KeptReply | None:
        """Give the reply on file under a key."""
        ...

    def keep(self, reply: KeptReply) -> None:
        """Put a reply on file; it is there when this returns."""
        ...
