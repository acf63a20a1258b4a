import pytest

from fairtrial.records import Json
from fairtrial.worlds.wording import listed, meant, place, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (False, "false"),
        (2.5, "the number 2.5"),
        (1 << 300, "a huge number"),
        ("a\nb", "'a\\\\nb'"),
        ({}, "a mapping"),
        (b"x", "a bytes"),
    ],
)
def test_a_value_is_shown_in_a_few_words(value: Json, text: str) -> None:
    assert shown(value) == text


def test_a_long_text_is_cut() -> None:
    assert len(shown("x" * 10**6)) < 70


def test_a_key_that_would_be_misread_is_quoted() -> None:
    assert place(("fixtures", "a.b", 0)) == 'fixtures["a.b"][0]'


def test_a_name_is_meant_whatever_its_case_and_dashes() -> None:
    assert meant("Get-Booking", ["get_booking"]) == "; did you mean get_booking?"


def test_nothing_is_meant_by_a_name_of_a_megabyte() -> None:
    assert meant("x" * 10**6, ["x"]) == ""


def test_a_long_list_of_names_is_cut() -> None:
    assert listed(map(str, range(30))).endswith("19, and 10 more")
