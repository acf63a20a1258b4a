"""Adaptive trials: which cases get more, when they have enough, and what is said of it."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.gate import (
    LIKELY_FROM,
    MOST,
    STEP,
    UNLIKELY_BELOW,
    Adapting,
    Candidate,
    Further,
    screen,
)
from fairtrial.records import AdaptiveCase, Baseline
from fairtrial.stats import prob_worse_by_margin

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


def begun(ran: Ran, accepted: Accepted, now: str, before: str, most: int = 1000) -> Adapting:
    return Adapting.of(ran(now, mode="live"), accepted(before, "live"), most=most)


def test_only_cases_that_fell_and_are_undecided_get_more(ran: Ran, accepted: Accepted) -> None:
    state = begun(
        ran,
        accepted,
        "same 4/5, fell 4/5, rose 5/5, lost 0/5, slightly 99/100, new 0/5",
        "same 4/5, fell 5/5, rose 3/5, lost 5/5, slightly 100/100",
    )
    assert state.wanted == {"fell": STEP}
    assert {one.id: one.worse for one in state.cases} == {
        "fell": "undecided",
        "lost": "likely",
        "slightly": "unlikely",
    }


def test_changed_informing_and_unmeasured_cases_get_none(ran: Ran, accepted: Accepted) -> None:
    now = "a 3/5 ~, b 3/5 ?, c 0/0+5, d 5/5"
    state = begun(ran, accepted, now, "a 5/5, b 5/5, c 5/5, d 5/5")
    assert state.wanted == {}
    assert state.record().ended == "no case looks worse than the baseline"


def test_protected_cases_get_them_as_others_do(ran: Ran, accepted: Accepted) -> None:
    assert begun(ran, accepted, "a* 4/5", "a* 5/5").wanted == {"a": STEP}


def test_where_every_loss_is_real_nothing_is_run(ran: Ran, accepted: Accepted) -> None:
    state = Adapting.of(ran("a 4/5"), accepted("a 5/5"), most=100)
    assert state.wanted == {}
    record = state.record()
    assert (record.trials, record.whole) == (0, True)
    assert record.ended is not None
    assert "no live model spoke" in record.ended


def test_a_case_stops_when_it_is_told(ran: Ran, accepted: Accepted) -> None:
    for passed, worse in ((5, "unlikely"), (0, "likely")):
        state = begun(ran, accepted, "a 4/5", "a 5/5").look({"a": Further(passed, 5, 5)})
        assert (state.wanted, state.cases[0].worse) == ({}, worse)


def test_a_case_that_cannot_be_told_stops_at_the_most(ran: Ran, accepted: Accepted) -> None:
    state = begun(ran, accepted, "a 4/5", "a 5/5")
    spent = 0
    while wanted := state.wanted:
        spent += wanted["a"]
        state = state.look({"a": Further(spent * 3 // 4, spent, spent)})
    assert spent == MOST
    assert state.record().cases[0].worse == "undecided"
    assert state.record().ended is None


def test_the_likeliest_half_goes_first_and_eight_at_least(ran: Ran, accepted: Accepted) -> None:
    before = ", ".join(f"c{number} 5/5" for number in range(30))
    now = ", ".join(f"c{number} {4 if number % 3 else 3}/5" for number in range(30))
    state = begun(ran, accepted, now, before)
    assert list(state.wanted)[:10] == [f"c{number}" for number in range(0, 30, 3)]
    assert len(state.wanted) == 15
    few = begun(ran, accepted, "a 3/5, b 4/5", "a 5/5, b 5/5")
    assert list(few.wanted) == ["a", "b"]


def test_no_more_than_allowed_is_wanted_and_the_record_says_so(
    ran: Ran, accepted: Accepted
) -> None:
    state = begun(ran, accepted, "a 4/5, b 4/5", "a 5/5, b 5/5", most=7)
    assert state.wanted == {"a": 5, "b": 2}
    state = state.look({"a": Further(4, 5, 5), "b": Further(1, 2, 2)})
    assert (state.wanted, state.left) == ({}, 0)
    assert state.record().ended == "as many as may be run are run (--max-extra)"


def test_trials_that_could_not_be_measured_are_spent_and_count_for_nothing(
    ran: Ran, accepted: Accepted
) -> None:
    state = begun(ran, accepted, "a 4/5", "a 5/5", most=10)
    before = state.cases[0].p_worse
    state = state.look({"a": Further(0, 0, 5)})
    assert (state.cases[0].p_worse, state.left) == (before, 5)


def test_what_was_cut_short_counts_what_is_there(ran: Ran, accepted: Accepted) -> None:
    state = begun(ran, accepted, "a 4/5", "a 5/5").look({"a": Further(1, 2, 2)})
    record = state.record(cost=0.5, stopped="it was interrupted")
    assert (record.trials, record.ended, record.whole) == (2, "it was interrupted", False)
    assert record.cost == 0.5


def test_what_was_saved_is_beside_as_many_for_every_case(ran: Ran, accepted: Accepted) -> None:
    state = begun(ran, accepted, "a 4/5, b 5/5, c 5/5", "a 5/5, b 5/5, c 5/5")
    record = state.look({"a": Further(5, 5, 5)}).record()
    assert (record.trials, record.everywhere) == (5, 15)


@pytest.mark.parametrize(
    "further", [{}, {"a": Further(3, 2, 5)}, {"a": Further(1, 6, 6)}, {"a": Further(-1, 2, 5)}]
)
def test_counts_that_make_no_sense_are_refused(
    ran: Ran, accepted: Accepted, further: dict[str, Further]
) -> None:
    with pytest.raises(ValueError, match="'a'"):
        begun(ran, accepted, "a 4/5", "a 5/5").look(further)


def test_screening_looks_at_the_further_trials_too(ran: Ran, accepted: Accepted) -> None:
    before = accepted("a 5/5, b 5/5", "live")
    now = ran("a 3/5, b 4/5", mode="live")
    assert [flag.case for flag in screen(now, before)] == ["a"]
    state = Adapting.of(now, before, most=100)
    told = state.look({"a": Further(5, 5, 5), "b": Further(0, 5, 5)})
    assert [flag.case for flag in screen(adapted(now, told), before)] == ["b"]


def test_a_protected_case_with_a_further_pass_did_not_lose_all(
    ran: Ran, accepted: Accepted
) -> None:
    before, now = accepted("a* 1/1", "live"), ran("a* 0/3", mode="live")
    assert screen(now, before) == ()
    record = Adapting.of(now, before, most=9).record()
    case = AdaptiveCase(
        id="a", base_passed=1, base_measured=1, passed=0, measured=3, more_passed=1,
        more_measured=1, more_planned=1, p_worse=0.7, worse="undecided",
    )  # fmt: skip
    scorecard = msgspec.structs.replace(
        now.scorecard, adaptive=msgspec.structs.replace(record, cases=(case,), trials=1)
    )
    now = msgspec.structs.replace(now, scorecard=scorecard)
    assert [flag.case for flag in screen(now, before)] == ["a"]


def adapted(now: Candidate, state: Adapting) -> Candidate:
    scorecard = msgspec.structs.replace(now.scorecard, adaptive=state.record())
    return msgspec.structs.replace(now, scorecard=scorecard)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12),
    st.integers(0, 60),
    st.randoms(use_true_random=False),
)
def test_it_ends_within_its_bounds_and_says_the_chances_of_all_counts(
    ran: Ran,
    accepted: Accepted,
    counts: list[tuple[int, int]],
    most: int,
    chance: "object",
) -> None:
    draw = chance.random  # type: ignore[attr-defined]
    before = ", ".join(f"c{at} {passed}/6" for at, (passed, _) in enumerate(counts))
    now = ", ".join(f"c{at} {passed}/6" for at, (_, passed) in enumerate(counts))
    state = begun(ran, accepted, now, before, most=most)
    so_far = {one.id: Further(0, 0, 0) for one in state.cases}
    rounds = 0
    while wanted := state.wanted:
        assert sum(wanted.values()) <= state.left
        for name, more in wanted.items():
            had = so_far[name]
            passed = sum(draw() < 0.6 for _ in range(more))
            so_far[name] = Further(had.passed + passed, had.measured + more, had.planned + more)
        state = state.look(so_far)
        rounds += 1
    record = state.record()
    assert rounds <= most + 1
    assert record.trials == most - state.left <= most
    for one in record.cases:
        assert one.more_planned <= MOST
        expected = prob_worse_by_margin(
            one.base_passed,
            one.base_measured,
            one.passed + one.more_passed,
            one.measured + one.more_measured,
        )["p_worse"]
        assert one.p_worse == pytest.approx(expected)
        assert (one.worse == "likely") is (expected >= LIKELY_FROM)
        assert (one.worse == "unlikely") is (expected < UNLIKELY_BELOW)
