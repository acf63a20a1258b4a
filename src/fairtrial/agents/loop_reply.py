"""One completion as the built-in loop sees it, whatever the format."""

from typing import NamedTuple

from fairtrial.records import Json, Tokens


class SaidCall(NamedTuple):
    """A call that the model makes."""

    id: str
    name: str
    arguments: Json
    """An object, or the raw text that the model wrote."""


class LoopReply(NamedTuple):
    """What the model replied."""

    text: str | None
    calls: tuple[SaidCall, ...]
    refusal: str | None
    """The words of a refusal ("" where there are none); None: it did not refuse."""
    tokens: Tokens | None
    message: dict[str, Json]
    """As it goes back into the conversation."""


def said_text(content: Json) -> str | None:
    """Give the text of a message's content, be it text or a list of parts.

    >>> said_text([{"type": "text", "text": "All "}, {"type": "text", "text": "done."}])
    'All done.'
    """
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    told = [text for text in texts if isinstance(text, str)]
    return "".join(told) if told else None


def told_tokens(usage: Json, input_names: tuple[str, ...], output_name: str) -> Tokens | None:
    """Give the tokens that a provider counted; None where it told none.

    Args:
        usage: The reply's `usage`.
        input_names: What is summed to what the model read; the first must be there.
        output_name: What it wrote.
    """
    counts = usage if isinstance(usage, dict) else {}
    first = _count(counts.get(input_names[0]))
    read = None if first is None else sum(_count(counts.get(name)) or 0 for name in input_names)
    written = _count(counts.get(output_name))
    return None if read is None and written is None else Tokens(input=read, output=written)


def _count(value: Json) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and value >= 0 else None
