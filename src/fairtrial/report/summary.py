"""The foot of a scorecard: rates by check and by tag, the run's rates, what the run used."""

from collections.abc import Collection, Iterator, Sequence

from fairtrial.records import CheckCount, Scorecard, TagCount
from fairtrial.report.figures import amount, counted, interval, money, percent, points
from fairtrial.report.measure import cells, pad
from fairtrial.report.prose import LABEL, aside, entry, names, paragraph, short
from fairtrial.report.style import Style

_MOST_ROWS = 20
"""Rows of checks or tags, without `--verbose`; worst first, so the best are what is left out."""

_MOST_NAMES = 12

_WITHOUT_ASKING = ("finished", "tools.repeats", "text_tool_call")
"""What every case has without asking: where it could never be told, nobody waits for it."""


def rate_lines(
    scorecard: Scorecard, informing: Collection[str], style: Style, *, verbose: bool
) -> Iterator[str]:
    """Give the rate of every check and of every tag, worst first; those at 100 % share a line.

    `informing` holds the names, without brackets, of checks that decided in no case.
    """
    checks = [
        (name, _check_rate(count), _check_words(count) + " (informs)" * (name in informing))
        for name, count in scorecard.checks.items()
        if count.total or verbose or name not in _WITHOUT_ASKING
    ]
    yield from _table("checks", checks, style, verbose=verbose)
    tags = [(name, count.pass_rate, _tag_words(count)) for name, count in scorecard.tags.items()]
    yield from _table("tags", tags, style, verbose=verbose)


def _check_rate(count: CheckCount) -> float | None:
    return count.passed / count.total if count.total else None


def _check_words(count: CheckCount) -> str:
    return f"{count.passed:,} of {count.total:,}" if count.total else "could never be told"


def _tag_words(count: TagCount) -> str:
    return f"{count.passed:,} of {counted(count.total, 'trial')}" if count.total else "not measured"


def _table(
    title: str, rates: Sequence[tuple[str, float | None, str]], style: Style, *, verbose: bool
) -> Iterator[str]:
    if not rates:
        return
    yield ""
    yield style.paint(title, "bold")
    below = [rate for rate in rates if rate[1] != 1]
    below.sort(key=lambda rate: -1.0 if rate[1] is None else rate[1])
    most = len(below) if verbose else _MOST_ROWS
    shown = [(short(name, style, 100), rate, words) for name, rate, words in below[:most]]
    widest = max((cells(name) for name, _, _ in shown), default=0)
    room = min(max(widest, LABEL), style.width - 34)
    for name, rate, words in shown:
        figures = f"{pad(percent(rate), 7, right=True)}  {words}"
        if cells(name) <= room and 4 + room + len(figures) <= style.width:
            yield f"  {pad(name, room)}  {figures}"
        else:
            yield from paragraph(name, style, indent=(2, 4))
            yield from aside(figures.strip(" "), style, 4)
    if len(below) > most:
        text = f"and {len(below) - most:,} more below 100 % (show with --verbose)"
        yield from aside(text, style, 2)
    full = [name for name, rate, _ in rates if rate == 1]
    if full:
        listed = names(full, style, most=len(full) if verbose else _MOST_NAMES)
        yield from paragraph(listed, style, label=("100 %  ", None), indent=(2, 9))


def total_lines(
    scorecard: Scorecard, estimated: int, style: Style, *, verbose: bool, live: bool = False
) -> Iterator[str]:
    """Give the run's rates, each with its 95 % interval and its cases, then what the run used.

    Where trials were not measured the pass rate is told both ways; of a `live` run also the
    smallest drop that it could have seen.
    """
    yield ""
    yield from rate_line(scorecard, style)
    measured = scorecard.passed + scorecard.failed
    yield from _coverage(scorecard, style)
    if scorecard.k > 1:
        yield from _of_k(scorecard, style)
    if live and measured:
        yield from entry("sees drops", _visible(scorecard), style)
    if verbose:
        yield from _curve(scorecard, style)
    yield from _plans(scorecard, style)
    yield from _stops(scorecard, style)
    yield from entry("steps", _steps(scorecard), style)
    yield from entry("tokens", _tokens(scorecard, estimated), style)
    yield from entry("cost", _cost(scorecard, style), style)


def rate_line(scorecard: Scorecard, style: Style) -> Iterator[str]:
    """Give the run's pass rate with its 95 % interval."""
    measured = scorecard.passed + scorecard.failed
    cases = sum(scorecard.statuses.values()) - len(scorecard.not_measured)
    over = f"over {counted(cases, 'case')}, {counted(measured, 'measured trial')}"
    rate = _with_interval(scorecard.pass_rate, scorecard.interval)
    text = f"{rate}, {over} (95 % interval)" if measured else "- nothing was measured"
    yield from entry("pass rate", text, style)


def _with_interval(rate: float | None, bounds: tuple[float, float] | None) -> str:
    return f"{percent(rate)} {interval(bounds)}".rstrip(" ")


