"""Rates, bars and growth: the numbers in their reasons, and what they are taken over."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from fairtrial.gate import Candidate, decide
from fairtrial.records import Baseline, Decision, GateSettings, Reason

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


def only(decision: Decision, rule: str) -> Reason:
    (reason,) = [reason for reason in decision.reasons if reason.rule == rule]
    return reason


def test_a_fallen_rate_says_both_rates_and_over_how_many_cases(
    ran: Ran, accepted: Accepted
) -> None:
    reason = only(decide(ran("a 5/5, b 0/5"), accepted("a 5/5, b 5/5")), "rate")
    assert reason.text == (
        "the pass rate fell from 100 % to 50 % over 2 shared cases, by 50 points; 0 % is allowed"
    )
    assert (reason.baseline, reason.candidate, reason.tag) == (1.0, 0.5, None)


def test_a_rise_is_reported_too(ran: Ran, accepted: Accepted) -> None:
    reason = only(decide(ran("a 5/5, b 5/5 #fee"), accepted("a 5/5, b 0/5 #fee")), "rate")
    assert (reason.kind, reason.text) == (
        "note",
        "the pass rate rose from 50 % to 100 % over 2 shared cases",
    )


def test_a_tag_has_its_own_rate(ran: Ran, accepted: Accepted) -> None:
    before, now = "a 5/5 #fee #late, b 5/5", "a 0/5 #fee #late, b 5/5"
    decision = decide(ran(now), accepted(before))
    rates = {reason.tag: reason.candidate for reason in decision.reasons if reason.rule == "rate"}
    assert rates == {None: 0.5, "fee": 0.0, "late": 0.0}


def test_new_changed_and_informing_cases_are_in_no_rate(ran: Ran, accepted: Accepted) -> None:
    decision = decide(ran("a 5/5, b 0/5 ~, c 0/5, d 0/5 ?"), accepted("a 5/5, b 5/5, d 5/5 ?"))
    assert not [reason for reason in decision.reasons if reason.rule == "rate"]


def test_a_rate_with_errors_says_what_they_may_hide(ran: Ran, accepted: Accepted) -> None:
    reason = only(decide(ran("a 50/50, b 49/49+1"), accepted("a 50/50, b 50/50")), "rate")
    assert reason.text == (
        "the pass rate stayed at 100 % over 2 shared cases; with what was not measured counted as"
        " failed it falls by 1 point; 0 % is allowed"
    )


def test_the_scorecards_interval_stands_beside_its_own_rate_alone(ran: Ran) -> None:
    def interval(pass_rate: float) -> tuple[float, float] | None:
        run = ran("a 4/5", mode="live")
        card = msgspec.structs.replace(run.scorecard, pass_rate=pass_rate, interval=(0.4, 0.95))
        run = msgspec.structs.replace(run, scorecard=card)
        return only(decide(run, None, GateSettings(min_pass_rate=0.9)), "bar").interval

    assert interval(0.8) == (0.4, 0.95)
    assert interval(0.7) is None


def test_a_bar_says_what_was_reached_and_what_is_wanted(ran: Ran) -> None:
    reason = only(decide(ran("a 4/5"), None, GateSettings(min_pass_rate=0.9)), "bar")
    assert reason.text == "the pass rate is 80 % over 1 case; at least 90 % is wanted"


def test_pass_hat_k_is_over_the_cases_with_k_trials(ran: Ran) -> None:
    run = ran("a 4/5, b 5/5, c 0/3", k=5)
    reason = only(decide(run, None, GateSettings(min_pass_hat_k=0.6)), "bar")
    assert (reason.candidate, reason.text) == (
        0.5,
        "pass^5 is 50 % over 2 cases; at least 60 % is wanted",
    )


def test_growth_says_from_what_to_what_and_where_most(ran: Ran, accepted: Accepted) -> None:
    decision = decide(ran("a 5/5 $200, b 5/5 $110"), accepted("a 5/5 $100, b 5/5 $100"))
    texts = [reason.text for reason in decision.reasons if reason.rule == "growth"]
    assert texts[0] == (
        "mean tokens rose from 100 to 155, by 55 %, over the 2 cases that passed on both sides;"
        " 25 % is allowed; most in a, from 100 to 200"
    )
    assert [text.split()[1] for text in texts] == ["tokens", "cost", "steps"]


def test_growth_from_nothing_is_growth(ran: Ran, accepted: Accepted) -> None:
    assert decide(ran("a 5/5 $3"), accepted("a 5/5 $0")).exit == 1


def test_growth_looks_only_at_cases_known_on_both_sides(ran: Ran, accepted: Accepted) -> None:
    assert decide(ran("a 5/5 $9, b 5/5 $1"), accepted("a 5/5, b 5/5 $1")).decision == "pass"


def test_growth_leaves_out_the_cases_that_lost_a_trial(ran: Ran, accepted: Accepted) -> None:
    decision = decide(ran("a 4/5 $9", mode="live"), accepted("a 5/5 $1", "live"))
    assert {reason.rule for reason in decision.reasons} == {"case", "rate"}


def test_amounts_that_are_no_longer_known_are_a_warning(ran: Ran, accepted: Accepted) -> None:
    decision = decide(ran("a 5/5"), accepted("a 5/5 $5"))
    assert [reason.kind for reason in decision.reasons] == ["warning"] * 3
    assert decision.reasons[0].text.startswith("mean tokens cannot be compared")


def test_growth_allowed_by_settings_is_allowed(ran: Ran, accepted: Accepted) -> None:
    settings = GateSettings(growth=1.0)
    assert decide(ran("a 5/5 $200"), accepted("a 5/5 $100"), settings).reasons == ()


def test_the_notation_gives_amounts(ran: Ran) -> None:
    run: Candidate = ran("a 5/5 $2.5")
    assert run.cases[0].tokens == 2.5
