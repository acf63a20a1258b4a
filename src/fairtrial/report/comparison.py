"""Runs that a judge compared, for the terminal: who won, how sure that is, what sways the judge."""

from collections.abc import Iterator

from fairtrial.records import (
    JudgeComparison,
    JudgedPair,
    JudgeUse,
    LeftOut,
    LengthEffect,
    PlaceBias,
    RunPair,
)
from fairtrial.report.figures import counted, interval, percent
from fairtrial.report.judge_use import judge_lines
from fairtrial.report.prose import LABEL, aside, entry, paragraph, short
from fairtrial.report.style import Style

_MOST_SHOWN = 10
_UNLIKELY = 0.05


def comparison_lines(
    comparison: JudgeComparison, currency: str, style: Style, *, verbose: bool = False
) -> Iterator[str]:
    """Give a comparison line by line: each pair of runs, strengths, what was left out, the judge.

    >>> use = JudgeUse(judge="small", fingerprint="f", asks="replay")
    >>> nothing = JudgeComparison(
    ...     runs=(), question="Which?", pairs=(), place=None, strengths=(), no_strengths=None,
    ...     left_out=(), use=use,
    ... )
    >>> next(comparison_lines(nothing, "USD", Style()))
    '0 runs compared by judge small, each pair of answers in both orders.'
    """
    runs = counted(len(comparison.runs), "run")
    judge = short(comparison.use.judge, style, 60)
    yield from paragraph(
        f"{runs} compared by judge {judge}, each pair of answers in both orders.", style
    )
    if comparison.use.asks != "dry":
        yield from _found(comparison, style, verbose=verbose)
    yield from _left_out(comparison.left_out, style, verbose=verbose)
    yield ""
    yield from judge_lines(comparison.use, currency, style)
    yield from not_on_file(comparison.use, style)


def _found(comparison: JudgeComparison, style: Style, *, verbose: bool) -> Iterator[str]:
    for pair in comparison.pairs:
        yield ""
        yield from _pair(pair, style, verbose=verbose)
    if len(comparison.pairs) > 1:
        yield ""
        yield from _place(comparison.place, style)
        yield from _strengths(comparison, style)


def not_on_file(use: JudgeUse, style: Style) -> Iterator[str]:
    """Say what is missing where only replies on file speak.

    >>> use = JudgeUse(judge="small", fingerprint="f", asks="replay", wanted_calls=2)
    >>> list(not_on_file(use, Style(width=100)))
    ['not on file   2 replies; `--judge live` asks for them, `--judge dry` says the price']
    """
    if use.asks == "replay" and use.wanted_calls:
        replies = counted(use.wanted_calls, "reply", "replies")
        text = f"{replies}; `--judge live` asks for them, `--judge dry` says the price"
        yield from paragraph(text, style, label=("not on file   ", None), indent=(0, LABEL))


def _pair(pair: RunPair, style: Style, *, verbose: bool) -> Iterator[str]:
    a, b = short(pair.a, style, 40), short(pair.b, style, 40)
    yield style.paint(f"{a} against {b}", "bold")
    size = counted(len(pair.pairs), "pair")
    unjudged = f", {pair.unjudged:,} without a verdict" if pair.unjudged else ""
    same = f", {pair.identical:,} identical" if pair.identical else ""
    yield from entry("answers", f"{size}{same}{unjudged}", style)
    if not pair.judged:
        why = next((one.reason for one in pair.pairs if one.reason), "no answer has a counterpart")
        yield from entry("not measured", short(why, style, 200), style)
        return
    for count, rate, bounds, name in (
        (pair.wins_a, pair.rate_a, pair.interval_a, a),
        (pair.wins_b, pair.rate_b, pair.interval_b, b),
    ):
        yield from entry("won", f"{name}: {count:,}, {percent(rate)} {interval(bounds)}", style)
    ties = f"{pair.ties:,}, {percent(pair.rate_ties)} {interval(pair.interval_ties)}"
    yield from entry("tied", f"{ties}, {counted(pair.flips, 'flip')} among them", style)
    yield from _place(pair.place, style)
    yield from _length(pair.length, style)
    yield from _answers(pair, style, verbose=verbose)


