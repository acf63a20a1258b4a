"""Numbers are read as people write them, and nothing else is a number."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.text import LOCALES, find_numbers


def values(text: str, locale: str | None = None) -> list[int | float]:
    return [number.value for number in find_numbers(text, locale)]


@pytest.mark.parametrize(
    "answer",
    [
        "The total is 72 clips, altogether.",
        "It is (72).",
        "**72**",
        "__72__",
        "_72_",
        "72!",
        "Answer: `72`;",
        "#### ,\n72",
        "=72",
        "Total:72",
        '{"total":72}',
        "\\boxed{72}",
        "72.\nThat is all",
        "72.That is all",
        "\u202f72\u2026",
        "\uff17\uff12",
        "\u0667\u0662",
        "\u096d\u0968",
        "#72",
        "~~72~~",
        "Answer\u201372",
        "Answer\u201472",
        "\u517172\u4e2a",
        "\u03b1=72",
    ],
)
def test_what_stands_around_a_number_does_not_hide_it(answer: str) -> None:
    assert values(answer) == [72]
    assert all(type(value) is int for value in values(answer))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Of 100 people, 20% agreed", [100, 20]),
        ("First $400, then \\$460", [400, 460]),
        ("That is $29.00.", [29.0]),
        ("$1,280.00", [1280.0]),
        ("\u20b91,45,000", [145000]),
        ("1,280,000.5", [1280000.5]),
        ("1.2e3 1.5E+3 1e-3", [1200.0, 1500.0, 0.001]),
        ("\u22125", [-5]),
        ("-$5, $-5, -EUR 5, EUR -5", [-5, -5, -5, -5]),
        ("(45.00)", [45.0]),
        ("+3", [3]),
        ("2-3", [2, 3]),
        ("2\u20133", [2, 3]),
        ("$5-$10", [5, 10]),
        ("5\u20ac-10\u20ac", [5, 10]),
        ("10%-15%", [10, 15]),
        ("8/10", [8, 10]),
        ("16:9", [16, 9]),
        ("2*3 2+3 2\u00d73", [2, 3, 2, 3, 2, 3]),
        ("- 5 items", [5]),
        ("f(x)-5", [5]),
        ("(5,-6)", [5, -6]),
        (".5 $.50", [0.5, 0.5]),
        ("wait...5", [5]),
        ("2\u00bd hours", [2.5]),
        ("-\u00bd", [-0.5]),
        ("1\u202f280", [1280]),
        ("1 280", [1, 280]),
        ("\u0661\u066c\u0662\u0668\u0660\u066b\u0665", [1280.5]),
        ("\uff11\uff0c\uff12\uff18\uff10", [1280]),
        ("a 30-day window", [30]),
        ("\u05d1-500", [500]),
        ("x=1,y=2", [1, 2]),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, wanted: list[float]) -> None:
    assert values(text) == wanted
    assert [type(value) for value in values(text)] == [type(value) for value in wanted]


@pytest.mark.parametrize(
    ("text", "locale", "wanted"),
    [
        ("1.280,00 EUR", "de", 1280.0),
        ("1.280", "de", 1280),
        ("1,280", "de", 1.28),
        ("5,-", "de", 5),
        ("1 280,50", "fr", 1280.5),
        ("1\u00a0280,50", "fr", 1280.5),
        ("1\u202f280,50", "fr", 1280.5),
        ("-1 280", "fr", -1280),
        ("1'280.50", "de-CH", 1280.5),
        ("1\u2019280.50", "de-CH", 1280.5),
        ("1,45,000", "en-IN", 145000),
        ("R$ 1.280,5", "pt-BR", 1280.5),
    ],
)
def test_a_locale_says_how_figures_are_grouped(text: str, locale: str, wanted: float) -> None:
    assert values(text, locale) == [wanted]


def test_spaces_group_only_threes_and_only_where_they_may() -> None:
    assert values("12 34, 2 1280, 12345 678", "fr") == [12, 34, 2, 1280, 12345, 678]
    assert values("H-204 100", "fr") == [100]


@pytest.mark.parametrize(
    "text",
    ["1,28,0,0", "1.2.3", "12,34", "1,2800", "1,280,00", "1'280", "[1,2,3]", "12,34/5", "1_000"],
)
def test_a_malformed_figure_is_no_number(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize("text", ["1.28", "5.3.2026", "1.2,3,4"])
def test_a_figure_that_breaks_its_locale_is_no_number(text: str) -> None:
    assert values(text, "de") == []


@pytest.mark.parametrize(
    "text",
    [
        *("H-204", "H\u2011204", "B2B", "ORD-1-2", "4Runner", "v2", "gift_card_694", "deadbeef12"),
        *("550e8400-e29b-41d4-a716-446655440000", "3f2a9c1", "0x1F", "C-3PO", "COVID-19", "12A"),
        *("1-on-1", "00:1B:44:11:3A:B7", "orders/5", "example.com/5", "file2.txt", "\u0422-34"),
        *("2026-03-05", "2026\u201103\u201105", "05/03/2026", "5.3.2026", "2026-03", "03/2026"),
        *("2026-03-05T12:30:15Z", "March 5, 2026", "5 March 2026", "May 24th", "5th of May"),
        "2026\u5e743\u67085\u65e5",
        *("12:30", "12:30:15", "12:30-13:45", "3pm", "3 p.m.", "9 o'clock"),
        *("1.10.3", "v1.2", "version 1.2", "192.168.0.1", "555-123-4567", "978-3-16-148410-0"),
        *("1. one", "2) two", "  3. three", "**4.** four", "> 5. five", "### 6. six"),
        *("https://x.org/5/a?b=7&c=8", "www.x.org/5", "a5@b.org", "12@x.org"),
        *("1st", "2nd", "mp3", "seven", "", "...", ",", "\u0663rd", "9" * 301, "1e999", "1e99999"),
    ],
)
def test_digits_that_count_nothing_are_no_numbers(text: str) -> None:
    assert values(text) == []


def test_a_list_marker_is_told_from_an_answer() -> None:
    assert values("1. pay 5\n2. pay 6") == [5, 6]
    assert values("72. That is the total") == [72]
    assert values("\n".join(f"{n}. item" for n in range(1, 99))) == []
    assert values("The total is 5. Goodbye") == [5]


def test_a_malformed_last_figure_does_not_hand_over_to_an_earlier_part() -> None:
    assert values("First 400, then 12,34") == [400]


@pytest.mark.parametrize(
    ("text", "token", "unit", "percent"),
    [
        ("27.78 lbs", "27.78 lbs", "lbs", False),
        ("5kg", "5kg", "kg", False),
        ("$5 off", "$5", "$", False),
        ("\u22125 \u20ac", "\u22125 \u20ac", "\u20ac", False),
        ("-$5", "-$5", "$", False),
        ("EUR 5", "EUR 5", "EUR", False),
        ("EUR5", "EUR5", "EUR", False),
        ("Rs. 500", "Rs. 500", "Rs", False),
        ("1.280,00EUR", "1.280,00EUR", "EUR", False),
        ("US$5", "US$5", "US$", False),
        ("$5 CAD", "$5 CAD", "CAD", False),
        ("$5USD", "$5USD", "USD", False),
        ("72 clips", "72", "clips", False),
        ("**72** clips", "72", "clips", False),
        ("a 30-day window", "30", "day", False),
        ("100 km/h", "100 km/h", "km/h", False),
        ("5km/h", "5km/h", "km/h", False),
        ("20\u00b0C", "20\u00b0C", "\u00b0C", False),
        ("5%", "5%", "%", True),
        ("5 %", "5 %", "%", True),
        ("5\uff05", "5\uff05", "%", True),
        ("5 percent", "5 percent", "percent", True),
        ("5 percentage points", "5", "percentage", False),
        ("$1.5M", "$1.5M", "$", False),
        ("5\u043a\u0433", "5\u043a\u0433", "\u043a\u0433", False),
        ("5\u516c\u91cc", "5", "\u516c\u91cc", False),
        ("5 $10", "5", None, False),
    ],
)
def test_a_token_has_its_unit(text: str, token: str, unit: str | None, percent: bool) -> None:
    number = find_numbers(text, "de" if "1.280,00" in text else None)[0]
    assert (number.text, number.unit, number.percent) == (token, unit, percent)


def test_an_unknown_locale_is_named_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"locale 'xx' is not known; known: bg, .*de-CH"):
        find_numbers("1", "xx")


@given(st.text(st.characters(exclude_categories=())), st.sampled_from([None, *LOCALES]))
def test_any_text_can_be_searched_and_tokens_are_where_they_say(
    text: str, locale: str | None
) -> None:
    for number in find_numbers(text, locale):
        assert text[number.start : number.start + len(number.text)] == number.text


@given(
    st.lists(st.sampled_from([*"0123456789.,'-/:%$eE_ \n\u00bd\u2013\u202f\u0665", "EUR", "kg"]))
)
def test_any_heap_of_number_parts_can_be_searched(parts: list[str]) -> None:
    text = "".join(parts)
    for locale in (None, "de", "fr", "de-CH"):
        places = [number.start for number in find_numbers(text, locale)]
        assert places == sorted(set(places))


@given(st.integers(-(10**18), 10**18))
def test_a_written_integer_is_read_back(value: int) -> None:
    assert values(f"It is {value:,} now") == [value]
    assert values(f"It is {value} now") == [value]
    assert values(f"It is {value:,} now".replace(",", "."), "de") == [value]
    assert values(f"It is {value:,} now".replace(",", " "), "fr") == [value]


@given(st.floats(-1e15, 1e15).map(lambda value: round(value, 2)))
def test_a_written_amount_is_read_back(value: float) -> None:
    swapped = f"{value:,.2f}".translate(str.maketrans(",.", ".,"))
    assert values(f"{value:,.2f} EUR") == values(f"{swapped} EUR", "de") == [value]


@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "1,",
        "1.",
        "1-",
        "1:",
        "1/",
        "1'",
        "a",
        "a.",
        "a-",
        "1e",
        "1_",
        "1\u066c",
        ",",
        "a@",
        "$",
    ],
)
def test_hostile_text_takes_time_in_step_with_its_length(unit: str) -> None:
    text = (unit * 100_000)[:100_000]
    began = time.process_time()
    for locale in (None, "fr"):
        find_numbers(text, locale)
    assert time.process_time() - began < 5  # some hundredths of a second; squared it is minutes


@pytest.mark.parametrize("text", ["Play e5.", "cell E10", "E5-large", "e-5"])
def test_an_exponent_without_a_figure_before_it_is_no_number(text: str) -> None:
    assert 0 not in values(text)
    assert values(f"7 is in {text}")[:1] == [7]
