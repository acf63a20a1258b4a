"""A provider's server on this machine, for the real SDKs: says what it is told to."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import pytest

from fairtrial.records import Json


class Asked(NamedTuple):
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Json:
        return json.loads(self.raw)


class Answer(NamedTuple):
    """What is sent back: JSON, or bytes as they are."""

    body: Json | bytes
    status: int = 200
    headers: dict[str, str] = {}
    cut: bool = False
    """The connection ends in the middle of it."""


def completion(text: str | None, finish: str = "stop", **message: Json) -> dict[str, Json]:
    """Give a chat completion as OpenAI sends it."""
    said = {"role": "assistant", "content": text, "refusal": None} | message
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_735_689_600,
        "model": "m-1",
        "choices": [{"index": 0, "message": said, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
    }


def message(text: str, stop: str = "end_turn") -> dict[str, Json]:
    """Give a message as Anthropic sends it."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m-1",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 15,
            "cache_creation_input_tokens": 2,
            "cache_read_input_tokens": 3,
            "output_tokens": 5,
        },
    }


def openai_error(status: int, said: str, param: str | None = None, **headers: str) -> Answer:
    """Give an error as OpenAI sends it."""
    kind = {"message": said, "type": "invalid_request_error", "param": param, "code": None}
    return Answer({"error": kind}, status, _named(headers))


def anthropic_error(status: int, said: str, **headers: str) -> Answer:
    """Give an error as Anthropic sends it."""
    inner = {"type": "invalid_request_error", "message": said}
    return Answer({"type": "error", "error": inner}, status, _named(headers))


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


class Provider:
    """The server. What is asked when it has nothing more to say gets a 418."""

    completion = staticmethod(completion)
    message = staticmethod(message)
    openai_error = staticmethod(openai_error)
    anthropic_error = staticmethod(anthropic_error)
    answer_of = Answer

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.answer: Callable[[Asked], Answer] = self._next
        self._answers: list[Answer] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def say(self, *answers: Answer | Json) -> None:
        """Say these things, one after the other."""
        self._answers += [one if isinstance(one, Answer) else Answer(one) for one in answers]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _next(self, asked: Asked) -> Answer:
        return self._answers.pop(0) if self._answers else Answer({"error": "nothing to say"}, 418)

    def _answered(self, asked: Asked) -> Answer:
        with self._lock:
            self.asked.append(asked)
            return self.answer(asked)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                said = provider._answered(Asked(self.command, self.path, headers, raw))
                body = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
                self.send_response(said.status)
                sent = {"content-type": "application/json"} | said.headers
                for name, value in (sent | {"content-length": str(len(body))}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if said.cut else body)

            do_POST = do_GET  # noqa: N815 - the server looks for it

            def log_message(self, *args: object) -> None:
                pass

        return Handler


@pytest.fixture
def provider() -> Iterator[Provider]:
    """Give a provider's server."""
    server = Provider()
    yield server
    server.close()
