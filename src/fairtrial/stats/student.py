"""Chances and quantiles of what normal variables make: Student's t, shifted or not, chi-square."""

import math
from collections.abc import Callable
from functools import lru_cache

from fairtrial.stats.inputs import need_between
from fairtrial.stats.special import beta_cdf, normal_quantile
from fairtrial.stats.tails import chi_square_above

_MANY = (
    1e5  # degrees of freedom beyond which the normal approximation is better than the log gammas
)
_FAINT = 40.0  # a density falls by e to this before its tail is left out: 4e-18 of its peak


def normal_above(z: float) -> float:
    """Give the chance, 0 to 1, that a standard normal exceeds `z`.

    Source: the complementary error function, which keeps the digits of small tails.

    >>> round(normal_above(1.959963984540054), 12)
    0.025
    """
    return math.erfc(z / math.sqrt(2)) / 2


def normal_point(tail: float) -> float:
    """Give the z that a standard normal exceeds with chance `tail`, on either side of 0.

    Raises:
        ValueError: `tail` does not lie between 0 and 1.

    >>> round(normal_point(0.8), 6)
    -0.841621
    """
    need_between("tail", tail, 0, 1)
    return normal_quantile(tail) if tail <= 0.5 else -normal_quantile(1 - tail)


def t_above(t: float, df: float) -> float:
    """Give the chance, 0 to 1, that Student's t with `df` degrees of freedom exceeds `t`.

    Source: df over (df + t squared) is Beta(df/2, 1/2); for a large df Abramowitz and Stegun
    26.7.8.

    Raises:
        ValueError: `df` is not above 0.

    >>> round(t_above(2.570581835636314, 5), 12)
    0.025
    """
    if not df > 0:
        raise ValueError(f"df must lie above 0, got {df!r}")
    if t < 0:
        return 1 - t_above(-t, df)
    if df > _MANY:
        return normal_above(t * (1 - 1 / (4 * df)) / math.sqrt(1 + t * t / (2 * df)))
    if t * t < df:  # near the middle the other side of the beta distribution has the digits
        return (1 - beta_cdf(t * t / (df + t * t), 0.5, df / 2)) / 2
    return beta_cdf(df / (df + t * t), df / 2, 0.5) / 2


def chi_square_quantile(chance: float, df: float) -> float:
    """Give the x that a chi-square variable with `df` degrees stays under with the given chance.

    Source: bisection on `chi_square_above`.

    Raises:
        ValueError: `chance` does not lie between 0 and 1, or `df` is not above 0.

    >>> round(chi_square_quantile(0.95, 1), 9)
    3.841458821
    """
    need_between("chance", chance, 0, 1)
    if not 0 < df < math.inf:
        raise ValueError(f"df must lie above 0, got {df!r}")
    return _root(lambda x: chi_square_above(x, df) <= 1 - chance, 0.0, df)


@lru_cache(maxsize=256)
def noncentral_t_quantile(chance: float, df: float, shift: float) -> float:
    """Give the t that (Z + shift)/S stays under with the given chance.

    Source: Z is standard normal, S the root of an independent chi-square over its `df` degrees;
    the chance that Z + shift stays under t S is averaged over S by the trapezoid rule on log S,
    whose error falls off exponentially.

    Raises:
        ValueError: `chance` does not lie between 0 and 1, or `df` is not above 0.

    >>> round(noncentral_t_quantile(0.975, 5, 0.0), 9)
    2.570581836
    """
    need_between("chance", chance, 0, 1)
    if not 0 < df < math.inf:
        raise ValueError(f"df must lie above 0, got {df!r}")
    spreads, weights = _spreads(df)
    pairs = list(zip(spreads, weights, strict=True))

    def reached(t: float) -> bool:
        below = math.fsum(weight * normal_above(shift - t * s) for s, weight in pairs)
        return below >= chance

    low = -1.0
    while reached(low):
        low *= 2
    return _root(reached, low, max(1.0, 2 * shift))


def _spreads(df: float) -> tuple[list[float], list[float]]:
    """Give points of S and their shares, which add up to 1: evenly spaced in log S."""
    step = 0.05 / math.sqrt(df)
    logs = [0.0]
    for way in (-step, step):
        at = way
        while df * (at - math.expm1(2 * at) / 2) > -_FAINT:
            logs.append(at)
            at += way
    heights = [math.exp(df * (at - math.expm1(2 * at) / 2)) for at in logs]
    whole = math.fsum(heights)
    return [math.exp(at) for at in logs], [height / whole for height in heights]


def _root(reached: Callable[[float], bool], low: float, high: float) -> float:
    """Find where `reached` turns true, from a `low` where it is not; `high` is a first guess."""
    while not reached(high):
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return high
        low, high = (low, middle) if reached(middle) else (middle, high)
