"""A case on one line: status, how many trials passed, steps, tokens, cost."""

from collections.abc import Iterator, Sequence

from fairtrial.records import CaseResult, Status, Trial
from fairtrial.report.figures import amount, money
from fairtrial.report.measure import cells, cut_middle, pad, seen
from fairtrial.report.prose import paragraph
from fairtrial.report.style import USUAL, Paint, Style

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


def row(result: CaseResult, style: Style) -> Iterator[str]:
    """Give a case on one line, or on two where its name or a figure needs the room."""
    word, colour = _WORDS[result.status]
    status = style.paint(word, colour) + " " * (_STATUS - len(word))
    figures = _figures(result, style)
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


def _figures(result: CaseResult, style: Style) -> tuple[str, str, str, str]:
    measured = [trial for trial in result.trials if trial.verdict != "error"]
    passed = sum(trial.verdict == "passed" for trial in measured)
    return (
        f"{passed} of {len(measured)}" if measured else "none",
        _steps(measured),
        _tokens(measured, style),
        _cost(measured, style),
    )


def _steps(trials: Sequence[Trial]) -> str:
    known = [trial.steps for trial in trials if trial.steps is not None]
    if not known:
        return "-"
    low, high = min(known), max(known)
    text = amount(low) if low == high else f"{amount(low)}-{amount(high)}"
    return text + ("?" if len(known) < len(trials) else "")


def _tokens(trials: Sequence[Trial], style: Style) -> str:
    complete = all(trial.tokens is not None for trial in trials)
    parts = [trial.known_tokens if trial.tokens is None else trial.tokens for trial in trials]
    text = _mean(parts, complete=complete, style=style)
    return "~" + text if text != "-" and any(trial.estimated for trial in trials) else text


def _cost(trials: Sequence[Trial], style: Style) -> str:
    complete = all(trial.cost is not None for trial in trials)
    parts = [trial.known_cost if trial.cost is None else trial.cost for trial in trials]
    return _mean(parts, complete=complete, style=style, as_money=True)


def _mean(parts: Sequence[float], *, complete: bool, style: Style, as_money: bool = False) -> str:
    """Give the mean a trial: with unknown parts what it is at least, a dash if none is known."""
    if not parts or (not complete and not any(parts)):
        return "-"
    try:
        mean = sum(parts) / len(parts)
    except OverflowError:  # whole numbers beyond every float
        return "-"
    text = money(mean) if as_money else amount(mean)
    return text if complete else ("≥" if style.unicode else ">=") + text
