"""Bounds of one pass rate from independent trials, and of a mean over cases."""

import math
from collections.abc import Sequence

from fairtrial.stats.special import beta_quantile, normal_quantile, t_quantile


def wilson(x: int, n: int, alpha: float = 0.05) -> tuple[float, float]:
    """Bound a pass rate with the Wilson score interval: the one to show.

    Source: Wilson (1927), JASA 22(158), 209-212.

    Args:
        x: Trials that passed.
        n: Measured trials, at least 1.
        alpha: The chance of a miss that is put up with; 0.05 gives 95 %.

    Returns:
        Low and high, 0 to 1, with x/n between them; exactly 0 and 1 at the ends.

    Raises:
        ValueError: `n` is below 1, `x` lies outside 0 to `n`, or `alpha` outside 0 to 1.

    >>> low, high = wilson(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    _counts(x, n)
    return wilson_rate(x / n, n, alpha)


def wilson_rate(rate: float, size: float, alpha: float = 0.05) -> tuple[float, float]:
    """Bound a rate that rests on `size` independent trials, which need not be a whole number.

    Source: as `wilson`; the size may be an effective one, as in `wilson_effective_n`.

    Raises:
        ValueError: `rate` lies outside 0 to 1, `size` is not above 0, or `alpha` outside 0 to 1.

    >>> low, high = wilson_rate(0.5, 6.4)
    >>> round(low, 3), round(high, 3)
    (0.194, 0.806)
    """
    if not (0 <= rate <= 1 and 0 < size < math.inf):
        raise ValueError(f"no rate to bound: rate={rate!r}, size={size!r}")
    _alpha(alpha)
    z2 = normal_quantile(alpha / 2) ** 2
    centre = rate + z2 / (2 * size)
    half = math.sqrt(z2 * (rate * (1 - rate) / size + z2 / (4 * size * size)))
    low, high = (centre - half) / (1 + z2 / size), (centre + half) / (1 + z2 / size)
    # Rounding alone can push an end past 0, 1 or the rate itself.
    return (0.0 if rate == 0 else min(max(0.0, low), rate), max(min(1.0, high), rate))


def clopper_pearson(x: int, n: int, alpha: float = 0.05) -> tuple[float, float]:
    """Bound a pass rate with the exact interval: the one to claim "at least" with.

    Source: Clopper and Pearson (1934), Biometrika 26, 404-413, by beta quantiles.

    Returns:
        Low and high, 0 to 1; the true rate is missed with a chance of at most `alpha`.

    Raises:
        ValueError: `n` is below 1, `x` lies outside 0 to `n`, or `alpha` outside 0 to 1.

    >>> low, high = clopper_pearson(3, 5)
    >>> round(low, 6), round(high, 6)
    (0.146633, 0.947255)
    """
    _counts(x, n)
    _alpha(alpha)
    # The high end is the low end of the failures, turned over.
    return (_exact_low(x, n, alpha / 2), 1 - _exact_low(n - x, n, alpha / 2))


def clopper_pearson_one_sided_lower(x: int, n: int, alpha: float = 0.05) -> float:
    """Give the rate, 0 to 1, that the true one is at least, save with a chance of `alpha`.

    Source: Clopper and Pearson (1934), one-sided; where all passed it is `alpha ** (1 / n)`.

    Raises:
        ValueError: `n` is below 1, `x` lies outside 0 to `n`, or `alpha` outside 0 to 1.

    >>> round(clopper_pearson_one_sided_lower(30, 30), 3)
    0.905
    """
    _counts(x, n)
    _alpha(alpha)
    return _exact_low(x, n, alpha)


def jeffreys(x: int, n: int, alpha: float = 0.05) -> tuple[float, float]:
    """Bound a pass rate with the equal-tailed interval of the Jeffreys prior, Beta(1/2, 1/2).

    Source: Brown, Cai and DasGupta (2001), Statistical Science 16(2): low is 0 where nothing
    passed, high is 1 where everything did.

    Raises:
        ValueError: `n` is below 1, `x` lies outside 0 to `n`, or `alpha` outside 0 to 1.

    >>> low, high = jeffreys(3, 5)
    >>> round(low, 6), round(high, 6)
    (0.209417, 0.90561)
    """
    _counts(x, n)
    _alpha(alpha)
    low = 0.0 if x == 0 else beta_quantile(alpha / 2, x + 0.5, n - x + 0.5)
    high = 1.0 if x == n else 1 - beta_quantile(alpha / 2, n - x + 0.5, x + 0.5)
    return (low, high)


def t_interval(values: Sequence[float], alpha: float = 0.05) -> tuple[float, float] | None:
    """Bound the mean of independent values, one a case, with Student's t on N - 1 degrees.

    Source: Student (1908), Biometrika 6, 1-25. The ends are not cut at 0 and 1.

    Returns:
        Low and high in the values' own unit; None with fewer than two values.

    Raises:
        ValueError: `alpha` lies outside 0 to 1.

    >>> low, high = t_interval([1.0, 0.8, 0.6, 0.0, 1.0, 0.4])
    >>> round(low, 4), round(high, 4)
    (0.226, 1.0407)
    >>> t_interval([0.5]) is None
    True
    """
    _alpha(alpha)
    size = len(values)
    if size < 2:
        return None
    mean = math.fsum(values) / size
    half = t_quantile(alpha / 2, size - 1) * standard_error(values)
    return (mean - half, mean + half)


def standard_error(values: Sequence[float]) -> float:
    """Give the standard error of the mean of two or more values: sample sd over sqrt(N).

    Source: any textbook; the sample variance divides by N - 1.

    Raises:
        ValueError: There are fewer than two values.

    >>> standard_error([0.0, 1.0])
    0.5
    """
    size = len(values)
    if size < 2:
        raise ValueError(f"a standard error needs two values, got {size}")
    mean = math.fsum(values) / size
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (size - 1) / size)


def _exact_low(x: int, n: int, tail: float) -> float:
    return 0.0 if x == 0 else beta_quantile(tail, x, n - x + 1)


def _counts(x: int, n: int) -> None:
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n!r}")
    if not 0 <= x <= n:
        raise ValueError(f"x must lie within 0 to n={n}, got {x!r}")


def _alpha(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, got {alpha!r}")
