"""What somebody said as a category: pass, fail, a number or a name, whatever its type."""

import math

from fairtrial.records import Said

PASS, FAIL = "pass", "fail"

_WORDS = {"pass": PASS, "passed": PASS, "true": PASS, "fail": FAIL, "failed": FAIL, "false": FAIL}


def category_of(said: Said) -> str | None:
    """Give the category that was said; None where nothing was, or what is no category.

    Numbers are the same as numbers and as text, in whichever way they are written.

    >>> category_of(True), category_of(" FAIL"), category_of(2), category_of("2.0"), category_of("")
    ('pass', 'fail', '2', '2', None)
    """
    if said is None:
        return None
    if isinstance(said, bool):
        return PASS if said else FAIL
    text = str(said).strip().casefold()
    number = number_of(text)
    if number is not None:
        return str(int(number)) if number == int(number) else repr(number)
    return _WORDS.get(text, text or None)


def number_of(category: str) -> float | None:
    """Give the number that a category is; None for a name.

    >>> number_of("4"), number_of("tie"), number_of("nan")
    (4.0, None, None)
    """
    try:
        number = float(category)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def are_binary(categories: set[str]) -> bool:
    """Say whether these are passes and fails alone.

    >>> are_binary({"pass"}), are_binary({"pass", "1"})
    (True, False)
    """
    return categories <= {PASS, FAIL}
