"""One person at the keyboard, played by a script of keys."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from fairtrial.cli.sitting import Sitting
from fairtrial.errors import StoreError
from fairtrial.flow.label import Asked, Labelling, Place
from fairtrial.records import Json, JudgeQuestion, Scale, TranscriptPart
from fairtrial.report import Style
from fairtrial.store import LabelFile


class Keys:
    """A keyboard whose keys are written down; it leaves when they are over."""

    def __init__(self, *keys: str, size: tuple[int, int] = (80, 24)) -> None:
        self._keys = list(keys)
        self.window = size
        self.screens: list[list[str]] = []

    def key(self) -> str:
        return self._keys.pop(0) if self._keys else "end of input"

    def size(self) -> tuple[int, int]:
        return self.window

    def show(self, lines: Sequence[str]) -> None:
        self.screens.append([*lines])

    @property
    def last(self) -> str:
        return "\n".join(self.screens[-1])


def asked(name: str, scale: Scale = "verdict", lines: int = 3) -> Asked:
    text = "\n".join(f"line {at}" for at in range(lines))
    return Asked(
        place=Place(name, 0, "item"),
        question=JudgeQuestion(item="item", text=f"About {name}", scale=scale),
        parts=(TranscriptPart(heading="the agent's answer", entries=(text,)),),
        transcript=f"t-{name}",
        stratum="plain, passed",
        weight=2.0,
    )


class Desk:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "labels.jsonl"

    def sit(self, *keys: str, questions: Sequence[Asked] | None = None,
            size: tuple[int, int] = (80, 24)) -> Keys:  # fmt: skip
        everything = questions or [asked("a"), asked("b"), asked("c", "score")]
        labelling = Labelling(everything, LabelFile(self.path), "ana")
        keyboard = Keys(*keys, size=size)
        Sitting(labelling, keyboard, Style()).run()
        return keyboard

    @property
    def said(self) -> list[tuple[str, Json]]:
        if not self.path.exists():
            return []
        rows = map(json.loads, self.path.read_text(encoding="utf-8").splitlines())
        return [(row["case"], row["label"]) for row in rows]


@pytest.fixture
def at(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_each_key_answers_one_question_and_the_next_one_comes(at: Desk) -> None:
    keyboard = at.sit("p", "f", "4")
    assert at.said == [("a", "pass"), ("b", "fail"), ("c", 4)]
    assert [screen[1] for screen in keyboard.screens[:3]] == ["About a", "About b", "About c"]
    assert "All 3 questions are answered." in keyboard.last


def test_cannot_tell_is_an_answer_and_a_skip_is_none(at: Desk) -> None:
    assert "without an answer" in at.sit("u", "s", "s").last
    assert at.said == [("a", None)]
    assert at.sit().screens[0][1] == "About b"


def test_who_leaves_goes_on_there_the_next_time(at: Desk) -> None:
    at.sit("p", "q", "f")
    assert at.said == [("a", "pass")]
    assert at.sit("f").screens[0][1] == "About b"
    assert at.said == [("a", "pass"), ("b", "fail")]


@pytest.mark.parametrize("key", ["q", "interrupt", "end of input"])
def test_every_way_out_leaves_what_was_said(at: Desk, key: str) -> None:
    at.sit("p", key)
    assert at.said == [("a", "pass")]


def test_back_shows_what_was_said_and_takes_another_answer(at: Desk) -> None:
    keyboard = at.sit("p", "f", "b", "b", "f")
    assert any("you said pass" in screen[-2] for screen in keyboard.screens)
    assert at.said == [("a", "fail"), ("b", "fail")]
    assert keyboard.screens[-1][1] == "About c"
    assert "this is the first question" in at.sit("b", "b", "b", "b").last


def test_from_the_end_one_goes_back_or_to_what_was_skipped(at: Desk) -> None:
    keyboard = at.sit("s", "f", "3", "enter", "p", "b", "5")
    assert keyboard.screens[4][1] == "About a"
    assert at.said == [("b", "fail"), ("c", 5), ("a", "pass")]


@pytest.mark.parametrize("key", ["1", "x", "P", "é", "", "delete"])
def test_another_key_says_what_there_is_and_answers_nothing(at: Desk, key: str) -> None:
    keyboard = at.sit(key)
    assert at.said == []
    assert ("answer p or f, or ? for help" in keyboard.last) is bool(key)


def test_a_score_takes_no_verdict_and_a_verdict_no_score(at: Desk) -> None:
    only = [asked("c", "score")]
    assert "answer 1 to 5" in at.sit("p", "0", "6", questions=only).last
    assert at.said == []


def test_a_note_is_kept_with_the_answer(at: Desk) -> None:
    at.sit("n", *"says", "space", "t", "backspace", *"ö!", "x", "backspace", "enter", "p")
    row = json.loads(at.path.read_text(encoding="utf-8"))
    assert (row["label"], row["note"]) == ("pass", "says ö!")


def test_a_note_to_what_is_answered_is_kept_at_once_and_escape_drops_one(at: Desk) -> None:
    at.sit("p", "b", "n", *"why", "enter", "n", *"not", "escape", "q")
    row = json.loads(at.path.read_text(encoding="utf-8"))
    assert (row["label"], row["note"]) == ("pass", "why")
    at.sit("n", *"lost", "interrupt", "f")
    second = at.path.read_text(encoding="utf-8").splitlines()[1]
    assert "note" not in json.loads(second)


def test_the_transcript_scrolls_to_its_ends_and_no_further(at: Desk) -> None:
    long = [asked("a", lines=100)]

    def first(*keys: str) -> str:
        return at.sit(*keys, questions=long).screens[-1][3].strip()

    assert first() == "the agent's answer"
    assert first("down") == first("j") == "line 0"
    assert first("space", "up") == first("page down", "k")
    assert first("G") == first("end") == first(*["space"] * 20)
    assert first("G", "g") == first("up") == first("space", "-") == "the agent's answer"
    assert "of 102; the end" in at.sit("G", questions=long).last


def test_another_size_of_the_window_wraps_anew(at: Desk) -> None:
    class Growing(Keys):
        def key(self) -> str:
            self.window = (60, 12)
            return super().key()

    keyboard = Growing("resize", size=(100, 30))
    Sitting(Labelling([asked("a")], LabelFile(at.path), "ana"), keyboard, Style()).run()
    assert [(len(one), len(one[2])) for one in keyboard.screens] == [(30, 99), (12, 59)]


def test_help_shows_the_keys_and_any_key_goes_back(at: Desk) -> None:
    keyboard = at.sit("?", "p")
    assert "any key goes back" in "\n".join(keyboard.screens[1])
    assert at.said == []
    assert keyboard.screens[-1][1] == "About a"


def test_nothing_of_how_a_question_was_drawn_is_shown(at: Desk) -> None:
    text = "\n".join(line for screen in at.sit("p", "f", "3").screens for line in screen)
    assert "plain" not in text
    assert "2.0" not in text


def test_an_answer_that_cannot_be_kept_is_told(at: Desk) -> None:
    at.path.mkdir()
    labelling = Labelling([asked("a")], LabelFile(at.path.with_name("other.jsonl")), "ana")
    labelling._file.path = at.path
    with pytest.raises(StoreError, match="cannot be written"):
        Sitting(labelling, Keys("p"), Style()).run()