def _coverage(scorecard: Scorecard, style: Style) -> Iterator[str]:
    """Tell how much was measured, and the pass rate if all else had failed."""
    known = scorecard.coverage is not None and scorecard.strict_pass_rate is not None
    if known and scorecard.coverage != 1 and scorecard.passed + scorecard.failed:
        text = (
            f"{percent(scorecard.coverage)} of the planned trials; with the others counted as"
            f" failed the pass rate is {percent(scorecard.strict_pass_rate)}"
        )
        yield from entry("measured", text, style)


def _visible(scorecard: Scorecard) -> str:
    """Say which drops a live run could have seen, or why that is not known."""
    drop = scorecard.smallest_drop
    if drop is not None:
        return (
            f"of {points(drop)} and more, shared by all cases, beside an equal baseline"
            " (power 80 %, one-sided 5 %)"
        )
    cases = sum(scorecard.statuses.values()) - len(scorecard.not_measured)
    twice = scorecard.curve.get("2")
    if cases < 2:
        return "not known: one case does not tell how cases differ"
    if twice is None or not twice.cases:
        return (
            "not known: one trial a case does not tell how a case differs from itself;"
            " `fairtrial run --live -k 3` does"
        )
    if not scorecard.pass_rate:
        return "none: nothing passes, so nothing can get worse"
    return "not even a fall to 0 %: too few cases and trials"


def _of_k(scorecard: Scorecard, style: Style) -> Iterator[str]:
    k = scorecard.k
    point = scorecard.curve.get(str(k))
    cases = point.cases if point is not None else 0
    known = sum(scorecard.statuses.values())
    part = counted(cases, "case") if cases >= known else f"{cases:,} of {counted(known, 'case')}"
    rates = (
        (
            f"pass@{k}",
            scorecard.pass_at_k,
            scorecard.pass_at_k_interval,
            f"at least 1 of {k} passes",
        ),
        (f"pass^{k}", scorecard.pass_hat_k, scorecard.pass_hat_k_interval, f"all {k} trials pass"),
    )
    for label, rate, bounds, meaning in rates:
        if rate is None:
            yield from entry(label, f"- no case has {counted(k, 'measured trial')}", style)
        else:
            over = f"over {part}: {meaning}"
            yield from entry(label, f"{_with_interval(rate, bounds)}, {over}", style)


def _curve(scorecard: Scorecard, style: Style) -> Iterator[str]:
    for k, point in scorecard.curve.items():
        text = (
            f"pass@k {percent(point.pass_at)}, pass^k {percent(point.pass_hat)},"
            f" over {counted(point.cases, 'case')}"
        )
        yield from entry(f"k = {short(k, style, 8)}", text, style)


def _plans(scorecard: Scorecard, style: Style) -> Iterator[str]:
    if scorecard.mean_plan_score is not None:
        text = (
            f"score {percent(scorecard.mean_plan_score)},"
            f" precision {percent(scorecard.mean_precision)},"
            f" recall {percent(scorecard.mean_recall)}"
        )
        yield from entry("plans", text, style)


def _stops(scorecard: Scorecard, style: Style) -> Iterator[str]:
    if any(stop != "answer" for stop in scorecard.stops):
        parts = (f"{stop} {count:,}" for stop, count in scorecard.stops.items())
        yield from entry("stopped by", ", ".join(parts), style)


def _steps(scorecard: Scorecard) -> str:
    text = f"{amount(scorecard.mean_steps)} a trial"
    if scorecard.mean_steps is None:
        text = "-"
    errors = f", {counted(scorecard.tool_errors, 'tool error')}" if scorecard.tool_errors else ""
    return text + errors + _unknown(scorecard, "steps")


def _tokens(scorecard: Scorecard, estimated: int) -> str:
    about = f"; estimated in {counted(estimated, 'trial')}" if estimated else ""
    unknown = scorecard.unknown.get("tokens", 0)
    if scorecard.total_tokens is None or (unknown and not scorecard.total_tokens):
        return "-" + _unknown(scorecard, "tokens")
    text = amount(scorecard.total_tokens)
    return (
        _total(text, amount(scorecard.mean_tokens), unknown) + _unknown(scorecard, "tokens") + about
    )


def _cost(scorecard: Scorecard, style: Style) -> str:
    unknown = scorecard.unknown.get("cost", 0)
    if scorecard.total_cost is None or (unknown and not scorecard.total_cost):
        return "-" + _unknown(scorecard, "cost")
    currency = short(scorecard.currency, style, 12)
    text = f"{money(scorecard.total_cost)} {currency}"
    return _total(text, money(scorecard.mean_cost), unknown) + _unknown(scorecard, "cost")


def _total(total: str, mean: str, unknown: int) -> str:
    if unknown:
        return f"at least {total} in all"
    return f"{total} in all" + (f", {mean} a trial" if mean != "-" else "")


def _unknown(scorecard: Scorecard, what: str) -> str:
    unknown = scorecard.unknown.get(what, 0)
    if not unknown:
        return ""
    if unknown >= scorecard.trials:
        return f"; unknown in every trial ({unknown:,})"
    return f"; unknown in {unknown:,} of {counted(scorecard.trials, 'trial')}"
