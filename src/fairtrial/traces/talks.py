"""The shapes in which a chat conversation is written down, brought to one."""

from typing import NamedTuple

from fairtrial.records import ErrorKind, Json, Tokens, TrajectoryError
from fairtrial.traces.calls import UnlikeFormatError
from fairtrial.traces.files import value_in
from fairtrial.traces.replies import Reply, is_chunk, read_reply

ACCEPTED = (
    "accepted: a list of messages; an object with messages; a request with its response, or a list "
    "of such exchanges; a chat completion; one conversation a line or a list of them"
)
_TRANSIENT = frozenset(
    {408, 429}
)  # with those from 500 on, the HTTP errors that are nobody's fault
_FIRST_ERROR = 400
_FIRST_SERVER_ERROR = 500
_KEYS_SHOWN = 8


class Talk(NamedTuple):
    """One conversation as it stands in a document."""

    messages: list[Json]
    place: str
    """Of the messages, within the document."""
    fields: dict[str, Json]
    """What stands beside the messages."""
    usage: dict[int, Tokens]
    """Tokens of the reply at a position in `messages`."""
    error: TrajectoryError | None
    notes: list[str]


def is_talk_list(value: Json) -> bool:
    """Say whether a document is a list of conversations rather than of messages.

    >>> is_talk_list([{"messages": []}]), is_talk_list([{"role": "user", "content": "Hi"}])
    (True, False)
    """
    if not isinstance(value, list) or not value:
        return False
    if _is_one_talk(value):
        return False
    first = value[0]
    return isinstance(first, list) or (
        isinstance(first, dict) and not {"role", "type"} & first.keys()
    )


def _is_one_talk(value: list[Json]) -> bool:
    """Say whether these are the exchanges of one conversation: each repeats the one before."""
    sent: list[Json] = []
    for item in value:
        request = item.get("request") if isinstance(item, dict) and "response" in item else None
        messages = request.get("messages") if isinstance(request, dict) else None
        if not isinstance(messages, list) or len(messages) <= len(sent):
            return False
        if messages[: len(sent)] != sent:
            return False
        sent = messages
    return len(value) > 1


def read_talk(value: Json) -> Talk:
    """Bring one conversation to messages.

    Raises:
        UnlikeFormatError: The value has none of the accepted shapes, or no messages.
    """
    if isinstance(value, list):
        return _from_exchanges(value, {}) if _is_one_talk(value) else _talk(value, "messages", {})
    if not isinstance(value, dict):
        raise UnlikeFormatError(f"found {value!r:.60}; {ACCEPTED}")
    if isinstance(value.get("exchanges"), list):
        rest = {key: item for key, item in value.items() if key != "exchanges"}
        return _from_exchanges(value["exchanges"], rest)
    if "request" in value and "response" in value:
        rest = {key: item for key, item in value.items() if key not in _EXCHANGE}
        return _from_exchanges([value], rest)
    if "messages" in value:
        return _from_object(value)
    if is_chunk(value):
        raise UnlikeFormatError(
            "found one piece of a streamed reply; the pieces of a reply stand in one list: "
            "{request: ..., response: [pieces]}"
        )
    if "choices" in value:
        rest = {key: item for key, item in value.items() if key not in {"choices", "usage"}}
        talk = _talk([], "messages", rest, empty=True)
        return _with_reply(talk, read_reply(value))
    raise UnlikeFormatError(f"found {_found(value)}; {ACCEPTED}")


_EXCHANGE = frozenset({"request", "response", "status", "method", "url"})


def _found(value: dict[str, Json]) -> str:
    if "role" in value:
        return "a lone message"
    if "steps" in value and "case" in value:
        return "an object with steps, which is a recording already and needs no import"
    if not value:
        return "an empty object"
    more = ", ..." if len(value) > _KEYS_SHOWN else ""
    return f"an object with {', '.join(f'{key:.40}' for key in list(value)[:_KEYS_SHOWN])}{more}"


def _talk(messages: Json, place: str, fields: dict[str, Json], *, empty: bool = False) -> Talk:
    if not isinstance(messages, list):
        raise UnlikeFormatError(f"{place}: wanted a list of messages, got {messages!r:.60}")
    if not messages and not empty:
        raise UnlikeFormatError(f"{place}: no messages")
    return Talk(list(messages), place, fields, {}, None, [])


def _from_object(value: dict[str, Json]) -> Talk:
    """Read an object with messages, and the reply that may stand beside them as choices."""
    structural = {"messages", "choices"} if "choices" in value else {"messages"}
    fields = {key: item for key, item in value.items() if key not in structural}
    if "choices" not in value:
        return _talk(value["messages"], "messages", fields)
    fields.pop("usage", None)
    return _with_reply(_talk(value["messages"], "messages", fields), read_reply(value))


