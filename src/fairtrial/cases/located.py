"""Where things stand in a case file, and the mistakes found there."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol, TypeAlias

from fairtrial.records import Json

Path: TypeAlias = tuple[str | int, ...]
"""The keys and list indexes that lead to a value."""

MAX_NAME: Final = 80
"""Keys longer than this are cut in messages: a hostile file may hold megabytes."""

_PLAIN_KEY = re.compile(r"[\w-]+")


class Position(NamedTuple):
    """A place in a file; both count from 1, columns in characters."""

    line: int
    column: int


class Fault(NamedTuple):
    """A mistake whose place is known already: syntax, duplicate keys and the like."""

    position: Position
    field: str
    text: str


class Document(Protocol):
    """One parsed value (a file, or a line of a `.jsonl` file) that knows where its parts stand."""

    @property
    def value(self) -> Json:
        """What was parsed."""

    def position(self, path: Path, *, of_key: bool = False) -> Position:
        """Give the place of what stands at `path`, or of its key; if missing, of its parent."""


class Parsed(NamedTuple):
    """What one file gave: what could be parsed, and the mistakes met on the way."""

    documents: list[Document]
    faults: list[Fault]


class Mistake(NamedTuple):
    """A mistake in a parsed value."""

    path: Path
    of_key: bool
    """True: the key is wrong rather than what stands under it."""
    text: str


class Notes:
    """The mistakes found so far. Reading goes on after each, so that all are shown at once.

    >>> notes = Notes()
    >>> notes.add(("limits", "steps"), "wanted a whole number")
    >>> notes.mistakes[0].path
    ('limits', 'steps')
    """

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []

    def add(self, path: Path, text: str, *, of_key: bool = False) -> None:
        """Keep one mistake."""
        self.mistakes.append(Mistake(path, of_key, text))

    def __iter__(self) -> Iterator[Mistake]:
        return iter(self.mistakes)


def spell(path: Path) -> str:
    """Give a path as people write it.

    >>> spell(("expect", "tools", "required", 0, "args", "a b"))
    "expect.tools.required[0].args['a b']"
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            text += f".{part[:MAX_NAME]}" if text else part[:MAX_NAME]
        else:
            text += f"[{part[:MAX_NAME]!r}]"
    return text
