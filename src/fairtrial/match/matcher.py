"""What a matcher is: compiled once, asked often, and able to say what differs."""

import abc
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, TypeAlias

from fairtrial.errors import FairtrialError
from fairtrial.match.mismatch import Mismatch, brief, key_path
from fairtrial.records import Json

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indexes from the top of what was written down to a part of it."""

MOST_MISMATCHES: Final = 50
"""Differences that are told of one value: enough to compare how far off two values are."""


class MatcherError(ValueError):
    """A matcher, pattern or plan that cannot be.

    Attributes:
        path: Where, inside what was written.
        text: What is wrong, what is accepted, and the way out.

    >>> raise MatcherError("one_of: an empty list, which nothing meets", ("args", "fee"))
    Traceback (most recent call last):
    fairtrial.match.matcher.MatcherError: args.fee: one_of: an empty list, which nothing meets
    """

    def __init__(self, text: str, path: Path = ()) -> None:
        """Keep text and path; the exception's text is both."""
        self.text = text
        self.path = path
        where = ""
        for part in path:
            where = f"{where}[{part}]" if isinstance(part, int) else key_path(where, str(part))
        super().__init__(f"{where}: {text}" if where else text)

    def inside(self, path: Path) -> "MatcherError":
        """Give the same error for something whose place is `path`."""
        return MatcherError(self.text, (*path, *self.path))


class MatchTimeoutError(FairtrialError):
    """A regular expression took longer than its time bound: nobody knows whether it matches."""


class Matcher(abc.ABC):
    """Says what a value must be. Made by `compile_matcher`."""

    __slots__ = ("matches",)

    matches: Callable[[Json], bool]
    """Say whether a value is as wanted; may raise MatchTimeoutError. Builds no text."""

    @abc.abstractmethod
    def describe(self) -> str:
        """Give what is wanted, in a few words."""

    def explain(self, value: Json, path: str) -> Iterator[Mismatch]:
        """Give what differs in a value that stands at a path, one by one; nothing for a match."""
        if not self.matches(value):
            yield Mismatch(path, self.describe(), brief(value))

    def mismatches(self, value: Json, path: str = "") -> list[Mismatch]:
        """Give what differs, at most 50 differences; empty exactly when the value matches.

        Args:
            value: What there is.
            path: Where the value stands, to begin the paths with.

        Raises:
            MatchTimeoutError: A regular expression took too long.
        """
        return list(islice(self.explain(value, path), MOST_MISMATCHES))

    def distance(self, value: Json) -> int:
        """Give roughly how many parts of the value are not as wanted; 0 when it matches."""
        return 0 if self.matches(value) else 1


Explain: TypeAlias = Callable[[Json, str], Iterator[Mismatch]]


class Composed(Matcher):
    """A matcher put together of functions; suites are full of the others, which are one object."""

    __slots__ = ("_describe", "_explain")

    def __init__(
        self,
        matches: Callable[[Json], bool],
        describe: Callable[[], str],
        *,
        explain: Explain | None = None,
    ) -> None:
        """Take the functions; `explain` tells more than the others can."""
        self.matches = matches
        self._describe = describe
        self._explain = explain

    def describe(self) -> str:
        """Give what is wanted, in a few words."""
        return self._describe()

    def explain(self, value: Json, path: str) -> Iterator[Mismatch]:
        """Give what differs, as the function says; without one, the value as a whole."""
        return (self._explain or super().explain)(value, path)
