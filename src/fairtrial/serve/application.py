"""The one ASGI application: whose request it is, and which of a trial's doors it goes through."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from fairtrial.serve.anthropic_messages import ANTHROPIC_MESSAGES, count_answer
from fairtrial.serve.completing import complete
from fairtrial.serve.error_shapes import refusal_answer
from fairtrial.serve.guard import Guard
from fairtrial.serve.model_lists import models_answer
from fairtrial.serve.mounts import Mounted, Mounts
from fairtrial.serve.openai_chat import OPENAI_CHAT
from fairtrial.serve.openai_responses import OPENAI_RESPONSES
from fairtrial.serve.request_body import Receive, object_of, read_body
from fairtrial.serve.tools_door import call_answer, schemas_answer, tools_of
from fairtrial.serve.wire import Answer, Family, RefusedError
from fairtrial.text import cut

Send: TypeAlias = Callable[[Any], Awaitable[None]]
"""ASGI's: takes the next message."""

_PROVIDERS: tuple[Family, ...] = ("openai", "anthropic")
_WIRES = {
    ("openai", "chat/completions"): OPENAI_CHAT,
    ("openai", "responses"): OPENAI_RESPONSES,
    ("anthropic", "messages"): ANTHROPIC_MESSAGES,
}
_SERVED = (
    "fairtrial serves chat/completions, responses, models (OpenAI) and messages,"
    " messages/count_tokens, models (Anthropic)"
)


class _Place(NamedTuple):
    token: str
    """"" when the path is none of ours."""
    family: Family
    rest: str
    """What follows the family, and the version where there is one."""


class _Request(NamedTuple):
    method: str
    place: _Place
    headers: Mapping[bytes, bytes]
    receive: Receive


class Application:
    """Answers each request for the trial that its path names."""

    def __init__(self, mounts: Mounts, guard: Guard, clock: Callable[[], float]) -> None:
        """Take the trials, who may ask, and a clock for the seconds of steps."""
        self._mounts = mounts
        self._guard = guard
        self._clock = clock

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request, as ASGI asks for it."""
        headers = dict(scope["headers"])
        place = _placed(scope["path"], headers)
        answer = await self._answer(_Request(scope["method"], place, headers, receive))
        length = (b"content-length", b"%d" % len(answer.body))
        start = {"type": "http.response.start", "status": answer.status}
        await send(start | {"headers": [*answer.headers, length]})
        await send({"type": "http.response.body", "body": answer.body})

    async def _answer(self, request: _Request) -> Answer:
        family = request.place.family
        mounted = None
        try:
            self._guard.check(request.headers)
            mounted = self._mounts.find(request.place.token, family)
            if family == "tools":
                return await _tools(mounted, request)
            return await self._model(mounted, request)
        except RefusedError as error:
            return refusal_answer(family, error)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plug-in's or a world's own bug
            reason = f"fairtrial could not answer: {type(error).__name__}: {cut(str(error), 500)}"
            if mounted is not None:
                mounted.refuse(reason)
            told = RefusedError(reason, status=500, code="fairtrial_failure")
            return refusal_answer(family, told)

    async def _model(self, mounted: Mounted, request: _Request) -> Answer:
        family, rest = request.place.family, request.place.rest
        wire = _WIRES.get((family, rest))
        if wire is not None:
            _want(request, "POST")
            body = object_of(await read_body(request.headers, request.receive))
            return complete(wire, mounted, body, self._clock)
        if rest == "models":
            _want(request, "GET")
            return models_answer(family, mounted.model_name)
        if family == "anthropic" and rest == "messages/count_tokens":
            _want(request, "POST")
            return count_answer(object_of(await read_body(request.headers, request.receive)))
        raise RefusedError(f"{cut(rest)!r} is not served here; {_SERVED}", status=501)


async def _tools(mounted: Mounted, request: _Request) -> Answer:
    tools = tools_of(mounted)
    if not request.place.rest:
        _want(request, "GET")
        return schemas_answer(tools)
    _want(request, "POST")
    raw = await read_body(request.headers, request.receive)
    return await call_answer(tools, request.place.rest, raw)


def _want(request: _Request, method: str) -> None:
    if request.method != method:
        raise RefusedError(
            f"{cut(request.method)} is not served here: send a {method}",
            status=405,
            headers=((b"allow", method.encode()),),
        )


def _placed(path: str, headers: Mapping[bytes, bytes]) -> _Place:
    """Take a path apart: `/t/TOKEN/FAMILY/v1/...`, or `/t/TOKEN/tools/...`.

    The version may be left out: some clients are given an address without it.
    """
    parts = path.split("/", 4)
    family = parts[3] if len(parts) > 3 and parts[1] == "t" else ""
    rest = parts[4] if len(parts) > 4 else ""
    if family == "tools":
        return _Place(parts[2], "tools", rest)
    for provider in _PROVIDERS:
        if family == provider:
            return _Place(parts[2], provider, rest.removeprefix("v1/").strip("/"))
    # None of ours: a client that was made for somewhere else. Its SDK gets an error it can read.
    return _Place("", "anthropic" if b"anthropic-version" in headers else "openai", "")
