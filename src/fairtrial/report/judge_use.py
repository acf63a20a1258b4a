"""The judge of a run, for the terminal: who it was, what it took, and what it said item by item."""

from collections.abc import Iterator

from fairtrial.records import Correction, JudgedItem, JudgeUse
from fairtrial.report.figures import amount, counted, interval, money, percent
from fairtrial.report.prose import LABEL, aside, entry, paragraph, short
from fairtrial.report.style import Style

_MOST_ITEMS = 12
_BY: dict[Correction, str] = {
    "ppi++": "from labels drawn at random",
    "ppi": "from labels drawn at random",
    "rogan-gladen": "by its measured errors",
}


def judge_lines(
    use: JudgeUse, currency: str, style: Style, *, verbose: bool = False
) -> Iterator[str]:
    """Give what the judge said and took; its money and time are in no other figure.

    >>> next(judge_lines(JudgeUse(judge="small", fingerprint="f", asks="replay"), "USD", Style()))
    'judge        small, replayed from file: 0 verdicts'
    """
    yield from entry("judge", _what(use, currency, style), style)
    if use.commonest_fault is not None and use.asks != "dry":
        why = "why" if len(use.faults) == 1 else "why most"
        text = f"{why}: {short(use.commonest_fault, style, 300)}"
        yield from paragraph(text, style, indent=(LABEL, LABEL + 4), most=4)
    if use.asks == "dry":
        yield from entry("would ask", _wanted(use, currency, style), style)
    # What decides is read first, then what is judged alone.
    items = sorted(use.items, key=lambda item: not item.decides)
    shown = items if verbose else items[:_MOST_ITEMS]
    for item in shown:
        yield from paragraph(_item(item, style), style, indent=(LABEL, LABEL + 4), most=4)
    if len(items) > len(shown):
        more = counted(len(items) - len(shown), "more item")
        yield from aside(f"and {more} (show with --verbose)", style, LABEL)
    silent = sorted({item.why_not for item in use.items if item.why_not is not None})
    for reason in silent if verbose else silent[:_MOST_ITEMS]:
        of = [item.item for item in use.items if item.why_not == reason]
        which = "all items" if len(of) == len(use.items) else counted(len(of), "item")
        yield from paragraph(
            f"{which} only inform{'s' if which.startswith('1 ') else ''}: {reason}",
            style,
            indent=(LABEL, LABEL + 4),
            most=4,
        )


def _what(use: JudgeUse, currency: str, style: Style) -> str:
    spoke = {"live": "live", "replay": "replayed from file", "dry": "not asked"}
    parts = [counted(use.verdicts, "verdict")]
    if use.asks == "live":
        parts[0] += f", {use.replayed:,} of them from replies on file" if use.replayed else ""
        parts.append(_took(use, currency, style))
    lost = ", ".join(f"{count:,} {fault}" for fault, count in use.faults.items())
    if lost:
        parts.append(f"no verdict: {lost}")
    name = short(use.judge, style, 60)
    return f"{name}, {spoke.get(use.asks, use.asks)}: {'; '.join(part for part in parts if part)}"


def _took(use: JudgeUse, currency: str, style: Style) -> str:
    if not use.calls:
        return "no call was answered" if "no reply" in use.faults else "nothing was asked"
    tokens = "tokens unknown" if use.tokens is None else f"{amount(use.tokens)} tokens"
    cost = "cost unknown"
    if use.cost is not None:
        cost = f"{money(use.cost)} {short(currency, style, 12)}"
    return f"{counted(use.calls, 'call')}, {tokens}, {cost}"


def _wanted(use: JudgeUse, currency: str, style: Style) -> str:
    cost = "the price is not known"
    if use.wanted_cost is not None:
        cost = f"about {money(use.wanted_cost)} {short(currency, style, 12)}"
    calls = counted(use.wanted_calls or 0, "call")
    if not use.wanted_calls:
        return f"{calls}: all replies are on file"
    return f"{calls}, about {amount(use.wanted_tokens)} tokens, {cost} (`--judge live` asks them)"


def _item(item: JudgedItem, style: Style) -> str:
    name = short(item.item, style, 60)
    if item.rate is None and item.mean_score is None:
        return f"{name}: not judged"
    if item.rate is None:
        text = f"{name}: mean score {amount(item.mean_score)}, {counted(item.judged, 'trial')}"
    else:
        bounds = interval(item.rate_interval)
        text = f"{name}: {percent(item.rate)} {bounds}, {counted(item.judged, 'trial')}"
    if item.unjudged:
        text += f", {item.unjudged:,} without a verdict"
    if item.corrected is not None and item.correction is not None:
        bounds = interval(item.corrected_interval)
        text += f"; people would say {percent(item.corrected)} {bounds}, {_BY[item.correction]}"
    return text + ("; decides" if item.decides else "")
