"""Rubric items that a check answers without a judge: a phrase, a number, a tool that is called."""

import re
from typing import Final

from fairtrial.cases.item_wording import LONGEST, QUOTED
from fairtrial.cases.item_words import NEGATION
from fairtrial.text import cut, find_numbers

_SAID: Final = re.compile(
    r"\b(?:says?|states?|contains?|includes?|mentions?|writes?|replies|answers?|quotes?|names?"
    r"|gives?|uses? the (?:words?|phrase)|(?:begins?|starts?|ends?) with"
    r"|the (?:words?|phrase|text)|sagt|nennt|enthält|schreibt|dit|contient|mentionne|écrit|dice"
    r"|contiene|menciona|escribe)\b"
    r"(?:\s+(?:that|exactly|literally|clearly|the|words?|phrase|text|das|wort|le|la|mot)){0,3}"
    r"[\s:,]*$",
    re.IGNORECASE,
)
"""Words before a quote that must be said as it stands, rather than be explained."""

_TELLS: Final = re.compile(
    r"\b(?:says?|states?|contains?|includes?|mentions?|writes?|gives?|tells?|quotes?|names?"
    r"|confirms?|sagt|nennt|enthält|dit|indique|mentionne|dice|indica|menciona)\b",
    re.IGNORECASE,
)
_LIMITED: Final = re.compile(
    r"(?:\b(?:most|least|than|under|over|within|maximum|minimum|up to|about|around|roughly|in"
    r"|since|by|until|before|after)"
    r"|\b(?:room|page|section|article|version|step|chapter|flight|number|gate|line|rule|paragraph"
    r"|question|item|day|level|option)"
    r"|(?<=\w\s)[A-Z][\w-]*|[-/#.:])\s*[\"']?$"
)
"""What makes a number behind it a bound, or part of a name."""

_COUNTED: Final = re.compile(
    r"^\s*(?:[-/:]|\w*[a-z]\w*[-/]|(?:stars?|words?|sentences?|times|options)\b)"
)
_SMALLEST: Final = 13
"""Whole numbers below it mostly count something: two options, ten minutes."""
_YEARS: Final = range(1900, 2101)

_TOOL: Final = re.compile(
    r"\b(?:calls?|invokes?|uses?|runs?|ruft|nutzt|appelle|utilise|llama|usa)\s+(?:to\s+)?"
    r"(?:(?:the|das|la|el)\s+|l['\u2019])?"
    r"(?:(?:tool|function|werkzeug|outil|herramienta)\s+[`'\"]?(?P<named>[A-Za-z]\w+)"
    r"|[`'\"]?(?P<snake>[A-Za-z][a-z0-9]*_\w+|\w+(?=\(\)))"
    r"|[`'\"]?(?P<before>\w+)[`'\"]?\s+(?:tool|function)\b(?!\s+(?:result|output|for)))",
    re.IGNORECASE,
)
_NO_TOOL: Final = re.compile(
    r"right|correct|appropriate|wrong|best|proper|same|that|which|for|to|only|first|an?|no|any|each"
    r"|every|this|another|other|available|provided|given|in|with|of|and|is|from|at|on|necessary",
    re.IGNORECASE,
)
"""What stands before or after the word tool without being its name."""


def needs_no_judge(item: str) -> str | None:
    """Say which check answers an item without a judge; None: none does.

    >>> needs_no_judge('Says "no fee"')
    "a judge need not be asked for this; write expect.answer.contains: ['no fee']"
    >>> needs_no_judge("Is polite")
    """
    item = item[:LONGEST]
    found = _tool_check(item) or _phrase_check(item) or _number_check(item)
    return found and f"a judge need not be asked for this; write {found}"


def _tool_check(item: str) -> str | None:
    for found in _TOOL.finditer(item):
        name = found["named"] or found["snake"] or found["before"]
        if not _NO_TOOL.fullmatch(name):
            kind = "forbidden" if NEGATION.search(item[: found.start()]) else "required"
            return f"expect.tools.{kind}: [{cut(name)}]"
    return None


def _phrase_check(item: str) -> str | None:
    for found in QUOTED.finditer(item):
        before = item[: found.start()]
        if _SAID.search(before):
            kind = "excludes" if NEGATION.search(before) else "contains"
            phrase = next(filter(None, found.groups()))
            return f"expect.answer.{kind}: [{cut(phrase)!r}]"
    return None


def _number_check(item: str) -> str | None:
    for number in find_numbers(item):
        before, after = item[: number.start], item[number.start + len(number.text) :]
        if not (_is_amount(number.value, number.text) and _TELLS.search(before)):
            continue
        if not (_LIMITED.search(before) or _COUNTED.match(after) or NEGATION.search(before)):
            return f"expect.answer.numbers: [{number.value:.15g}]"
    return None


def _is_amount(value: float, written: str) -> bool:
    """Say whether a number is an amount rather than a count or a year."""
    return not written.isdecimal() or (value >= _SMALLEST and value not in _YEARS)
