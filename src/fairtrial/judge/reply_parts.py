"""Text and tokens of a provider's reply, whatever it really sent."""

from collections.abc import Sequence

from fairtrial.records import Json, Tokens


def joined_text(content: Json) -> str:
    """Give the text of a message's content: itself, or its parts of type text.

    >>> joined_text([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Yes"}])
    'Yes'
    >>> joined_text(None)
    ''
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [
        part.get("text")
        for part in content
        if isinstance(part, dict) and part.get("type") == "text"
    ]
    return "".join(text for text in texts if isinstance(text, str))


def told_tokens(usage: Json, read: Sequence[str], wrote: str) -> Tokens | None:
    """Give the tokens that a reply tells of; None where it tells of none.

    Args:
        usage: As the provider sent it.
        read: Names of what adds up to the tokens read; the first must be there.
        wrote: Name of the tokens written.

    >>> told_tokens({"in": 3, "cached": None, "out": 1}, ("in", "cached"), "out")
    Tokens(input=3, output=1, estimated=False)
    >>> told_tokens({"in": True, "out": -1}, ("in",), "out") is None
    True
    """
    if not isinstance(usage, dict):
        return None
    first = _count(usage.get(read[0]))
    more = [_count(usage.get(name)) or 0 for name in read[1:]]
    written = _count(usage.get(wrote))
    if first is None and written is None:
        return None
    return Tokens(input=None if first is None else first + sum(more), output=written)


def _count(value: Json) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value
