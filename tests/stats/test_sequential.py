"""Looking more than once: known answers, and error rates by adding up all paths."""

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats import (
    alpha_spending,
    beta_mixture_e_value,
    null_flip_probability,
    sprt_bernoulli,
    sprt_truncated_exact,
)

PLAN = (0.95, 0.65, 0.05, 0.1)
E_VALUES = [
    ((3, 5, 0.95, 1, 1), (7.775671866647228, 0.12860625)),
    ((20, 20, 0.9, 1, 1), (0.39167920666523615, 1.0)),
]
SPENT = [
    ((0.2, 0.05), (1.1726446842441618e-05, 0.014769726456017382, 0.010000000000000002)),
    ((0.5, 0.05), (0.005574596680784305, 0.031005725347913876, 0.025)),
    ((0.8, 0.05), (0.0284296307530727, 0.04324198625815952, 0.04000000000000001)),
]


def test_passes_alone_are_accepted_in_the_end() -> None:
    sprt = sprt_bernoulli(*PLAN, trials=[1] * 8)
    assert (sprt["upper"], sprt["lower"]) == pytest.approx((2.8903717578961645, -2.251291798606495))
    assert sprt["llr_path"] == pytest.approx([-0.3794896217049037 * at for at in range(1, 7)])
    assert (sprt["decision"], sprt["stopped_at"]) == ("accept_H0(ok)", 6)


def test_failures_are_rejected() -> None:
    sprt = sprt_bernoulli(0.9, 0.6, 0.01, 0.1, [0, 1, 0, 1, 0, 0, 1, 1])
    assert (sprt["upper"], sprt["lower"]) == pytest.approx((4.499809670330265, -2.2925347571405443))
    path = [1.3862943611198908, 0.9808292530117264, 2.367123614131617]
    path += [1.96165850602, 3.347952867143343, 4.734247228263234]
    assert sprt["llr_path"] == pytest.approx(path, abs=1e-9)
    assert (sprt["decision"], sprt["stopped_at"]) == ("reject_H0(regressed)", 6)


def test_what_is_not_decided_yet_goes_on() -> None:
    for trials in ([], [1, 0, 1]):
        sprt = sprt_bernoulli(*PLAN, trials=trials)
        assert (sprt["decision"], sprt["stopped_at"]) == ("continue", None)
        assert len(sprt["llr_path"]) == len(trials)


@pytest.mark.parametrize(
    ("true_p", "figures"),
    [
        (0.95, (0.02451233999422735, 0.9676170958547211, 0.00787056415105164, 8.362216280630628)),
        (0.65, (0.9026656311281213, 0.0928756951128138, 0.004458673759065188, 7.213910085892037)),
    ],
)
def test_known_ends(true_p: float, figures: tuple[float, ...]) -> None:
    ends = sprt_truncated_exact(*PLAN, true_p=true_p, n_max=30)
    assert tuple(ends.values()) == pytest.approx(figures, abs=1e-9)


@settings(max_examples=20)
@given(st.floats(0, 1), st.integers(1, 9))
def test_the_ends_are_those_of_all_paths(true_p: float, n_max: int) -> None:
    found = {"accept_H0(ok)": 0.0, "reject_H0(regressed)": 0.0, "continue": 0.0}
    length = 0.0
    for trials in product((0, 1), repeat=n_max):
        sprt = sprt_bernoulli(0.8, 0.4, 0.1, 0.2, trials)
        chance = true_p ** sum(trials) * (1 - true_p) ** (n_max - sum(trials))
        found[sprt["decision"]] += chance
        length += chance * (sprt["stopped_at"] or n_max)
    ends = sprt_truncated_exact(0.8, 0.4, 0.1, 0.2, true_p=true_p, n_max=n_max)
    assert ends["p_accept"] == pytest.approx(found["accept_H0(ok)"], abs=1e-9)
    assert ends["p_reject"] == pytest.approx(found["reject_H0(regressed)"], abs=1e-9)
    assert ends["p_undecided"] == pytest.approx(found["continue"], abs=1e-9)
    assert ends["asn"] == pytest.approx(length, abs=1e-9)


@given(st.floats(0.02, 0.98), st.floats(0.02, 0.98), st.floats(0.001, 0.4), st.floats(0.001, 0.4))
def test_the_errors_keep_walds_bounds(one: float, other: float, alpha: float, beta: float) -> None:
    p0, p1 = max(one, other), min(one, other)
    if p0 - p1 > 0.05:
        fine = sprt_truncated_exact(p0, p1, alpha, beta, true_p=p0, n_max=400)
        fallen = sprt_truncated_exact(p0, p1, alpha, beta, true_p=p1, n_max=400)
        assert fine["p_reject"] <= alpha / (1 - beta) + 1e-9
        assert fallen["p_accept"] <= beta / (1 - alpha) + 1e-9


def test_a_hundred_thousand_trials_are_followed() -> None:
    ends = sprt_truncated_exact(0.9, 0.8, 0.001, 0.001, true_p=0.85, n_max=100_000)
    assert ends["p_reject"] + ends["p_accept"] == pytest.approx(1)
    assert ends["asn"] < 1000


@pytest.mark.parametrize(("inputs", "figures"), E_VALUES)
def test_known_e_values(
    inputs: tuple[int, int, float, float, float], figures: tuple[float, float]
) -> None:
    assert tuple(beta_mixture_e_value(*inputs).values()) == pytest.approx(figures, abs=1e-9)


