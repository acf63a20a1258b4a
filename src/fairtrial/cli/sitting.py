"""One person at the keyboard: each key, and what it comes to."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from fairtrial.cli.terminal import Keyboard
from fairtrial.flow.label import Labelling
from fairtrial.records import Said
from fairtrial.report import (
    NARROWEST,
    WIDEST,
    LabelView,
    Style,
    body_height,
    end_screen,
    help_screen,
    label_screen,
    transcript_lines,
)

_VERDICTS: Final[Mapping[str, Said]] = {"p": "pass", "f": "fail"}
_SCORES: Final[Mapping[str, Said]] = {str(score): score for score in range(1, 6)}
_LEAVING: Final = frozenset({"q", "interrupt", "end of input"})
_LONGEST_NOTE = 500


class Sitting:
    """Asks one person question after question until they leave."""

    def __init__(self, labelling: Labelling, keyboard: Keyboard, style: Style) -> None:
        """Begin with the first question that has no answer."""
        self._labelling = labelling
        self._keyboard = keyboard
        self._style = style
        self._height = 0
        self._top = 0
        self._message = ""
        self._note: str | None = None
        """That was written and is not kept yet; None: as it is on file."""
        self._lines: list[str] = []
        self._at = self._end
        self._go(labelling.open_after(-1))

    @property
    def _end(self) -> int:
        """The place behind the last question."""
        return len(self._labelling.questions)

    def run(self) -> None:
        """Ask until the person leaves. Every answer is on file before the next question.

        Raises:
            StoreError: An answer cannot be kept.
        """
        self._measure()
        while True:
            self._show()
            key = self._keyboard.key()
            if key == "resize":
                self._measure()
            elif key in _LEAVING:
                return
            elif self._at == self._end:
                self._at_end(key)
            else:
                self._press(key)

    def _measure(self) -> None:
        """Take the size of the window, and wrap the transcript to it."""
        columns, self._height = self._keyboard.size()
        # One column less: some terminals go on to the next line after the last one.
        width = min(max(columns - 1, NARROWEST), WIDEST)
        self._style = msgspec.structs.replace(self._style, width=width)
        self._wrap()

    def _wrap(self) -> None:
        if self._at == self._end:
            return
        asked = self._labelling.questions[self._at]
        self._lines = transcript_lines(asked.parts, asked.question.reference, self._style)
        self._scroll(0)

    def _go(self, at: int | None) -> None:
        """Go to a question; None: to the end."""
        self._at = self._end if at is None else at
        self._top, self._note, self._message = 0, None, ""
        self._wrap()

    def _show(self) -> None:
        if self._at == self._end:
            done, total = self._labelling.done, self._end
            self._keyboard.show(end_screen(done, total, self._style))
            return
        screen = label_screen(self._view(), self._lines, self._top, self._height, self._style)
        self._keyboard.show(screen)

    def _view(self, *, typing: bool = False) -> LabelView:
        asked = self._labelling.questions[self._at]
        label = self._labelling.label_of(self._at)
        said = None if label is None else "cannot tell" if label.label is None else label.label
        return LabelView(
            number=self._at + 1,
            total=self._end,
            done=self._labelling.done,
            case=asked.place.case,
            trial=asked.place.trial,
            question=asked.question.text,
            scale=asked.question.scale,
            said=None if said is None else str(said),
            note=self._noted(),
            typing=typing,
            message=self._message,
        )

    def _noted(self) -> str:
        if self._note is not None:
            return self._note
        label = self._labelling.label_of(self._at)
        return "" if label is None else label.note or ""

    def _at_end(self, key: str) -> None:
        if key == "b":
            self._go(self._end - 1)
        elif key == "enter":
            self._go(self._labelling.open_after(-1))

    def _press(self, key: str) -> None:
        self._message = ""
        scores = self._labelling.questions[self._at].question.scale == "score"
        answers = _SCORES if scores else _VERDICTS
        if key in answers:
            self._answer(answers[key])
        elif key == "u":
            self._answer(None)
        elif (deed := self._deeds().get(key)) is not None:
            deed()
        elif key:
            wanted = "1 to 5" if scores else "p or f"
            self._message = f"that key does nothing here; answer {wanted}, or ? for help"

    def _deeds(self) -> dict[str, Callable[[], None]]:
        page = max(body_height(self._view(), self._height, self._style) - 1, 1)
        everything = len(self._lines)
        deeds: dict[str, Callable[[], None]] = {
            "s": lambda: self._go(self._labelling.open_after(self._at)),
            "b": self._back,
            "n": self._write_note,
            "?": self._help,
        }
        moves = {
            **dict.fromkeys(("space", "page down"), page),
            **dict.fromkeys(("-", "page up"), -page),
            "down": 1,
            "j": 1,
            "up": -1,
            "k": -1,
            "g": -everything,
            "home": -everything,
            "G": everything,
            "end": everything,
        }
        return deeds | {key: lambda by=by: self._scroll(by) for key, by in moves.items()}

    def _answer(self, said: Said) -> None:
        self._labelling.keep(self._at, said, self._noted())
        self._go(self._labelling.open_after(self._at))

    def _back(self) -> None:
        if self._at:
            self._go(self._at - 1)
        else:
            self._message = "this is the first question"

    def _scroll(self, by: int) -> None:
        room = body_height(self._view(), self._height, self._style)
        self._top = min(max(self._top + by, 0), max(len(self._lines) - room, 0))

    def _help(self) -> None:
        self._keyboard.show(help_screen(self._height, self._style))
        self._keyboard.key()

    def _write_note(self) -> None:
        """Take a line of text; it is kept with the answer, at once where there is one already."""
        before, self._note = self._note, self._noted()
        while True:
            view = self._view(typing=True)
            self._keyboard.show(
                label_screen(view, self._lines, self._top, self._height, self._style)
            )
            key = self._keyboard.key()
            if key == "enter":
                break
            if key in {"escape", "interrupt", "end of input"}:
                self._note = before
                return
            self._note = _typed(self._note, key)
        label = self._labelling.label_of(self._at)
        if label is not None:
            self._labelling.keep(self._at, label.label, self._note)
            self._message = "the note is kept"


def _typed(text: str, key: str) -> str:
    """Give a text after one more key."""
    if key == "backspace":
        return text[:-1]
    key = " " if key == "space" else key
    is_text = len(key) == 1 and key.isprintable()
    return text + key if is_text and len(text) < _LONGEST_NOTE else text
