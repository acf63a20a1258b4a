"""Where an agent's own part of a conversation begins: behind what it was handed."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fairtrial.records import Json
from fairtrial.traces.calls import UnlikeFormatError, spoken_calls
from fairtrial.traces.completions import Uttered
from fairtrial.traces.conversation import read_conversation

_RESULTS = ("tool", "function")


class _Gist(NamedTuple):
    """What a reply comes to, however it is spelt; clients rewrite what they send back."""

    text: str
    calls: tuple[str, ...]


def own_part(
    uttered: list[Uttered], given: Sequence[Json], note: Callable[[str], None]
) -> list[Uttered]:
    """Give the messages behind the conversation that the agent was handed.

    With `given` its replies are looked for at the beginning; if they are not all there, the agent
    did not give them back. Without it, replies before a user's message are taken for the
    conversation so far until the first call.

    >>> said = [("user", "Hi"), ("assistant", "Hello."), ("user", "Where?"), ("assistant", "Here.")]
    >>> uttered = [Uttered({"role": role, "content": text}, "") for role, text in said]
    >>> [one.message["content"] for one in own_part(uttered, (), lambda text: None)]
    ['Here.']
    """
    begin = _behind(uttered, given) if given else _guessed(uttered)
    if begin and not given:
        note(
            f"{uttered[begin - 1].place}: the replies before this user message were taken for the "
            "conversation so far"
        )
    return uttered[begin:]


def _behind(uttered: list[Uttered], given: Sequence[Json]) -> int:
    earlier = [_gist(message) for message in _replies_of(given)]
    begin, left = 0, earlier[::-1]
    for number, (message, _, _) in enumerate(uttered):
        if not left and message.get("role") not in _RESULTS:
            break  # results of the conversation so far go with it
        if message.get("role") == "assistant" and _gist(message) != left.pop():
            return 0
        if earlier:
            begin = number + 1
    return 0 if left else begin


def _replies_of(given: Sequence[Json]) -> list[dict[str, Json]]:
    try:
        uttered = read_conversation(given, _quiet)
    except UnlikeFormatError:
        return []
    return [one.message for one in uttered if one.message.get("role") == "assistant"]


def _guessed(uttered: list[Uttered]) -> int:
    begin, replied = 0, False
    for number, (message, _, _) in enumerate(uttered):
        role = message.get("role")
        if role == "user" and replied:
            begin = number + 1
        elif role == "assistant":
            if _gist(message).calls:
                break
            replied = True
    return begin


def _gist(message: dict[str, Json]) -> _Gist:
    content = message.get("content")
    blocks = content if isinstance(content, list) else [content]
    texts = [block.get("text") if isinstance(block, dict) else block for block in blocks]
    try:
        calls = spoken_calls(message, "", _quiet)
    except UnlikeFormatError:
        calls = []  # the transcript says what is wrong with it, and where
    said = "\n".join(text for text in texts if isinstance(text, str))
    return _Gist(said, tuple(call.name for call in calls))


def _quiet(_: str) -> None:
    """Drop a note: the same message is read again, and noted then."""
