"""Seeds: the same for the same suite seed, case and trial, whatever order the trials run in."""

from hashlib import sha256


def seed_of(suite_seed: int, case: str, trial: int) -> bytes:
    """Give the 32 bytes that everything random in one trial is drawn from.

    The numbers stand first and hold no colon, so no two trials share what is hashed.

    Args:
        suite_seed: Of the suite.
        case: Id of the case.
        trial: 0 and up.

    >>> seed_of(7, "cancel", 0).hex()[:16], seed_of(7, "cancel", 1).hex()[:16]
    ('c51df358482f31dd', 'a9500617a14cc83b')
    """
    return sha256(f"{suite_seed}:{trial}:{case}".encode("utf-8", "surrogatepass")).digest()


def whole_seed(digest: bytes) -> int:
    """Give the seed as a number from 0 to 2**31 - 1, which every library takes.

    >>> whole_seed(seed_of(7, "cancel", 0))
    1653537196
    """
    return int.from_bytes(digest[:4], "big") >> 1
