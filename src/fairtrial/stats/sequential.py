"""Looking more than once: tests that may stop early, and what unchanged cases do by chance."""

import math
import re
from collections.abc import Sequence
from typing import Literal, TypeAlias, TypedDict

from fairtrial.stats.inputs import need_between, need_within, need_zeros_and_ones
from fairtrial.stats.special import normal_quantile
from fairtrial.stats.student import normal_above
from fairtrial.stats.tails import binomial_at_most

SprtDecision: TypeAlias = Literal["accept_H0(ok)", "reject_H0(regressed)", "continue"]

_FAINT = 1e-18  # the chance of being undecided below which no figure changes any more
_RULE = re.compile(r"\s*(<=|>=)?\s*(\d+)/(\d+)\s+then\s+(<=|>=)?\s*(\d+)/(\d+)\s*", re.ASCII)


class Sprt(TypedDict):
    """What `sprt_bernoulli` gives."""

    upper: float
    lower: float
    llr_path: list[float]
    decision: SprtDecision
    stopped_at: int | None


class TruncatedSprt(TypedDict):
    """What `sprt_truncated_exact` gives."""

    p_reject: float
    p_accept: float
    p_undecided: float
    asn: float


class EValue(TypedDict):
    """What `beta_mixture_e_value` gives."""

    e: float | None
    anytime_p_bound: float


class AlphaSpent(TypedDict):
    """What `alpha_spending` gives."""

    obrien_fleming_one_sided: float
    pocock: float
    linear: float


def sprt_bernoulli(
    p0_ok: float, p1_regressed: float, alpha: float, beta: float, trials: Sequence[int]
) -> Sprt:
    """Test trial by trial whether a case has the rate `p0_ok` or has fallen to `p1_regressed`.

    Source: Wald (1945), Annals of Mathematical Statistics 16: stop when the log-likelihood ratio
    reaches ln((1-beta)/alpha) or ln(beta/(1-alpha)). `p0_ok` must be known: from five trials of a
    baseline the true false-alarm rate is three times `alpha`; have 50.

    Args:
        p0_ok: The rate of an unchanged case.
        p1_regressed: The lower rate that is to be seen.
        alpha: The chance of a false alarm.
        beta: The chance of a miss.
        trials: Outcomes in order, 1 passed and 0 failed.

    Returns:
        The bounds, the path of the ratio up to where it stopped, the decision, and the number of
        trials it took (None while undecided).

    Raises:
        ValueError: The rates are not 0 < p1 < p0 < 1, the two chances do not lie between 0 and 1
            with a sum below 1, or an outcome is neither 0 nor 1.

    >>> sprt = sprt_bernoulli(0.9, 0.6, 0.01, 0.1, [0, 1, 0, 0, 0, 1])
    >>> sprt["decision"], sprt["stopped_at"]
    ('reject_H0(regressed)', 5)
    """
    upper, lower = _bounds(alpha, beta)
    passed, failed = _steps(p0_ok, p1_regressed)
    need_zeros_and_ones("trials", trials)
    path: list[float] = []
    passes = 0
    for count, trial in enumerate(trials, 1):
        passes += trial
        path.append(passes * passed + (count - passes) * failed)
        if path[-1] >= upper:
            return Sprt(
                upper=upper,
                lower=lower,
                llr_path=path,
                decision="reject_H0(regressed)",
                stopped_at=count,
            )
        if path[-1] <= lower:
            return Sprt(
                upper=upper, lower=lower, llr_path=path, decision="accept_H0(ok)", stopped_at=count
            )
    return Sprt(upper=upper, lower=lower, llr_path=path, decision="continue", stopped_at=None)


def sprt_truncated_exact(
    p0_ok: float, p1_regressed: float, alpha: float, beta: float, true_p: float, n_max: int
) -> TruncatedSprt:
    """Give what `sprt_bernoulli` comes to at a true rate, when it gives up after `n_max` trials.

    Source: the chance of every number of passes at which it is still undecided, trial by trial.

    Returns:
        The chances of the three ends, and the trials it takes on average (`asn`).

    Raises:
        ValueError: As `sprt_bernoulli`; or `true_p` lies outside 0 to 1, or `n_max` is below 1.

    >>> ends = sprt_truncated_exact(0.95, 0.65, 0.05, 0.1, true_p=0.95, n_max=30)
    >>> round(ends["p_reject"], 4), round(ends["asn"], 2)
    (0.0245, 8.36)
    """
    upper, lower = _bounds(alpha, beta)
    passed, failed = _steps(p0_ok, p1_regressed)
    need_within("true_p", true_p, 0, 1)
    need_within("n_max", n_max, 1)
    undecided = {0: 1.0}
    rejected: list[float] = []
    accepted: list[float] = []
    running: list[float] = []
    for count in range(1, n_max + 1):
        left = math.fsum(undecided.values())
        if left < _FAINT:
            break
        running.append(left)
        after: dict[int, float] = {}
        for passes, chance in undecided.items():
            after[passes] = after.get(passes, 0.0) + chance * (1 - true_p)
            after[passes + 1] = after.get(passes + 1, 0.0) + chance * true_p
        undecided = {}
        for passes, chance in after.items():
            ratio = passes * passed + (count - passes) * failed
            if ratio >= upper:
                rejected.append(chance)
            elif ratio <= lower:
                accepted.append(chance)
            else:
                undecided[passes] = chance
    return TruncatedSprt(
        p_reject=min(1.0, math.fsum(rejected)),
        p_accept=min(1.0, math.fsum(accepted)),
        p_undecided=math.fsum(undecided.values()),
        asn=math.fsum(running),
    )


