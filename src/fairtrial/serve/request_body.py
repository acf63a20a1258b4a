"""The body of a request: read within a bound, and taken apart without trust."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec

from fairtrial.records import MAX_DEPTH, Json
from fairtrial.serve.tokens import characters_of
from fairtrial.serve.wire import RefusedError
from fairtrial.text import cut

MOST_BYTES = 64 * 1024 * 1024

_TOO_LARGE = f"The body of your request is larger than {MOST_BYTES // 1024 // 1024} MB."
_TOO_DEEP = (
    f"The JSON body of your request nests deeper than {MAX_DEPTH} levels, and fairtrial reads none"
    " such."
)

Receive: TypeAlias = Callable[[], Awaitable[Any]]
"""ASGI's: gives the next message."""


class Body(NamedTuple):
    """A request's body that is an object."""

    value: dict[str, Json]
    characters: int
    """Of all its text."""


async def read_body(headers: Mapping[bytes, bytes], receive: Receive) -> bytes:
    """Read the whole body.

    Raises:
        RefusedError: It is too large, or the client went away before it was whole.
    """
    length = headers.get(b"content-length", b"")
    if length.isdigit() and len(length) < 20 and int(length) > MOST_BYTES:
        raise RefusedError(_TOO_LARGE, status=413)
    message = await receive()
    first: bytes = message.get("body", b"")
    if not message.get("more_body", False) and message["type"] == "http.request":
        return first
    parts, size = [first], len(first)
    while message.get("more_body", False):
        message = await receive()
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BYTES:
            raise RefusedError(_TOO_LARGE, status=413)
    if message["type"] != "http.request":
        raise RefusedError("the client went away before its request was whole")
    return b"".join(parts)


def object_of(raw: bytes) -> Body:
    r"""Decode a body that has to be a JSON object.

    Raises:
        RefusedError: It is not, or it nests too deep.

    >>> object_of(b'{"model": "m"}').value
    {'model': 'm'}
    """
    try:
        value = msgspec.json.decode(raw)
    except RecursionError as error:
        raise RefusedError(_TOO_DEEP) from error
    except (msgspec.DecodeError, ValueError) as error:
        half = b"\\ud" in raw.lower() and "; half of a surrogate pair is no text"
        reason = cut(str(error), 200)
        raise RefusedError(
            f"We could not parse the JSON body of your request: {reason}{half or ''}"
        ) from error
    if not isinstance(value, dict):
        raise RefusedError("The JSON body of your request is not an object.")
    characters = characters_of(value)
    if characters is None:
        raise RefusedError(_TOO_DEEP)
    return Body(value, characters)
