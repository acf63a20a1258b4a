"""Protected cases, each case, and cases gone from the files: what their reasons say."""

from collections.abc import Callable
from typing import TypeAlias

from fairtrial.gate import Candidate, decide
from fairtrial.records import Baseline, Decision

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


def texts(decision: Decision, rule: str) -> list[str]:
    return [reason.text for reason in decision.reasons if reason.rule == rule]


def test_a_loss_says_the_numbers_and_the_first_reason(ran: Ran, accepted: Accepted) -> None:
    decision = decide(ran("refund 3/5"), accepted("refund 5/5"))
    assert decision.reasons[0].text == (
        "refund passed 5 of 5, now 3 of 5; first: tools.before: cancel without get_booking"
    )
    assert (decision.reasons[0].baseline, decision.reasons[0].candidate) == (1.0, 0.6)


def test_an_open_protected_case_says_what_could_tell(ran: Ran, accepted: Accepted) -> None:
    text = decide(ran("a* 4/5", mode="live"), accepted("a* 5/5", "live")).reasons[0].text
    assert "only fresh trials can tell" in text


def test_a_removed_case_whose_content_lives_on_hints_at_a_new_name(
    ran: Ran, accepted: Accepted
) -> None:
    baseline = accepted("a 5/5 ~")
    text = decide(ran("b 5/5 ~"), baseline).reasons[0].text
    assert "b has the same content: renamed?" in text


def test_a_loss_in_a_live_run_is_listed_as_not_confirmed(ran: Ran, accepted: Accepted) -> None:
    decision = decide(ran("a 3/5", mode="live"), accepted("a 5/5", "live"))
    assert texts(decision, "case") == [
        "a passed 5 of 5, now 3 of 5, not confirmed: worse with a chance of 0.946, so it is"
        " flagged; first: tools.before: cancel without get_booking"
    ]


def test_a_protected_failure_is_said_once(ran: Ran, accepted: Accepted) -> None:
    reasons = decide(ran("a* 3/5"), accepted("a* 5/5")).reasons
    assert [reason.rule for reason in reasons] == ["protected", "rate"]
    assert reasons[0].text.startswith("a is protected and passed 5 of 5, now 3 of 5; first: ")


def test_a_new_protected_case_has_no_numbers_before(ran: Ran, accepted: Accepted) -> None:
    text = texts(decide(ran("a* 3/5"), accepted("")), "protected")[0]
    assert text.startswith("a is protected and passed 3 of 5; first: ")


def test_an_error_where_a_pass_was_says_what_it_may_hide(ran: Ran, accepted: Accepted) -> None:
    decision = decide(ran("a 40/40+1"), accepted("a 41/41"))
    assert texts(decision, "case") == [
        "a passed 41 of 41, now 40 of 40 (1 not measured): what was not measured may hide a loss"
    ]


def test_a_case_that_is_gone_says_the_two_ways_out(ran: Ran, accepted: Accepted) -> None:
    assert texts(decide(ran("a 5/5"), accepted("a 5/5, b 4/4")), "removed") == [
        "b is gone from the files (it passed 4 of 4);"
        " `--allow-removed` or `fairtrial accept` lets it go"
    ]


def test_only_accepting_lets_a_protected_case_go(ran: Ran, accepted: Accepted) -> None:
    (text,) = texts(decide(ran("a 5/5"), accepted("a 5/5, b* 4/4")), "protected")
    assert text.endswith("it is protected, and only `fairtrial accept` takes it off")


def test_fixes_and_known_failures_are_notes_with_numbers(ran: Ran, accepted: Accepted) -> None:
    decision = decide(ran("a 5/5, b 0/3"), accepted("a 0/5, b 0/5"))
    assert texts(decision, "case") == [
        "a passed 0 of 5, now 5 of 5: better",
        "b passed 0 of 5, now 0 of 3: no better and no worse;"
        " first: tools.before: cancel without get_booking",
    ]