def beta_mixture_e_value(passes: int, n: int, p0: float, a: float = 1, b: float = 1) -> EValue:
    """Weigh the trials so far against a rate of exactly `p0`; look at any time, stop at any time.

    Source: Robbins (1970): the likelihood averaged over a Beta(a, b) rate over that at `p0`. By
    Ville's inequality it ever reaches 1/alpha with a chance of at most alpha when `p0` is true.
    It speaks against `p0` on both sides.

    Returns:
        The e-value (None where it is more than a float can say), and 1/e, at most 1: a p-value
        that stays valid however often one looked.

    Raises:
        ValueError: `passes` lie outside 0 to `n`, `p0` outside 0 to 1, or a or b is not above 0.

    >>> round(beta_mixture_e_value(3, 5, 0.95)["anytime_p_bound"], 4)
    0.1286
    """
    need_within("n", n, 0)
    need_within("passes", passes, 0, n)
    need_within("p0", p0, 0, 1)
    if not (0 < a < math.inf and 0 < b < math.inf):
        raise ValueError(f"a prior needs a and b above 0, got a={a!r}, b={b!r}")
    log_e = _log_beta(a + passes, b + n - passes) - _log_beta(a, b)
    for count, chance in ((passes, p0), (n - passes, 1 - p0)):
        if count:
            log_e -= count * math.log(chance) if chance else -math.inf
    return EValue(
        e=math.exp(log_e) if log_e < 700 else None,
        anytime_p_bound=1.0 if log_e <= 0 else math.exp(-log_e),
    )


def alpha_spending(t: float, alpha: float = 0.05) -> AlphaSpent:
    """Give how much of `alpha` may be used up at a share `t` of the planned trials.

    Source: Lan and DeMets (1983), Biometrika 70: 2 - 2 Phi(z(alpha/2)/sqrt(t)), which keeps nearly
    all for the end; alpha ln(1 + (e-1) t), which spends early; alpha t.

    Args:
        t: The share, 0 to 1.
        alpha: The false-alarm rate of all looks together.

    Raises:
        ValueError: `t` lies outside 0 to 1, or `alpha` not between them.

    >>> round(alpha_spending(0.5)["obrien_fleming_one_sided"], 5), alpha_spending(1)["linear"]
    (0.00557, 0.05)
    """
    need_within("t", t, 0, 1)
    need_between("alpha", alpha, 0, 1)
    early = 2 * normal_above(normal_quantile(alpha / 2) / math.sqrt(t)) if t > 0 else 0.0
    return AlphaSpent(
        obrien_fleming_one_sided=early,
        pocock=alpha * math.log1p((math.e - 1) * t),
        linear=alpha * t,
    )


def null_flip_probability(p: float, k: int, rule: str, cases: int) -> dict[str, float]:
    """Give how often unchanged cases trip a rule like "5/5 then <=3/5" by chance alone.

    Source: the binomial chances of the baseline's and the candidate's passes.

    Args:
        p: The rate of every case, in both arms.
        k: Trials a case in each arm.
        rule: The baseline's passes, "then", the candidate's; each as it is, or after <= or >=.
        cases: How many cases are looked at.

    Returns:
        `per_case`, and with N for the number of cases `expected_in_N` (how many trip it) and
        `p_any_in_N` (the chance that one does).

    Raises:
        ValueError: A number makes no sense, or the rule cannot be read or is not about k trials.

    >>> flips = null_flip_probability(0.8, 5, "5/5 then <=3/5", cases=300)
    >>> round(flips["per_case"], 4), round(flips["expected_in_300"], 1)
    (0.0861, 25.8)
    """
    need_within("p", p, 0, 1)
    need_within("k", k, 1)
    need_within("cases", cases, 1)
    found = _RULE.fullmatch(rule)
    if found is None:
        raise ValueError(f'a rule reads like "5/5 then <=3/5", got {rule!r}')
    before, base_pass, base_n, after, cand_pass, cand_n = found.groups()
    if (int(base_n), int(cand_n)) != (k, k):
        raise ValueError(f"the rule must be about k={k} trials, got {rule!r}")
    trips = _chance(before, int(base_pass), k, p) * _chance(after, int(cand_pass), k, p)
    none = 0.0 if trips >= 1 else math.exp(cases * math.log1p(-trips))
    return {
        "per_case": trips,
        f"expected_in_{cases}": cases * trips,
        f"p_any_in_{cases}": 1.0 if none == 0 else -math.expm1(cases * math.log1p(-trips)),
    }


def _chance(sign: str | None, passes: int, k: int, p: float) -> float:
    if sign == "<=":
        return binomial_at_most(passes, k, p)
    if sign == ">=":
        return binomial_at_most(k - passes, k, 1 - p)
    if passes > k:
        return 0.0
    return binomial_at_most(passes, k, p) - binomial_at_most(passes - 1, k, p)


def _bounds(alpha: float, beta: float) -> tuple[float, float]:
    need_between("alpha", alpha, 0, 1)
    need_between("beta", beta, 0, 1)
    if alpha + beta >= 1:
        raise ValueError(f"alpha and beta must add up to less than 1, got {alpha!r} and {beta!r}")
    return math.log((1 - beta) / alpha), math.log(beta / (1 - alpha))


def _steps(p0_ok: float, p1_regressed: float) -> tuple[float, float]:
    """Give what a pass and what a failure add to the log-likelihood ratio.

    Raises:
        ValueError: The rates are not 0 < p1 < p0 < 1.
    """
    if not 0 < p1_regressed < p0_ok < 1:
        raise ValueError(
            f"rates must be 0 < p1_regressed < p0_ok < 1, got {p1_regressed!r} and {p0_ok!r}"
        )
    return math.log(p1_regressed / p0_ok), math.log((1 - p1_regressed) / (1 - p0_ok))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
