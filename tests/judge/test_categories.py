"""Categories: one thing, however it is written."""

import pytest

from fairtrial.judge.categories import are_binary, category_of, number_of
from fairtrial.records import Said


@pytest.mark.parametrize(
    ("said", "category"),
    [
        *((said, "pass") for said in (True, "pass", "PASS", " Passed ", "true")),
        *((said, "fail") for said in (False, "fail", "Failed", "FALSE")),
        *((said, "1") for said in (1, 1.0, "1", " 1.0 ")),
        (0.5, "0.5"),
        ("Tie", "tie"),
        *((said, None) for said in (None, "", "  ")),
    ],
)
def test_what_was_said_is_the_same_category_in_every_type(said: Said, category: str | None) -> None:
    assert category_of(said) == category


def test_numbers_are_told_from_names() -> None:
    assert [number_of(text) for text in ("3", "-0.5", "tie", "inf")] == [3.0, -0.5, None, None]


def test_binary_is_pass_and_fail_alone() -> None:
    assert are_binary({"pass", "fail"})
    assert not are_binary({"pass", "fail", "tie"})
    assert not are_binary({"1", "0"})
