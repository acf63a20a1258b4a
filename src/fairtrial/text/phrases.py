"""Phrases in the one form in which they are compared, and text cut to a line."""

import re
import unicodedata

_ZERO_WIDTH = [0xAD, 0x34F, 0x61C, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F)]
_ZERO_WIDTH += [*range(0x2060, 0x2070), *range(0xFE00, 0xFE10), 0xFEFF]
_FOLDED = (
    dict.fromkeys(map(chr, _ZERO_WIDTH), "")
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u2035\u02bb\u02bc\u02bd", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u2036\u301d\u301e\uff02", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u2796\u058a\u05be", "-")
    | dict.fromkeys("\u2e3a\u2e3b\ufe58\ufe63\uff0d", "-")
    # The last three are not folded yet when NFC or case folding has made them what they are.
    | {"\u00b4": "'", "\uff07": "'", "\u1ffd": "'", "\u1fef": "`", "\u0149": "'n"}
)
_FOLDING = re.compile(f"[{''.join(_FOLDED)}]")
_MARKS = re.compile(r"[*_`~]+")


_LABEL = 60  # characters of a phrase in a check's name


def normalise(text: str) -> str:
    r"""Give the text in the one form in which phrases are compared.

    That is NFC (not NFKC) with quotes, dashes and spaces folded to ASCII, zero-width characters
    and Markdown's emphasis marks dropped, runs of white space made one space, ends trimmed, and
    case folded. Accents count; `a_b`, `2*3` and `~5` keep their marks. Twice changes nothing.

    >>> normalise("I **can\u2019t**  delete\u00a0it")
    "i can't delete it"
    """
    if text.isascii():
        text = text.lower()
    else:
        text = _FOLDING.sub(lambda match: _FOLDED[match[0]], text)
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    if "*" in text or "_" in text or "`" in text or "~~" in text:
        text = _MARKS.sub(_kept_marks, text)
    if text.isascii():
        # White space that is no plain blank between words is seen sooner than words are split.
        spaced = "  " in text or not text.isprintable() or text[:1] == " " or text[-1:] == " "
        return " ".join(text.split()) if spaced else text
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _kept_marks(run: re.Match[str]) -> str:
    """Give what stays of a run of marks; only its two neighbours, which are no marks, decide."""
    text, start, end = run.string, run.start(), run.end()
    left, right = text[start - 1] if start else " ", text[end] if end < len(text) else " "
    marks = run[0].replace("`", "")
    if marks.count("~") > 1:
        marks = marks.replace("~", "")
    if left.isspace() and right.isspace():
        return marks
    inside = left.isalnum() and right.isalnum()
    if not inside:
        marks = marks.replace("_", "")
    # Between figures and Latin letters a star may mean times; between Chinese words it cannot.
    if not (inside and (left + right).isascii() and ("**" not in marks or right.isdecimal())):
        marks = marks.replace("*", "")
    return marks


def cut(text: str, length: int = 60) -> str:
    r"""Give the text as one line of at most `length` characters, for names and reasons.

    Line ends, control characters, lone surrogates and invisible marks become escapes such as
    `\n`; what is cut off is shown by an ellipsis, which counts.

    Raises:
        ValueError: `length` is below 1.

    >>> cut("one\ntwo"), cut("abcdef", 4)
    ('one\\ntwo', 'abc…')
    """
    if length < 1:
        raise ValueError(f"length must be at least 1, got {length!r}")
    if text[: length + 1].isprintable():
        return text if len(text) <= length else text[: length - 1] + "…"
    shown = [_visible(char) for char in text[: length + 1]]
    room = length - sum(map(len, shown))
    if room >= 0:
        return "".join(shown)
    while room < 1:
        room += len(shown.pop())
    return "".join(shown) + "…"


def visible(text: str) -> str:
    r"""Give the text with control characters and invisible marks as escapes; its lines stay lines.

    >>> visible("one\n\u202etwo")
    'one\n\\u202etwo'
    """
    if text.isprintable():
        return text
    return "".join(char if char == "\n" else _visible(char) for char in text)


def label(text: str) -> str:
    r"""Give the first 60 characters of a text as one line: what stands in a check's name.

    Unlike `cut` it puts nothing in the place of what is left out.

    >>> label("one\ntwo"), len(label("x" * 80))
    ('one\\ntwo', 60)
    """
    return cut(text[:_LABEL], 12 * _LABEL)  # 12: what the longest escape takes, and more


def _visible(char: str) -> str:
    joins = char in "\u200c\u200d"  # these shape letters and pictures
    if char.isprintable() or joins or unicodedata.category(char) in ("Zs", "Cn", "Co"):
        return char
    return repr(char)[1:-1]
