"""How numbers are found: words with digits, what joins them, and what stands beside them."""

import re
from collections.abc import Iterator

from fairtrial.text.figures import (
    CODE,
    CODES,
    DIGIT,
    GROUP,
    JOINS,
    SIGNS,
    UNITS,
    WORD,
    Style,
    amount,
    figures_in,
    style_of,
)
from fairtrial.text.numbers import Number

_CLUSTER = re.compile(rf"[{WORD}]++(?:(?:_++|[{JOINS}]|(?<=\d[eE])\+)[{WORD}]++)*")
_ADDRESS = re.compile(
    rf"(?<![{WORD}])(?:[A-Za-z][A-Za-z0-9+.-]{{1,15}}://|www\.)[!#-&(-;=?-_a-~]*+"
    rf"|(?<![{WORD}.+-])[{WORD}.+-]{{1,64}}+@[{WORD}-]++\.[{WORD}.-]++"
)
_WIDE_COMMA = re.compile(r"(?<=[\uff10-\uff19])\uff0c(?=[\uff10-\uff19])")
_PLAIN = (  # one for one, so that places stay
    dict.fromkeys("\u2010\u2011\u2212\ufe63\uff0d", "-")
    | dict.fromkeys("\u2019\u02bc\uff07", "'")
    | dict.fromkeys("\u00a0\u2007\u3000", " ")
    | dict.fromkeys("\u066a\uff05\ufe6a", "%")
    | dict.fromkeys("\uff04\ufe69", "$")
    | {"\uffe5": "\u00a5", "\uffe1": "\u00a3", "\u2012": "\u2013"}
    | {"\uff0b": "+", "\uff0e": ".", "\uff1a": ":", "\uff0f": "/"}
)
_PLAINLY = re.compile(f"[{''.join(_PLAIN)}]")

# A sign has nothing before it to subtract from or join to; in "5€-10€" there is a range.
_SIGN = rf"(?<![^\W_])(?<![)\]}}%°+-])(?<!\d[{SIGNS}])(?<!\d [{SIGNS}])[-+]"
_BEFORE = re.compile(
    rf"(?=[-+*_`~\\A-Zk{SIGNS}])(?P<outer>{_SIGN})?"
    rf"(?:(?P<unit>(?:(?<![{WORD}])[A-Z]{{1,3}})?\\?(?<!\d)[{SIGNS}]|(?<![{WORD}])(?:{CODE})\.?)"
    rf"[ \u2009\u202f]?)?[*_`~]{{0,3}}(?P<inner>{_SIGN})?\Z"
)
_MAY_PRECEDE = re.compile(rf"[-+*_`~A-Z{SIGNS}]|[A-Zsr.{SIGNS}][ \u2009\u202f]")
_AFTER = re.compile(
    r"[*_`~]{0,3}(?:[ \u2009\u202f]|-(?=[a-z]))?[*_`]{0,3}(?:"
    r"(?P<percent>\\?%|[Pp]er ?cent(?![a-z]))|(?P<sign>\\?[" + SIGNS + r"])(?!\d)"
    r"|(?P<word>°[CF]?|[^\W\d_]{1,30}(?:/[^\W\d_]{1,12})?[\u00b2\u00b3]?))"
)
_PER = re.compile(r"/[^\W\d_]{1,12}")
_OPENERS = re.compile(rf"[\s(\[{{=:<>~*_`\"'+{SIGNS}-]")  # what may stand before the dot of `.5`

_MONTH = (
    "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    "|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)(?![a-z])"
)
_DATE_BEFORE = re.compile(
    rf"(?<![A-Za-z])(?:(?P<version>[Vv]ersions?)|{_MONTH}\.?(?: \d{{1,2}}(?:st|nd|rd|th)?,?)?) \Z"
)
_DATE_AFTER = re.compile(  # the single signs are year, day and month in Chinese and Korean
    r"(?P<year>[\u5e74\ub144])|(?P<day>[\u65e5\u53f7\uc77c])"
    r"|(?P<other> (?:[AaPp]\.?[Mm](?![a-z])|o'clock)|\ufe0f?\u20e3)"  # a time, or a digit as a key
    rf"|(?P<month>[\u6708\uc6d4]| (?:of )?{_MONTH})"
)
_MARKER_AFTER = re.compile(r"[.)][*_]{0,3}[ \t]+\S")


def numbers_in(text: str, locale: str | None) -> list[Number]:
    """Find the numbers in a text; see `find_numbers`.

    Raises:
        ValueError: The locale is not known.

    >>> [number.text for number in numbers_in("2 of 3", None)]
    ['2', '3']
    """
    style = style_of(locale)
    if not DIGIT.search(text):
        return []
    scan = _scannable(text, style)
    found: list[Number] = []
    marker = 0
    for start, end in _clusters(scan):
        if _marks_list(scan, start, end, marker):
            marker = int(scan[start:end])
            continue
        figures = figures_in(style, scan, start, end)
        if figures and not _is_date_or_version(scan, start, end, figures):
            numbers = [_number(style, text, scan, figure, start) for figure in figures]
            found += [number for number in numbers if number is not None]
    return found


