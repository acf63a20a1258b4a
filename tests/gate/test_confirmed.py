"""What confirming was spent on: in the decision and in words."""

from collections.abc import Callable
from typing import TypeAlias

from fairtrial.gate import Candidate, Confirmation, Confirming, Fresh, decide, screen
from fairtrial.records import Baseline

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


def test_nothing_is_spent_where_nobody_confirmed(ran: Ran, accepted: Accepted) -> None:
    assert decide(ran("a 3/5", mode="live"), accepted("a 5/5", "live")).spent is None


def test_what_was_spent_and_saved_is_said(ran: Ran, accepted: Accepted) -> None:
    others = ", ".join(f"c{number} 5/5" for number in range(9))
    run, baseline = ran(f"a 3/5, {others}", mode="live"), accepted(f"a 5/5, {others}", "live")
    state = Confirming.of(screen(run, baseline)).look({"a": Fresh(10, 10, 0, 10)})
    decision = decide(run, baseline, None, Confirmation(results=state.results, trials=20, cost=0.5))
    assert decision.spent == {
        "trials": 20,
        "cost": 0.5,
        "flagged": 1,
        "worse": 1,
        "everywhere": 1000,
        "saved": "98 %",
    }
    assert [reason.text for reason in decision.reasons if reason.rule == "confirm"] == [
        "1 flagged case confirmed with 20 fresh trials on both sides together for 0.5 USD;"
        " 50 on either side of every case would be 1,000: 98 % saved"
    ]


def test_nothing_flagged_is_nothing_to_confirm(ran: Ran, accepted: Accepted) -> None:
    decision = decide(ran("a 5/5", mode="live"), accepted("a 5/5", "live"), None, Confirmation())
    assert (decision.decision, decision.spent and decision.spent["trials"]) == ("pass", 0)
    assert "nothing was flagged" in decision.reasons[-1].text


def test_why_confirming_ended_early_is_warned_of(ran: Ran, accepted: Accepted) -> None:
    run, baseline = ran("a 3/5", mode="live"), accepted("a 5/5", "live")
    state = Confirming.of(screen(run, baseline))
    decision = decide(run, baseline, None, Confirmation(results=state.results, stopped="no\nmoney"))
    texts = [reason.text for reason in decision.reasons if reason.kind == "warning"]
    assert any(text.startswith("confirming ended before all was told: no") for text in texts)
    assert all(text.isprintable() for text in texts)
