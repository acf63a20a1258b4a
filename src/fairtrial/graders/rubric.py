"""Rubric items. Without a judge they are not judged, which is never a pass."""

from collections.abc import Iterator, Sequence

from fairtrial.graders.question import Outcome, Question
from fairtrial.graders.subject import Subject
from fairtrial.records import RubricItem
from fairtrial.text import label

_NOT_JUDGED = Outcome(passed=None, reason="not judged: a judge decides only after it is calibrated")


def rubric_questions(rubric: Sequence[RubricItem] | str) -> Iterator[Question]:
    """Give one informing question for each item of the rubric, or for a shared one by its name.

    >>> question = next(rubric_questions([RubricItem(item="Is polite")]))
    >>> question.name, question.decides
    ('rubric[Is polite]', False)
    """
    names = [rubric] if isinstance(rubric, str) else [item.item for item in rubric]
    for name in names:
        if name:
            yield Question(name=f"rubric[{label(name)}]", ask=_not_judged, holds="", decides=False)


def _not_judged(_subject: Subject) -> Outcome:
    return _NOT_JUDGED
