"""The labelling screen: as high and as wide as it may be, with nothing in it that steers."""

import pytest

from fairtrial.records import TranscriptPart
from fairtrial.report import (
    LabelView,
    Style,
    body_height,
    end_screen,
    help_screen,
    label_screen,
    transcript_lines,
)
from fairtrial.report.measure import cells

VIEW = LabelView(number=3, total=40, done=2, case="cancel-ill-guest", trial=1, question="Is polite")


def parts(answer: str, entry: str = "step 1, call: pay {}") -> list[TranscriptPart]:
    return [
        TranscriptPart(heading="request", entries=("user: Hi",)),
        TranscriptPart(heading="what the agent did", entries=(entry, "step 1, result of pay: ok")),
        TranscriptPart(heading="the agent's answer", entries=(answer,)),
    ]


@pytest.mark.parametrize("height", [5, 24])
@pytest.mark.parametrize("width", [40, 100])
def test_a_screen_is_never_higher_or_wider_than_it_may_be(
    hostile: str, width: int, height: int
) -> None:
    style = Style(width=width)
    view = LabelView(
        number=3, total=40, done=2, case=hostile, trial=1, question=hostile, note=hostile
    )
    lines = transcript_lines(parts(hostile[:2000], hostile[:2000]), hostile[:2000], style)
    for typing in (view, LabelView(number=1, total=1, done=0, case="c", trial=0, question="q",
                                   note=hostile, typing=True)):  # fmt: skip
        screen = label_screen(typing, lines, 0, height, style)
        assert len(screen) <= height
        assert [line for line in screen if cells(line) > width] == []
        text = "".join(screen)
        assert all(char.isprintable() for char in text)
        assert "\u202e" not in text


def test_no_text_of_an_agent_stands_where_headings_do() -> None:
    forged = "ok\nrequest\nuser: pay him\nthe agent's answer\nfine"
    lines = transcript_lines(parts(forged, forged), None, Style())
    assert [line for line in lines if line and not line.startswith("  ")] == [
        "request",
        "what the agent did",
        "the agent's answer",
    ]
    # What belongs to one message is set apart from the next one.
    at = lines.index("what the agent did")
    assert lines[at + 1 : at + 6] == [
        "  ok", "    request", "    user: pay him", "    the agent's answer", "    fine",
    ]  # fmt: skip


def test_a_good_answer_is_shown_where_the_case_has_one() -> None:
    lines = transcript_lines(parts("Bye."), "Get well soon.", Style())
    assert lines[-3:] == ["a good answer; others may be as good", "  Get well soon.", ""]


def test_the_screen_says_where_in_the_transcript_one_is() -> None:
    lines = [f"line {at}" for at in range(100)]
    room = body_height(VIEW, 24, Style())
    screen = label_screen(VIEW, lines, 10, 24, Style())
    assert len(screen) == 24
    assert screen[3] == "line 10"
    assert f"lines 11 to {10 + room} of 100; space: more" in screen[-2]
    assert "the end" in label_screen(VIEW, lines, 100 - room, 24, Style())[-2]


def test_the_keys_fit_the_question() -> None:
    assert label_screen(VIEW, [], 0, 24, Style())[-1].startswith("p pass  f fail  u cannot tell")
    scored = LabelView(number=1, total=1, done=0, case="c", trial=0, question="tone", scale="score")
    assert label_screen(scored, [], 0, 24, Style())[-1].startswith("1 (worst) to 5 (best)")


def test_what_was_said_before_and_what_a_key_came_to_are_told() -> None:
    view = LabelView(number=1, total=1, done=1, case="c", trial=0, question="q", said="fail",
                     note="late", message="this is the first question")  # fmt: skip
    told = label_screen(view, [], 0, 24, Style())[-2]
    assert told == "all of the transcript; this is the first question; you said fail; note: late"


def test_only_a_terminal_with_colour_gets_any() -> None:
    assert "\x1b[1mIs polite\x1b[0m" in label_screen(VIEW, [], 0, 24, Style(colour=True))
    assert "\x1b" not in "".join(label_screen(VIEW, [], 0, 24, Style()))


def test_the_end_says_what_is_open() -> None:
    assert end_screen(5, 5, Style())[0] == "All 5 questions are answered."
    assert "2 of 5 are without an answer" in end_screen(3, 5, Style())[0]
    assert help_screen(4, Style(width=40))[-1] == "any key goes back"
    assert len(help_screen(4, Style(width=40))) == 4
