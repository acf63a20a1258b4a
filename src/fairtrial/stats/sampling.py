"""Which traces are looked at: decided by their names, so that every service decides alike."""

import hashlib
from typing import TypedDict

from fairtrial.stats.inputs import need_within

_RULE = "u = first 8 bytes of sha256(utf8 id), big endian, / 2^64; keep if u < rate"


class HashSample(TypedDict):
    """What `hash_sampling` gives."""

    u: float
    keep: bool


def hash_sampling(trace_id: str, rate: float, definition: str = _RULE) -> HashSample:
    """Decide from the name alone whether a conversation is in a sample of the given rate.

    Source: the first 8 bytes of SHA-256 of the name are as good as a uniform number. A higher rate
    keeps all that a lower one keeps. Keep the rate with the trace: it is the weight of it.

    Args:
        trace_id: The conversation's name; all its traces share it.
        rate: The share that is kept, 0 to 1.
        definition: The rule in words, as logged beside a sample. There is one rule.

    Returns:
        The number, 0 to 1, and whether it is kept.

    Raises:
        ValueError: `rate` lies outside 0 to 1, or `definition` is another rule.

    >>> hash_sampling("conv-42", 0.05)["keep"], hash_sampling("conv-42", 0.3)["keep"]
    (False, True)
    """
    need_within("rate", rate, 0, 1)
    if definition != _RULE:
        raise ValueError(f"the one rule is {_RULE!r}, got {definition!r}")
    digest = hashlib.sha256(trace_id.encode("utf-8", "surrogatepass")).digest()
    number = int.from_bytes(digest[:8], "big")
    # Compared as whole numbers: as a float the highest ones would be 1, which no rate keeps.
    return HashSample(u=number / 2**64, keep=number < rate * 2**64)
