"""Rates of a live run: the paired test, measured noise, what could be seen, and tags."""

import re
from collections.abc import Callable
from random import Random
from typing import TypeAlias

from fairtrial.gate import Candidate, Confirmation, decide
from fairtrial.records import Baseline, Decision, GateSettings, Reason

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


def rates(decision: Decision) -> dict[str | None, Reason]:
    return {reason.tag: reason for reason in decision.reasons if reason.rule == "rate"}


def many(count: int, passed: int, tag: str = "") -> str:
    return ", ".join(
        f"{tag}c{number} {passed}/5 {'#' + tag if tag else ''}" for number in range(count)
    )


def mixed(falling: int, cases: int) -> str:
    """Give cases of which some lost a trial."""
    return ", ".join(f"c{number} {4 if number < falling else 5}/5" for number in range(cases))


def test_a_rate_that_fell_by_more_than_chance_fails_without_confirming(
    ran: Ran, accepted: Accepted
) -> None:
    decision = decide(ran(mixed(12, 30), mode="live"), accepted(mixed(0, 30), "live"))
    reason = rates(decision)[None]
    assert (decision.exit, reason.kind, reason.rule) == (1, "fail", "rate")
    assert reason.text.startswith(
        "the pass rate fell from 100 % to 92 % over 30 shared cases, more than chance does"
        " (95 %: -11.7 points to -4.3 points; p = 0.000067, needed 0.010)"
    )


def test_a_drop_that_can_be_chance_says_what_would_tell_it(ran: Ran, accepted: Accepted) -> None:
    before, now = accepted(mixed(0, 30), "live"), ran(mixed(3, 30), mode="live")
    reason = rates(decide(now, before))[None]
    assert reason.kind == "inconclusive"
    assert "which can be chance (95 %: " in reason.text
    assert "trials a case on either side would tell a drop like this" in reason.text
    assert "points is seen 8 times in 10" in reason.text
    assert rates(decide(now, before, None, Confirmation()))[None].kind == "note"


def test_runs_that_differ_from_day_to_day_are_tested_with_that_in_the_error(
    ran: Ran, accepted: Accepted
) -> None:
    before, now = accepted(mixed(0, 30), "live"), ran(mixed(12, 30), mode="live")
    settings = GateSettings(tau2=0.05**2, measured=0.1)
    decision = decide(now, before, settings)
    assert (rates(decision)[None].kind, decision.exit) == ("note", 0)
    assert rates(decide(now, before, GateSettings(tau2=0.0)))[None].kind == "fail"


def test_a_tolerance_that_somebody_set_takes_the_place_of_the_test(
    ran: Ran, accepted: Accepted
) -> None:
    before, now = accepted(mixed(0, 30), "live"), ran(mixed(12, 30), mode="live")
    assert rates(decide(now, before, GateSettings(tolerance=0.1)))[None].kind == "note"


def test_few_cases_are_tested_by_flipping_their_signs(ran: Ran, accepted: Accepted) -> None:
    three = decide(ran(many(3, 3), mode="live"), accepted(many(3, 5), "live"))
    assert rates(three)[None].kind == "inconclusive"  # 1/8, where Student's t says 0
    seven = decide(ran(many(7, 3), mode="live"), accepted(many(7, 5), "live"))
    assert rates(seven)[None].kind == "fail"  # 1/128


def test_what_stayed_says_what_would_have_been_seen(ran: Ran, accepted: Accepted) -> None:
    reason = rates(decide(ran(many(30, 5), mode="live"), accepted(many(30, 5), "live")))[None]
    assert reason.kind == "note"
    assert "the pass rate stayed at 100 % over 30 shared cases; a drop of " in reason.text


def test_with_one_trial_a_case_nobody_knows_what_would_be_seen(
    ran: Ran, accepted: Accepted
) -> None:
    cases = ", ".join(f"c{number} 1/1" for number in range(20))
    reason = rates(decide(ran(cases, mode="live"), accepted(cases, "live")))[None]
    assert "seen" not in reason.text


def test_a_tag_with_enough_cases_fails_by_itself_and_a_smaller_one_is_listed(
    ran: Ran, accepted: Accepted
) -> None:
    before = f"{many(12, 5, 'fee')}, {many(12, 5, 'late')}, {many(3, 5, 'few')}, {many(200, 5)}"
    now = before.replace("feec", "FEEC", 9).replace("FEEC", "feec")
    now = ", ".join(
        case.replace("5/5", "4/5") if case.startswith(("feec", "fewc0", "latec1 ")) else case
        for case in now.split(", ")
    )
    decision = decide(ran(now, mode="live"), accepted(before, "live"))
    told = rates(decision)
    assert {tag: told[tag].kind for tag in ("fee", "late", "few")} == {
        "fee": "fail",
        "late": "note",
        "few": "note",
    }
    assert told["few"].text.endswith("too few cases to test")
    assert "more than chance does" in told["fee"].text
    assert "which can be chance" in told["late"].text


def test_where_tags_are_tested_the_suite_has_half_of_its_share(
    ran: Ran, accepted: Accepted
) -> None:
    def told(lost: int, tags: str) -> str:
        before = ", ".join(f"c{at} 5/5{tags}" for at in range(100))
        now = ", ".join(f"c{at} {4 if at < lost else 5}/5{tags}" for at in range(100))
        decision = decide(ran(now, mode="live"), accepted(before, "live"))
        return rates(decision)[None].text

    assert "needed 0.010)" in told(20, "")
    assert "needed 0.0050)" in told(20, " #all")

    def seen(tags: str) -> float:
        cases = ", ".join(f"c{at} {4 + at % 2}/5{tags}" for at in range(100))
        decision = decide(ran(cases, mode="live"), accepted(cases, "live"))
        found = re.search(r"a drop of ([0-9.]+) points is seen", rates(decision)[None].text)
        assert found
        return float(found[1])

    assert seen(" #all") > seen("")  # what is held to less is seen less often


def test_growth_on_noisy_amounts_of_an_unchanged_agent_does_not_fail(
    ran: Ran, accepted: Accepted
) -> None:
    """The mean alone rises by a quarter in many of these builds; the typical case does not."""
    chance = Random(3)
    builds, mean_rose, failed = 60, 0, 0
    for _ in range(builds):
        sides = [[chance.lognormvariate(3, 1.2) for _ in range(20)] for _ in range(2)]
        before, now = (
            ", ".join(f"c{at} 5/5 ${amount:.2f}" for at, amount in enumerate(side))
            for side in sides
        )
        mean_rose += sum(sides[1]) > 1.25 * sum(sides[0])
        decision = decide(ran(now, mode="live"), accepted(before, "live"))
        failed += decision.decision == "fail"
    assert (mean_rose > builds / 6, failed) == (True, 0)


def test_growth_of_the_typical_case_fails_live_too(ran: Ran, accepted: Accepted) -> None:
    before = ", ".join(f"c{at} 5/5 ${100 + at}" for at in range(12))
    now = ", ".join(f"c{at} 5/5 ${150 + 3 * at}" for at in range(12))
    decision = decide(ran(now, mode="live"), accepted(before, "live"))
    texts = [reason.text for reason in decision.reasons if reason.kind == "fail"]
    assert len(texts) == 3
    assert "the typical case takes 1.576 times as much (at least 1.5" in texts[0]
