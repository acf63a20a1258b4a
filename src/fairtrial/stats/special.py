"""The few special functions that the intervals stand on, from the standard library's alone."""

import math
from functools import lru_cache

_TINY = 1e-300  # stands for zero in the continued fraction, so that nothing divides by it
_STEPS = 10_000  # the fraction needs about sqrt(max(a, b)) terms: enough for a hundred million


@lru_cache(maxsize=64)
def normal_quantile(tail: float) -> float:
    """Give the z that a standard normal exceeds with chance `tail`.

    Source: Newton's method on the complementary error function; it rises to the root from 0.

    Args:
        tail: A chance above 0 and at most 0.5.

    Raises:
        ValueError: `tail` lies outside that.

    >>> round(normal_quantile(0.025), 9)
    1.959963985
    """
    if not 0 < tail <= 0.5:
        raise ValueError(f"tail must lie above 0 and at most at 0.5, got {tail!r}")
    z = 0.0
    for _ in range(1000):
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        step = (math.erfc(z / math.sqrt(2)) / 2 - tail) / density
        z += step
        if step <= 1e-16 * z:
            break
    return z


def beta_cdf(x: float, a: float, b: float) -> float:
    """Give the chance, 0 to 1, that a Beta(a, b) variable is at most `x`.

    Source: the regularised incomplete beta function by its continued fraction, DLMF 8.17.22,
    summed from the side on which it converges quickly.

    Raises:
        ValueError: `a` or `b` is not a finite number above 0, or `x` lies outside 0 to 1.

    >>> round(beta_cdf(0.5, 2, 3), 12)
    0.6875
    """
    if not (0 < a < math.inf and 0 < b < math.inf and 0 <= x <= 1):
        raise ValueError(f"no beta distribution: x={x!r}, a={a!r}, b={b!r}")
    if x in (0, 1):
        return float(x)
    if x > (a + 1) / (a + b + 2):
        return 1 - _lower_tail(1 - x, b, a)
    return _lower_tail(x, a, b)


def _lower_tail(x: float, a: float, b: float) -> float:
    front = math.exp(a * math.log(x) + b * math.log1p(-x) - _log_beta(a, b)) / a
    return min(1.0, front * _continued_fraction(x, a, b))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Sum the fraction by the modified Lentz method."""
    upper, lower = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    total, change = lower, 0.0
    for m in range(1, _STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            lower = 1 / _away_from_zero(1 + term * lower)
            upper = _away_from_zero(1 + term / upper)
            change = upper * lower
            total *= change
        if abs(change - 1) < 1e-16:
            break
    return total


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def beta_quantile(chance: float, a: float, b: float) -> float:
    """Give the x, 0 to 1, that a Beta(a, b) variable stays at or under with the given chance.

    Source: Newton's method on `beta_cdf`, held inside a bracket that halves when it leaves it.

    Raises:
        ValueError: `chance` lies outside 0 to 1, or `a` or `b` is not a finite number above 0.

    >>> round(beta_quantile(0.05, 5, 1), 9), round(0.05 ** (1 / 5), 9)
    (0.549280272, 0.549280272)
    """
    if not 0 <= chance <= 1:
        raise ValueError(f"chance must lie within 0 to 1, got {chance!r}")
    beta_cdf(0.5, a, b)  # refuses a and b that make no distribution
    if chance in (0, 1):
        return float(chance)
    low, high, x = 0.0, 1.0, a / (a + b)
    log_beta = _log_beta(a, b)
    for _ in range(200):
        gap = beta_cdf(x, a, b) - chance
        low, high = (low, x) if gap > 0 else (x, high)
        log_density = (a - 1) * math.log(x) + (b - 1) * math.log1p(-x) - log_beta
        new = x - gap * math.exp(min(700.0, -log_density))
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - x) <= 4e-16 * x or not 0 < new < 1:
            break
        x = new
    return x


@lru_cache(maxsize=256)
def t_quantile(tail: float, df: float) -> float:
    """Give the t that Student's t with `df` degrees of freedom exceeds with chance `tail`.

    Source: t squared over (df + t squared) is Beta(1/2, df/2); for a large df the Cornish-Fisher
    expansion, Abramowitz and Stegun 26.7.5.

    Args:
        tail: A chance above 0 and at most 0.5.
        df: Degrees of freedom, above 0.

    Raises:
        ValueError: `tail` or `df` lies outside that.

    >>> round(t_quantile(0.025, 5), 9)
    2.570581836
    """
    if not (0 < tail <= 0.5 and df > 0):
        raise ValueError(f"no t quantile: tail={tail!r}, df={df!r}")
    if df > 1e5:  # the log gammas below lose digits there, and the expansion gains them
        z = normal_quantile(tail)
        return z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df * df)
    share = beta_quantile(1 - 2 * tail, 0.5, df / 2)
    if share > 0.9:  # far out, 1 - share has few digits left: take it from the other side
        rest = beta_quantile(2 * tail, df / 2, 0.5)
        return math.sqrt(df * (1 - rest) / rest)
    return math.sqrt(df * share / (1 - share))