def _scannable(text: str, style: Style) -> str:
    """Fold what is written in many ways, keeping every place."""
    scan = text
    if not scan.isascii():
        scan = _WIDE_COMMA.sub(",", scan)
        scan = _PLAINLY.sub(lambda match: _PLAIN[match[0]], scan)
    if not scan.isascii() or style.decimal[0] == ",":
        scan = style.spaces.sub(lambda match: re.sub(r"\s", GROUP, match[0]), scan)
    if "://" in scan or "www." in scan or "@" in scan:
        scan = _ADDRESS.sub(lambda match: " " * len(match[0]), scan)
    return scan


def _clusters(scan: str) -> Iterator[tuple[int, int]]:
    """Give where words with digits stand, and what single joins tie to them."""
    place = 0
    while digit := DIGIT.search(scan, place):  # only the stretches between spaces that hold one
        begin = max(place, scan.rfind(" ", place, digit.start()) + 1)
        place = scan.find(" ", digit.end())
        place = place if place >= 0 else len(scan)
        for cluster in _CLUSTER.finditer(scan, begin, place):
            if DIGIT.search(cluster[0]):
                yield cluster.span()


def _marks_list(scan: str, start: int, end: int, last: int) -> bool:
    """Say whether a figure at the start of a line numbers an item of a list."""
    if end - start > 2 or not scan[start:end].isdecimal() or not _MARKER_AFTER.match(scan, end):
        return False
    line = scan.rfind("\n", max(0, start - 40), start) + 1
    if (not line and start > 40) or scan[line:start].strip(" \t>#*_-"):
        return False
    return int(scan[start:end]) in {*range(21), last + 1}


def _is_date_or_version(scan: str, start: int, end: int, figures: list[re.Match[str]]) -> bool:
    if scan[start - 1 : start] == " ":
        before = _DATE_BEFORE.search(scan, max(0, start - 24), start)
        if before:
            year = end - start == 4 and scan[start:end].isdecimal()
            return bool(before["version"]) or year or _is_day(figures[0])
    after = _DATE_AFTER.match(scan, end)
    if after is None:
        return False
    if after["year"]:
        return end - start == 4
    if after["day"]:
        return scan[max(0, start - 2) : start].strip()[-1:] in ("\u6708", "\uc6d4")
    return bool(after["other"]) or _is_day(figures[-1])


def _is_day(figure: re.Match[str]) -> bool:
    return figure.end() - figure.start() < 3 and figure[0].isdecimal() and int(figure[0]) < 32


def _number(
    style: Style, text: str, scan: str, figure: re.Match[str], cluster: int
) -> Number | None:
    """Read a figure with what stands beside it; only a cluster's first has something before."""
    start, whole, decimals = figure.start(), figure["whole"] or "", figure["decimals"]
    first = start == cluster
    if first and _leads(style, scan, figure):
        start, whole, decimals = start - 1, "", figure[0]
    value = amount(whole, decimals, figure)
    if value is None:
        return None
    unit = figure["code"]
    if first and (before := _preceding(scan, start)):
        value = -value if "-" in (before["outer"], before["inner"]) else value
        start = before.start("inner") if before["inner"] else start
        start = before.start() if before["outer"] or before["unit"] else start
        unit = before["unit"] or unit
    unit, percent, end = _following(scan, figure, unit)
    return Number(value, text[start:end], unit and unit.strip("\\."), percent, start)


def _leads(style: Style, scan: str, figure: re.Match[str]) -> bool:
    """Say whether the decimal sign of `.5` stands right before the figure."""
    at = figure.start() - 1
    if at < 0 or scan[at] not in style.decimal or not figure[0].isdecimal():
        return False
    return at == 0 or _OPENERS.match(scan, at - 1) is not None


def _preceding(scan: str, start: int) -> re.Match[str] | None:
    """Find the sign and the currency before a figure; most have none, which one look shows."""
    at = start - 1
    if at > 0 and scan[at] in " \u2009\u202f":
        at -= 1
    if at < 0 or not _MAY_PRECEDE.match(scan, at):
        return None
    return _BEFORE.search(scan, max(0, start - 10), start)


def _following(scan: str, figure: re.Match[str], unit: str | None) -> tuple[str | None, bool, int]:
    """Give the unit, whether a percent sign follows, and where the token ends."""
    end = figure.end()
    if attached := figure["unit"]:
        per = _PER.match(scan, end)
        end = per.end() if per else end
        if unit is None or attached in CODES:
            unit = attached + (per[0] if per else "")
        return unit, False, end
    after = _AFTER.match(scan, end)
    if after is None:
        return unit, False, end
    if after["percent"]:
        return unit or after["percent"].strip("\\"), True, after.end()
    word = after["sign"] or after["word"]
    if word in CODES and unit not in CODES:
        return word, False, after.end()  # `$5 CAD`: the code says which dollars
    if unit:
        return unit, False, end
    known = after["sign"] or word in UNITS or word[0] == "°" or "/" in word
    return word, False, after.end() if known else end
