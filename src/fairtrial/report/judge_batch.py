"""What asking a judge in batches would take, and what it came to, for the terminal."""

from collections.abc import Iterator

from fairtrial.records import BatchedUse
from fairtrial.report.figures import amount, counted, money
from fairtrial.report.prose import aside, entry, short
from fairtrial.report.style import Style

_MOST_REASONS = 5


def batch_wanted_lines(use: BatchedUse, currency: str, style: Style) -> Iterator[str]:
    """Give who is asked, and how much about what is missing costs.

    >>> use = BatchedUse(judge="small", missing=2, wanted_tokens=900, wanted_cost=0.0012)
    >>> [*batch_wanted_lines(use, "USD", Style(width=100))][1]
    'missing      2 replies, about 900 tokens, about 0.0012 USD in batches (half the price)'
    """
    yield from entry("judge", short(use.judge, style, 60), style)
    if not use.missing:
        rest = "; the others are waited for" if use.waiting else ""
        yield from entry("missing", f"no reply: all are on file{rest}", style)
        return
    cost = "the price is not known"
    if use.wanted_cost is not None:
        cost = f"about {_money(use.wanted_cost, currency, style)} in batches (half the price)"
    tokens = f"about {amount(use.wanted_tokens)} tokens"
    yield from entry("missing", f"{_replies(use.missing)}, {tokens}, {cost}", style)


def batched_lines(use: BatchedUse, currency: str, run: str, style: Style) -> Iterator[str]:
    r"""Give what was asked and came, what is still to come, and how to go on.

    Args:
        use: What it came to.
        currency: Of the costs.
        run: The run as it was named, for the commands.
        style: How it is shown.

    >>> use = BatchedUse(judge="small", missing=0, replies=2)
    >>> print(*batched_lines(use, "USD", "latest", Style()), sep="\n")
    on file      2 replies, cost unknown
    next         `fairtrial grade latest --judge replay`
    """
    if use.asked:
        yield from entry("asked", counted(use.asked, "request"), style)
    if use.replies:
        cost = "cost unknown" if use.cost is None else _money(use.cost, currency, style)
        yield from entry("on file", f"{_replies(use.replies)}, {cost}", style)
    for why, count in [*use.failed.items()][:_MOST_REASONS]:
        text = f"{counted(count, 'request')}: {short(why, style, 200)}"
        yield from entry("no reply", text, style)
    more = len(use.failed) - _MOST_REASONS
    if more > 0:
        yield from aside(f"and {counted(more, 'more reason')}", style)
    yield from _next(use, run, style)


def _next(use: BatchedUse, run: str, style: Style) -> Iterator[str]:
    name = short(run, style, 200)
    if use.waiting:
        text = f"{counted(use.waiting, 'request')} (`fairtrial judge batch {name}` fetches them)"
        yield from entry("waiting", text, style)
        return
    if use.missing:
        again = "asks for them again" if use.failed else "sends them"
        text = f"{_replies(use.missing)} (`fairtrial judge batch {name} --submit` {again})"
        yield from entry("left", text, style)
    if use.replies or not use.missing:
        yield from entry("next", f"`fairtrial grade {name} --judge replay`", style)


def _replies(count: int) -> str:
    return "1 reply" if count == 1 else f"{count:,} replies"


def _money(cost: float, currency: str, style: Style) -> str:
    return f"{money(cost)} {short(currency, style, 12)}"
