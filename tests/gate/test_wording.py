"""Numbers and names as the reasons write them."""

import pytest

from fairtrial.gate.wording import amount, counted, names, percent


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (0.1, "10 %"),
        (2 / 3, "66.7 %"),
        (0.99999, "99.999 %"),
        (3.5, "350 %"),
    ],
)
def test_shares_are_percents_with_no_more_decimals_than_they_need(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (100.0, "100"), (2.5, "2.5"), (1234.56, "1,234.6"), (0.000123456, "0.0001235")],
)
def test_amounts_keep_what_tells_them_apart(value: float, text: str) -> None:
    assert amount(value) == text


def test_amounts_beyond_all_reason_are_written_all_the_same() -> None:
    assert amount(1e300) == "1e+300"


def test_a_number_has_its_noun() -> None:
    assert [counted(number, "case") for number in (0, 1, 2)] == ["0 cases", "1 case", "2 cases"]


def test_many_names_are_a_few_and_a_count() -> None:
    assert names([str(number) for number in range(100)]) == "0, 1, 2 and 97 more"
    assert names(["a\nb"]) == "a\\nb"