@given(st.integers(0, 30), st.floats(0.01, 0.99), st.floats(0.3, 5), st.floats(0.3, 5))
def test_an_e_value_is_1_on_average(n: int, p0: float, a: float, b: float) -> None:
    chances = [math.comb(n, c) * p0**c * (1 - p0) ** (n - c) for c in range(n + 1)]
    values = [beta_mixture_e_value(c, n, p0, a, b)["e"] for c in range(n + 1)]
    assert None not in values
    mean = math.fsum(chance * (e or 0) for chance, e in zip(chances, values, strict=True))
    assert mean == pytest.approx(1, rel=1e-9)


def test_what_cannot_be_is_evidence_without_end() -> None:
    assert beta_mixture_e_value(4, 5, 1.0) == {"e": None, "anytime_p_bound": 0.0}
    assert beta_mixture_e_value(0, 0, 0.5) == {"e": 1.0, "anytime_p_bound": 1.0}
    huge = beta_mixture_e_value(50_000, 100_000, 0.95)
    assert huge == {"e": None, "anytime_p_bound": 0.0}


@pytest.mark.parametrize(("inputs", "figures"), SPENT)
def test_known_spending(inputs: tuple[float, float], figures: tuple[float, ...]) -> None:
    assert tuple(alpha_spending(*inputs).values()) == pytest.approx(figures, abs=1e-12)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(1e-6, 0.5))
def test_alpha_is_spent_from_none_to_all_and_never_taken_back(
    one: float, other: float, alpha: float
) -> None:
    early, late = alpha_spending(min(one, other), alpha), alpha_spending(max(one, other), alpha)
    assert early["obrien_fleming_one_sided"] <= late["obrien_fleming_one_sided"]
    assert early["pocock"] <= late["pocock"]
    assert early["linear"] <= late["linear"]
    assert list(alpha_spending(0, alpha).values()) == [0, 0, 0]
    assert list(alpha_spending(1, alpha).values()) == pytest.approx([alpha] * 3)


@pytest.mark.parametrize(
    ("p", "figures"),
    [
        (0.8, (0.0860880896, 25.82642688, 0.9999999999981323)),
        (0.95, (0.017481645830468774, 5.2444937491406325, 0.9949626558864473)),
    ],
)
def test_known_flips(p: float, figures: tuple[float, ...]) -> None:
    flips = null_flip_probability(p=p, k=5, rule="5/5 then <=3/5", cases=300)
    assert flips == pytest.approx(
        dict(zip(("per_case", "expected_in_300", "p_any_in_300"), figures, strict=True))
    )


@given(st.floats(0, 1), st.integers(1, 9), st.integers(0, 9), st.integers(0, 9))
def test_a_rule_is_read_as_it_says(p: float, k: int, one: int, other: int) -> None:
    chances = [math.comb(k, c) * p**c * (1 - p) ** (k - c) for c in range(k + 1)]
    for signs in product(("", "<=", ">="), repeat=2):
        first, then = (
            math.fsum(
                chance
                for c, chance in enumerate(chances)
                if {"": c == count, "<=": c <= count, ">=": c >= count}[sign]
            )
            for sign, count in zip(signs, (one, other), strict=True)
        )
        rule = f"{signs[0]}{one}/{k} then {signs[1]}{other}/{k}"
        flips = null_flip_probability(p, k, rule, cases=7)
        assert flips["per_case"] == pytest.approx(first * then, abs=1e-9)
        assert flips["p_any_in_7"] == pytest.approx(1 - (1 - first * then) ** 7, abs=1e-8)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("any drop", "reads like \"5/5 then <=3/5\", got 'any drop'"),
        ("4/4 then 3/4", "must be about k=5 trials, got '4/4 then 3/4'"),
    ],
)
def test_a_rule_that_is_none_is_refused(rule: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        null_flip_probability(0.5, 5, rule, 300)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ((0.6, 0.9, 0.05, 0.1), "0 < p1_regressed < p0_ok < 1, got 0.9 and 0.6"),
        ((1.0, 0.9, 0.05, 0.1), "0 < p1_regressed < p0_ok < 1"),
        ((0.9, 0.6, 0.0, 0.1), "alpha must lie between 0 and 1"),
        ((0.9, 0.6, 0.5, 0.5), "must add up to less than 1"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(
    plan: tuple[float, float, float, float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        sprt_bernoulli(*plan, trials=[1])
    with pytest.raises(ValueError, match=message):
        sprt_truncated_exact(*plan, true_p=0.5, n_max=5)


def test_other_numbers_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match=r"trials\[1\] must be 0 or 1, got 2"):
        sprt_bernoulli(*PLAN, trials=[1, 2])
    with pytest.raises(ValueError, match="n_max must be at least 1"):
        sprt_truncated_exact(*PLAN, true_p=0.5, n_max=0)
    with pytest.raises(ValueError, match="passes must be within 0 to 2, got 3"):
        beta_mixture_e_value(3, 2, 0.5)
    with pytest.raises(ValueError, match="a and b above 0"):
        beta_mixture_e_value(1, 2, 0.5, a=0)
    with pytest.raises(ValueError, match="t must be within 0 to 1"):
        alpha_spending(1.2)
