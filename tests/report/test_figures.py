"""Numbers are rounded once, and no rounding says more than is true."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.report.figures import amount, interval, money, percent, signed


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1 / 3, "33.3 %"),
        (0.5, "50 %"),
        (1, "100 %"),
        (0, "0 %"),
        (0.55555, "55.6 %"),
        (0.99999, ">99.9 %"),
        (1e-9, "<0.1 %"),
        (None, "-"),
        (float("nan"), "-"),
        (1e300, "1e+302 %"),
    ],
)
def test_a_share_is_written_in_percent(share: float | None, text: str) -> None:
    assert percent(share) == text


@given(st.floats(0, 1))
def test_only_all_is_100_percent_and_only_none_is_0(share: float) -> None:
    assert (percent(share) == "100 %") is (share == 1)
    assert (percent(share) == "0 %") is (share == 0)


def test_an_interval_is_written_in_percent() -> None:
    assert interval((0.0608, 0.7923)) == "[6.1, 79.2]"
    assert interval(None) == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (None, "-"),
        (3690, "3,690"),
        (2.96, "3.0"),
        (99.96, "100.0"),
        (410.4, "410"),
        (999_999, "999,999"),
        (1_234_567, "1.23M"),
        (4.5e9, "4.50G"),
        (10**400, "-"),
        (1e300, "1.00e+300"),
    ],
)
def test_an_amount_is_short_and_unknown_is_a_dash(value: float | None, text: str) -> None:
    assert amount(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (None, "-"),
        (12.5, "12.50"),
        (0.0012, "0.0012"),
        (0.5, "0.50"),
        (0.04, "0.04"),
        (1e-9, "<0.000001"),
        (1234.5, "1,234.50"),
        (0.9999, "1.00"),
        (float("inf"), "-"),
    ],
)
def test_money_keeps_the_figures_that_matter(value: float | None, text: str) -> None:
    assert money(value) == text


@given(st.floats(min_value=0, exclude_min=True, allow_infinity=False))
def test_something_is_never_written_as_nothing(value: float) -> None:
    assert money(value).strip("0.") != ""
    assert amount(value).strip("0.") != ""


@given(st.floats(min_value=0))
def test_figures_are_short(value: float) -> None:
    assert max(len(money(value)), len(amount(value)), len(percent(value))) <= 14


def test_a_change_has_a_sign_and_none_has_not() -> None:
    assert [signed(2.0, "2"), signed(-2.0, "2"), signed(0.0, "0"), signed(None, "-")] == [
        "+2",
        "-2",
        "0",
        "-",
    ]
