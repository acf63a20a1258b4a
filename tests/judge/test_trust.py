"""Which items a judge may decide: those that people measured it on, while all is as it was."""

from typing import Any

import pytest
from msgspec.structs import replace

from fairtrial.judge import calibrate, question_fingerprint, trust_of
from fairtrial.records import (
    Calibration,
    JudgeQuestion,
    JudgeVerdict,
    Label,
    RubricExample,
    TrustBar,
)

QUESTION = JudgeQuestion(item="Is polite", text="Is polite")
OTHER = JudgeQuestion(item="Is short", text="Is short")


def measured(*, wrong: int = 0, fingerprint: str | None = "f1", **fields: Any) -> Calibration:
    """Calibrate on 120 labels of one item, half of them fails, so many of them judged wrongly."""
    labels, verdicts = [], []
    for number in range(120):
        passes = number % 2 == 0
        labels.append(Label(case=f"l{number}", item="Is polite", label=passes, labeller="ana"))
        verdict = JudgeVerdict(
            case=f"l{number}",
            item="Is polite",
            verdict=passes is (number >= wrong),
            fingerprint=fingerprint,
            question=question_fingerprint(QUESTION),
        )
        verdicts.append(replace(verdict, **fields))
    return calibrate(labels, verdicts)


def why_not(
    calibration: Calibration | None,
    question: JudgeQuestion = QUESTION,
    *,
    fingerprint: str = "f1",
    bar: TrustBar | None = None,
) -> str | None:
    told = trust_of(calibration, fingerprint, [question, OTHER], bar or TrustBar())
    return told.lacking(question.item)


def test_an_item_that_people_measured_it_on_decides() -> None:
    assert why_not(measured()) is None


def test_what_nobody_measured_decides_nothing_and_says_how_to() -> None:
    told = why_not(None)
    assert told == "it is not calibrated: `fairtrial judge calibrate` measures it against people"


def test_an_item_that_was_not_measured_informs() -> None:
    assert why_not(measured(), OTHER) == "it is not calibrated for this item"


def test_another_judge_earns_no_trust_by_it() -> None:
    told = why_not(measured(), fingerprint="f2")
    assert told == "its calibration is of another judge; calibrate it again"


def test_verdicts_of_nobody_knows_whom_earn_none() -> None:
    told = why_not(measured(fingerprint=None))
    assert told == "its calibration names no fingerprint; calibrate it again"


def test_verdicts_that_do_not_say_what_was_asked_earn_none() -> None:
    told = why_not(measured(question=None))
    assert told == "its calibration does not say what exactly was asked"


@pytest.mark.parametrize(
    "changed",
    [
        replace(QUESTION, text="Is polite to all"),
        replace(QUESTION, scale="score"),
        replace(QUESTION, examples=(RubricExample(answer="Thanks.", verdict=True),)),
    ],
    ids=["words", "scale", "examples"],
)
def test_a_question_that_has_changed_is_to_be_measured_anew(changed: JudgeQuestion) -> None:
    assert why_not(measured(), changed) == "the question has changed since it was calibrated"


def test_another_reference_is_the_same_question() -> None:
    assert why_not(measured(), replace(QUESTION, reference="Thank you.")) is None


def test_the_bar_is_that_of_now_and_not_that_of_the_calibration() -> None:
    calibration = measured()
    told = why_not(calibration, bar=TrustBar(labels=500))
    assert told is not None
    assert "120 labels, and 500 are wanted" in told
    strict = replace(calibration, items=tuple(replace(i, trusted=False) for i in calibration.items))
    assert why_not(strict) is None


def test_all_that_is_lacking_is_told() -> None:
    told = why_not(measured(wrong=60))
    assert told is not None
    assert "accuracy" in told
    assert told.count("; ") >= 2


def test_each_item_is_trusted_for_itself() -> None:
    told = trust_of(measured(), "f1", [QUESTION, OTHER, QUESTION], TrustBar())
    assert told.trusted == {"Is polite"}
    assert told.lacking("nobody asked this") == "it is not calibrated for this item"


def test_an_item_asked_in_two_ways_of_which_one_has_changed_does_not_decide() -> None:
    changed = replace(QUESTION, text="Is polite to all")
    for questions in ([QUESTION, changed], [changed, QUESTION]):
        told = trust_of(measured(), "f1", questions, TrustBar())
        assert told.lacking("Is polite") == "the question has changed since it was calibrated"
