"""A run as a comment on a pull request: why it is red, whatever its size and its texts."""

from collections import Counter
from collections.abc import Callable
from typing import Protocol

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from fairtrial.records import Decision, Gated, Outcome, Overview, RateOverview, Reason
from fairtrial.report import LEAST_BYTES, MOST_BYTES, markdown_text


class Read(Protocol):
    """A page that was read."""

    tags: list[str]
    prose: str
    code: str


ReadPage = Callable[[str], Read]
Page = Callable[..., Overview]


def decided(page: Overview, outcome: Outcome, code: int, *reasons: Reason) -> Overview:
    assert page.gated is not None
    decision = Decision(decision=outcome, exit=code, spent=None, reasons=reasons)
    return replace(page, gated=replace(page.gated, decision=decision))


LOST = Reason(
    rule="protected",
    kind="fail",
    case="c0",
    text="c0 is protected and passed 3 of 3, now 0 of 1; first: c: c",
)


def test_the_first_lines_say_what_was_decided_and_what_stands_against_it(page: Page) -> None:
    fell = Reason(rule="rate", kind="fail", text="the pass rate fell from 100 % to 50 %")
    text = markdown_text(decided(page("c"), "fail", 1, LOST, fell))
    assert text.splitlines()[:9] == [
        "### ❌ fairtrial: FAIL",
        "",
        "**The run does not hold against `c`.** 1 case (1 protected) and 1 further reason stand"
        " against it. Pass rate **50 %** [10, 90] over 3 cases; baseline 100 %.",
        "",
        "No model was seen: the agent asked none that fairtrial can see. 3 cases, 3 trials."
        " Agent `c`, variant `c`, commit `c`.",
        "",
        "#### Lost",
        "",
        "- **`c0`** is protected and passed 3 of 3, now 0 of 1 · `c.yaml:1`<br>`c: c`",
    ]


@pytest.mark.parametrize(
    ("outcome", "code", "words"),
    [
        ("pass", 0, "### ✅ fairtrial: PASS"),
        ("error", 3, "### ❌ fairtrial: ERROR"),
        ("inconclusive", 4, "### ⚠️ fairtrial: INCONCLUSIVE"),
    ],
)
def test_each_decision_has_its_headline(
    page: Page, outcome: Outcome, code: int, words: str
) -> None:
    assert markdown_text(decided(page(), outcome, code)).startswith(words)


def test_an_open_question_that_stops_nothing_says_so(page: Page) -> None:
    text = markdown_text(decided(page(), "inconclusive", 0))
    assert "a warning, and no reason to stop" in text


def test_no_baseline_is_said(page: Page) -> None:
    given = decided(page(), "error", 3)
    assert given.gated is not None
    gated = Gated(decision=given.gated.decision, file="b.json", baseline=None)
    text = markdown_text(replace(given, gated=gated, difference=None))
    assert "There is no baseline to decide with" in text


def test_a_run_whose_gate_was_not_asked_says_so_and_shows_what_did_not_pass(page: Page) -> None:
    text = markdown_text(page("c", gated=False))
    assert text.startswith("### ❌ fairtrial: 3 of 3 cases did not pass every trial\n")
    assert "The gate was not asked, so no change is shown: `fairtrial gate " in text
    assert "- **`c0`** passed 0 of 1 (protected) · `c.yaml:1`<br>`c: c`" in text


def test_an_empty_run_is_no_success(page: Page) -> None:
    whole = RateOverview(tag=None, cases=0, rate=None, interval=None)
    text = markdown_text(replace(page("c", cases=0, gated=False), rates=(whole,)))
    assert text.startswith("### ❌ fairtrial: nothing was measured")


def test_no_text_from_outside_is_markup(page: Page, read_page: ReadPage, hostile: str) -> None:
    """BL-68."""
    for gated in (True, False):
        harmless = read_page(markdown_text(page("plain", cases=2, gated=gated)))
        read = read_page(markdown_text(page(hostile, cases=2, gated=gated)))
        assert Counter(read.tags).keys() == Counter(harmless.tags).keys()
        for tag in ("tr", "table", "li", "details", "h3", "h4"):
            assert read.tags.count(tag) == harmless.tags.count(tag), tag
        for sign in ("@", "#", "octo", "evil", "script", "http", "www", "::", "\x1b", "\u202e"):
            assert sign not in read.prose, sign
        assert not {one for one in markdown_text(page(hostile)) if ord(one) < 32} - {"\n"}


@settings(max_examples=30)
@given(text=st.text(max_size=30))
def test_no_text_at_all_is_markup(page: Page, read_page: ReadPage, text: str) -> None:
    harmless = read_page(markdown_text(page("plain", cases=1)))
    read = read_page(markdown_text(page(text, cases=1)))
    assert set(read.tags) == set(harmless.tags)
    assert read.tags.count("li") == harmless.tags.count("li")


@pytest.mark.parametrize("cases", [0, 1, 40, 5000])
@pytest.mark.parametrize(
    "text", ["c", "\U0001f600" * 100, "e\u0301\u0301\u0301" * 3000], ids=["c", "wide", "marks"]
)
def test_it_fits_into_a_comment_whatever_its_size(page: Page, cases: int, text: str) -> None:
    shown = markdown_text(page(text, cases=cases))
    assert len(shown.encode()) <= MOST_BYTES
    last = shown.splitlines()[-1]
    assert last.startswith("All of it with the run's folder: `fairtrial report ")
    listed = [line for line in shown.splitlines() if line.startswith("- **")]
    assert len(listed) >= min(cases, 20)
    if cases == 5000 and text == "c":
        assert "- and 9,977 more" in shown  # of 5,000 that fail, 5,000 that are errors, and 2


def test_what_has_no_room_is_left_out_from_the_end_and_said(page: Page) -> None:
    shown = markdown_text(page("c" * 90, cases=40), most=LEAST_BYTES)
    assert len(shown.encode()) <= LEAST_BYTES
    assert shown.startswith("### ❌ fairtrial: FAIL")
    assert "_The rest is left out here" in shown
    with pytest.raises(ValueError, match="at least"):
        markdown_text(page(), most=LEAST_BYTES - 1)


def test_the_head_and_the_foot_never_need_more_than_the_least_room(page: Page) -> None:
    longest = page("e\u0301\u0301\u0301\U0001f600" * 3000)
    assert len(markdown_text(longest, most=LEAST_BYTES).encode()) <= LEAST_BYTES
