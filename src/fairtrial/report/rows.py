"""A case on one line: status, how many trials passed, steps, tokens, cost."""

from collections.abc import Iterator, Sequence

from fairtrial.records import Status
from fairtrial.report.figures import amount, money
from fairtrial.report.measure import cells, cut_middle, pad, seen
from fairtrial.report.prose import paragraph
from fairtrial.report.style import USUAL, Paint, Style
from fairtrial.report.view import CaseView, Figures

_STATUS = 8
_HEADS = ("passed", "steps", "tokens", "cost")
_WIDE, _TIGHT = (10, 8, 10, 11), (9, 6, 9, 10)
"""Cells of the columns under `_HEADS`; each is set to the right, after one space at least."""

_NARROW = 60
"""Below this width there is no table: each figure says what it is."""

_LONGEST_ID = 60

_WORDS: dict[Status, tuple[str, Paint]] = {
    "passed": ("passed", "green"),
    "failed": ("FAILED", "red"),
    "flaky": ("FLAKY", "yellow"),
    "error": ("ERROR", "red"),
}


def head_row(style: Style, currency: str) -> Iterator[str]:
    """Give the line above the rows; none where the lines are too narrow for a table."""
    if style.width >= _NARROW:
        money_head = f"cost {seen(currency, unicode=style.unicode)}"
        heads = (*_HEADS[:-1], money_head if cells(money_head) <= 8 else "cost")
        titles = _set_right(heads, _columns(style))
        yield style.paint(pad("status", _STATUS) + pad("case", _id_room(style)) + titles, "dim")


def row(view: CaseView, style: Style) -> Iterator[str]:
    """Give a case on one line, or on two where its name or a figure needs the room."""
    result = view.result
    word, colour = _WORDS[result.status]
    status = style.paint(word, colour) + " " * (_STATUS - len(word))
    figures = _figures(view.figures, style)
    name = seen(result.id, unicode=style.unicode)
    columns = _columns(style)
    fits = all(cells(text) < column for text, column in zip(figures, columns, strict=True))
    table = fits and style.width >= _NARROW
    room = _id_room(style)
    if table and cells(name) <= room:
        yield status + pad(name, room) + _set_right(figures, columns)
        return
    yield status + cut_middle(name, style.width - _STATUS, unicode=style.unicode)
    if table:
        yield " " * (_STATUS + room) + _set_right(figures, columns)
    else:
        said = zip(_HEADS, figures, strict=True)
        text = ", ".join(f"{what} {figure}" for what, figure in said)
        yield from paragraph(text, style, indent=(_STATUS, _STATUS))


def _set_right(texts: Sequence[str], columns: Sequence[int]) -> str:
    pairs = zip(texts, columns, strict=True)
    return "".join(pad(text, column, right=True) for text, column in pairs)


def _columns(style: Style) -> tuple[int, ...]:
    return _WIDE if style.width >= USUAL else _TIGHT


def _id_room(style: Style) -> int:
    return min(style.width - _STATUS - sum(_columns(style)), _LONGEST_ID)


def _figures(figures: Figures, style: Style) -> tuple[str, str, str, str]:
    tokens, tokens_whole = figures.mean_tokens()
    cost, cost_whole = figures.mean_cost()
    counted = _at_least(amount(tokens), style, whole=tokens_whole)
    return (
        f"{figures.passed} of {figures.measured}" if figures.measured else "none",
        _steps(figures),
        "~" + counted if figures.guessed and counted != "-" else counted,
        _at_least(money(cost), style, whole=cost_whole),
    )


def _steps(figures: Figures) -> str:
    low, high = figures.fewest, figures.most
    if low is None or high is None:
        return "-"
    text = amount(low) if low == high else f"{amount(low)}-{amount(high)}"
    return text if figures.steps_whole else text + "?"


def _at_least(text: str, style: Style, *, whole: bool) -> str:
    """Mark an amount that has unknown parts; a dash is said of what is not known at all."""
    return text if whole or text == "-" else ("≥" if style.unicode else ">=") + text
