"""Whose fault an exception is, told from the exception alone."""

import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

from fairtrial.agents.raised import AgentFailedError, ProviderFailedError
from fairtrial.agents.waits import retry_after_in
from fairtrial.errors import PluginError, ProviderError, ScriptError
from fairtrial.records import ErrorKind, Json, TrajectoryError, clean_text

_LONGEST = 2_000  # characters of a message
_SEARCHED = 20_000  # characters of a body in which a code of the listener is looked for
_MOST = 500  # exceptions looked at: chains can be endless
_LISTENER_CODES: dict[str, ErrorKind] = {
    "fairtrial_no_trial": "script",
    "fairtrial_no_model": "script",
    "fairtrial_script": "script",
    "fairtrial_failure": "world",
}
"""What the listener says when it has no reply, and whose fault that is: never the agent's."""
_CONNECTION_NAMES = frozenset((
    "APIConnectionError", "ConnectError", "ConnectTimeout", "ReadTimeout", "ReadError",
    "WriteTimeout", "WriteError", "RemoteProtocolError", "ConnectionError", "gaierror",
    "ClientConnectionError", "ServerDisconnectedError", "ClientPayloadError", "IncompleteRead",
    "NewConnectionError", "ConnectTimeoutError", "ReadTimeoutError", "MaxRetryError",
    "ChunkedEncodingError", "ConnectionClosedError", "EndpointConnectionError",
))  # fmt: skip
"""Classes of Python, httpx, aiohttp, requests, urllib3, websockets and botocore, by name, so that
none of them is imported. A plain TimeoutError is not among them: an agent raises it for itself."""
_STANDARD = os.path.dirname(os.__file__) + os.sep  # noqa: PTH120 - compared with plain text
_FAIRTRIAL = str(Path(__file__).parent.parent) + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_SENTENCES = (AgentFailedError, ProviderFailedError, PluginError)
"""Ours: they say where and what by themselves."""
_Chain: TypeAlias = Iterator[BaseException]


def failure_of(error: BaseException) -> TrajectoryError:
    """Say what an agent's exception was, and whose fault.

    `provider` only if the exception or its cause has a status of 408, 429 or 5xx, is a connection
    error or a ProviderError; of a group, all members must be. `script` where the listener had no
    reply for the model. Else it is the agent's.

    >>> failure_of(ZeroDivisionError("division by zero")).kind
    'agent'
    >>> failure_of(ConnectionResetError("reset by peer"))
    TrajectoryError(kind='provider', message='ConnectionResetError: reset by peer')
    """
    if isinstance(error, AgentFailedError) and error.kind != "agent":
        return TrajectoryError(kind=error.kind, message=_message(error))
    told = (_told_by_the_listener(one) for one in _all(error))
    kind: ErrorKind | None = next((one for one in told if one is not None), None)
    if kind is None and isinstance(error, PluginError):
        kind = "world"  # the set-up around the agent is broken, not the agent
    if kind is None:
        kind = "provider" if _by_provider(error) else "agent"
    return TrajectoryError(kind=kind, message=_message(error))


def retry_after_of(error: BaseException) -> float | None:
    """Give the seconds that a provider asked to wait before the next try, None if it did not.

    >>> retry_after_of(ProviderFailedError("busy", retry_after=1.5))
    1.5
    """
    waits = (_retry_after(one) for one in _all(error))
    return next((wait for wait in waits if wait is not None), None)


def _attribute(thing: object, name: str) -> Json:
    try:
        return getattr(thing, name, None)
    except Exception:  # noqa: BLE001 - a stranger's property, such as a body that was not read
        return None


def _next(error: BaseException) -> BaseException | None:
    """Give the cause: that which was named, else the exception that was being handled."""
    if error.__cause__ is not None or error.__suppress_context__:
        return error.__cause__
    return error.__context__


