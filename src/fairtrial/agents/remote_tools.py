"""The tools of a world that lives in another process, called over the run's own listener."""

import http.client
import select
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, overload
from urllib.parse import quote, urlsplit

import msgspec

from fairtrial.agents.wire import encoded
from fairtrial.errors import ToolError, TrialOverError
from fairtrial.records import Json, ToolReply, plain

Default = TypeVar("Default")

_ENDED = frozenset({"fairtrial_trial_over", "fairtrial_no_trial"})
_SECONDS = 3_600  # without a word from the listener; the engine's own limit comes long before


class RemoteTool:
    """One tool. Call it with keyword arguments, or in the order of its parameters."""

    def __init__(self, tools: "RemoteTools", name: str) -> None:
        """Keep where it is."""
        self._tools = tools
        self.name = name

    def __call__(self, *args: Json, **arguments: Json) -> Json:
        """Call the tool.

        Raises:
            ToolError: The tool said no, there is no such tool, or the arguments do not fit it.
            TrialOverError: The trial has ended.
            TypeError: More positional arguments than it has parameters, or one given twice.
        """
        if self.name not in self._tools:  # the world has the words, and records the call
            return self._tools.call(self.name, [*args, arguments] if args else arguments)
        if args:
            names = list(self.parameters.get("properties", {}))
            if len(args) > len(names):
                raise TypeError(f"{self.name}() takes {len(names)} arguments, got {len(args)}")
            given = dict(zip(names, args, strict=False))
            if twice := given.keys() & arguments.keys():
                raise TypeError(f"{self.name}() got {min(twice)!r} twice")
            arguments = {**given, **arguments}
        return self._tools.call(self.name, arguments)

    @property
    def description(self) -> str:
        """What it does."""
        return str(self.mcp.get("description") or "")

    @property
    def parameters(self) -> dict[str, Json]:
        """The JSON Schema of its arguments."""
        schema = self.mcp.get("inputSchema")
        return schema if isinstance(schema, dict) else {}

    @property
    def mcp(self) -> dict[str, Json]:
        """The schema as MCP has it."""
        return self._schema("mcp")

    @property
    def openai(self) -> dict[str, Json]:
        """The schema as OpenAI's Chat Completions have it."""
        return self._schema("openai")

    @property
    def openai_responses(self) -> dict[str, Json]:
        """The schema as OpenAI's Responses have it."""
        return self._schema("openai_responses")

    @property
    def anthropic(self) -> dict[str, Json]:
        """The schema as Anthropic has it."""
        return self._schema("anthropic")

    def _schema(self, family: str) -> dict[str, Json]:
        for one in self._tools.schemas(family):
            if one.get("name", one.get("function", {}).get("name")) == self.name:
                return dict(one)
        return {}


class RemoteTools(Mapping[str, RemoteTool]):
    """A mapping of names to tools; has the shape of `fairtrial.ports.Tools`."""

    def __init__(self, url: str, names: Sequence[str]) -> None:
        """Keep where the tools are; nothing is asked yet."""
        parts = urlsplit(url)
        self._host, self._path = parts.netloc, parts.path.rstrip("/")
        self._tools = {name: RemoteTool(self, name) for name in names}
        self._schemas: dict[str, Json] | None = None

    def __getitem__(self, name: str) -> RemoteTool:
        """Give a tool; under an unknown name, what makes a failed call when it is called."""
        return self._tools[name] if name in self else RemoteTool(self, str(name))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._tools

    @overload
    def get(self, name: str, /) -> RemoteTool | None: ...

    @overload
    def get(self, name: str, /, default: Default) -> RemoteTool | Default: ...

    def get(self, name: str, /, default: object = None) -> object:
        """Give a tool, or the default where there is none."""
        return self._tools[name] if name in self else default

    def __getattr__(self, name: str) -> RemoteTool:
        try:
            return self.__dict__["_tools"][name]  # type: ignore[no-any-return] # they are tools
        except KeyError:
            known = ", ".join(self.__dict__.get("_tools", ()))
            raise AttributeError(f"there is no tool {name!r}; the tools are: {known}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    @property
    def openai(self) -> list[Json]:
        """The schemas for OpenAI's Chat Completions."""
        return self.schemas("openai")

    @property
    def openai_responses(self) -> list[Json]:
        """The schemas for OpenAI's Responses."""
        return self.schemas("openai_responses")

    @property
    def anthropic(self) -> list[Json]:
        """The schemas for Anthropic's Messages."""
        return self.schemas("anthropic")

    @property
    def mcp(self) -> list[Json]:
        """The schemas as MCP has them."""
        return self.schemas("mcp")

    def schemas(self, family: str) -> list[Json]:
        """Give the schemas in one shape; they are fetched once.

        Raises:
            TrialOverError: The trial has ended.
        """
        if self._schemas is None:
            self._schemas = _read(_ask(self._host, "GET", self._path, None))
        return list(self._schemas.get(family) or [])

    def call(self, name: str, arguments: Json = None) -> Json:
        """Call a tool with an object, or with the raw text that a model wrote.

        Raises:
            ToolError: The tool said no, there is no such tool, or the arguments do not fit it.
            TrialOverError: The trial has ended.
        """
        body = (
            arguments.encode(errors="replace")
            if isinstance(arguments, str)
            else encoded(plain({} if arguments is None else arguments))
        )
        path = f"{self._path}/{quote(name, safe='', errors='replace')}"
        return _read(_ask(self._host, "POST", path, body)).get("result")

    def reply(self, name: str, arguments: Json = None) -> ToolReply:
        """Call a tool and give what the model is to read: the result, or the error's words.

        A text stands as it is, any other result as JSON; `failed` of the reply tells the two apart.
        """
        try:
            return ToolReply.of(self.call(name, arguments))
        except ToolError as error:
            return ToolReply(str(error), failed=True)


class RemoteWorld:
    """The world as a worker process sees it: its tools, and words for all else."""

    def __init__(self, tools: RemoteTools) -> None:
        """Keep the tools."""
        self.tools = tools

    def __getattr__(self, name: str) -> Callable[..., Json]:
        if not name.startswith("_") and name in self.tools:
            return self.tools[name]
        raise AttributeError(
            f"no {name!r} here: the agent runs in a process of its own, and the world's data lives "
            "in the run's process; use its tools"
        )


_threads = threading.local()


def _ask(host: str, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
    """Send one request on the thread's own connection, which is kept."""
    connection: http.client.HTTPConnection | None = getattr(_threads, "connection", None)
    if connection is None or _threads.host != host or _hung_up(connection):
        if connection is not None:
            connection.close()
        connection = http.client.HTTPConnection(host, timeout=_SECONDS)
        _threads.connection, _threads.host = connection, host
    try:
        connection.request(method, path, body, {"content-type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()
    except BaseException:
        connection.close()  # what is left in it would be read as the next reply
        _threads.connection = None
        raise


def _hung_up(connection: http.client.HTTPConnection) -> bool:
    """Say whether the listener closed a connection that was idle: asking again is safe then."""
    if connection.sock is None:
        return True
    waiting = select.poll()
    waiting.register(connection.sock, select.POLLIN)
    return bool(waiting.poll(0))


def _read(reply: tuple[int, bytes]) -> dict[str, Json]:
    status, content = reply
    try:
        body = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise ToolError(f"the listener's reply is not JSON (HTTP {status})")
    if status == 200:
        return body
    text = str(body.get("error") or f"HTTP {status}")
    if body.get("code") in _ENDED:
        raise TrialOverError(text)
    raise ToolError(text)
