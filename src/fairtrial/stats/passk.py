"""pass@k (one of k tries passes) and pass^k (all k pass): unbiased, per case and over cases.

There is one estimator under each name: drawing k of the n trials without replacement. The plug-in
powers of the pass rate, which others report under the same names, stand here only to show how far
off they are.
"""

import math
from collections.abc import Sequence
from typing import TypedDict

from fairtrial.stats.proportions import standard_error


class SuitePassK(TypedDict):
    """What `suite_pass_k` gives."""

    pass_at_k: float | None
    pass_hat_k: float | None
    eligible_cases: int
    excluded_cases: int
    se_pass_at_k: float | None
    se_pass_hat_k: float | None
    pooled_trials_rate: float | None


class PluginPassK(TypedDict):
    """What `naive_plugin` gives."""

    pass_at_k: float
    pass_hat_k: float


class PluginExpectation(TypedDict):
    """What `plugin_expectation` gives."""

    E_plugin_pass_at_k: float
    true_pass_at_k: float
    E_plugin_pass_hat_k: float
    true_pass_hat_k: float


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Estimate the chance that at least one of k tries of a case passes: 1 - C(n-c,k)/C(n,k).

    Source: Chen et al. (2021), arXiv:2107.03374; unbiased for 1 - (1 - p)^k.

    Args:
        n: Measured trials.
        c: Those that passed.
        k: Tries, at least 1.

    Returns:
        0 to 1; None where k exceeds n, for then nothing can be said.

    Raises:
        ValueError: k is below 1, n is below 0, or c lies outside 0 to n.

    >>> pass_at_k(4, 1, 2), pass_at_k(2, 0, 5)
    (0.5, None)
    """
    _counts(n, c, k)
    if k > n:
        return None
    ways = math.comb(n, k)
    return (ways - math.comb(n - c, k)) / ways  # whole numbers first, so that 0.6 is 0.6


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """Estimate the chance that all of k tries of a case pass: C(c,k)/C(n,k).

    Source: Yao et al. (2024), arXiv:2406.12045; unbiased for p^k. It is not (c/n)^k.

    Args:
        n: Measured trials.
        c: Those that passed.
        k: Tries, at least 1.

    Returns:
        0 to 1; None where k exceeds n, for then nothing can be said.

    Raises:
        ValueError: k is below 1, n is below 0, or c lies outside 0 to n.

    >>> pass_hat_k(4, 3, 2), pass_hat_k(2, 2, 5)
    (0.5, None)
    """
    _counts(n, c, k)
    return None if k > n else math.comb(c, k) / math.comb(n, k)


def suite_pass_k(cases_n_c: Sequence[tuple[int, int]], k: int) -> SuitePassK:
    """Average pass@k and pass^k over the cases that have at least k measured trials.

    Source: the mean of `pass_at_k` and `pass_hat_k` over cases; the standard error is the sample
    sd of the cases' estimates over sqrt(cases), which holds the noise within a case already.

    Args:
        cases_n_c: One (measured trials, passed trials) a case.
        k: Tries, at least 1.

    Returns:
        The two means (None with no eligible case), their standard errors (None with fewer than
        two), how many cases they rest on and how many were left out for want of trials, and the
        rate over all trials of all cases (None with no trial).

    Raises:
        ValueError: k is below 1, or a case's counts make no sense.

    >>> suite = suite_pass_k([(5, 5), (5, 0), (1, 1)], k=2)
    >>> suite["pass_hat_k"], suite["eligible_cases"], suite["excluded_cases"]
    (0.5, 2, 1)
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k!r}")
    at = [value for n, c in cases_n_c if (value := pass_at_k(n, c, k)) is not None]
    hat = [value for n, c in cases_n_c if (value := pass_hat_k(n, c, k)) is not None]
    trials = sum(n for n, _ in cases_n_c)
    return SuitePassK(
        pass_at_k=math.fsum(at) / len(at) if at else None,
        pass_hat_k=math.fsum(hat) / len(hat) if hat else None,
        eligible_cases=len(at),
        excluded_cases=len(cases_n_c) - len(at),
        se_pass_at_k=standard_error(at) if len(at) > 1 else None,
        se_pass_hat_k=standard_error(hat) if len(hat) > 1 else None,
        pooled_trials_rate=sum(c for _, c in cases_n_c) / trials if trials else None,
    )


def posterior_mean_pass_hat_k(n: int, c: int, k: int, a: float, b: float) -> float:
    """Give the mean of p^k after c of n trials passed, from a Beta(a, b) prior.

    Source: B(a+c+k, b+n-c)/B(a+c, b+n-c), as a product of k ratios. It is defined also where k
    exceeds n, so it must be shown as what it is: a model's number.

    Returns:
        0 to 1.

    Raises:
        ValueError: k is below 1, the counts make no sense, or a or b is not above 0.

    >>> round(posterior_mean_pass_hat_k(5, 5, 5, a=1, b=1), 6)
    0.545455
    """
    _counts(n, c, k)
    if not (a > 0 and b > 0):
        raise ValueError(f"a prior needs a and b above 0, got a={a!r}, b={b!r}")
    return math.prod((a + c + i) / (a + b + n + i) for i in range(k))


def naive_plugin(n: int, c: int, k: int) -> PluginPassK:
    """Give the biased powers of the pass rate, 1 - (1 - c/n)^k and (c/n)^k: never reported.

    Source: what several tools compute under these names; see `plugin_expectation`.

    Raises:
        ValueError: k or n is below 1, or c lies outside 0 to n.

    >>> naive_plugin(4, 2, 2)["pass_hat_k"], round(pass_hat_k(4, 2, 2), 3)
    (0.25, 0.167)
    """
    _counts(n, c, k)
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n!r}")
    return PluginPassK(pass_at_k=1 - (1 - c / n) ** k, pass_hat_k=(c / n) ** k)


def plugin_expectation(n: int, k: int, p: float) -> PluginExpectation:
    """Give what the plug-in powers come to on average at a true rate p, beside the truth.

    Source: the mean of `naive_plugin` over the binomial distribution of c.

    Raises:
        ValueError: k or n is below 1, or p lies outside 0 to 1.

    >>> bias = plugin_expectation(5, 3, 0.9)
    >>> round(bias["E_plugin_pass_hat_k"], 5), round(bias["true_pass_hat_k"], 5)
    (0.77472, 0.729)
    """
    if not 0 <= p <= 1:
        raise ValueError(f"p must lie within 0 to 1, got {p!r}")
    plugins = [naive_plugin(n, c, k) for c in range(n + 1)]
    chances = [math.comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    pairs = list(zip(chances, plugins, strict=True))
    return PluginExpectation(
        E_plugin_pass_at_k=math.fsum(chance * plugin["pass_at_k"] for chance, plugin in pairs),
        true_pass_at_k=1 - (1 - p) ** k,
        E_plugin_pass_hat_k=math.fsum(chance * plugin["pass_hat_k"] for chance, plugin in pairs),
        true_pass_hat_k=p**k,
    )


def _counts(n: int, c: int, k: int) -> None:
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k!r}")
    if n < 0:
        raise ValueError(f"n must be at least 0, got {n!r}")
    if not 0 <= c <= n:
        raise ValueError(f"c must lie within 0 to n={n}, got {c!r}")
