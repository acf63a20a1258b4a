"""What is listed and does not count."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec
import pytest

from fairtrial.gate import Candidate, decide, make_baseline
from fairtrial.records import Baseline, JudgedItem, JudgeUse, Selection

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


def informing(run: Candidate, counts: tuple[int, int]) -> Candidate:
    cases = tuple(
        msgspec.structs.replace(
            case,
            checks={"limits.seconds": counts, "finished": (5, 5)},
            informing=("limits.seconds",),
        )
        for case in run.cases
    )
    return msgspec.structs.replace(run, cases=cases)


def test_an_informing_check_that_drops_is_a_warning_with_its_numbers(ran: Ran) -> None:
    baseline = make_baseline(informing(ran("a 5/5"), (5, 5)))
    decision = decide(informing(ran("a 5/5"), (2, 5)), baseline)
    (reason,) = decision.reasons
    assert (decision.exit, reason.rule, reason.kind) == (0, "checks", "warning")
    assert reason.text == "a informs that limits.seconds passed 5 of 5, now 2 of 5"


def test_an_informing_check_that_can_no_longer_be_told_is_a_warning(ran: Ran) -> None:
    baseline = make_baseline(informing(ran("a 5/5"), (5, 5)))
    (reason,) = decide(informing(ran("a 5/5"), (0, 0)), baseline).reasons
    assert reason.text.endswith("now it cannot be told")


def test_informing_checks_that_hold_or_rise_say_nothing(ran: Ran) -> None:
    baseline = make_baseline(informing(ran("a 5/5"), (3, 5)))
    for counts in ((3, 5), (5, 5), (6, 10)):
        assert decide(informing(ran("a 5/5"), counts), baseline).reasons == ()


def test_informing_checks_of_a_changed_case_are_not_compared(ran: Ran) -> None:
    baseline = make_baseline(informing(ran("a 5/5"), (5, 5)))
    decision = decide(informing(ran("a 5/5 ~"), (0, 5)), baseline)
    assert [reason.rule for reason in decision.reasons] == ["changed"]


def test_a_case_that_only_informs_warns_with_its_numbers(ran: Ran, accepted: Accepted) -> None:
    (reason,) = decide(ran("a 5/5, b 1/5 ?"), accepted("a 5/5, b 5/5 ?")).reasons
    assert reason.text.startswith("b only informs and passed 5 of 5, now 1 of 5")


def test_a_changed_case_says_how_it_was_and_how_it_is(ran: Ran, accepted: Accepted) -> None:
    text = decide(ran("a 2/5 ~"), accepted("a 5/5")).reasons[0].text
    assert text.startswith("a has changed since the baseline: it passes 2 of 5, and 5 of 5 as it")


def test_a_case_that_the_baseline_never_measured_is_as_good_as_new(
    ran: Ran, accepted: Accepted
) -> None:
    decision = decide(ran("a 0/5, b 5/5"), accepted("a 0/0+5, b 5/5"))
    assert (decision.exit, [(r.rule, r.kind) for r in decision.reasons]) == (
        0,
        [("new", "warning")],
    )


def test_modes_that_differ_are_said(ran: Ran, accepted: Accepted) -> None:
    (reason,) = decide(ran("a 5/5", mode="none"), accepted("a 5/5", "scripted")).reasons
    assert reason.text == (
        "the baseline is scripted, this run without a model: they do not measure the same"
    )


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ("j1", "j1", None),
        (None, None, None),
        ("j1", None, "a judge decided in the baseline, and none decides here"),
        (None, "j1", "a judge decides here, and none did in the baseline"),
        ("j1", "j2", "another judge decided in the baseline"),
    ],
)
def test_judges_that_differ_are_said(
    ran: Ran, accepted: Accepted, before: str | None, now: str | None, told: str | None
) -> None:
    candidate, baseline = ran("a 5/5"), accepted("a 5/5")
    item = JudgedItem(item="Is polite", judged=5, decides=True)
    use = None if now is None else JudgeUse(judge="j", fingerprint=now, asks="live", items=(item,))
    scorecard = msgspec.structs.replace(candidate.scorecard, judge=use)
    candidate = msgspec.structs.replace(candidate, scorecard=scorecard)
    reasons = decide(candidate, msgspec.structs.replace(baseline, judge=before)).reasons
    found = [reason.text for reason in reasons if "judge" in reason.text]
    assert [text.startswith(told or "") for text in found] == [True] * (told is not None)


def test_a_judge_that_only_informs_is_none_of_the_baseline(ran: Ran) -> None:
    candidate = ran("a 5/5")
    use = JudgeUse(judge="j", fingerprint="f", asks="live", items=(JudgedItem(item="i", judged=5),))
    scorecard = msgspec.structs.replace(candidate.scorecard, judge=use)
    assert make_baseline(msgspec.structs.replace(candidate, scorecard=scorecard)).judge is None


def test_a_flaky_baseline_is_said_where_it_softens_the_gate(ran: Ran, accepted: Accepted) -> None:
    reasons = decide(ran("a 5/5, b 2/5"), accepted("a 5/5, b 2/5")).reasons
    assert "1 case flaky in the baseline (b): a loss can be chance" in reasons[0].text


def test_a_filter_is_said_with_all_its_parts(ran: Ran) -> None:
    chosen = Selection(ids=("refund-*",), tags=("fee",), protected=True, only=("failed",))
    reasons = decide(ran("a 5/5", selection=chosen), None).reasons
    assert reasons[0].text == (
        "the run is filtered (id refund-*; tag fee; only failed; protected):"
        " 0 other cases of the baseline not looked for"
    )
