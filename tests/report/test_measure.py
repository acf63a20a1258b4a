"""Text from outside: nothing unseen, never wider than its room."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.report.measure import cells, cut_end, cut_middle, pad, seen, split_at, wrap

ANYTHING = st.text(
    st.characters() | st.sampled_from("\x1b\x9b\x00\u202e\u2066\u200b\u0301日🎉\ufe0f \n\ud800a"),
    max_size=80,
)


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[31m",
        "\x9b31m",
        "a\nb",
        "a\r",
        "\t",
        "\u202e",
        "\u2069",
        "\u200b",
        "\ufeff",
        "\xad",
        "\ud800",
        "\u2028",
        "\u3164",
        "\ufe0f",
        "\U000e0100",
        "\xa0",
        "\U000e0041",
        "\u034f",
    ],
)
def test_what_cannot_be_seen_is_written_as_its_escape(text: str) -> None:
    shown = seen(text)
    assert "\\" in shown
    assert shown.isascii()


@given(ANYTHING)
def test_seen_text_holds_no_control_and_no_format_character(text: str) -> None:
    categories = {unicodedata.category(character) for character in seen(text)}
    assert categories.isdisjoint({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


@given(ANYTHING)
def test_seeing_twice_changes_nothing(text: str) -> None:
    assert seen(seen(text)) == seen(text)


@given(ANYTHING)
def test_without_unicode_all_is_ascii(text: str) -> None:
    assert seen(text, unicode=False).isascii()


def test_words_of_people_stay_as_they_are() -> None:
    for text in ("naïve café", "e\u0301", "日本語", "हिन्दी", "🎉", "عربي", "x < 1 & 'y'\\"):
        assert seen(text) == text


def test_a_tower_of_marks_is_taken_down() -> None:
    assert seen("a" + "\u0301" * 5) == "a" + "\u0301" * 3 + "\\u0301" * 2
    assert seen("\u0301a") == "\\u0301a"


def test_a_megabyte_is_cut_before_it_is_looked_at() -> None:
    assert len(seen("\x1b" * 1_000_000)) <= 4 * 4000 + 1


def test_wide_characters_take_two_cells_and_marks_none() -> None:
    assert [cells(text) for text in ("ab", "日本", "e\u0301", "🎉", "ｆ")] == [2, 4, 1, 2, 2]


@given(ANYTHING.map(seen), st.integers(3, 60))
def test_a_cut_text_fits_and_a_fitting_text_is_not_cut(text: str, room: int) -> None:
    for cut in (cut_end(text, room), cut_middle(text, room)):
        assert cells(cut) <= room
        assert (cut == text) is (cells(text) <= room)


@given(ANYTHING.map(seen), st.integers(0, 60))
def test_as_many_characters_are_taken_as_fit(text: str, room: int) -> None:
    end = split_at(text, room)
    assert cells(text[:end]) <= room
    assert end == len(text) or cells(text[: end + 1]) > room


@given(ANYTHING.map(seen), st.integers(10, 60), st.integers(10, 60), st.integers(1, 5))
def test_wrapped_lines_fit_and_are_no_more_than_asked_for(
    text: str, first: int, rest: int, most: int
) -> None:
    lines = wrap(text, first, rest, most=most)
    assert 1 <= len(lines) <= most
    assert cells(lines[0]) <= first
    assert all(cells(line) <= rest for line in lines[1:])


@given(ANYTHING.map(seen), st.integers(10, 60))
def test_wrapping_with_lines_enough_loses_spaces_only(text: str, room: int) -> None:
    lines = wrap(text, room, room, most=1000)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_spaces_inside_a_line_are_kept() -> None:
    assert wrap("wanted 'a  b', got 'a b'", 40, 40, most=2) == ["wanted 'a  b', got 'a b'"]


def test_padding_counts_cells_not_characters() -> None:
    assert pad("日本", 6) == "日本  "
    assert pad("日本", 6, right=True) == "  日本"
