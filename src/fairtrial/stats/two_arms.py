"""Two independent arms: how far apart are their rates, and how surely is the candidate's lower?"""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import TypedDict

from fairtrial.stats.inputs import need_between, need_within
from fairtrial.stats.proportions import wilson
from fairtrial.stats.special import beta_cdf, normal_quantile

_FAINT = 40.0  # a density falls by e to this before its tail is left out: 4e-18 of its peak
_STEP = 1 / 16  # of the tanh-sinh rule: the error is below 1e-11


class DifferenceIntervals(TypedDict):
    """What `difference_two_independent` gives."""

    newcombe: tuple[float, float]
    agresti_caffo: tuple[float, float]


class ProbWorse(TypedDict):
    """What the `prob_worse` functions give."""

    p_worse: float


def difference_two_independent(
    x_base: int, n_base: int, x_cand: int, n_cand: int, alpha: float = 0.05
) -> DifferenceIntervals:
    """Bound the candidate's rate minus the baseline's, from independent trials in each arm.

    Source: Newcombe (1998), Statistics in Medicine 17, method 10, from the two Wilson intervals;
    Agresti and Caffo (2000), The American Statistician 54, one pass and one failure added to each.

    Returns:
        Low and high by each method; below 0 the candidate is worse.

    Raises:
        ValueError: An arm has no trial, its passes lie outside 0 to its trials, or `alpha` does
            not lie between 0 and 1.

    >>> low, high = difference_two_independent(45, 50, 38, 50)["newcombe"]
    >>> round(low, 4), round(high, 4)
    (-0.2856, 0.0094)
    """
    for arm, passed, trials in (("base", x_base, n_base), ("cand", x_cand, n_cand)):
        need_within(f"n_{arm}", trials, 1)
        need_within(f"x_{arm}", passed, 0, trials)
    need_between("alpha", alpha, 0, 1)
    base, cand = x_base / n_base, x_cand / n_cand
    base_low, base_high = wilson(x_base, n_base, alpha)
    cand_low, cand_high = wilson(x_cand, n_cand, alpha)
    low = cand - base - math.hypot(cand - cand_low, base_high - base)
    high = cand - base + math.hypot(cand_high - cand, base - base_low)
    near_base, near_cand = (x_base + 1) / (n_base + 2), (x_cand + 1) / (n_cand + 2)
    variance = near_base * (1 - near_base) / (n_base + 2)
    variance += near_cand * (1 - near_cand) / (n_cand + 2)
    half = normal_quantile(alpha / 2) * math.sqrt(variance)
    gap = near_cand - near_base
    return DifferenceIntervals(
        newcombe=(max(-1.0, low), min(1.0, high)),
        agresti_caffo=(max(-1.0, gap - half), min(1.0, gap + half)),
    )


def prob_worse_uniform_prior(
    base_pass: int, base_n: int, cand_pass: int, cand_n: int, a: float = 1, b: float = 1
) -> ProbWorse:
    """Give the chance that the candidate's rate is the lower one, from Beta(1, 1) priors.

    Source: both rates are beta variables; P(one below the other) goes up or down by a known term
    with each trial, so it is a finite sum from 1/2 on. It ranks and screens cases: it has no error
    rate, and knows nothing of the other cases that were looked at.

    Args:
        base_pass: The baseline's passes.
        base_n: Its trials, which may be 0.
        cand_pass: The candidate's passes.
        cand_n: Its trials, which may be 0.
        a: The prior's weight on passes, above 0, in both arms.
        b: Its weight on failures.

    Raises:
        ValueError: Passes lie outside 0 to the trials, or a or b is not above 0.

    >>> round(prob_worse_uniform_prior(5, 5, 3, 5)["p_worse"], 6)
    0.909091
    """
    _arms(base_pass, base_n, cand_pass, cand_n)
    _prior(a, b)
    arms = (base_pass, base_n - base_pass, cand_pass, cand_n - cand_pass)
    return ProbWorse(p_worse=_prob_worse(arms, a, b))


def prob_worse_jeffreys_prior(
    base_pass: int, base_n: int, cand_pass: int, cand_n: int, a: float = 0.5, b: float = 0.5
) -> ProbWorse:
    """Give the chance that the candidate's rate is the lower one, from Beta(1/2, 1/2) priors.

    Source: as `prob_worse_uniform_prior`, which also says what it is good for.

    Raises:
        ValueError: Passes lie outside 0 to the trials, or a or b is not above 0.

    >>> round(prob_worse_jeffreys_prior(5, 5, 3, 5)["p_worse"], 6)
    0.946137
    """
    return prob_worse_uniform_prior(base_pass, base_n, cand_pass, cand_n, a, b)


def prob_worse_by_margin(  # noqa: PLR0913 - two arms, a prior and a margin
    base_pass: int,
    base_n: int,
    cand_pass: int,
    cand_n: int,
    a: float = 1,
    b: float = 1,
    margin: float = 0.1,
) -> ProbWorse:
    """Give the chance that the candidate's rate is lower by more than `margin`.

    Source: the integral of one rate's density times the other's distribution, by the tanh-sinh
    rule (Takahasi and Mori 1974) over the narrower of the two.

    Raises:
        ValueError: Passes lie outside 0 to the trials, a or b is not above 0, or `margin` lies
            outside 0 to 1.

    >>> round(prob_worse_by_margin(5, 5, 3, 5, margin=0.1)["p_worse"], 6)
    0.808802
    """
    _arms(base_pass, base_n, cand_pass, cand_n)
    _prior(a, b)
    need_within("margin", margin, 0, 1)
    arms = (base_pass, base_n - base_pass, cand_pass, cand_n - cand_pass)
    if margin == 0:
        return ProbWorse(p_worse=_prob_worse(arms, a, b))
    return ProbWorse(p_worse=0.0 if margin == 1 else _prob_worse_by(arms, a, b, margin))


