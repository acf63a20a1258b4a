"""A loss that can be chance: what is decided and said of it, with fresh trials and without."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec
import pytest

from fairtrial.gate import (
    Candidate,
    Confirmation,
    Confirming,
    Fresh,
    decide,
    screen,
)
from fairtrial.records import Baseline, Decision, GateSettings, Reason

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


def decided(
    run: Candidate,
    baseline: Baseline | None,
    *looks: dict[str, Fresh],
    settings: GateSettings | None = None,
    stopped: str | None = None,
) -> Decision:
    """Decide with what so many looks told."""
    state = Confirming.of(screen(run, baseline, settings))
    for fresh in looks:
        state = state.look(fresh)
    confirmation = Confirmation(
        results=state.results, against="variant old", trials=40, cost=0.5, stopped=stopped
    )
    return decide(run, baseline, settings, confirmation)


def of(decision: Decision, rule: str) -> Reason:
    (reason,) = [reason for reason in decision.reasons if reason.rule == rule]
    return reason


def test_a_confirmed_loss_fails_with_its_numbers(ran: Ran, accepted: Accepted) -> None:
    run = ran("a 3/5", mode="live")
    decision = decided(run, accepted("a 5/5", "live"), {"a": Fresh(10, 10, 3, 10)})
    reason = of(decision, "case")
    assert (decision.decision, decision.exit, reason.kind) == ("fail", 1, "fail")
    assert reason.text == (
        "a passed 5 of 5, now 3 of 5; on fresh trials variant old passed 10 of 10 and this one 3 of"
        " 10: worse by 70 points (95 %: 28.9 points to 89.2 points; p = 0.00044, needed 0.0040);"
        " first: tools.before: cancel without get_booking"
    )
    assert (reason.baseline, reason.candidate) == (1.0, 0.3)
    assert reason.interval == pytest.approx((-0.892, -0.289), abs=1e-3)


def test_a_cleared_loss_is_a_note(ran: Ran, accepted: Accepted) -> None:
    run = ran("a 3/5", mode="live")
    decision = decided(run, accepted("a 5/5", "live"), {"a": Fresh(9, 10, 10, 10)})
    assert (decision.decision, of(decision, "case").kind) == ("pass", "note")


@pytest.mark.parametrize(
    ("case", "rule", "kind", "outcome"),
    [("a*", "protected", "inconclusive", 4), ("a", "case", "warning", 0)],
)
def test_what_50_on_either_side_do_not_tell_is_open_for_a_protected_case_and_listed_else(
    ran: Ran, accepted: Accepted, case: str, rule: str, kind: str, outcome: int
) -> None:
    run = ran(f"{case} 3/5", mode="live")
    looks = [{"a": Fresh(trials, trials, trials * 9 // 10, trials)} for trials in (10, 25, 50)]
    decision = decided(run, accepted(f"{case} 5/5", "live"), *looks)
    assert (of(decision, rule).kind, decision.exit) == (kind, outcome)
    assert "not told by 50 on either side: lower by 10 points" in of(decision, rule).text
    assert "to tell a drop like this takes about 91 on either side" in of(decision, rule).text


def test_confirming_that_was_cut_short_leaves_a_loss_inconclusive(
    ran: Ran, accepted: Accepted
) -> None:
    run = ran("a 3/5", mode="live")
    decision = decided(run, accepted("a 5/5", "live"), stopped="the money was gone")
    assert (decision.decision, decision.exit) == ("inconclusive", 0)
    assert "not told, for the money was gone" in of(decision, "case").text
    strict = decided(
        run, accepted("a 5/5", "live"), stopped="x", settings=GateSettings(strict=True)
    )
    assert strict.exit == 4


def test_a_protected_case_that_passes_none_fails_though_it_never_did(ran: Ran) -> None:
    looks = [{"a": Fresh(0, trials, 0, trials)} for trials in (10, 25)]
    decision = decided(ran("a* 0/5", mode="live"), None, *looks)
    assert (decision.exit, of(decision, "protected").kind) == (1, "fail")
    assert "it passes none, which a protected case must" in of(decision, "protected").text


def test_a_protected_case_that_lost_all_fails_without_fresh_trials(
    ran: Ran, accepted: Accepted
) -> None:
    assert decided(ran("a* 0/3", mode="live"), accepted("a* 5/5", "live")).exit == 1


def test_a_loss_below_the_threshold_is_listed_with_its_chance(ran: Ran, accepted: Accepted) -> None:
    run, baseline = ran("a 4/5", mode="live"), accepted("a 5/5", "live")
    for decision, kind in ((decide(run, baseline), "warning"), (decided(run, baseline), "note")):
        reason = of(decision, "case")
        assert (reason.kind, "worse with a chance of 0.835" in reason.text) == (kind, True)


def test_without_fresh_trials_the_command_that_makes_them_is_named(
    ran: Ran, accepted: Accepted
) -> None:
    run = ran("a* 4/5, b 3/5", mode="live")
    run = msgspec.structs.replace(run, info=msgspec.structs.replace(run.info, agent="shop:agent"))
    baseline = accepted("a* 5/5, b 5/5", "live")
    decision = decide(run, baseline, named="my run")
    command = "`fairtrial gate 'my run' --confirm --baseline-variant NAME` with 10 to 50 on either"
    for rule in ("protected", "confirm"):
        assert command in of(decision, rule).text
    known = msgspec.structs.replace(baseline, git="4ac1")
    assert "`fairtrial gate r1 --confirm` with 10 to 50" in of(decide(run, known), "confirm").text


def test_recordings_ask_for_more_recordings(ran: Ran, accepted: Accepted) -> None:
    decision = decide(ran("a 3/5", mode="live"), accepted("a 5/5", "live"))
    assert of(decision, "confirm").text == (
        "1 case flagged (a): fresh trials tell a change from chance, at most 100 in all: more"
        " recordings of both sides"
    )
