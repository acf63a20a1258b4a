"""Numbers as people write them.

What a number is, where people disagree:

- Without a locale commas group (`1,280`, Indian `1,45,000`) and the dot is decimal. A narrow or
  thin space between groups of three groups everywhere, a plain one only where people write it so
  (`fr`). A figure that breaks the rules (`1,28,0,0`, `12,34`, `1.2.3`, `[1,2]`) is no number:
  nothing is guessed from its parts.
- `2-3` is 2 and 3, `8/10` is 8 and 10, `16:9` is 16 and 9. Three figures joined without a space
  are a date, phone number or version; so are `12:30`, `2026-03` and `03/2026`.
- A word that holds digits is an identifier (`B2B`, `4Runner`, `3f2a`), and so is what a hyphen
  joins to a word before it (`H-204`). A known unit may follow: `5kg`; or any after a hyphen:
  `30-day`. Scripts without capitals make no identifiers: Chinese joins figures to words.
- Not numbers: ordinals (`3rd`), `3 pm`, English dates (`March 5, 2026`), `version 1.2`, what
  follows a word in a path (`orders/5`), links, mail addresses, and list markers at the start of
  a line, up to 20 or one more than the marker before (`72. That is all` holds 72).
- A sign counts when it touches the figure or its currency, with nothing before it to subtract
  from or join to. Parentheses do not negate: `(45.00)` is 45. An en dash is never a minus.
- `k`, `million` and the like are units, not factors. Words (`seven`) are not read. A vulgar
  fraction adds to the figure before it. What no float can hold, or has over 300 digits, is none.
"""

import importlib
from typing import NamedTuple


class Number(NamedTuple):
    """A number found in a text."""

    value: int | float
    """An int where it is written without fraction and exponent."""
    text: str
    """As written, with its sign, currency, percent sign and known unit."""
    unit: str | None
    """The currency or unit beside it, as written; failing that the word that follows; or None."""
    percent: bool
    """Whether `%` or the word percent follows."""
    start: int
    """Where `text` begins in the text searched."""


def find_numbers(text: str, locale: str | None = None) -> list[Number]:
    """Find the numbers in a text, in order; what counts as one stands at the top of this file.

    Args:
        text: Anything; the time it takes grows with its length and no faster.
        locale: How figures are grouped: one of `LOCALES`. None: commas group, the dot is decimal.

    Raises:
        ValueError: The locale is not known.

    >>> [(n.value, n.unit) for n in find_numbers("H-204 is **$1,280.00**, 5% off; in 2-3 days")]
    [(1280.0, '$'), (5, '%'), (2, None), (3, 'days')]
    >>> find_numbers("1.280,50 EUR", locale="de")[0].value
    1280.5
    """
    # Loaded when the first number is looked for: its patterns take as long to compile as a hundred
    # trials to grade, and most suites ask for none.
    scanning = importlib.import_module("fairtrial.text.scanning")
    found: list[Number] = scanning.numbers_in(text, locale)
    return found