def _arms(base_pass: int, base_n: int, cand_pass: int, cand_n: int) -> None:
    for arm, passed, trials in (("base", base_pass, base_n), ("cand", cand_pass, cand_n)):
        need_within(f"{arm}_n", trials, 0)
        need_within(f"{arm}_pass", passed, 0, trials)


def _prior(a: float, b: float) -> None:
    if not (0 < a < math.inf and 0 < b < math.inf):
        raise ValueError(f"a prior needs a and b above 0, got a={a!r}, b={b!r}")


@lru_cache(maxsize=4096)  # many cases of a suite share their counts
def _prob_worse(arms: tuple[int, int, int, int], a: float, b: float) -> float:
    """Add the trials one by one, starting from two equal arms without any.

    `term` is B(a1 + a2, b1 + b2) / (B(a1, b1) B(a2, b2)): one more pass of arm 1 raises the chance
    that arm 2 is lower by term / a1, and so on.
    """
    passes, failures = [a, a], [b, b]
    term = math.exp(_log_beta(2 * a, 2 * b) - 2 * _log_beta(a, b))
    changes = [0.5]
    for arm, passed in _in_step(arms):
        counts = passes if passed else failures
        own, whole = counts[arm], passes[arm] + failures[arm]
        changes.append(term / own if (arm == 0) == passed else -term / own)
        term *= math.fsum(counts) * whole / ((math.fsum(passes) + math.fsum(failures)) * own)
        counts[arm] = own + 1
    return min(1.0, max(0.0, math.fsum(changes)))


def _in_step(arms: tuple[int, int, int, int]) -> Iterator[tuple[int, bool]]:
    """Give the trials in an order in which all rates stay near where they end.

    Otherwise the term could leave the range of a float on the way and be lost.
    """
    base_pass, base_fail, cand_pass, cand_fail = arms
    kinds = (
        ((0, True), base_pass),
        ((0, False), base_fail),
        ((1, True), cand_pass),
        ((1, False), cand_fail),
    )
    places = [((at + 0.5) / count, kind) for kind, count in kinds for at in range(count)]
    return (kind for _, kind in sorted(places))


@lru_cache(maxsize=4096)
def _prob_worse_by(arms: tuple[int, int, int, int], a: float, b: float, margin: float) -> float:
    base = (arms[0] + a, arms[1] + b)
    cand = (arms[2] + a, arms[3] + b)
    if _variance(base) <= _variance(cand):
        return _beyond(base, cand, margin)
    # The same question asked of the failures: the candidate's rate of them is the higher one.
    return _beyond(cand[::-1], base[::-1], margin)


def _beyond(outer: tuple[float, float], inner: tuple[float, float], margin: float) -> float:
    """Give the chance that a beta variable exceeds another one by more than `margin`."""
    low, high = _reach(outer)
    low = max(low, margin)
    if low >= high:
        return 0.0
    a, b = outer
    log_beta = _log_beta(a, b)
    last = math.asinh(_FAINT / (math.pi * min(1.0, b)))  # a density may rise to infinity at 1
    terms: list[float] = []
    for at in range(-math.ceil(last / _STEP), math.ceil(last / _STEP) + 1):
        turn = math.pi * math.sinh(at * _STEP)
        # Shares of the way from either end, each with all its digits.
        ahead, behind = 1 / (1 + math.exp(turn)), 1 / (1 + math.exp(-turn))
        x, rest = low + (high - low) * behind, 1 - high + (high - low) * ahead
        beyond = low - margin + (high - low) * behind
        if not (x > 0 and rest > 0):
            continue
        density = math.exp((a - 1) * math.log(x) + (b - 1) * math.log(rest) - log_beta)
        weight = ahead * behind * math.pi * math.cosh(at * _STEP) * _STEP
        terms.append(density * weight * beta_cdf(min(1.0, beyond), *inner))
    return min(1.0, (high - low) * math.fsum(terms))


def _reach(shape: tuple[float, float]) -> tuple[float, float]:
    """Give the ends outside which a beta variable does not lie, to the digits of a float."""
    a, b = shape
    top = a / (a + b)

    def faint(x: float) -> bool:
        return a * math.log(x / top) + b * math.log((1 - x) / (1 - top)) < -_FAINT

    low, high = (0.0, top), (top, 1.0)
    for _ in range(40):
        middle = math.fsum(low) / 2
        low = (middle, low[1]) if faint(middle) else (low[0], middle)
        middle = math.fsum(high) / 2
        high = (high[0], middle) if faint(middle) else (middle, high[1])
    return low[0], high[1]


def _variance(shape: tuple[float, float]) -> float:
    a, b = shape
    return a * b / ((a + b) ** 2 * (a + b + 1))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
