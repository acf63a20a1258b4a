"""Numbers as people read them. Everything is rounded here, once, and nowhere before."""

import math


def percent(share: float | None) -> str:
    """Write a share of 1 in percent; only exactly none and exactly all read as 0 % and 100 %.

    >>> percent(1 / 3), percent(1), percent(0.9999), percent(0.0001), percent(None)
    ('33.3 %', '100 %', '>99.9 %', '<0.1 %', '-')
    """
    return "-" if share is None or not math.isfinite(share) else f"{_hundredths(share)} %"


def interval(bounds: tuple[float, float] | None) -> str:
    """Write the two ends of an interval of shares, in percent; nothing where there is none.

    >>> interval((0.0608, 0.7923)), interval((0.0, 1.0)), interval(None)
    ('[6.1, 79.2]', '[0, 100]', '')
    """
    return "" if bounds is None else f"[{_hundredths(bounds[0])}, {_hundredths(bounds[1])}]"


def _hundredths(share: float) -> str:
    if share in {0, 1}:
        return str(round(share * 100))
    if not 0 < share < 1:  # no share; shown as it is rather than dressed up
        return f"{share * 100:.3g}"
    text = f"{share * 100:.1f}"
    if text == "100.0":
        return ">99.9"
    if text == "0.0":
        return "<0.1"
    return text.removesuffix(".0")


def amount(value: float | None) -> str:
    """Write a count or a mean: at most six digits, then in millions; an unknown is a dash, never 0.

    >>> amount(3690), amount(3.14), amount(410.0), amount(1_234_567), amount(0.04), amount(None)
    ('3,690', '3.1', '410', '1.23M', '0.04', '-')
    """
    if value is None or not _finite(value):
        return "-"
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if abs(value) >= size:
            return f"{value / size:.2f}{letter}" if abs(value) < 1e15 else f"{float(value):.2e}"
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return money(value) if abs(value) < 0.1 else f"{value:.1f}"


def money(value: float | None) -> str:
    """Write an amount of money without its currency: two decimals, more below 1; a dash if unknown.

    >>> money(12.5), money(0.0012), money(0), money(1e-9), money(None)
    ('12.50', '0.0012', '0', '<0.000001', '-')
    """
    if value is None or not _finite(value):
        return "-"
    if value == 0:
        return "0"
    if abs(value) >= 1:
        return f"{value:,.2f}" if abs(value) < 1e6 else amount(value)
    if abs(value) < 1e-6:
        return "<0.000001"
    decimals = 1 - math.floor(math.log10(abs(value)))
    text = f"{value:.{min(max(decimals, 2), 6)}f}"
    return text[:-1] if text.endswith("0") and decimals > 2 else text


def points(share: float | None) -> str:
    """Write a difference of two shares in percentage points; a dash if unknown.

    >>> points(0.0713), points(0.01), points(0.0002), points(None)
    ('7.1 points', '1 point', '<0.1 points', '-')
    """
    if share is None or not math.isfinite(share):
        return "-"
    text = f"{abs(share) * 100:.1f}".removesuffix(".0")
    if text == "0" and share:
        text = "<0.1"
    return f"{text} point" if text == "1" else f"{text} points"


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond every float
        return False


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Write a count with its noun.

    >>> counted(1, "case"), counted(1200, "trial"), counted(2, "pass", "passes")
    ('1 case', '1,200 trials', '2 passes')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def signed(change: float | None, text: str, unit: str = "") -> str:
    """Write how much a number changed, its size given as `text`; no change has no sign.

    >>> signed(-0.5, "0.5", " points"), signed(3, "3"), signed(0, "0"), signed(None, "-")
    ('-0.5 points', '+3', '0', '-')
    """
    if change is None or change == 0:
        return "-" if change is None else "0" + unit
    return ("+" if change > 0 else "-") + text + unit
