"""The tables of a scorecard in Markdown: rates by tag, what it takes, further trials."""

from collections.abc import Iterator

from fairtrial.records import (
    AdaptiveCase,
    JudgedItem,
    Measure,
    NumberDifference,
    Overview,
    RateOverview,
)
from fairtrial.report.figures import amount, counted, interval, money, percent, points, signed
from fairtrial.report.markup import code, prose, table

_MOST_TAGS = 15
_MOST_FURTHER = 10
_MOST_ITEMS = 10

_NUMBERS: dict[Measure, str] = {
    "steps": "steps a trial",
    "tokens": "tokens a trial",
    "cost": "cost a trial",
}


def fallen_tags(overview: Overview) -> tuple[str, ...]:
    """Give the tags that the gate fails for and whose drop the table shows, in its order."""
    reasons = () if overview.gated is None else overview.gated.decision.reasons
    failing = {one.tag for one in reasons if one.rule == "rate" and one.kind == "fail"}
    shown = overview.rates[1 : 1 + _MOST_TAGS]
    return tuple(one.tag for one in shown if one.tag in failing and one.tag and one.change)


def table_blocks(overview: Overview) -> Iterator[str]:
    """Give the rates with their changes, what the run takes, the judge, and further trials."""
    yield from _rates(overview)
    yield from _amounts(overview)
    yield from _judged(overview)
    yield from _further(overview)


def _rates(overview: Overview) -> Iterator[str]:
    whole, *tags = overview.rates
    if not whole.cases:
        return
    compared = any(one.shared for one in overview.rates)
    shown = [whole, *tags[:_MOST_TAGS]]
    head = ["Pass rate", "cases", "now [95 %]"]
    if compared:
        head += ["baseline", "change" + " [95 %]" * any(one.change_interval for one in shown)]
    fallen = fallen_tags(overview)
    marked = [(one, one.tag is not None and one.tag in fallen) for one in shown]
    text = table(head, (_rate(one, compared=compared, fails=fails) for one, fails in marked))
    left = tags[_MOST_TAGS:]
    if left:
        fell = sum((one.change or 0) < 0 for one in left)
        worse = f", {fell:,} of them lower than in the baseline" if fell else ""
        text += f"\n\nand {counted(len(left), 'more tag')}{worse}"
    yield text


def _rate(one: RateOverview, *, compared: bool, fails: bool) -> list[str]:
    name = "all cases" if one.tag is None else code(one.tag, table=True)
    now = f"{percent(one.rate)} {interval(one.interval)}".rstrip(" ")
    cells = [name, f"{one.cases:,}", now]
    if compared:
        cells += [_before(one), _change(one) + " ❌" * fails]
    return cells


def _before(one: RateOverview) -> str:
    """Give the baseline's rate, and over how many cases where not all are compared."""
    part = f" ({one.shared:,} shared)" if one.shared and one.shared != one.cases else ""
    return percent(one.before) + part


def _change(one: RateOverview) -> str:
    if one.change is None:
        return "-"
    text = signed(one.change, points(one.change)) if one.change else "0"
    if one.change_interval is not None:
        low, high = one.change_interval
        text += f" [{100 * low:+.1f}, {100 * high:+.1f}]"
    return f"**{text}**" if one.change < 0 else text


def _amounts(overview: Overview) -> Iterator[str]:
    known = () if overview.difference is None else overview.difference.numbers
    compared = {one.name: one for one in known if one.cases}
    rows = []
    for name, title in _NUMBERS.items():
        number = compared.get(name)
        if number is not None:
            rows.append([_title(title, overview), *_compared(number)])
    if rows:
        yield table(["It takes", "baseline", "now", "change", "over"], rows)
        return
    yield from _used(overview)


def _title(title: str, overview: Overview) -> str:
    if not title.startswith("cost"):
        return title
    return f"{title}, {code(overview.scorecard.currency, 12, table=True)}"


def _compared(number: NumberDifference) -> list[str]:
    write = money if number.name == "cost" else amount
    size = None if number.difference is None else abs(number.difference)
    change = signed(number.difference, write(size))
    if number.difference and number.a:
        change += f" ({number.difference / number.a:+.0%})".replace("%", " %")
    return [write(number.a), write(number.b), change, counted(number.cases, "case")]


def _used(overview: Overview) -> Iterator[str]:
    """Say what a trial took where there is nothing to compare it with."""
    scorecard = overview.scorecard
    means = (
        ("steps", amount(scorecard.mean_steps)),
        ("tokens", amount(scorecard.mean_tokens)),
        (code(scorecard.currency, 12), money(scorecard.mean_cost)),
    )
    known = [f"{figure} {what}" for what, figure in means if figure != "-"]
    if known:
        yield f"A trial takes {', '.join(known)}."


def _judged(overview: Overview) -> Iterator[str]:
    """Say who judged what, and which of it decides."""
    use = overview.scorecard.judge
    if use is None:
        return
    # What decides is read first.
    items = sorted(use.items, key=lambda item: not item.decides)
    head = ["Judged", "the judge passes", "people would pass", "decides"]
    text = table(head, map(_item, items[:_MOST_ITEMS]))
    if len(items) > _MOST_ITEMS:
        text += f"\n\nand {counted(len(items) - _MOST_ITEMS, 'more item')}"
    lost = ", ".join(f"{count:,} {fault}" for fault, count in use.faults.items())
    told = f"Judge {code(use.judge, 60)}: {counted(use.verdicts, 'verdict')}"
    told += f", {lost}" if lost else ""
    yield f"{text}\n\n{told}. {_JUDGE_SPOKE.get(use.asks, '')}".rstrip()


_JUDGE_SPOKE = {
    "live": "",
    "replay": "Its replies are from file.",
    "dry": "It was not asked.",
}


def _item(item: JudgedItem) -> list[str]:
    if item.mean_score is not None:
        rate = f"mean score {amount(item.mean_score)}"
    else:
        rate = f"{percent(item.rate)} {interval(item.rate_interval)}".rstrip(" ")
    corrected = f"{percent(item.corrected)} {interval(item.corrected_interval)}".rstrip(" ")
    decides = "yes" if item.decides else f"no: {prose(item.why_not)}" if item.why_not else "no"
    return [code(item.item, 60, table=True), rate, corrected, decides]


def _further(overview: Overview) -> Iterator[str]:
    adaptive = overview.scorecard.adaptive
    if adaptive is None:
        return
    if not adaptive.trials:
        yield f"**Further trials:** none: {prose(adaptive.ended or 'nothing is undecided')}."
        return
    cases = sorted(adaptive.cases, key=lambda case: -case.p_worse)
    head = ["Further trials", "baseline", "now", "further", "chance of worse"]
    text = table(head, map(_more, cases[:_MOST_FURTHER]))
    left = len(cases) - _MOST_FURTHER
    more = f"and {counted(left, 'more case')}. " if left > 0 else ""
    yield f"{text}\n\n{more}No rate counts the {counted(adaptive.trials, 'further trial')}."


def _more(case: AdaptiveCase) -> list[str]:
    return [
        code(case.id, table=True),
        f"{case.base_passed:,} of {case.base_measured:,}",
        f"{case.passed:,} of {case.measured:,}",
        f"{case.more_passed:,} of {case.more_measured:,}" if case.more_planned else "-",
        f"{percent(case.p_worse)}, {case.worse}",
    ]
