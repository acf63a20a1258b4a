"""Text from outside in Markdown: whole, and nothing but text."""

import re
from collections.abc import Callable
from typing import Protocol

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairtrial.report.markup import code, folded, prose, table
from fairtrial.report.measure import seen_within


class Read(Protocol):
    """A page that was read."""

    tags: list[str]
    prose: str
    code: str


ReadPage = Callable[[str], Read]

MARKUP = st.text(alphabet=st.sampled_from("ab1 `\\|<>[]()!@#*_~&$:/.-=+\n\t'\"{}^%"), max_size=40)
ANY = MARKUP | st.text(max_size=40)


@given(text=ANY)
@example(text="`")
@example(text="``` x")
@example(text="\\")
def test_code_is_one_span_that_holds_the_text_and_nothing_else(
    read_page: ReadPage, text: str
) -> None:
    read = read_page(f"- **x** {code(text)} y")
    assert read.tags == ["ul", "li", "strong", "code"]
    assert read.prose.split() == ["x", "y"]
    shown = seen_within(text, 100)
    assert read.code.strip() == (shown if shown.strip(" ") else f'"{shown}"').strip()


def test_no_fence_is_longer_than_github_reads() -> None:
    """RP: cmark-gfm gives up on fences of more than 80 backticks, and reads what is in them."""
    for text in ("`" * 90 + " @team", "x " + "`" * 4000, f"`{'`' * 8} a"):
        for written in (code(text, 400), code(text, 400, table=True), prose(text)):
            assert max(map(len, re.findall("`+", written))) <= 10, written
    assert code("`" * 9 + "x") == "`" + r"\x60" * 9 + "x`"
    assert code("`" * 8) == "`" * 9 + " " + "`" * 8 + " " + "`" * 9


@given(text=ANY)
def test_code_in_a_table_stays_in_its_cell(read_page: ReadPage, text: str) -> None:
    read = read_page(table(["a", "b"], [[code(text, table=True), "1"]]))
    assert read.tags.count("tr") == 2
    assert len([tag for tag in read.tags if tag.startswith("td")]) == 2
    assert read.tags.count("code") == 1
    assert read.prose.split() == ["a", "b", "1"]


@given(text=ANY | st.text(alphabet=st.sampled_from("www.http:/@ab[]()#1 -"), max_size=60))
@example(text="www.evil.example")
@example(text="www.")
@example(text="https is httpx")
@example(text="[x]: http://evil.example")
@example(text="a [x](y) b")
@example(text="0123456 abcdefa deadbeef")
def test_prose_is_words_and_code_and_nothing_else(read_page: ReadPage, text: str) -> None:
    read = read_page(f"- **x** {prose(text)}")
    assert set(read.tags) <= {"ul", "li", "strong", "code"}
    for word in read.prose.split():
        assert set(word) & set("@#\\`*_~<&$|!") <= {"<", "~"}, word
        assert not word.startswith(("www.", "http"))


def test_a_sentence_of_ours_stays_a_sentence() -> None:
    text = (
        "the pass rate fell from 100 % to 33.3 % over 6 shared cases (95 %: [1.2, 3.4]), by chance"
    )
    assert prose(text) == text
    assert prose("`--allow-removed` or `fairtrial accept` lets it go") == (
        "`--allow-removed` or `fairtrial accept` lets it go"
    )
    assert prose("all (`a b`), `c`.") == "all (`a b`), `c`."
    assert prose("seen in ``x``, twice") == "seen in ``` ``x``, ``` twice"
    assert prose("it`s @b `` c") == "``` it`s @b `` ``` c"


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [("abcdef", 4, "`abc…`"), ("a\u202eb", 9, r"`a\u202eb`"), ("  ", 9, '`"  "`'), ("", 9, '`""`')],
)
def test_code_is_cut_and_escaped(text: str, most: int, shown: str) -> None:
    assert code(text, most) == shown


def test_a_fold_holds_markdown(read_page: ReadPage) -> None:
    read = read_page(folded("1 fix", ["- a", "- b"]))
    assert read.tags[:2] == ["details", "summary"]
    assert read.tags.count("li") == 2