def _place(place: PlaceBias | None, style: Style) -> Iterator[str]:
    if place is None:
        return
    text = (
        f"{percent(place.rate)} {interval(place.interval)} of {counted(place.pairs, 'pair')} "
        "changed with the order"
    )
    if place.first or place.second:
        text += (
            f"; the first place won both times in {place.first:,}, the second in {place.second:,}"
        )
        text += f" (p {place.p:.2g})"
    yield from entry("order", text, style)
    if place.p < _UNLIKELY:
        which = "first" if place.first > place.second else "second"
        yield from aside(f"this judge favours the {which} place", style, LABEL)


def _length(length: LengthEffect | None, style: Style) -> Iterator[str]:
    if length is None:
        return
    text = f"winners are {length.ratio:.2f} times as long as losers"
    text += f"; the longer answer won {length.longer_won:,} of {length.differ:,}"
    if length.logit is not None and length.logit_error is not None and length.logit_p is not None:
        text += (
            f"; logit {length.logit:.2f} (error {length.logit_error:.2f}, p {length.logit_p:.2g})"
            " with what the checks say held fixed"
        )
    yield from entry("length", text, style)
    if length.logit_why is not None:
        yield from aside(f"logit {length.logit_why}", style, LABEL)


def _answers(pair: RunPair, style: Style, *, verbose: bool) -> Iterator[str]:
    told = [one for one in pair.pairs if one.flip or one.winner is None]
    shown = [*pair.pairs] if verbose else told[:_MOST_SHOWN]
    for one in shown:
        yield from paragraph(_answer(one, pair, style), style, indent=(2, 6))
    if not verbose and len(told) > len(shown):
        more = f"and {len(told) - len(shown):,} more flips or answers without a verdict"
        yield from aside(f"{more} (show with --verbose)", style, 2)


def _answer(one: JudgedPair, pair: RunPair, style: Style) -> str:
    where = f"{short(one.case, style, 60)} trial {one.trial}"
    why = f": {short(one.reason, style, 200)}" if one.reason else ""
    if one.winner is None:
        return f"{where}: not judged{why}"
    if one.identical:
        return f"{where}: identical"
    if one.flip:
        return f"{where}: flip, {one.a_first} and with the places changed {one.b_first}{why}"
    winner = {"a": f"{short(pair.a, style, 40)} won", "b": f"{short(pair.b, style, 40)} won"}
    return f"{where}: {winner.get(one.winner, 'tie')}{why}"


def _strengths(comparison: JudgeComparison, style: Style) -> Iterator[str]:
    if comparison.no_strengths is not None:
        yield from entry("strengths", f"none: {comparison.no_strengths}", style)
        return
    yield from entry("strengths", "log odds, their mean 0 (Bradley-Terry, ties as Davidson)", style)
    for one in comparison.strengths:
        bounds = "no bounds: too many draws of the cases have no finite strengths"
        if one.interval is not None:
            bounds = f"[{one.interval[0]:+.2f}, {one.interval[1]:+.2f}]"
        text = f"{one.log_strength:+.2f} {bounds}: {short(one.run, style, 40)}"
        yield from paragraph(text, style, indent=(LABEL, LABEL + 4))


def _left_out(left_out: tuple[LeftOut, ...], style: Style, *, verbose: bool) -> Iterator[str]:
    if not left_out:
        return
    yield ""
    yield style.paint(f"left out: {len(left_out):,}", "bold")
    shown = left_out if verbose else left_out[:_MOST_SHOWN]
    for one in shown:
        trial = "" if one.trial is None else f" trial {one.trial}"
        where = f"{short(one.run, style, 40)}, {short(one.case, style, 60)}{trial}"
        yield from paragraph(f"{where}: {short(one.reason, style, 200)}", style, indent=(2, 6))
    if len(left_out) > len(shown):
        more = f"and {len(left_out) - len(shown):,} more (show with --verbose)"
        yield from aside(more, style, 2)
