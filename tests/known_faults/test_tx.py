"""Text checks: one normalisation on both sides, for every script."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk


@pytest.mark.parametrize(
    ("phrase", "answer", "passes"),
    [
        ("can't delete", "I can\u2019t delete that", True),
        ("caf\u00e9", "cafe\u0301 is open", True),
        ("10 km", "10\u00a0km away", True),
        ("STRASSE", "Stra\u00dfe", True),
        ("a.b", "axb", False),
        ("resume", "r\u00e9sum\u00e9", False),
    ],
)
def test_quotes_spaces_and_composed_letters_are_folded_and_accents_are_not(
    desk: "Desk", phrase: str, answer: str, passes: bool
) -> None:
    """BL-19."""
    trial = desk.trial({"answer": {"contains": phrase}}, answer=answer)
    assert desk.check(trial, f"answer.contains[{phrase}]")["passed"] is passes


@pytest.mark.parametrize(
    ("wanted", "answer", "passes"),
    [
        ("\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", True),
        ("\u4f60\u597d", "\u518d\u89c1", False),
        ("!!!", "!!!", True),
    ],
)
def test_equal_texts_are_equal_in_every_script(
    desk: "Desk", wanted: str, answer: str, passes: bool
) -> None:
    """BL-20."""
    assert desk.trial({"answer": {"equals": wanted}}, answer=answer)["verdict"] == (
        "passed" if passes else "failed"
    )
