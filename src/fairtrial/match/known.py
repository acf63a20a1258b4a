"""What was compiled once, by what was written: the cases of a suite ask for much the same."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from fairtrial.records import Json

T = TypeVar("T")

_MOST: Final = 10_000


class Known(Generic[T]):
    """Compiles what is written, each text only once. What comes out is shared, so never changed.

    >>> known = Known(lambda spec: [spec])
    >>> known.compiled({"a": 1}) is known.compiled({"a": 1}), known.compiled(1), known.compiled("1")
    (True, [1], ['1'])
    """

    def __init__(self, compile_it: Callable[[Json], T]) -> None:
        """Start with nothing; `compile_it` may raise, of which nothing is kept."""
        self._compile_it = compile_it
        self._compiled: dict[str, T] = {}

    def compiled(self, spec: Json) -> T:
        """Give what this compiles to."""
        try:
            written = repr(spec)  # unlike JSON it tells 1 from "1" as a key, and NaN from null
        except RecursionError:  # the compiler says what is wrong
            return self._compile_it(spec)
        known = self._compiled.get(written)
        if known is None:
            if len(self._compiled) >= _MOST:
                self._compiled.clear()
            known = self._compiled[written] = self._compile_it(spec)
        return known
