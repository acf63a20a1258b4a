"""Which items a judge may decide: those that people measured it on, while all is as it was."""

from collections.abc import Iterable

from fairtrial.judge.calibration import lacking
from fairtrial.judge.prompt import question_fingerprint
from fairtrial.records import Calibration, JudgeQuestion, Trust, TrustBar


def trust_of(
    calibration: Calibration | None,
    fingerprint: str,
    questions: Iterable[JudgeQuestion],
    bar: TrustBar,
) -> Trust:
    """Hold a calibration against the judge as it is now, the questions as they are, and the bar.

    Args:
        calibration: What `judge calibrate` measured; None: nothing yet.
        fingerprint: Of the judge.
        questions: All that a suite asks.
        bar: What the suite wants.

    >>> question = JudgeQuestion(item="Is polite", text="Is polite")
    >>> trust_of(None, "f", [question], TrustBar()).lacking("Is polite")[:20]
    'it is not calibrated'
    """
    if calibration is None:
        return Trust()
    if calibration.fingerprint != fingerprint:
        was = "names no fingerprint" if calibration.fingerprint is None else "is of another judge"
        return Trust(otherwise=f"its calibration {was}; calibrate it again")
    measured = {item.item: item for item in calibration.items}
    trusted: set[str] = set()
    why_not: dict[str, str] = {}
    for question in questions:
        found = measured.get(question.item)
        if found is None:
            continue
        if found.question is None:
            why_not[question.item] = "its calibration does not say what exactly was asked"
        elif found.question != question_fingerprint(question):
            why_not[question.item] = "the question has changed since it was calibrated"
        elif short := [*lacking(found.decisive, bar)]:
            why_not[question.item] = "; ".join(short)
        else:
            trusted.add(question.item)
    # An item that is asked in two ways is trusted for neither where one of them is not as it was.
    return Trust(
        trusted=frozenset(trusted - why_not.keys()),
        why_not=why_not,
        otherwise="it is not calibrated for this item",
    )
