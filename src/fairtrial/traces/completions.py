"""Pieces of completions joined to chat messages, the one form that a transcript reads."""

from dataclasses import dataclass, field
from typing import NamedTuple

from fairtrial.records import Json, Tokens


class Item(NamedTuple):
    """One item of a conversation, opened."""

    place: str
    fields: dict[str, Json]


class Uttered(NamedTuple):
    """One chat message, and the place of what it was made from."""

    message: dict[str, Json]
    place: str
    tokens: Tokens | None = None


@dataclass(slots=True)
class Completions:
    """Pieces in, chat messages out: what one completion said and called becomes one message.

    >>> pieces = Completions()
    >>> pieces.say({"type": "text", "text": "I look."}, "messages[0]")
    >>> pieces.call({"name": "look", "args": {}}, "messages[1]")
    >>> pieces.close()
    >>> [(one.place, one.message["tool_calls"]) for one in pieces.uttered]
    [('messages[0]', [{'name': 'look', 'args': {}}])]
    """

    uttered: list[Uttered] = field(default_factory=list)
    _content: list[Json] = field(default_factory=list)
    _calls: list[Json] = field(default_factory=list)
    _place: str = ""
    """Of the first piece of the open completion; empty when none is open."""

    def open(self, place: str) -> None:
        """Begin a completion, unless one is open."""
        self._place = self._place or place

    def say(self, block: Json, place: str) -> None:
        """Add a content block."""
        self.open(place)
        self._content.append(block)

    def call(self, call: Json, place: str) -> None:
        """Add a call."""
        self.open(place)
        self._calls.append(call)

    def add(self, message: dict[str, Json], place: str) -> None:
        """Add a message that is not the model's; it ends the open completion."""
        self.close()
        self.uttered.append(Uttered(message, place))

    def close(self, tokens: Tokens | None = None, refusal: str | None = None) -> None:
        """End the open completion, if there is one."""
        if not self._place:
            return
        message: dict[str, Json] = {"role": "assistant", "content": self._content}
        message |= {"tool_calls": self._calls, "refusal": refusal}
        self.uttered.append(Uttered(message, self._place, tokens))
        self._content, self._calls, self._place = [], [], ""


def stopped_by(why: str) -> str:
    """Give the words of a refusal that came without any.

    >>> stopped_by("content_filter")
    'stopped by the provider: content_filter'
    """
    return f"stopped by the provider: {why}"