def _all(error: BaseException) -> _Chain:
    """Give the exception, its causes and the members of groups, each once."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting and len(seen) < _MOST:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting.append(_next(one))
        if isinstance(one, BaseExceptionGroup):
            waiting.extend(one.exceptions[:_MOST])


def _by_provider(error: BaseException) -> bool:
    """Say whether a provider is to blame for the exception, or for every member of a group."""
    owed, groups = [error], set[int]()
    while owed:
        one, passed = owed.pop(), set[int]()
        while not _is_provider_failure(one):
            passed.add(id(one))
            if isinstance(one, BaseExceptionGroup) and id(one) not in groups:
                groups.add(id(one))
                owed.extend(one.exceptions[:_MOST])
                break
            cause = None if isinstance(one, AgentFailedError) else _next(one)
            if cause is None or id(cause) in passed or len(groups) + len(passed) > _MOST:
                return False
            one = cause
    return True


def _is_provider_failure(error: BaseException) -> bool:
    if isinstance(error, AgentFailedError):
        return error.kind == "provider"
    if isinstance(error, ProviderError):
        return True
    status = _status(error)
    if status is not None and (status in (408, 429) or status >= 500):
        return True
    return any(kind.__name__ in _CONNECTION_NAMES for kind in type(error).__mro__)


def _status(error: BaseException) -> int | None:
    if isinstance(error, SystemExit):
        return None  # its code is that of the process
    response = _attribute(error, "response")
    found = (
        _attribute(error, "status_code"),
        _attribute(response, "status_code"),
        _attribute(response, "status"),
        _attribute(error, "status"),
        _attribute(error, "code"),
    )
    for value in found:
        if isinstance(value, int) and not isinstance(value, bool) and 100 <= value <= 599:
            return int(value)
    return None


def _told_by_the_listener(error: BaseException) -> ErrorKind | None:
    """Give whose fault it was where the exception holds one of the listener's codes."""
    if isinstance(error, ScriptError):
        return "script"
    texts = [_text(error)[:_SEARCHED]]
    if isinstance(error, AgentFailedError) and (error.code or error.signal):
        texts.append(error.details)  # the end of a program's error stream
    body = _attribute(error, "body")
    inner = body.get("error", body) if isinstance(body, dict) else body
    code = inner.get("code") if isinstance(inner, dict) else inner
    # Only what was read already: asking for `.text` could wait for the network.
    content = _attribute(_attribute(error, "response"), "_content")
    texts += [one[:_SEARCHED] for one in (code,) if isinstance(one, str)]
    texts += [content[:_SEARCHED].decode(errors="replace")] if isinstance(content, bytes) else []
    found = (kind for code, kind in _LISTENER_CODES.items() for text in texts if code in text)
    return next(found, None)


def _retry_after(error: BaseException) -> float | None:
    own = _attribute(error, "retry_after")
    if isinstance(own, int | float) and not isinstance(own, bool) and 0 <= own < float("inf"):
        return float(own)
    for holder in (_attribute(error, "response"), error):
        headers = _attribute(holder, "headers")
        if isinstance(headers, Mapping) or callable(_attribute(headers, "get")):
            wait = retry_after_in(partial(_header, headers))
            if wait is not None:
                return wait
    return None


def _header(headers: Json, name: str) -> str | None:
    for spelling in (name, name.title()):  # a plain dict minds the case
        try:
            value = headers.get(spelling)
        except Exception:  # noqa: BLE001 - a stranger's mapping
            return None
        if isinstance(value, str):
            return value
    return None


def _text(error: BaseException) -> str:
    try:
        return clean_text(str(error))
    except Exception as broken:  # noqa: BLE001 - a stranger's __str__
        return f"(its text cannot be had: {type(broken).__name__})"


def _message(error: BaseException) -> str:
    """Give `TypeName: text (file:line)`, and for a group what is in it."""
    if isinstance(error, BaseExceptionGroup):
        leaves = [one for one in _all(error) if not isinstance(one, BaseExceptionGroup)]
        room = _LONGEST // (min(len(leaves), 3) + 1)
        inner = "; ".join(_one_message(one, room) for one in leaves[:3])
        return _cut(f"{_one_message(error, room)}: {inner}")
    return _one_message(error, _LONGEST)


def _one_message(error: BaseException, room: int) -> str:
    text, name = _text(error), type(error).__name__
    if isinstance(error, _SENTENCES):
        return _cut(text, room)
    text = f"{name}: {text}" if text else name
    places = (_place(one.__traceback__) for one in _all(error))
    place = next((f" ({place})" for place in places if place), "")
    return _cut(text, room - len(place)) + place


def _cut(text: str, length: int = _LONGEST) -> str:
    return text if len(text) <= length else text[: max(length - 1, 0)] + "…"


def _place(trace: TracebackType | None) -> str:
    """Give file and line of the deepest frame in the agent's own code."""
    found = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not (
            file.startswith((_STANDARD, _FAIRTRIAL, "<frozen"))
            or any(part in file for part in _INSTALLED)
        ):
            found = f"{_short(file)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found[-300:]


def _short(file: str) -> str:
    """Give a path below the working folder as seen from there: the same on every machine."""
    try:
        here = os.getcwd() + os.sep  # noqa: PTH109 - compared with plain text
    except OSError:
        return file
    return clean_text(file.removeprefix(here))
