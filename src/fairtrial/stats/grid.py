"""Exact distributions of sums, counted in whole numbers: each value is a multiple of one unit."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

_LARGEST = 5040  # the largest denominator looked for: rates over up to ten trials share 2520
_NEAR = 1e-12  # what a float may be off the fraction that it stands for, as a share of it


class Grid(NamedTuple):
    """Values as whole multiples of a unit."""

    counts: list[int]
    unit: float


def on_grid(values: Sequence[float]) -> Grid | None:
    """Write values as multiples of one unit, where they are: pass rates over few trials are.

    Returns:
        The multiples and the unit; None where the values share none down to 1/5040.

    >>> on_grid([0.2, 1.0, 0.5])
    Grid(counts=[2, 10, 5], unit=0.1)
    """
    known: dict[float, Fraction] = {}
    bottom = 1
    for value in values:
        if value in known:
            continue
        near = Fraction(value).limit_denominator(_LARGEST)
        if abs(near - Fraction(value)) > _NEAR * max(1.0, abs(value)):
            return None
        known[value] = near
        bottom = math.lcm(bottom, near.denominator)
        if bottom > _LARGEST:
            return None
    return Grid([int(known[value] * bottom) for value in values], 1 / bottom)


def count_subsets(sizes: Iterable[int], width: int) -> list[int]:
    """Count for each sum the subsets that have it: 0 first, and the sum of all sizes last.

    Source: the product of (1 + x^size), with x a power of two so great that the coefficients,
    each less than 2^(8 width), stand side by side in one whole number.

    Args:
        sizes: Whole numbers, 0 and up.
        width: The bytes that hold the largest count.

    >>> count_subsets([1, 2, 3], width=1)
    [1, 1, 1, 2, 1, 1, 1]
    """
    product, whole = 1, 0
    for size in sizes:
        product += product << (8 * width * size)
        whole += size
    return coefficients(product, whole, width)


def coefficients(product: int, last: int, width: int) -> list[int]:
    """Take the counts 0 to `last` out of a whole number in which each fills `width` bytes.

    >>> coefficients(0x030201, last=2, width=1)
    [1, 2, 3]
    """
    packed = product.to_bytes(width * (last + 1), "little")
    return [
        int.from_bytes(packed[at : at + width], "little") for at in range(0, len(packed), width)
    ]
