"""What one figure is, and where one word holds several: grouping, units, dates and identifiers.

Everything here looks at scanned text, in which `numbers` has folded signs and spaces.
"""

import math
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from fairtrial.text.locales import LOCALES, SEPARATORS

GROUP, _DECIMAL = "\u066c", "\u066b"  # Arabic's separators, good in every style
_VULGAR = "\u00bc-\u00be\u2150-\u215e"
_LETTER = r"A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af"
_LETTER += r"\u0300-\u0589\u10a0-\u10ff\u1e00-\u1fff"  # those with capitals, and their accents
WORD = rf"\d{_VULGAR}{_LETTER}"
JOINS = rf".,':/\u2013{GROUP}{_DECIMAL}-"
SIGNS = "$\u00a2-\u00a5\u0e3f\u20a0-\u20c0"
_CODE_WORDS = """AED ARS AUD BDT BGN BRL BTC CAD CHF CLP CNY COP CZK DKK EGP ETH EUR GBP HKD HUF
    IDR ILS INR JPY KES KRW LKR MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RMB RON RUB Rs SAR SEK SGD
    THB TRY TWD UAH USD VND ZAR kr"""
CODES = frozenset(_CODE_WORDS.split())
CODE = "|".join(sorted(CODES))
_UNIT_WORDS = """g kg mg ug t lb lbs oz km m cm mm nm mi ft in yd l ml mL cl dl cc gal s ms us ns
    sec secs min mins h hr hrs d wk wks yr yrs mo kmh kph mph kn rpm fps dpi px em pt kPa hPa bar
    psi kcal kJ mV kV mA mAh Ah kW MW GW Wh kWh MWh Hz kHz MHz GHz dB ppm ppb bps kbps Mbps Gbps kB
    KB MB GB TB PB KiB MiB GiB TiB k bn mn mln tn x p ct deg \u00baC \u00baF"""
UNITS = CODES.union(_UNIT_WORDS.split())
_AFTER_DECIMALS = frozenset("ABCFGJKLMNPTVW")  # `1.5M`, `$2B` and `98.6F`; but `12A` is a seat

DIGIT = re.compile(rf"[\d{_VULGAR}]")
_CODED = re.compile(  # times, months of years, and three figures joined
    r"(?<!\d)\d{1,2}:[0-5]\d(?!\d)"
    r"|(?<!\d)(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?!\d)|(?<!\d)(?:0[1-9]|1[0-2])/(?:19|20)\d\d(?!\d)"
    r"|\d[\u2013-]\d+[\u2013-]\d|\d/\d+/\d|\d:\d+:\d"
)
_BREAK = re.compile(  # joins that join nothing, as in `400,then` and `72.The`
    rf"[,'\u2013](?=[{_LETTER}])|(?<=[{_LETTER}])[,'\u2013]|(?<=\d)\.(?=[A-Z])|:"
)
_SLASH, _HYPHEN = re.compile("/"), re.compile(r"(?<!\d[eE])[\u2013-]")
_COMPOUND = re.compile(rf"(?:-[{_LETTER}]{{2,}}+)+")


class Style(NamedTuple):
    """How a locale writes figures."""

    figure: re.Pattern[str]
    """What a figure with its currency code and attached unit fully matches."""
    spaces: re.Pattern[str]
    """Groups of three with spaces between."""
    decimal: str


