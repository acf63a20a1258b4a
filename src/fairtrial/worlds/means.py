"""What a world has of its own besides its fields: context, time and chance, by seed alone."""

import hashlib
import random  # noqa: TID251 - seeded here, from the trial's own seed
from typing import Any, Final

import msgspec

from fairtrial.worlds.clock import Clock
from fairtrial.worlds.setting import Setting

_LETTERS: Final = "0123456789abcdefghijkmnpqrstuvwx"
"""Of ids: 32, without l and o, which look like figures."""
_ID_LENGTH: Final = 8
_UNREAD: Final = object()


class Means:
    """Context, clock, chance and ids of one trial; each made when it is first used."""

    __slots__ = ("_clock", "_context", "_ids", "_made", "_random", "_seed", "setting")

    def __init__(self, setting: Setting, seed: bytes) -> None:
        self.setting = setting
        self._seed = seed
        self._context: Any = _UNREAD
        self._clock: Clock | None = None
        self._random: random.Random | None = None
        self._made = 0
        self._ids: set[str] = set()

    @property
    def context(self) -> Any:
        """The case's context, a copy of its own."""
        if self._context is _UNREAD:
            self._context = msgspec.json.decode(self.setting.context)
        return self._context

    @property
    def clock(self) -> Clock:
        """The time."""
        if self._clock is None:
            self._clock = Clock(self.setting.starts)
        return self._clock

    @property
    def random(self) -> random.Random:
        """Chance."""
        if self._random is None:
            self._random = random.Random(b"random:" + self._seed)  # noqa: S311 - not for secrets
        return self._random

    def new_id(self, prefix: str) -> str:
        """Give an id that is not yet given."""
        while True:
            made = prefix + self._letters()
            if made not in self._ids:
                self._ids.add(made)
                return made

    def _letters(self) -> str:
        self._made += 1
        digest = hashlib.sha256(b"id:%d:%b" % (self._made, self._seed)).digest()
        number = int.from_bytes(digest[:8])
        return "".join(_LETTERS[number >> 5 * at & 31] for at in range(_ID_LENGTH))
