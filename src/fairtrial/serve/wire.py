"""What the wire formats share: an answer on its way out, a refusal, and a completion to be told."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from fairtrial.records import Api, Json, NotJsonError, plain

Family: TypeAlias = Literal["openai", "anthropic", "tools"]
"""Whose way of saying things: the first part of a path after the token."""

Headers: TypeAlias = tuple[tuple[bytes, bytes], ...]

JSON_HEADERS: Headers = ((b"content-type", b"application/json"),)
EVENT_HEADERS: Headers = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
)

_PIECES = 4  # enough to show a client that does not join what it is sent


class Answer(NamedTuple):
    """A whole HTTP answer."""

    status: int
    body: bytes
    headers: Headers = JSON_HEADERS


class RefusedError(Exception):
    """A request that gets no reply; each family has its own way of telling it.

    Attributes:
        status: The HTTP status, 400 and up.
        code: A word for programs, such as `fairtrial_no_trial`; None: the provider has none.
        param: The field of the request that was wrong.
        headers: Besides those of JSON.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        code: str | None = None,
        param: str | None = None,
        headers: Headers = (),
    ) -> None:
        """Keep what is to be told."""
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param
        self.headers = headers


class SpokenCall(NamedTuple):
    """A call as it goes out."""

    number: int
    """1 and up, counted over the trial."""
    id: str
    name: str
    arguments: str
    """Raw text, malformed or not."""
    value: dict[str, Json] | None
    """The arguments; None when the text is not an object."""


class Spoken(NamedTuple):
    """A completion as it goes out, with all that the wire wants and a script may leave out."""

    number: int
    """1 and up, counted over the trial."""
    model: str
    text: str | None
    refusal: str | None
    calls: tuple[SpokenCall, ...]
    input_tokens: int
    output_tokens: int


class WireFormat(NamedTuple):
    """One way to ask for a completion and to be given it."""

    api: Api
    family: Family
    call_prefix: str
    """What the ids of its calls begin with."""
    check: Callable[[dict[str, Json]], None]
    """Refuse a request that the provider would refuse."""
    tool_names: Callable[[dict[str, Json]], tuple[str, ...]]
    reply: Callable[[dict[str, Json], Spoken], Answer]


def encode(value: Json) -> bytes:
    r"""Give strict JSON; what JSON cannot hold is mended where it can be.

    Raises:
        NotJsonError: It cannot.

    >>> encode({"a": "b\ud800"}).decode()
    '{"a":"b�"}'
    """
    try:
        return msgspec.json.encode(value)
    except RecursionError as error:
        raise NotJsonError("value: nested too deep") from error
    except (TypeError, ValueError):
        return msgspec.json.encode(plain(value))


def event(data: Json, name: str | None = None) -> bytes:
    r"""Give one server-sent event.

    >>> event({"a": 1}, "ping")
    b'event: ping\ndata: {"a":1}\n\n'
    """
    head = b"" if name is None else b"event: " + name.encode() + b"\n"
    return b"%sdata: %s\n\n" % (head, encode(data))


def pieces(text: str) -> list[str]:
    """Cut a text into the pieces that a stream brings; at most four, none empty.

    >>> pieces("hello"), pieces("")
    (['he', 'll', 'o'], [])
    """
    size = max(1, -(-len(text) // _PIECES))
    return [text[start : start + size] for start in range(0, len(text), size)]


def want_list(body: dict[str, Json], name: str) -> None:
    """Refuse a request whose field is no list with something in it.

    Raises:
        RefusedError: It is missing, empty, or no list.
    """
    value: Any = body.get(name)
    if value is None:
        raise RefusedError(
            f"Missing required parameter: '{name}'.",
            code="missing_required_parameter",
            param=name,
        )
    if not isinstance(value, list) or not value:
        raise RefusedError(
            f"Invalid '{name}': expected a list that is not empty.",
            code="invalid_value",
            param=name,
        )


def want_kinds(body: dict[str, Json]) -> None:
    """Refuse a request whose `model`, `stream` or `tools` is of the wrong kind.

    Raises:
        RefusedError: One of them is.
    """
    for name, kind, words in (
        ("model", str, "a text"),
        ("stream", bool, "true or false"),
        ("tools", list, "a list"),
    ):
        value = body.get(name)
        if value is not None and not isinstance(value, kind):
            raise RefusedError(
                f"Invalid type for '{name}': expected {words}.", code="invalid_type", param=name
            )


def names_in(items: Json) -> tuple[str, ...]:
    """Give the `name` of each mapping of a list that has one.

    >>> names_in([{"name": "pay"}, {"type": "web_search"}, 3])
    ('pay',)
    """
    if not isinstance(items, list):
        return ()
    named = (item.get("name") for item in items if isinstance(item, dict))
    return tuple(name for name in named if isinstance(name, str))
