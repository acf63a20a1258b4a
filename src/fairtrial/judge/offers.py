"""What a request holds beyond its prompt, until the provider says that it takes no such thing."""

import threading
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias, TypeVar

Offer: TypeAlias = Literal["schema", "temperature"]

_T = TypeVar("_T")
_WORDS: Final[Mapping[Offer, tuple[str, ...]]] = {
    "temperature": ("temperature",),
    "schema": ("schema", "response_format", "output_config", "output_format", "grammar", "guided"),
}
"""How providers call what they refuse."""


class Offers:
    """Which offers a provider takes. What it refused once is not offered again. Thread-safe.

    >>> offers, sent = Offers({"schema", "temperature"}), []
    >>> def send(offered):
    ...     sent.append(sorted(offered))
    ...     if "temperature" in offered:
    ...         raise ValueError("temperature is deprecated for this model")
    ...     return "said"
    >>> offers.ask(send, (ValueError,)), offers.ask(send, (ValueError,))
    ('said', 'said')
    >>> sent
    [['schema', 'temperature'], ['schema'], ['schema']]
    """

    def __init__(self, offered: set[Offer]) -> None:
        """Begin with everything that may be offered."""
        self._lock = threading.Lock()
        self._offered = frozenset(offered)

    @property
    def offered(self) -> frozenset[Offer]:
        """What the next request will hold."""
        with self._lock:
            return self._offered

    def ask(
        self, send: Callable[[frozenset[Offer]], _T], refused: tuple[type[Exception], ...]
    ) -> _T:
        """Send a request, again without what is refused.

        An error that names nothing may mean anything: then all offers are left out, and that is
        remembered only if it helps.

        Args:
            send: Sends it with these offers.
            refused: What it raises where the provider refuses a request as it stands.

        Raises:
            Exception: The request is refused without any offer too, or failed otherwise.
        """
        offered = self.offered
        while True:
            try:
                reply = send(offered)
            except refused as error:
                if not offered:
                    raise
                offered -= _named(str(error), offered) or offered
                continue
            with self._lock:
                self._offered &= offered
            return reply


def _named(message: str, offered: frozenset[Offer]) -> frozenset[Offer]:
    lower = message.lower()
    return frozenset(one for one in offered if any(word in lower for word in _WORDS[one]))
