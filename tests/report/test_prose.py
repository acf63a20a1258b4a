"""A label and a text wrapped under it; names in a sentence."""

import re

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.report import Style
from fairtrial.report.measure import cells
from fairtrial.report.prose import entry, names, paragraph, short

STYLE = Style(width=40)


def test_further_lines_hang_under_the_first() -> None:
    lines = paragraph("one two three four five six seven eight", STYLE, indent=(2, 6))
    assert list(lines) == ["  one two three four five six seven", "      eight"]


def test_the_label_alone_is_painted_and_its_colour_takes_no_room() -> None:
    plain = list(paragraph("word " * 20, STYLE, label=("failed ", "red")))
    painted = list(paragraph("word " * 20, Style(width=40, colour=True), label=("failed ", "red")))
    assert painted[0].startswith("\x1b[31mfailed \x1b[0mword")
    assert [re.sub(r"\x1b\[\d+m", "", line) for line in painted] == plain


def test_a_text_with_too_many_lines_ends_in_an_ellipsis() -> None:
    lines = list(paragraph("word " * 2000, STYLE, most=3))
    assert len(lines) == 3
    assert lines[-1].endswith("…")


def test_a_text_of_exactly_the_lines_allowed_is_whole() -> None:
    assert list(paragraph("日" * 20 + " " + "本" * 18, STYLE, most=2))[-1] == "    " + "本" * 18


def test_an_empty_text_is_one_line() -> None:
    assert list(paragraph("", STYLE)) == [""]


def test_an_entry_has_its_text_in_one_column() -> None:
    lines = list(entry("cost", "word " * 12, STYLE))
    assert lines[0].startswith("cost         word")
    assert lines[1].startswith("             word")


def test_names_are_cut_counted_and_made_visible() -> None:
    assert names(["a\n", "b" * 99, "c", "d"], STYLE, most=2, each=5) == "a\\n, bbbb… and 2 more"
    assert names([], STYLE, most=2) == ""


@given(st.text(max_size=300), st.integers(3, 80), st.booleans())
def test_a_short_name_fits(name: str, room: int, unicode: bool) -> None:
    shown = short(name, Style(unicode=unicode), room)
    assert cells(shown) <= room
    assert shown.isprintable()
