"""Tasks, tools, small servers, and a watch over processes and descriptors that are left behind."""

import gc
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar, NamedTuple, TypeAlias
from uuid import uuid4

import pytest

from fairtrial.errors import ToolError
from fairtrial.records import Addresses, Json, ModelAddress, Task, ToolReply

MARK = "FAIRTRIAL_TEST_MARK"


class Shop:
    """The tools of a world with two tools; has the shape of `fairtrial.ports.Tools`."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Json]] = []

    mcp: ClassVar[list[Json]] = [
        {
            "name": "get_order",
            "description": "Look an order up.",
            "inputSchema": {"type": "object", "properties": {"order": {"type": "string"}}},
        },
        {"name": "cancel", "description": "Cancel an order.", "inputSchema": {"properties": {}}},
    ]
    openai: ClassVar[list[Json]] = [
        {"type": "function", "function": {"name": name, "parameters": {}}}
        for name in ("get_order", "cancel")
    ]
    openai_responses: ClassVar[list[Json]] = [{"type": "function", "name": "get_order"}]
    anthropic: ClassVar[list[Json]] = [{"name": "get_order", "input_schema": {}}]

    def __getitem__(self, name: str) -> Callable[..., Json]:
        return lambda **arguments: self.call(name, arguments)

    def __iter__(self) -> Iterator[str]:
        return iter(("get_order", "cancel"))

    def __len__(self) -> int:
        return 2

    def call(self, name: str, arguments: Json = None) -> Json:
        self.calls.append((name, arguments))
        if name == "cancel":
            raise ToolError("Too late.")
        if name != "get_order":
            raise ToolError(f"there is no tool {name!r}")
        return {"order": arguments, "price": 5}

    def reply(self, name: str, arguments: Json = None) -> ToolReply:
        try:
            return ToolReply.of(self.call(name, arguments))
        except ToolError as error:
            return ToolReply(str(error), failed=True)


@pytest.fixture
def shop() -> Shop:
    return Shop()


TaskMaker = Callable[..., Task]


@pytest.fixture
def make_task() -> TaskMaker:
    def make(**fields: Json) -> Task:
        model = ModelAddress(
            base_url="http://127.0.0.1:9/t/k/openai/v1",
            anthropic_base_url="http://127.0.0.1:9/t/k/anthropic",
            api_key="k1",
        )
        given = {
            "case": "c1",
            "input": "Hi",
            "messages": ({"role": "user", "content": "Hi"},),
            "model": model,
            "trial": 2,
            "seed": 7,
        }
        return Task(**{**given, **fields})

    return make


class Request(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Json:
        return json.loads(self.body)


Answer: TypeAlias = tuple[int, Json] | tuple[int, Json, dict[str, str]]
"""Status, body (JSON, or bytes that are sent as they are), and headers besides those of JSON."""


class Served:
    """A server on loopback that answers with a function."""

    def __init__(self, answer: Callable[[Request], Answer]) -> None:
        self.requests: list[Request] = []
        served = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.command, self.path, headers, self.rfile.read(length))
                served.requests.append(request)
                status, body, *rest = answer(request)
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                sent = {"content-type": "application/json", "content-length": str(len(content))}
                for name, value in {**sent, **(rest[0] if rest else {})}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = _answer  # noqa: N815 - the standard library's names

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                pass  # a client that hung up

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


Serve = Callable[[Callable[[Request], Answer]], Served]


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[Served] = []

    def start(answer: Callable[[Request], Answer]) -> Served:
        servers.append(Served(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


class MiniListener:
    """Serves the tools and a model that says who asks, for tokens and aliases."""

    def __init__(self, serve: Serve) -> None:
        self.mounted: dict[str, Shop] = {}
        self.led: dict[str, str | None] = {}
        self.pointed: list[tuple[str, str | None]] = []
        self.served = serve(self._answer)

    def _answer(self, request: Request) -> Answer:
        _, _, token, family, *rest = request.path.split("/")
        token = self.led.get(token) or token
        if token not in self.mounted:
            over = {"code": "fairtrial_no_trial", "message": "this trial has ended"}
            return 404, {"error": over if family != "tools" else over["message"], **over}
        shop = self.mounted[token]
        if family != "tools":
            words = f"{token} asked with {request.headers.get('authorization')}"
            message = {"role": "assistant", "content": words}
            return 200, {"choices": [{"index": 0, "message": message}]}
        if not rest:
            names = ("openai", "openai_responses", "anthropic", "mcp")
            return 200, {name: getattr(shop, name) for name in names}
        try:
            arguments = json.loads(request.body or b"{}")
        except ValueError:
            arguments = request.body.decode()
        try:
            return 200, {"result": shop.call(rest[0], arguments)}
        except ToolError as error:
            return 422, {"error": str(error)}

    def addresses(self, token: str) -> Addresses:
        base = f"{self.served.url}/t/{token}"
        return Addresses(
            token=token,
            openai=f"{base}/openai/v1",
            anthropic=f"{base}/anthropic",
            tools=f"{base}/tools",
        )

    def point(self, alias: str, token: str | None) -> Addresses:
        self.led[alias] = token
        self.pointed.append((alias, token))
        return self.addresses(alias)


@pytest.fixture
def listener(serve: Serve) -> MiniListener:
    return MiniListener(serve)


@pytest.fixture
def listener_task(make_task: TaskMaker, listener: MiniListener) -> TaskMaker:
    """Give tasks whose tools and model are on the mini listener."""

    def make(token: str = "t1", **fields: Json) -> Task:
        shop = listener.mounted.setdefault(token, Shop())
        there = listener.addresses(token)
        model = ModelAddress(base_url=there.openai, anthropic_base_url=there.anthropic)
        given = {"tools": shop, "tools_url": there.tools, "token": token, "model": model}
        return make_task(**{**given, **fields})

    return make


def processes_marked(mark: str) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            marked = f"{MARK}={mark}".encode() in (folder / "environ").read_bytes()
        except OSError:
            continue
        if marked and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names alone


@pytest.fixture(autouse=True)
def nothing_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test that leaves a process, a zombie or a descriptor behind."""
    if not Path("/proc/self/fd").is_dir():
        yield
        return
    mark = uuid4().hex
    monkeypatch.setenv(MARK, mark)
    before = descriptors()
    yield
    if descriptors() > before:
        gc.collect()  # what a cycle still holds; dear, so only where it matters
    for _ in range(500):
        if not processes_marked(mark) and descriptors() <= before:
            break
        time.sleep(0.01)  # what was killed or hung up takes its moment, and nobody tells of it
    assert processes_marked(mark) == []
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # no zombie: there is no child at all
    assert descriptors() <= before, "descriptors are still open"
