"""What looks like a number with commas is found in YAML, where it is several numbers."""

import pytest

from fairtrial.cases.grouped import grouped_figures
from fairtrial.cases.yaml_source import read_yaml


def found(text: str) -> list[str]:
    """Give what looks like one number in a YAML text."""
    document = read_yaml(text).documents[0]
    return [figure for _, figure in grouped_figures(document.value, (), document.position)]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("[1,234]", ["1,234"]),
        ("[-12,345,678]", ["-12,345,678"]),
        ("[5, 1,234.50, 7]", ["1,234.5"]),
        ("{a: [{b: [100,200]}]}", ["100,200"]),
        ("[1,234, 5,678]", ["1,234", "5,678"]),
    ],
)
def test_a_number_right_behind_a_comma_looks_like_thousands(text: str, figures: list[str]) -> None:
    assert found(text) == figures


@pytest.mark.parametrize(
    "text",
    [
        "[1, 234]",
        "[1,2345]",
        "[1,23]",
        "[1234,567]",
        "[1.5,234]",
        "['1',234]",
        "[1,'234']",
        "[1,-234]",
        "[1,\n 234]",
        "- 1\n- 234",
        "[true,234]",
        "[]",
    ],
)
def test_other_lists_are_left_in_peace(text: str) -> None:
    assert found(text) == []


def test_a_long_list_of_numbers_costs_little() -> None:
    figures = found(f"[{','.join(['12345'] * 5_000)}]")
    assert figures == []
