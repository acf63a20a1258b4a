"""Number extraction: a number is read with what stands around it, and never guessed."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk


def found(desk: "Desk", number: Json, answer: str) -> tuple[bool, str]:
    """Say whether the answer has the number, and what is said of it."""
    trial = desk.trial({"answer": {"numbers": [number]}}, answer=answer, steps=[{"text": answer}])
    check = next(one for one in trial["checks"] if one["name"].startswith("answer.numbers"))
    return check["passed"], check["reason"]


@pytest.mark.parametrize(
    "answer",
    [
        *("The total is 72 clips, altogether.", "It is (72).", "**72**", "72!", "Answer: `72`;"),
        *("#### ,\n72", "=72"),
    ],
)
def test_punctuation_beside_a_number_is_not_part_of_it(desk: "Desk", answer: str) -> None:
    """BL-16."""
    assert found(desk, 72, answer)[0]


@pytest.mark.parametrize(
    ("number", "answer", "passes"),
    [
        ({"value": 20, "percent": True}, "Of 100 people, 20% agreed", True),
        ({"value": 100, "take": "last"}, "Of 100 people, 20% agreed", False),
        ({"value": 460, "take": "last"}, "First $400, then \\$460", True),
        (29, "That is $29.00.", True),
        (0.2, "20%", False),
    ],
)
def test_no_other_number_is_taken_instead(
    desk: "Desk", number: Json, answer: str, passes: bool
) -> None:
    """BL-17."""
    assert found(desk, number, answer)[0] is passes


def test_no_number_at_all_is_said(desk: "Desk") -> None:
    """BL-17."""
    passed, reason = found(desk, 5, "none to be seen")
    assert (passed, "no number" in reason) == (False, True)
