"""Chances beyond a value: of counts and of sums of squares."""

import math

from fairtrial.stats.special import beta_cdf

_TERMS = 100_000  # the sums below need about sqrt(df) terms near the middle


def binomial_at_most(x: int, n: int, p: float) -> float:
    """Give the chance, 0 to 1, that at most `x` of `n` independent trials pass at a rate of `p`.

    Source: the binomial tail is a beta distribution's, DLMF 8.17.5; small tails keep their digits.

    >>> round(binomial_at_most(1, 3, 0.5), 12)
    0.5
    """
    if x < 0:
        return 0.0
    return 1.0 if x >= n else beta_cdf(1 - p, n - x, x + 1)


def chi_square_above(x: float, df: float) -> float:
    """Give the chance, 0 to 1, that a chi-square variable with `df` degrees exceeds `x`.

    Source: the regularised incomplete gamma function, DLMF 8.11.4 (series) below the mean and
    8.9.2 (continued fraction) above it.

    >>> round(chi_square_above(3.841458820694124, 1), 12)
    0.05
    """
    a, x = df / 2, x / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        return max(0.0, 1 - front * _series(a, x))
    return min(1.0, front * _fraction(a, x))


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for i in range(1, _TERMS):
        term *= x / (a + i)
        total += term
        if term <= 1e-17 * total:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """Sum the even part of the fraction by the modified Lentz method; above a + 1 nothing is 0."""
    base = x + 1 - a
    upper, lower = math.inf, 1 / base
    total = lower
    for i in range(1, _TERMS):
        term = i * (a - i)
        base += 2
        lower = 1 / (base + term * lower)
        upper = base + term / upper
        total *= upper * lower
        if abs(upper * lower - 1) < 1e-16:
            break
    return total
