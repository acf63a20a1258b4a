"""Confirming: looks, budgets, Holm's procedure, early clearing, and the errors that it makes."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.gate import BUDGET, LOOKS, SHARES, Arm, Confirming, Flag, Fresh
from fairtrial.stats import boschloo_exact

ARMS: tuple[Arm, Arm] = ("other", "protected")


def flag(case: str, arm: Arm = "other") -> Flag:
    return Flag(case=case, arm=arm, p_worse=0.95)


def verdicts(state: Confirming) -> dict[str, str]:
    return {one.case: one.verdict for one in state.results}


def test_the_budget_is_that_of_the_contract() -> None:
    assert (LOOKS, SHARES, BUDGET) == (
        (10, 25, 50),
        (0.2, 0.3, 0.5),
        {"protected": 0.02, "other": 0.02},
    )


def test_nothing_flagged_wants_nothing() -> None:
    state = Confirming.of([])
    assert (state.wanted, state.results, state.look({})) == ({}, (), state)


def test_looks_are_at_10_25_and_50_trials_of_either_side() -> None:
    state = Confirming.of([flag("a")])
    wanted = []
    for trials in LOOKS:
        wanted.append(state.wanted)
        state = state.look({"a": Fresh(trials, trials, trials * 9 // 10, trials)})
    assert wanted == [{"a": 10}, {"a": 15}, {"a": 25}]
    assert (state.wanted, verdicts(state)) == ({}, {"a": "open"})
    assert state.look({}) is state


def test_a_case_that_is_told_wants_no_more() -> None:
    state = Confirming.of([flag("good"), flag("bad"), flag("ugly")])
    state = state.look(
        {"good": Fresh(9, 10, 10, 10), "bad": Fresh(10, 10, 0, 10), "ugly": Fresh(10, 10, 8, 10)}
    )
    assert verdicts(state) == {"good": "cleared", "bad": "worse", "ugly": "open"}
    assert state.wanted == {"ugly": 15}


def test_each_look_spends_its_share_by_holm_over_all_that_the_arm_flagged() -> None:
    alone, many = Confirming.of([flag("a")]), Confirming.of([flag(name) for name in "abcdefgh"])
    fresh = Fresh(10, 10, 5, 10)  # p = .0064: over .004/8, and over .004 too
    assert verdicts(alone.look({"a": fresh}))["a"] == "open"
    worse = Fresh(10, 10, 4, 10)
    assert 0.004 / 8 < boschloo_exact(10, 10, 4, 10)["p_candidate_worse"] < 0.004
    assert verdicts(alone.look({"a": worse}))["a"] == "worse"
    others = dict.fromkeys("bcdefgh", Fresh(9, 10, 10, 10))
    assert verdicts(many.look({"a": worse} | others))["a"] == "open"


def test_cleared_cases_keep_their_place_and_worse_ones_give_theirs_up() -> None:
    state = Confirming.of([flag(name) for name in "abc"])
    first = {"a": Fresh(10, 10, 0, 10), "b": Fresh(9, 10, 10, 10), "c": Fresh(10, 10, 8, 10)}
    state = state.look(first).look({"c": Fresh(25, 25, 20, 25)})
    c = state.results[2]
    assert c.needed == pytest.approx(0.02 * 0.3 / 2)  # of three, a is rejected and b stays


def test_arms_do_not_draw_on_each_others_budget() -> None:
    flags = [flag("a", "protected"), *(flag(f"o{number}") for number in range(50))]
    fresh = {one.case: Fresh(9, 10, 10, 10) for one in flags} | {"a": Fresh(10, 10, 4, 10)}
    assert verdicts(Confirming.of(flags).look(fresh))["a"] == "worse"


def test_what_was_not_measured_is_no_failure_and_ends_the_looks_all_the_same() -> None:
    state = Confirming.of([flag("a"), flag("b")])
    for trials in LOOKS:
        state = state.look({"a": Fresh(0, 0, 0, 0), "b": Fresh(3, 3, 0, trials)})
    assert verdicts(state)["a"] == "open"
    assert state.wanted == {}


@pytest.mark.parametrize(
    "fresh", [{}, {"b": Fresh(1, 1, 1, 1)}, {"a": Fresh(11, 11, 0, 10)}, {"a": Fresh(3, 2, 0, 1)}]
)
def test_counts_that_are_no_fresh_trials_are_refused(fresh: dict[str, Fresh]) -> None:
    with pytest.raises(ValueError, match="'a'"):
        Confirming.of([flag("a")]).look(fresh)


@st.composite
def _fresh(draw: st.DrawFn, trials: int) -> Fresh:
    base, cand = draw(st.integers(0, trials)), draw(st.integers(0, trials))
    return Fresh(draw(st.integers(0, base)), base, draw(st.integers(0, cand)), cand)


@given(st.lists(st.sampled_from(["protected", "other"]), min_size=1, max_size=6), st.data())
def test_no_case_is_told_without_fresh_trials_of_both_sides_and_none_worse_that_did_not_fall(
    arms: list[Arm], data: st.DataObject
) -> None:
    state = Confirming.of([flag(f"c{at}", arm) for at, arm in enumerate(arms)])
    assert set(verdicts(state).values()) == {"open"}
    for trials in LOOKS:
        state = state.look({case: data.draw(_fresh(trials)) for case in state.wanted})
    for one in state.results:
        fresh = one.fresh
        if one.verdict != "open":
            assert fresh.measured
            assert fresh.base_measured
        if one.verdict == "worse":
            assert fresh.passed * fresh.base_measured < fresh.base_passed * fresh.measured


@given(st.data(), st.randoms(use_true_random=False))
def test_the_order_of_the_flagged_changes_nothing(data: st.DataObject, shuffler: Random) -> None:
    flags = [flag(name, arm) for name, arm in zip("abcdef", ARMS * 3, strict=True)]
    fresh = [{name: data.draw(_fresh(trials)) for name in "abcdef"} for trials in LOOKS]
    shuffled = flags.copy()
    shuffler.shuffle(shuffled)
    ends = []
    for order in (flags, shuffled):
        state = Confirming.of(order)
        for counts in fresh:
            state = state.look(counts)
        ends.append({one.case: one for one in state.results})
    assert ends[0] == ends[1]


def test_unchanged_cases_are_rarely_called_worse_whatever_was_flagged() -> None:
    """2 % of the builds at most, for the one arm; 400 builds of 8 cases at the worst rates."""
    chance = Random(4)
    rates = [0.5, 0.6, 0.7, 0.8, 0.8, 0.9, 0.9, 0.95]
    alarms = 0
    for _ in range(400):
        state = Confirming.of([flag(f"c{at}") for at in range(len(rates))])
        seen = {f"c{at}": Fresh(0, 0, 0, 0) for at in range(len(rates))}
        while wanted := state.wanted:
            for case, more in wanted.items():
                seen[case] = _more(seen[case], more, rates[int(case[1:])], chance)
            state = state.look(seen)
        alarms += "worse" in verdicts(state).values()
    assert alarms <= 15  # of 8 expected at the very most, three standard errors up


def _more(seen: Fresh, more: int, rate: float, chance: Random) -> Fresh:
    base, cand = (sum(chance.random() < rate for _ in range(more)) for _ in range(2))
    return Fresh(
        seen.base_passed + base, seen.base_measured + more, seen.passed + cand, seen.measured + more
    )
