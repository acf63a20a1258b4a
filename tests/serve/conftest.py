"""A stage: a listener, trials with a scripted model and a small world, and clients to ask them."""

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import anthropic
import openai
import pytest

from fairtrial.errors import ScriptError, ToolError
from fairtrial.records import Addresses, Completion, Json, ModelCall, ModelRequest
from fairtrial.serve import Listener, Mounted


class ListModel:
    """Says one thing after the other, and keeps what it was asked."""

    def __init__(self, *replies: str | Completion | BaseException) -> None:
        self._replies = list(replies)
        self.asked: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> Completion:
        self.asked.append(request)
        if not self._replies:
            raise ScriptError("the script has no step left")
        reply = self._replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return Completion(text=reply) if isinstance(reply, str) else reply


class SmallTools:
    """A world's tools, as `fairtrial.ports.Tools` has them."""

    def __init__(self, **tools: Callable[..., Json]) -> None:
        self._tools = tools
        self.called: list[tuple[str, Json]] = []
        self.openai: list[Json] = [{"type": "function", "function": {"name": x}} for x in tools]
        self.openai_responses: list[Json] = [{"type": "function", "name": x} for x in tools]
        self.anthropic: list[Json] = [{"name": x, "input_schema": {}} for x in tools]
        self.mcp: list[Json] = [{"name": x, "inputSchema": {}} for x in tools]

    def __getitem__(self, name: str) -> Callable[..., Json]:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def call(self, name: str, arguments: Json = None) -> Json:
        self.called.append((name, arguments))
        if name not in self._tools:
            raise ToolError(f"there is no tool {name!r}")
        if not isinstance(arguments, dict):
            raise ToolError("malformed arguments")
        return self._tools[name](**arguments)

    def reply(self, name: str, arguments: Json = None) -> str:
        return json.dumps(self.call(name, arguments))


class Reply(NamedTuple):
    """A whole HTTP answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Shown(NamedTuple):
    """A trial on stage."""

    mounted: Mounted
    at: Addresses
    model: ListModel


def call(name: str, arguments: str = "{}") -> ModelCall:
    return ModelCall(name=name, arguments=arguments)


def says(text: str | None = None, *calls: ModelCall, **fields: Any) -> Completion:
    return Completion(text=text, calls=calls, **fields)


class Stage:
    """A listener and what asks it."""

    call = staticmethod(call)
    says = staticmethod(says)
    tools = SmallTools

    def __init__(self, listener: Listener, stack: ExitStack) -> None:
        self.listener = listener
        self._stack = stack

    def trial(self, *replies: str | Completion | BaseException, **fields: Any) -> Shown:
        """Mount a trial whose model says these things."""
        model = ListModel(*replies)
        mounted = Mounted(**{"model": model} | fields)
        return Shown(mounted, self.listener.mount(mounted), model)

    def openai(self, at: Addresses, **settings: Any) -> openai.OpenAI:
        given: dict[str, Any] = {"base_url": at.openai, "api_key": "k", "max_retries": 0} | settings
        return self._stack.enter_context(closing(openai.OpenAI(**given)))

    def anthropic(self, at: Addresses, **settings: Any) -> anthropic.Anthropic:
        given: dict[str, Any] = {
            "base_url": at.anthropic,
            "api_key": "k",
            "max_retries": 0,
        } | settings
        return self._stack.enter_context(closing(anthropic.Anthropic(**given)))

    @staticmethod
    def ask(url: str, body: Any = None, method: str | None = None, **headers: str) -> Reply:
        """Send one request; the body is JSON unless it is bytes."""
        parts = urlsplit(url)
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        with closing(connection):
            verb = method or ("GET" if body is None else "POST")
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(verb, parts.path, body, named)
            response = connection.getresponse()
            told = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, told, response.read())

    def chat(self, shown: Shown, **fields: Any) -> Reply:
        """Ask for a chat completion."""
        body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]} | fields
        return self.ask(f"{shown.at.openai}/chat/completions", body)


@pytest.fixture
def stage() -> Iterator[Stage]:
    """Give a listener with trials to come, and clients that are closed in the end."""
    with ExitStack() as stack:
        yield Stage(stack.enter_context(Listener()), stack)


@pytest.fixture
def together() -> Callable[[list[Callable[[], Any]]], list[Any]]:
    """Give what does many things at the same time, each in a thread, and gives their results."""

    def run(works: list[Callable[[], Any]]) -> list[Any]:
        start = threading.Barrier(len(works))
        results: list[Any] = [None] * len(works)

        def one(index: int) -> None:
            start.wait(20)
            results[index] = works[index]()

        threads = [threading.Thread(target=one, args=(i,)) for i in range(len(works))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        return results

    return run
