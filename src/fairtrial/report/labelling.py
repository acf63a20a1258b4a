"""One question for a person on a screen: what is asked, the transcript, the keys."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from fairtrial.records import Scale, TranscriptPart
from fairtrial.report.figures import counted
from fairtrial.report.measure import cells, cut_end, pad, seen, wrap
from fairtrial.report.prose import short
from fairtrial.report.style import Style

_EVERYTHING = 1_000_000
_MOST_OF_QUESTION, _FEW_OF_QUESTION = 4, 2
_LOW = 16  # lines of a screen, below which a question has few of them
_LEAST_BODY = 3

_ANSWERS: dict[Scale, str] = {"verdict": "p pass  f fail", "score": "1 (worst) to 5 (best)"}
_KEYS = "u cannot tell  s skip  n note  b back  ? help  q quit"

HELP = (
    "p           pass: it is true of the agent's work",
    "f           fail: it is not true, or the transcript does not show it",
    "1 to 5      a score, where one is asked for: 1 is worst, 5 is best",
    "u           cannot tell: kept, and in no figure",
    "s           skip: asked again next time",
    "n           write a note, kept with the answer",
    "b           back to the question before; a new answer takes the place of the old one",
    "space       a screen down; also Page Down",
    "-           a screen up; also Page Up",
    "arrows      a line up or down; also k and j",
    "g and G     to the first and the last line",
    "q           quit; each answer is on file as soon as it is given",
)


class LabelView(Struct, frozen=True, kw_only=True):
    """What the screen shows besides the transcript."""

    number: int
    """1 and up."""
    total: int
    done: int
    case: str
    trial: int
    question: str
    scale: Scale = "verdict"
    said: str | None = None
    """What the person said before."""
    note: str = ""
    typing: bool = False
    """The note is being written."""
    message: str = ""
    """What the last key came to."""


def transcript_lines(
    parts: Sequence[TranscriptPart], reference: str | None, style: Style
) -> list[str]:
    r"""Give a transcript as lines of a screen.

    Headings stand at the edge and nothing else does, so that no text of an agent looks like one;
    what cannot be seen is written as its escape.

    >>> parts = [TranscriptPart(heading="request", entries=("user: Hi\x1b[2J",))]
    >>> transcript_lines(parts, None, Style())
    ['request', '  user: Hi\\x1b[2J', '']
    """
    lines: list[str] = []
    for at, part in enumerate(parts):
        hang = 2 if at == len(parts) - 1 else 4  # the last one is the answer alone
        lines.append(style.paint(part.heading, "bold"))
        for entry in part.entries:
            lines += _wrapped(entry, hang, style)
        lines.append("")
    if reference is not None:
        lines.append(style.paint("a good answer; others may be as good", "bold"))
        lines += [*_wrapped(reference, 2, style), ""]
    return lines


def _wrapped(text: str, hang: int, style: Style) -> Iterator[str]:
    """Wrap a text: its first line indented by 2, all further ones by `hang`."""
    for number, line in enumerate(text.split("\n")):
        indent = hang if number else 2
        shown = seen(line, unicode=style.unicode, most=_EVERYTHING)
        pieces = wrap(
            shown,
            style.width - indent,
            style.width - hang,
            most=_EVERYTHING,
            unicode=style.unicode,
        )
        yield (" " * indent + pieces[0]).rstrip(" ")
        yield from (" " * hang + piece for piece in pieces[1:])


def body_height(view: LabelView, height: int, style: Style) -> int:
    """Give how many lines of the transcript fit on a screen.

    >>> view = LabelView(number=1, total=2, done=0, case="c", trial=0, question="Is polite")
    >>> body_height(view, 24, Style())
    18
    """
    return max(height - len(_head(view, height, style)) - len(_foot(view, "", style)), _LEAST_BODY)


def label_screen(
    view: LabelView, lines: Sequence[str], top: int, height: int, style: Style
) -> list[str]:
    """Give the lines of a screen.

    Args:
        view: What is asked.
        lines: Of the transcript.
        top: The first of them that is shown.
        height: Lines of the screen.
        style: Of the terminal.

    >>> view = LabelView(number=1, total=2, done=0, case="c", trial=0, question="Is polite")
    >>> for line in label_screen(view, ["request", "  user: Hi"], 0, 10, Style()):
    ...     print(line)
    1 of 2, 0 answered                                              case c, trial 0
    Is polite
    --------------------------------------------------------------------------------
    request
      user: Hi
    <BLANKLINE>
    <BLANKLINE>
    --------------------------------------------------------------------------------
    all of the transcript
    p pass  f fail  u cannot tell  s skip  n note  b back  ? help  q quit
    """
    room = body_height(view, height, style)
    shown = [*lines[top : top + room]]
    shown += [""] * (room - len(shown))
    screen = [
        *_head(view, height, style),
        *shown,
        *_foot(view, _where(top, room, len(lines)), style),
    ]
    return screen[:height]


def _head(view: LabelView, height: int, style: Style) -> list[str]:
    left = f"{view.number:,} of {view.total:,}, {view.done:,} answered"
    place = f", trial {view.trial}"
    room = style.width - cells(left) - cells(place) - len("case ") - 3
    right = f"case {short(view.case, style, max(room, 8))}{place}"
    first = left + pad(right, style.width - cells(left) - 1, right=True)
    most = _MOST_OF_QUESTION if height >= _LOW else _FEW_OF_QUESTION
    asked = wrap(
        seen(view.question, unicode=style.unicode),
        style.width,
        style.width,
        most=most,
        unicode=style.unicode,
    )
    return [
        cut_end(first, style.width, unicode=style.unicode),
        *(style.paint(line, "bold") for line in asked),
        "-" * style.width,
    ]


def _foot(view: LabelView, where: str, style: Style) -> list[str]:
    if view.typing:
        asked = "note (Enter keeps it, Escape drops it): "
        note = seen(view.note, unicode=style.unicode)[-style.width :]
        while note and cells(asked) + cells(note) + 1 > style.width:
            note = note[1:]
        return ["-" * style.width, where, cut_end(f"{asked}{note}_", style.width)]
    told = [where, view.message]
    told += [f"you said {view.said}"] if view.said is not None else []
    told += [f"note: {short(view.note, style)}"] if view.note else []
    status = "; ".join(part for part in told if part)
    keys = f"{_ANSWERS[view.scale]}  {_KEYS}"
    return [
        "-" * style.width,
        cut_end(status, style.width, unicode=style.unicode),
        cut_end(keys, style.width, unicode=style.unicode),
    ]


def _where(top: int, room: int, total: int) -> str:
    if total <= room:
        return "all of the transcript"
    last = min(top + room, total)
    more = "; space: more" if last < total else "; the end"
    return f"lines {top + 1:,} to {last:,} of {total:,}{more}"


def help_screen(height: int, style: Style) -> list[str]:
    """Give the keys, one a line.

    >>> help_screen(3, Style())[-1]
    'any key goes back'
    """
    lines = [cut_end(line, style.width, unicode=style.unicode) for line in HELP]
    return [*lines[: max(height - 2, 0)], "", "any key goes back"][-height:]


def end_screen(done: int, total: int, style: Style) -> list[str]:
    """Say that no question is left, or which ones are.

    >>> end_screen(3, 3, Style())[0]
    'All 3 questions are answered.'
    """
    if done == total:
        first = f"All {counted(total, 'question')} are answered."
        return [style.paint(first, "bold"), "", "b goes back, q quits"]
    left = f"That was the last question; {total - done:,} of {total:,} are without an answer."
    return [style.paint(left, "bold"), "", "Enter shows them, b goes back, q quits"]
