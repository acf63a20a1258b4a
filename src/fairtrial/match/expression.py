"""Regular expressions with a time bound. Their library is loaded when the first one is written."""

import importlib
import re
from collections.abc import Callable
from typing import Final

from fairtrial.match.matcher import MatcherError, MatchTimeoutError, Path
from fairtrial.match.mismatch import brief

SECONDS: Final = 1.0
"""The longest that one search may take."""

_LARGEST: Final = 100_000
"""Size of a pattern with its bounded repeats written out; memory grows with it."""

_TOKEN: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|[()]|\{(?:\d*,)?(\d+)\}|.", re.DOTALL)


class Expression:
    """A compiled regular expression.

    >>> Expression("C-[0-9]{4}").search("your code is C-1234.")
    True
    """

    __slots__ = ("_search", "text")

    def __init__(self, text: str, path: Path = ()) -> None:
        """Compile it.

        Raises:
            MatcherError: It is no regular expression, or one of a size that nobody needs.
        """
        self.text = text
        self._search = _compiled_search(text, path)

    def search(self, value: str) -> bool:
        """Say whether the expression is found anywhere in the value.

        Raises:
            MatchTimeoutError: It took longer than a second, or all the memory.
        """
        try:
            return self._search(value, timeout=SECONDS) is not None
        except (TimeoutError, MemoryError) as error:
            spent = f"{SECONDS:g} second" if isinstance(error, TimeoutError) else "the memory"
            raise MatchTimeoutError(
                f"the pattern {brief(self.text)} needs more than {spent} on a text of "
                f"{len(value)} characters; write one with less backtracking"
            ) from error


def _compiled_search(text: str, path: Path) -> Callable[..., object]:
    size = _written_out(text)
    if size > _LARGEST:
        raise MatcherError(
            f"matches: {brief(text)} is {size} characters long with its repeats written out; "
            f"wanted at most {_LARGEST}",
            path,
        )
    library = importlib.import_module("regex")
    try:
        search: Callable[..., object] = library.compile(text).search
    except (library.error, ValueError, OverflowError, RecursionError) as error:
        raise MatcherError(
            f"matches: {brief(text)} is no regular expression: {error}", path
        ) from error
    return search


def _written_out(text: str) -> int:
    """Give about how long the pattern is once `{1000}` stands for a thousand copies."""
    sizes = [0]
    last = 0  # size of what a repeat would repeat
    for token in _TOKEN.finditer(text):
        if token[0] == "(":
            sizes.append(0)
            continue
        if token[0] == ")" and len(sizes) > 1:
            last = sizes.pop() + 1
        elif token[1] is not None:
            last *= max(int(token[1][:9]) - 1, 0)
        else:
            last = 1
        sizes[-1] += last
    return sum(sizes)
