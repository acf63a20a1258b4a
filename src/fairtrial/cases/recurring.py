"""Values that come again and again in a suite, such as limits and tags: each is read once."""

from collections.abc import Callable
from typing import Final

from fairtrial.cases.located import Notes, Path
from fairtrial.records import Json

_MOST: Final = 1_000  # values of one field that are kept
_LONGEST: Final = 200  # characters of a value that is kept


class Recurring:
    """Reads the values of a field, and each sound one only once. What comes out is never changed.

    >>> read = Recurring(lambda value, path, notes: [value]).read
    >>> read({"steps": 6}, (), Notes()) is read({"steps": 6}, (), Notes())
    True
    """

    def __init__(self, read_it: Callable[[Json, Path, Notes], Json]) -> None:
        """Start with nothing; `read_it` notes the mistakes, each time that it meets them."""
        self._read_it = read_it
        self._known: dict[str, Json] = {}

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give what the value is read as."""
        written = repr(value)  # unlike the value it can be hashed, and tells 1 from true
        if written in self._known:
            return self._known[written]
        mistakes = len(notes.mistakes)
        read = self._read_it(value, path, notes)
        if len(notes.mistakes) == mistakes and len(written) <= _LONGEST:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[written] = read
        return read
