"""The history of a suite for the terminal: its runs, and the trend of each case, newest last."""

from collections.abc import Iterator, Sequence

from fairtrial.records import History, PastRun
from fairtrial.report.figures import counted, interval, percent
from fairtrial.report.measure import pad
from fairtrial.report.prose import aside, paragraph, short
from fairtrial.report.style import Style

_MOST_RUNS = 60
"""Signs of a trend; older runs are counted."""
_MOST_CASES = 40
_LEVELS, _PLAIN_LEVELS = "▁▂▃▄▅▆▇█", "12345678"
_SIGNS, _PLAIN_SIGNS = ("·", "?"), (".", "?")

Counts = tuple[int, int] | None


def history_lines(history: History, style: Style, *, verbose: bool = False) -> Iterator[str]:
    """Give the runs, oldest first, and for each case how often it passed in each of them.

    Cases that always passed, or never, are counted; `verbose` shows them too. Of one case alone
    its runs are told a line each.

    >>> run = PastRun(id="r1", mode="live", pass_rate=0.5, cases={"a": (1, 2)})
    >>> list(history_lines(History(runs=(run,)), Style()))[-1]
    'r1           1 of 2    50 %'
    """
    runs = history.runs
    names = _names(runs)
    about = f"{counted(len(runs), 'run')}, newest last"
    if history.others:
        about += f"; {counted(history.others, 'run')} of another suite, variant or mode left out"
    yield from paragraph(about + ".", style, indent=(0, 0))
    for text in history.unread:
        yield from paragraph(text, style, label=("not read: ", "yellow"))
    yield ""
    if len(names) == 1:
        yield from _one_case(names[0], runs, style)
        return
    yield from _runs(runs, style)
    yield ""
    yield from _trends(names, runs, style, verbose=verbose)


def trend(counts: Sequence[Counts], style: Style) -> str:
    """Give a sign a run: low to high by how often the case passed, `·` not in it, `?` not measured.

    >>> trend([(3, 3), (1, 3), None, (0, 0)], Style())
    '█▃·?'
    >>> trend([(3, 3), (0, 3)], Style(unicode=False))
    '81'
    """
    levels = _LEVELS if style.unicode else _PLAIN_LEVELS
    absent, unmeasured = _SIGNS if style.unicode else _PLAIN_SIGNS
    return "".join(
        absent if pair is None else unmeasured if not pair[1] else _level(pair, levels)
        for pair in counts
    )


def _level(pair: tuple[int, int], levels: str) -> str:
    """Give a level; only none and all are the lowest and the highest."""
    passed, measured = pair
    top = len(levels) - 1
    if passed in {0, measured}:
        return levels[top if passed else 0]
    return levels[min(max(round(passed / measured * top), 1), top - 1)]


def _names(runs: Sequence[PastRun]) -> list[str]:
    """Give the cases: those of the newest run in its order, then what is gone from it."""
    newest = dict.fromkeys(runs[-1].cases) if runs else {}
    return [*(newest | dict.fromkeys(name for run in runs for name in run.cases))]


def _one_case(name: str, runs: Sequence[PastRun], style: Style) -> Iterator[str]:
    yield from paragraph(f"{short(name, style, 100)}  {_trend_of(name, runs, style)}", style)
    yield ""
    for run in runs:
        pair = run.cases.get(name)
        words = "not in it" if pair is None else "not measured"
        if pair is not None and pair[1]:
            words = f"{pad(f'{pair[0]} of {pair[1]}', 8)}  {percent(pair[0] / pair[1])}"
        gate = f"  gate: {run.decision}" if run.decision else ""
        yield f"{pad(short(run.id, style, 40), 11)}  {words}{gate}".rstrip(" ")


def _runs(runs: Sequence[PastRun], style: Style) -> Iterator[str]:
    for run in runs[-_MOST_RUNS:]:
        rate = f"{percent(run.pass_rate)} {interval(run.interval)}".rstrip(" ")
        part = "  part of the suite" if run.part else ""
        gate = f"  gate: {run.decision}" if run.decision else ""
        yield f"{pad(short(run.id, style, 40), 28)}{rate}{gate}{part}"
    if len(runs) > _MOST_RUNS:
        yield from aside(f"and {len(runs) - _MOST_RUNS:,} older runs", style)


def _trends(
    names: Sequence[str], runs: Sequence[PastRun], style: Style, *, verbose: bool
) -> Iterator[str]:
    moved = [name for name in names if verbose or _moved(name, runs)]
    if not moved:
        yield from aside(
            f"No case moved: {counted(len(names), 'case')} (show with --verbose)", style
        )
        return
    shown = moved if verbose else moved[:_MOST_CASES]
    room = min(max(len(short(name, style, 60)) for name in shown), max(style.width - 44, 20))
    for name in shown:
        named = pad(short(name, style, room), room)
        yield f"{named}  {_trend_of(name, runs, style)}  {_newest(name, runs)}"
    if len(moved) > len(shown):
        yield from aside(
            f"and {counted(len(moved) - len(shown), 'more case')} (show with --verbose)", style
        )
    if len(names) > len(moved):
        yield from aside(
            f"{counted(len(names) - len(moved), 'case')} did not move (show with --verbose)", style
        )


def _trend_of(name: str, runs: Sequence[PastRun], style: Style) -> str:
    return trend([run.cases.get(name) for run in runs[-_MOST_RUNS:]], style)


def _newest(name: str, runs: Sequence[PastRun]) -> str:
    pair = runs[-1].cases.get(name)
    if pair is None:
        return "not in the newest"
    return f"{pair[0]} of {pair[1]}" if pair[1] else "not measured"


def _moved(name: str, runs: Sequence[PastRun]) -> bool:
    rates = {passed / measured for passed, measured in _told(name, runs)}
    return len(rates) > 1


def _told(name: str, runs: Sequence[PastRun]) -> Iterator[tuple[int, int]]:
    for run in runs:
        pair = run.cases.get(name)
        if pair is not None and pair[1]:
            yield pair
