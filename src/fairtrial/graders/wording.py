"""Lists in reasons: the first few, and how many more there are."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from fairtrial.text import cut

T = TypeVar("T")

LONGEST = 2000
"""Characters of a reason: a trajectory of any size gives reasons that can be read."""


def few(
    items: Sequence[T],
    most: int,
    joint: str = ", ",
    *,
    said: Callable[[T], str] = str,
) -> str:
    """Say the first items, and how many more there are.

    Args:
        items: What is listed.
        most: How many are said.
        joint: Stands between them.
        said: Gives an item's text; called for those that are said alone.

    >>> few(["a", "b", "c", "d"], 2)
    'a, b and 2 more'
    """
    text = joint.join(said(item) for item in items[:most])
    if len(items) <= most:
        return text
    last = " " if joint == ", " else joint
    return f"{text}{last}and {len(items) - most} more"


def bounded(text: str, length: int = LONGEST) -> str:
    """Give the text, cut to a length; unlike `cut` it keeps its lines.

    >>> bounded("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= length else text[: length - 1] + "…"


def names(listed: Sequence[str], most: int = 5) -> str:
    """Say the first names, each cut, and how many more there are.

    >>> names(["get", "pay"])
    'get, pay'
    """
    return few(listed, most, said=cut)
