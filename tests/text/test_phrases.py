"""Phrases compare as people read them, and cut text stays on its line."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairtrial.text import cut, label, normalise

MARKED = st.text(st.sampled_from("ab1 *_`~\n-\u00e9\u0301\u200b\u2019\u91cd\u0149\u1fef\u0345ß"))


@pytest.mark.parametrize(
    ("phrase", "answer"),
    [
        ("can't delete", "I can\u2019t delete that"),
        ("can\u2019t delete", "I can't delete that"),
        ("caf\u00e9", "cafe\u0301 is open"),
        ("10 km", "10\u00a0km away"),
        ("10 km", "10\u202fkm away"),
        ("STRASSE", "Stra\u00dfe"),
        ('say "no"', "they say \u201eno\u201c"),
        ('say "no"', "they say \u00abno\u00bb"),
        ("self-service", "self\u2011service"),
        ("yes - no", "yes \u2014 no"),
        ("-5", "\u22125"),
        ("no fee is due", "**No** fee\n  is _due_"),
        ("the total is 72", "The total is **72**!"),
        ("delete", "de\u00adle\u200bte"),
        ("run fairtrial grade", "Run `fairtrial grade`."),
        ("old price", "~~old~~ price"),
        ("\u8fd9\u662f\u91cd\u8981\u7684", "\u8fd9\u662f**\u91cd\u8981**\u7684"),
        ("72kg", "**72**kg"),
    ],
)
def test_a_phrase_is_found_however_it_is_set(phrase: str, answer: str) -> None:
    assert normalise(phrase) in normalise(answer)


@pytest.mark.parametrize(
    ("phrase", "answer"),
    [
        ("resume", "r\u00e9sum\u00e9"),
        ("a.b", "axb"),
        ("x2", "x\u00b2"),  # NFKC would say yes
        ("23", "2*3"),
        ("ab", "a_b"),
        ("5", "\uff15"),
        ("now here", "nowhere"),
    ],
)
def test_what_differs_to_a_reader_stays_different(phrase: str, answer: str) -> None:
    assert normalise(phrase) not in normalise(answer)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("get_booking_by_id", "get_booking_by_id"),
        ("2*3*4 and 2 * 3 and 2**3", "2*3*4 and 2 * 3 and 2**3"),
        ("about ~5", "about ~5"),
        ("* one\n* two", "* one * two"),
        ("____ left", "____ left"),
        ("***_a_b_***", "a_b"),
        ("**", "**"),
        ("", ""),
        (" \t\n", ""),
    ],
)
def test_only_emphasis_loses_its_marks(text: str, kept: str) -> None:
    assert normalise(text) == kept


@given(st.text(st.characters(exclude_categories=())) | MARKED)
@example("ŉ_a")
@example("\u1fefa*\u0301")
@example("\u0345\u0301")
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text(st.characters(max_codepoint=127)))
def test_the_quick_way_for_ascii_gives_what_the_long_way_gives(text: str) -> None:
    assert normalise(text + " \u91cd") == (normalise(text) + " \u91cd").strip()


@given(st.text(st.characters(max_codepoint=0x24F)))
def test_case_never_counts(text: str) -> None:
    assert normalise(text.casefold()) == normalise(text)


@pytest.mark.parametrize(
    "text",
    ["\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", "\u4f60\u597d", "\u0645\u0631\u062d\u0628\u0627"],
)
def test_every_script_equals_itself_and_is_not_lost(text: str) -> None:
    assert normalise(text) == text


@pytest.mark.parametrize(
    ("text", "length", "shown"),
    [
        ("short", 60, "short"),
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("one\ntwo\tthree", 60, r"one\ntwo\tthree"),
        ("\x1b[31mred\x00", 60, r"\x1b[31mred\x00"),
        ("\u202eevil\ud800", 60, r"\u202eevil\ud800"),
        ("10\u00a0km", 60, "10\u00a0km"),
        ("ab\ncd", 4, r"ab…"),
        ("abc\n", 4, "abc…"),
        ("\n\n", 1, "…"),
        (r"C-\d{4}", 60, r"C-\d{4}"),
    ],
)
def test_cut_text_is_one_visible_line(text: str, length: int, shown: str) -> None:
    assert cut(text, length) == shown


@given(st.text(), st.integers(1, 80))
def test_cut_text_is_never_longer_than_asked(text: str, length: int) -> None:
    shown = cut(text, length)
    assert len(shown) <= length
    assert len(shown.splitlines()) <= 1


def test_a_length_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="length must be at least 1, got 0"):
        cut("a", 0)


def test_a_label_is_the_first_sixty_characters_with_nothing_put_in_place_of_the_rest() -> None:
    assert label("y" * 60 + "a") == label("y" * 60 + "b") == "y" * 60
    assert label("a\x1b[31m") == "a\\x1b[31m"
