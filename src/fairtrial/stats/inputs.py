"""What the functions ask of their numbers: refusals in words, before anything is computed."""

import math
from collections.abc import Sequence

LARGEST = 1e100
"""The largest score that is taken: beyond it a sum of squares would leave a float's range."""


def need_within(name: str, value: float, low: float, high: float = math.inf) -> None:
    """Refuse a number outside low to high, both of them allowed.

    Raises:
        ValueError: It lies outside, or is not a number.
    """
    if not low <= value <= high or value == math.inf:
        where = f"at least {low}" if high == math.inf else f"within {low} to {high}"
        raise ValueError(f"{name} must be {where}, got {value!r}")


def need_between(name: str, value: float, low: float, high: float) -> None:
    """Refuse a number that does not lie truly between low and high.

    Raises:
        ValueError: It is one of them, lies outside, or is not a number.
    """
    if not low < value < high:
        raise ValueError(f"{name} must lie between {low} and {high}, got {value!r}")


def need_numbers(name: str, values: Sequence[float]) -> None:
    """Refuse values among which one is NaN, infinite or beyond `LARGEST`.

    Raises:
        ValueError: One is, and the message says which.
    """
    for at, value in enumerate(values):
        if not -LARGEST <= value <= LARGEST:
            raise ValueError(f"{name}[{at}] must be a number up to {LARGEST:g}, got {value!r}")


def need_zeros_and_ones(name: str, values: Sequence[float]) -> None:
    """Refuse values among which one is neither 0 nor 1.

    Raises:
        ValueError: One is, and the message says which.
    """
    for at, value in enumerate(values):
        if value not in (0, 1):
            raise ValueError(f"{name}[{at}] must be 0 or 1, got {value!r}")


def need_pairs(**lists: Sequence[object]) -> None:
    """Refuse lists that are empty or of different lengths: they hold one entry an item.

    Raises:
        ValueError: They are.
    """
    sizes = {name: len(values) for name, values in lists.items()}
    if len(set(sizes.values())) > 1 or 0 in sizes.values():
        found = ", ".join(f"{size} in {name}" for name, size in sizes.items())
        raise ValueError(f"one entry an item is needed in each list, got {found}")
