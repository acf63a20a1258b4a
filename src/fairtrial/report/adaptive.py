"""Further trials of an adaptive run, for the terminal: which cases had them, and what they told."""

from collections.abc import Iterator

from fairtrial.records import Adaptive, AdaptiveCase, Worse
from fairtrial.report.figures import counted, money, percent, points
from fairtrial.report.measure import pad
from fairtrial.report.prose import LABEL, aside, entry, paragraph, short
from fairtrial.report.style import Paint, Style

_MOST_CASES = 20
_PAINT: dict[Worse, Paint] = {"likely": "red", "undecided": "yellow", "unlikely": "dim"}
_ORDER: tuple[Worse, ...] = ("likely", "undecided", "unlikely")


def adaptive_lines(
    adaptive: Adaptive, currency: str, style: Style, *, verbose: bool = False
) -> Iterator[str]:
    """Give what further trials were spent on and what they told, the likeliest losses first.

    >>> next(adaptive_lines(Adaptive(margin=0.1, ended="no case fell"), "USD", Style()))
    'more trials  none: no case fell'
    """
    if not adaptive.trials:
        yield from entry("more trials", f"none: {adaptive.ended or 'nothing is undecided'}", style)
    else:
        yield from entry("more trials", _spent(adaptive, currency, style), style)
    cases = sorted(adaptive.cases, key=lambda one: (_ORDER.index(one.worse), -one.p_worse))
    shown = cases if verbose else cases[:_MOST_CASES]
    for case in shown:
        yield from _case(case, style)
    if len(cases) > len(shown):
        more = counted(len(cases) - len(shown), "more case")
        yield from aside(f"and {more} (show with --verbose)", style, LABEL)
    if adaptive.trials:
        yield from entry("saved", _saved(adaptive), style)
        if adaptive.ended is not None:
            yield from entry("note", f"no more trials: {adaptive.ended}", style)


def _spent(adaptive: Adaptive, currency: str, style: Style) -> str:
    cost = ""
    if adaptive.cost is not None:
        cost = f" for {money(adaptive.cost)} {short(currency, style, 12)}"
    cases = counted(sum(one.more_planned > 0 for one in adaptive.cases), "case")
    return (
        f"{adaptive.trials:,} of {cases}{cost}, to tell which pass less often than in the baseline"
        f" by more than {points(adaptive.margin)}; no rate above counts them"
    )


def _case(case: AdaptiveCase, style: Style) -> Iterator[str]:
    before = f"{case.base_passed:,} of {case.base_measured:,}"
    now = f"{case.passed:,} of {case.measured:,}"
    text = (
        f"{short(case.id, style, 60)}: {before} in the baseline, {now}{_more(case)};"
        f" chance {percent(case.p_worse)}"
    )
    label = (f"{pad(case.worse, 9)}  ", _PAINT[case.worse])
    yield from paragraph(text, style, label=label, indent=(LABEL, LABEL + 4))


def _more(case: AdaptiveCase) -> str:
    if not case.more_planned:
        return ""
    missing = case.more_planned - case.more_measured
    unmeasured = f" ({missing:,} not measured)" if missing else ""
    return f", then {case.more_passed:,} of {case.more_measured:,}{unmeasured}"


def _saved(adaptive: Adaptive) -> str:
    saved = adaptive.everywhere - adaptive.trials
    if saved <= 0:
        return "nothing: all cases that are compared had as many"
    share = percent(saved / adaptive.everywhere)
    return (
        f"{counted(saved, 'trial')} ({share}): as many for every case would be"
        f" {adaptive.everywhere:,}"
    )
