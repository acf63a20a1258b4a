"""What a model is given to read after it called a tool."""

from typing import Self

import msgspec

from fairtrial.records.json import Json


class ToolReply(str):
    """A text that knows whether the call failed.

    A result that is text stands as it is, any other as JSON; a failed call gives the error's words.

    >>> reply = ToolReply.of({"total": 5})
    >>> reply, reply.failed, ToolReply.of("noon"), ToolReply("No such order.", failed=True).failed
    ('{"total":5}', False, 'noon', True)
    """

    __slots__ = ("failed",)

    failed: bool

    def __new__(cls, text: str, *, failed: bool = False) -> Self:
        """Make one of the text that a model reads."""
        reply = super().__new__(cls, text)
        reply.failed = failed
        return reply

    @classmethod
    def of(cls, result: Json) -> Self:
        """Make one of a tool's result, which is plain JSON."""
        return cls(result if isinstance(result, str) else msgspec.json.encode(result).decode())
