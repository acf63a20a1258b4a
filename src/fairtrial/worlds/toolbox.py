"""The tools of one trial's world, as an agent is handed them."""

from collections.abc import Iterator, Mapping
from typing import NoReturn, TypeVar, overload

from fairtrial.errors import ToolError
from fairtrial.records import Json, ToolReply
from fairtrial.text import cut
from fairtrial.worlds.copies import snapshot
from fairtrial.worlds.ledger import Ledger
from fairtrial.worlds.runner import Runner

Default = TypeVar("Default")


class Tool:
    """One tool: call it with keyword arguments, or show its schema to a model."""

    __slots__ = ("_ledger", "_runner", "_world")

    def __init__(self, world: object, ledger: Ledger, runner: Runner) -> None:
        self._world = world
        self._ledger = ledger
        self._runner = runner

    def __call__(self, *arguments: object, **named: object) -> Json:
        """Call the tool; the result is a copy.

        Raises:
            ToolError: The tool said no, or the arguments do not fit it.
        """
        return self._ledger.called(self._world, self._runner.name, arguments, named)

    def __repr__(self) -> str:
        return f"<tool {self.name}: {self._runner.takes}>"

    @property
    def name(self) -> str:
        """What an agent calls it."""
        return self._runner.name

    @property
    def description(self) -> str:
        """What a model is told of it."""
        return self._runner.shown.description

    @property
    def parameters(self) -> Json:
        """The JSON Schema of its arguments."""
        return snapshot(self._runner.shown.parameters)

    @property
    def openai(self) -> Json:
        """The entry for `tools=` of OpenAI's Chat Completions."""
        return self._runner.shown.openai()

    @property
    def openai_responses(self) -> Json:
        """The entry for `tools=` of OpenAI's Responses."""
        return self._runner.shown.openai_responses()

    @property
    def anthropic(self) -> Json:
        """The entry for `tools=` of Anthropic's Messages."""
        return self._runner.shown.anthropic()

    @property
    def mcp(self) -> Json:
        """The entry of a list of tools in the Model Context Protocol."""
        return self._runner.shown.mcp()


class _NoTool(Tool):
    """What stands under a name that no tool has: an agent that calls it makes a failed call."""

    __slots__ = ("_name",)

    def __init__(self, world: object, ledger: Ledger, name: Json) -> None:
        self._world = world
        self._ledger = ledger
        self._name = name

    def __call__(self, *arguments: object, **named: object) -> Json:
        """Record the call.

        Raises:
            ToolError: Always.
        """
        return self._ledger.called(self._world, self._name, arguments, named)

    def __repr__(self) -> str:
        return f"<no tool: {self.name}>"

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"there is no such tool, so it has no {name}")

    @property
    def name(self) -> str:
        """What the agent asked for."""
        return cut(str(self._name))


class Toolbox(Mapping[str, Tool]):
    """All tools of a world by name, also as attributes; `fairtrial.ports.Tools` says the shape."""

    __slots__ = ("_ledger", "_runners", "_world")

    def __init__(self, world: object, ledger: Ledger, runners: Mapping[str, Runner]) -> None:
        self._world = world
        self._ledger = ledger
        self._runners = runners

    def __getitem__(self, name: str) -> Tool:
        """Give a tool; under an unknown name, what makes a failed call when it is called."""
        if name in self:
            return Tool(self._world, self._ledger, self._runners[name])
        return _NoTool(self._world, self._ledger, name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._runners

    @overload
    def get(self, name: str, /) -> Tool | None: ...

    @overload
    def get(self, name: str, /, default: Default) -> Tool | Default: ...

    def get(self, name: str, /, default: object = None) -> object:
        """Give a tool, or the default where there is none."""
        if name not in self:
            return default
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._runners)

    def __len__(self) -> int:
        return len(self._runners)

    def __getattr__(self, name: str) -> Tool:
        """Give a tool by its name.

        Raises:
            AttributeError: There is no such tool.
        """
        if name in self._runners:
            return self[name]
        raise AttributeError(f"there is no tool {name!r}; the tools are: {', '.join(self)}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self})

    def __repr__(self) -> str:
        return f"<tools: {', '.join(self)}>"

    def call(self, name: str, arguments: Json = None) -> Json:
        """Call a tool with an object, or with the raw text that a model wrote.

        Raises:
            ToolError: The tool said no, there is no such tool, or the arguments do not fit it.
        """
        return self._ledger.call(self._world, name, arguments)

    def reply(self, name: str, arguments: Json = None) -> ToolReply:
        """Call a tool and give what the model is to read: the result, or the error's words.

        A text stands as it is, any other result as JSON; `failed` of the reply tells the two apart.
        """
        try:
            return ToolReply.of(self.call(name, arguments))
        except ToolError as error:
            return ToolReply(str(error), failed=True)

    @property
    def openai(self) -> list[Json]:
        """For `tools=` of OpenAI's Chat Completions."""
        return [one.shown.openai() for one in self._runners.values()]

    @property
    def openai_responses(self) -> list[Json]:
        """For `tools=` of OpenAI's Responses."""
        return [one.shown.openai_responses() for one in self._runners.values()]

    @property
    def anthropic(self) -> list[Json]:
        """For `tools=` of Anthropic's Messages."""
        return [one.shown.anthropic() for one in self._runners.values()]

    @property
    def mcp(self) -> list[Json]:
        """For a list of tools in the Model Context Protocol."""
        return [one.shown.mcp() for one in self._runners.values()]
