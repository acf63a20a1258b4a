"""What is held against what: live or deterministic, shared, gone, filtered."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from fairtrial.gate import Candidate, decide
from fairtrial.records import Baseline, GateSettings, Selection

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


def test_a_live_model_in_one_trial_makes_the_run_live(ran: Ran, accepted: Accepted) -> None:
    run = ran("a* 4/5", mode="none")
    cases = tuple(msgspec.structs.replace(case, live=True) for case in run.cases)
    decision = decide(msgspec.structs.replace(run, cases=cases), accepted("a* 5/5"))
    assert decision.decision == "inconclusive"


def test_a_live_baseline_makes_the_comparison_live(ran: Ran, accepted: Accepted) -> None:
    assert decide(ran("a* 4/5"), accepted("a* 5/5", "live")).exit == 4


def test_a_filter_that_chooses_nothing_is_none(ran: Ran, accepted: Accepted) -> None:
    run = ran("a 5/5", selection=Selection())
    assert decide(run, accepted("a 5/5, b 5/5")).exit == 1


def test_a_filtered_run_is_not_asked_for_absent_cases(ran: Ran, accepted: Accepted) -> None:
    run = ran("a 5/5", selection=Selection(tags=("fee",)))
    decision = decide(run, accepted("a 5/5, b 5/5, c* 5/5"))
    assert decision.exit == 0
    assert [reason.text for reason in decision.reasons] == [
        "the run is filtered (tag fee): 2 other cases of the baseline not looked for"
    ]


def test_a_flaky_case_that_only_informs_does_not_soften_the_gate(
    ran: Ran, accepted: Accepted
) -> None:
    assert decide(ran("a 4/5, b 2/5 ?"), accepted("a 5/5, b 2/5 ?")).exit == 1


def test_a_case_that_turns_flaky_does_not_soften_the_gate(ran: Ran, accepted: Accepted) -> None:
    assert decide(ran("a 4/5, b 2/5"), accepted("a 5/5, b 5/5")).exit == 1


def test_a_flaky_case_that_is_gone_softens_the_gate_as_a_changed_one_does(
    ran: Ran, accepted: Accepted
) -> None:
    settings = GateSettings(allow_removed=True)
    gone = decide(ran("a 4/5"), accepted("a 5/5, b 2/5"), settings)
    changed = decide(ran("a 4/5, b 5/5 ~"), accepted("a 5/5, b 2/5"), settings)
    assert gone.decision == changed.decision == "inconclusive"
    assert any("1 case flaky in the baseline (b)" in reason.text for reason in gone.reasons)


def test_a_gone_case_that_was_not_flaky_changes_nothing(ran: Ran, accepted: Accepted) -> None:
    settings = GateSettings(allow_removed=True)
    assert decide(ran("a 4/5"), accepted("a 5/5, b 5/5, c 0/5"), settings).exit == 1


def test_a_flaky_case_outside_the_filter_says_nothing_of_the_chosen_ones(
    ran: Ran, accepted: Accepted
) -> None:
    run = ran("a 4/5", selection=Selection(tags=("fee",)))
    assert decide(run, accepted("a 5/5, b 2/5")).exit == 1