def _with_reply(talk: Talk, reply: Reply) -> Talk:
    """Give the talk with the model's last reply at its end."""
    fields = dict(talk.fields)
    if reply.model:
        fields["model"] = reply.model
    if reply.message is None:
        talk.notes.append("the last reply holds no message")
        return talk._replace(fields=fields)
    if reply.choices > 1:
        talk.notes.append(f"the first of {reply.choices} choices was taken")
    if reply.finish == "length":
        talk.notes.append("the last reply was cut off by its length limit")
    message = dict(reply.message)
    if reply.finish == "content_filter" and not message.get("refusal"):
        message["refusal"] = message.get("content") or "stopped by the provider's content filter"
    usage = {**talk.usage, len(talk.messages): reply.tokens} if reply.tokens else talk.usage
    return talk._replace(messages=[*talk.messages, message], fields=fields, usage=usage)


def _from_exchanges(exchanges: list[Json], fields: dict[str, Json]) -> Talk:
    """Read recorded requests and responses: the last repeats the history, and its reply ends it.

    Earlier replies tell the tokens of their steps. Exchanges whose messages are not the beginning
    of the last one's belong to other conversations; they are counted in a note.

    Raises:
        UnlikeFormatError: No exchange asked for a chat completion, or the last got another thing.
    """
    chats = [chat for chat in map(_chat, exchanges) if chat is not None]
    if not chats:
        raise UnlikeFormatError(f"exchanges: none has a request with messages; {ACCEPTED}")
    request, response, status = chats[-1]
    talk = _talk(request["messages"], "request.messages", fields)
    others = 0
    for earlier, reply_value, _ in chats[:-1]:
        position = len(earlier["messages"])
        if not _begins(earlier["messages"], talk.messages):
            others += 1
            continue
        reply = read_reply(reply_value)
        if reply.tokens is not None and reply.message is not None:
            talk.usage[position] = reply.tokens
    if others:
        talk.notes.append(f"{others} exchanges of other conversations, left out")
    if isinstance(request.get("model"), str):
        talk.fields.setdefault("model", request["model"])
    error = _error(response, status)
    if error:
        return talk._replace(error=error)
    return _with_reply(talk, _last_reply(response))


def _last_reply(response: Json) -> Reply:
    """Read the reply that ends a conversation; none recorded is fine, another format is not.

    Raises:
        UnlikeFormatError: There is a reply, and it is no chat completion.
    """
    reply = read_reply(response)
    strange = isinstance(response, str | list | dict) and bool(response)
    if reply.message is None and strange and not _holds_choices(response):
        found = _found(response) if isinstance(response, dict) else f"{response!r:.60}"
        raise UnlikeFormatError(f"response: found {found}; wanted a chat completion with choices")
    return reply


def _holds_choices(response: Json) -> bool:
    return isinstance(response, dict) and isinstance(response.get("choices"), list)


class _Exchange(NamedTuple):
    request: dict[str, Json]
    response: Json
    status: int | None


def _chat(exchange: Json) -> _Exchange | None:
    """Give an exchange that asked for a chat completion; None for any other."""
    if not isinstance(exchange, dict):
        return None
    request, response = _opened(exchange.get("request")), exchange.get("response")
    if not isinstance(request, dict) or not isinstance(request.get("messages"), list):
        return None
    status = exchange.get("status")
    opened = _opened(response)
    return _Exchange(request, opened, status if isinstance(status, int) else None)


def _opened(value: Json) -> Json:
    """Give the JSON within a text; what is no such text stays as it is."""
    return value_in(value) if isinstance(value, str) else value


def _begins(earlier: list[Json], later: list[Json]) -> bool:
    """Say whether the later history goes on from the earlier; clients edit assistant messages."""
    if len(earlier) > len(later):
        return False
    return all(_gist(one) == _gist(other) for one, other in zip(earlier, later, strict=False))


def _gist(message: Json) -> Json:
    if not isinstance(message, dict):
        return message
    role = message.get("role")
    # A tuple, not a set: a role of the wrong type need not be hashable.
    return role if role in ("assistant", "tool", "function") else (role, message.get("content"))


def _error(response: Json, status: int | None) -> TrajectoryError | None:
    """Read a reply that is an error. Only 408, 429 and 5xx are the provider's."""
    told = response.get("error") if isinstance(response, dict) else None
    fine = status is None or status < _FIRST_ERROR
    if fine and (not told or response.get("choices")):
        return None
    text = told.get("message") if isinstance(told, dict) else told
    transient = status is not None and (status in _TRANSIENT or status >= _FIRST_SERVER_ERROR)
    kind: ErrorKind = "provider" if transient else "agent"
    code = "" if status is None else f"{status}: "
    return TrajectoryError(kind=kind, message=f"{code}{text or 'no reply'}")
