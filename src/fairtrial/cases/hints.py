"""What is wrong in a reader's words: what was found, what is wanted, and the nearest known name."""

import re
from collections.abc import Iterable, Mapping

from fairtrial.cases.foreign import FOREIGN, OURS
from fairtrial.cases.located import MAX_NAME
from fairtrial.records import Json
from fairtrial.text import cut

_NUMERAL = re.compile(r"[-+]?[0-9.][0-9_,.\']{0,40}")


def describe(value: Json) -> str:
    """Say what a value is, short enough for a message.

    >>> describe("no"), describe(12), describe(True), describe([1])
    ("'no'", 'the number 12', 'true', 'a list')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {_digits(value)}"
    if isinstance(value, str):
        return repr(cut(value))
    return "a list" if isinstance(value, list) else "a mapping"


def _digits(value: float) -> str:
    # An int of thousands of digits is refused by str() itself, and nobody would read it.
    if isinstance(value, int) and value.bit_length() > 200:
        return f"of {value.bit_length()} bits"
    return f"{value!r}"


def wanted(what: str, value: Json) -> str:
    """Say what is wanted and what was found, and how to mend the commonest slips.

    >>> wanted("text", 4512)
    'wanted text, got the number 4512; quote it'
    >>> wanted("a whole number", "3")
    "wanted a whole number, got '3'; numbers are written as in JSON, without quotes and separators"
    """
    text = f"wanted {what}, got {describe(value)}"
    is_scalar = isinstance(value, bool | int | float)
    if is_scalar and what.startswith(("text", "a phrase", "a name", "a pattern", "a tool")):
        return f"{text}; quote it"
    if isinstance(value, str) and "number" in what and _NUMERAL.fullmatch(value):
        return f"{text}; numbers are written as in JSON, without quotes and separators"
    return text


def distance(left: str, right: str, most: int) -> int:
    """Count the edits (insert, delete, replace, swap) between two names; more is `most + 1`.

    >>> distance("inptu", "input", 2), distance("mission", "input", 2)
    (1, 3)
    """
    if abs(len(left) - len(right)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return min(last[-1], most + 1)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Give the known name that `name` most looks like, or None when none is near.

    >>> nearest("requred", ["required", "forbidden"]), nearest("xyz", ["required"])
    ('required', None)
    """
    if len(name) > MAX_NAME:
        return None
    most = max(1, min(3, len(name) // 3))
    folded = name.casefold().replace("-", "_")
    found = [(distance(folded, other.casefold(), most), other) for other in known]
    best = min(found, default=(most + 1, ""))
    return best[1] if best[0] <= most else None


def snake(name: str) -> str:
    """Give `name` in snake_case, as the table of foreign names has them.

    >>> snake("contains-any"), snake("defaultTest"), snake("Max Steps")
    ('contains_any', 'default_test', 'max_steps')
    """
    out = ""
    for index, letter in enumerate(name[:MAX_NAME]):
        if letter in "- .":
            out += "_"
        elif letter.isupper() and index and name[index - 1].islower():
            out += f"_{letter.lower()}"
        else:
            out += letter.lower()
    return out


def unknown_field(name: str, known: Iterable[str], local: Mapping[str, str]) -> str:
    """Say that a field is not known, what is, and what was probably meant.

    Args:
        name: The field as written.
        known: The fields that may stand there.
        local: Foreign names that mean something of their own right here.

    >>> unknown_field("inptu", ["id", "input"], {})
    'unknown field; known here: id, input; did you mean input?'
    >>> unknown_field("max_steps", ["id", "input"], {})
    'unknown field; write limits.steps; known here: id, input'
    """
    names = list(known)
    listed = f"known here: {', '.join(names)}" if names else "nothing may stand here"
    close = nearest(name, names)
    folded = snake(name)
    if folded in names:
        close = folded
    meant = local.get(folded)
    if meant is None and close is None:
        meant = FOREIGN.get(folded) or OURS.get(folded)
    if meant is not None:
        return f"unknown field; write {meant}; {listed}"
    return f"unknown field; {listed}" + (f"; did you mean {close}?" if close else "")