@cache
def style_of(locale: str | None) -> Style:
    """Give how a locale writes figures; None: commas group and the dot is decimal.

    Raises:
        ValueError: The locale is not one of `LOCALES`.

    >>> style_of("de-CH").decimal[0]
    '.'
    """
    if locale is not None and locale not in SEPARATORS:
        raise ValueError(f"locale {locale!r} is not known; known: {', '.join(LOCALES)}")
    group, decimal = SEPARATORS[locale or "en"]
    g, d = f"[{group}{GROUP}]", f"[{decimal}{_DECIMAL}]"
    space = " \u2009\u202f" if " " in group else "\u2009\u202f"
    return Style(
        figure=re.compile(
            rf"(?:(?P<code>{CODE})\.?)?(?P<whole>\d{{1,3}}(?:{g}\d{{3}})+(?!{g}\d{{3}}|\d)"
            rf"|\d{{1,2}}(?:{g}\d\d(?={g}))+(?!{g}\d\d{g}){g}\d{{3}}|\d++)?(?:{d}(?P<decimals>\d++))?"
            rf"(?:(?<=\d)[eE](?P<power>[+-]?\d{{1,4}}))?(?P<vulgar>[{_VULGAR}])?"
            rf"(?P<unit>[{_LETTER}]{{1,12}})?"
        ),
        spaces=re.compile(rf"(?<![\w.,])(?<!\w-)\d{{1,3}}(?:[{space}]\d{{3}}(?!\d))+"),
        decimal=decimal + _DECIMAL,
    )


def figures_in(style: Style, scan: str, start: int, end: int) -> list[re.Match[str]]:
    """Give the figures of a cluster: one, or those that `-`, `/` or `:` keep apart, or none.

    A cluster is what stands between `start` and `end`: words, and single joins between them. Each
    match has the groups code, whole, decimals, power, vulgar and unit.

    >>> [match[0] for match in figures_in(style_of(None), "2-3kg", 0, 5)]
    ['2', '3kg']
    >>> figures_in(style_of(None), "ORD-1-2", 0, 7)
    []
    """
    if whole := _figure(style, scan, start, end):
        return [whole]
    if _CODED.search(scan, start, end):
        return []
    found: list[re.Match[str]] = []
    for left, right in _split(_BREAK, scan, start, end):
        for begin, stop in _split(_SLASH, scan, left, right):
            figures = _hyphened(style, scan, begin, stop)
            found += figures
            if not figures:
                break  # what follows a word is a path
    return found


def _hyphened(style: Style, scan: str, start: int, end: int) -> list[re.Match[str]]:
    """Give the one or two figures that a hyphen joins, with or without words after: `2-3-day`."""
    figures: list[re.Match[str]] = []
    for left, right in _split(_HYPHEN, scan, start, end):
        figure = _figure(style, scan, left, right)
        if figure is None:
            if figures and scan[left:end].islower() and _COMPOUND.fullmatch(scan, left - 1, end):
                break
            return []
        figures.append(figure)
    return figures if len(figures) < 3 else []


def _split(join: re.Pattern[str], scan: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in join.finditer(scan, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def _figure(style: Style, scan: str, start: int, end: int) -> re.Match[str] | None:
    figure = style.figure.fullmatch(scan, start, end)
    if figure is None or not DIGIT.search(scan, start, end):
        return None
    unit = figure["unit"]
    if unit is None or unit in UNITS:
        return figure
    if (unit[0] >= "\u0370" or unit[0] == "\u00b5") and unit.islower() and len(unit) < 5:
        return figure  # Greek and Cyrillic: few identifiers look so, many units do
    exact = figure["decimals"] or re.match(f"[{SIGNS}]", scan[start - 1 : start])
    return figure if exact and unit in _AFTER_DECIMALS else None


def amount(whole: str, decimals: str | None, figure: re.Match[str]) -> int | float | None:
    """Give what digits before and after the decimal sign come to, with the figure's exponent.

    None where a float cannot hold it, or there are more than 300 digits.

    >>> amount("1,280", "5", figures_in(style_of(None), "1,280.5", 0, 7)[0])
    1280.5
    """
    if len(whole) + len(decimals or "") > 300:
        return None
    digits = "".join(filter(str.isdecimal, whole)) or "0"
    power, vulgar = figure["power"], figure["vulgar"]
    if decimals is None and power is None and vulgar is None:
        return int(digits)
    value = float(f"{digits}.{decimals or 0}e{power or 0}")
    value += unicodedata.numeric(vulgar) if vulgar else 0
    return value if math.isfinite(value) else None
