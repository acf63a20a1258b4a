"""Matchers on one value as a whole, and how they say what they wanted."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.match import MISSING, compile_matcher
from fairtrial.match.scalar import numeral
from fairtrial.records import Json


@pytest.mark.parametrize(
    ("spec", "value", "text"),
    [
        (0, 40, "wanted 0, got 40"),
        ("x", MISSING, 'wanted "x", got nothing'),
        ({"min": 3}, 2, "wanted at least 3, got 2"),
        ({"max": 3}, 4, "wanted at most 3, got 4"),
        ({"above": 320}, 300, "wanted above 320, got 300"),
        ({"above": 320}, "300", 'wanted a number above 320, got "300"'),
        ({"below": 3}, MISSING, "wanted a number below 3, got nothing"),
        ({"approx": 27.78}, 30, "wanted about 27.78, got 30"),
        ({"approx": 1, "tolerance": 0.1}, 2, "wanted about 1 give or take 0.1, got 2"),
        ({"approx": 1, "percent": 5}, None, "wanted a number about 1 give or take 5 %, got null"),
        ({"number": 5}, "6", 'wanted a number about 5, as a number or as text, got "6"'),
        ({"text": "Hi"}, "Ho", 'wanted the text "Hi", got "Ho"'),
        ({"phrase": "no fee"}, "a fee", 'wanted the phrase "no fee", got "a fee"'),
        ({"matches": "^a"}, "b", 'wanted text that matches "^a", got "b"'),
        ({"type": "integer"}, 1.0, "wanted an integer, got 1.0"),
        ({"absent": True}, None, "wanted no key, got null"),
        ({"present": True}, MISSING, "wanted any value, got nothing"),
    ],
)
def test_a_mismatch_says_what_was_wanted_and_got(spec: Json, value: Json, text: str) -> None:
    assert [str(found) for found in compile_matcher(spec).mismatches(value)] == [text]


def test_equality_tells_the_very_place_that_differs() -> None:
    matcher = compile_matcher({"equals": {"a": [1, {"b": 2}], "c": None}})
    found = matcher.mismatches({"a": [1, {"b": 3, "x": 0}, 9], "c": None, "d": 1}, "top")
    assert [str(one) for one in found] == [
        "top.a[1].b: wanted 2, got 3",
        "top.a[1].x: wanted no key, got 0",
        "top.a[2]: wanted no element, got 9",
        "top.d: wanted no key, got 1",
    ]


@given(st.decimals("-1000", "1000", places=2), st.decimals("0", "10", places=2))
def test_a_tolerance_is_met_as_it_is_written_in_decimal(value: Decimal, width: Decimal) -> None:
    matcher = compile_matcher({"approx": float(value), "tolerance": float(width)})
    more = width + Decimal("0.01")
    assert all(matcher.matches(float(value + off)) for off in (width, -width))
    assert not any(matcher.matches(float(value + off)) for off in (more, -more))


@given(st.floats(allow_nan=False, allow_infinity=False, width=32) | st.integers(-(10**9), 10**9))
def test_a_number_written_as_text_is_read_back(value: float) -> None:
    assert numeral(f"  {value!r}\n") == value


@pytest.mark.parametrize(
    "text",
    ["", ".", "-", "e5", "1e", "1__0", "1_0", "nan", "inf", "0x1", "1 2", "1,5", "\u0661", "1e999"],
)
def test_what_is_no_decimal_number_is_not_read(text: str) -> None:
    assert numeral(text) is None


def test_a_tolerance_has_a_slack_of_a_billionth() -> None:
    matcher = compile_matcher({"approx": 0, "tolerance": 1})
    assert matcher.matches(1 + 9e-10)
    assert not matcher.matches(1 + 2e-9)


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_what_is_not_finite_is_near_nothing(value: float) -> None:
    assert not compile_matcher({"approx": 5, "tolerance": 10}).matches(value)


def test_a_very_long_numeral_is_no_crash() -> None:
    assert numeral("9" * 5_000) is None
    assert numeral("0." + "9" * 5_000) == 1.0
