"""Names that look like operators and are none: a slip of the pen is not taken for a name."""

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Final

OPERATORS: Final = (
    "has", "exactly", "equals", "approx", "min", "max", "above", "below", "number", "one_of", "not",
    "contains", "includes", "text", "phrase", "matches", "length", "each", "unordered", "absent",
    "present", "ignore", "type",
)  # fmt: skip
"""Every operator, in the order of the reference."""

MODIFIERS: Final = ("tolerance", "percent")
"""Operators only beside `approx` or `number`."""

FOREIGN: Final = {
    "greater_than": "above", "less_than": "below", "at_least": "min", "at_most": "max",
    "gte": "min", "lte": "max", "any_of": "one_of", "startswith": 'matches: "^..."',
    "endswith": 'matches: "...$"', "not_equal": "not", "equal_to": "equals", "regex": "matches",
    "none_of": "not, around one_of", "gt": "above", "lt": "below", "ge": "min", "le": "max",
    "eq": "equals", "ne": "not",
}  # fmt: skip
"""What other tools call our operators, where it is hardly anything else."""

_LOOSE: Final = {
    "greater": "above", "less": "below", "more_than": "above", "minimum": "min", "maximum": "max",
    "equal": "equals", "is": "equals", "exact": "equals", "in": "one_of", "oneof": "one_of",
    "anyof": "one_of", "either": "one_of", "pattern": "matches", "like": "matches",
    "match": "matches", "contain": "contains", "include": "includes", "has_key": "has",
    "len": "length", "size": "length", "count": "length", "all": "each", "every": "each",
    "any": "present",
    "exists": "present", "missing": "absent", "optional": "one_of, with absent: true in it",
    "any_order": "unordered", "range": "min, max", "between": "min, max", "close_to": "approx",
}  # fmt: skip
"""Also names in their own right: a hint where a mapping was wanted and something else came."""

_WORDS: Final = frozenset((
    "abode", "absents", "assent", "numbers", "numbered", "lengths", "lengthy", "presents",
    "presenter", "prevent", "resent", "phase", "phases", "phrases", "phrased", "matched",
    "matcher", "hatches", "patches", "batches", "watches", "catches", "latches", "include",
    "included", "ignored", "ignores", "contain", "contained", "container", "equal", "bellow",
    "exact", "match", "lumber", "blow", "one_off", "marches", "matchers",
))  # fmt: skip
"""Ordinary words an edit away from an operator."""


@functools.lru_cache(10_000)  # the names of a suite come again and again
def meant(name: str) -> str | None:
    """Give the operator that a lone name can only be a slip or a synonym of; None for a name.

    >>> meant("abvoe"), meant("greater_than"), meant("numbers"), meant("fee")
    ('above', 'above', None, None)
    """
    if name in FOREIGN:
        return FOREIGN[name]
    if name in _WORDS or name.lower() in OPERATORS or len(name) > 20:
        return None
    near = (known for known in OPERATORS if len(known) >= 5 and _one_edit_apart(name, known))
    return next(near, None)


def nearest(name: str) -> str | None:
    """Give the operator that a name beside other operators may stand for; None for none.

    >>> nearest("maximum"), nearest("mni"), nearest("Above"), nearest("booking")
    ('max', 'min', 'above', None)
    """
    return _synonym(name) or next(
        (one for one in (*OPERATORS, *MODIFIERS) if len(name) < 20 and _one_edit_apart(name, one)),
        None,
    )


def nearest_field(name: str, fields: Iterable[str], synonyms: Mapping[str, str]) -> str:
    """Say which field was probably meant, as the end of a message; empty where none is near.

    >>> nearest_field("need", ["tool", "needs"], {"require": "needs"})
    '; did you mean needs?'
    >>> nearest_field("Require", ["tool", "needs"], {"require": "needs"})
    '; did you mean needs?'
    """
    folded = re.sub(r"[\s-]+", "_", name[:40].strip()).lower()
    near = (one for one in fields if folded == one or _one_edit_apart(folded, one))
    known = synonyms.get(folded) or next(near, None)
    return f"; did you mean {known}?" if known else ""


def _synonym(name: str) -> str | None:
    folded = re.sub(r"[\s-]+", "_", name.strip()).lower()
    if folded in OPERATORS or folded in MODIFIERS:
        return folded
    return FOREIGN.get(folded) or _LOOSE.get(folded)


def no_operator(names: Iterable[str]) -> str:
    """Say which of the names looks like an operator and is none; empty where none does.

    >>> no_operator(["fee", "minimum"])
    " ('minimum' is no operator: did you mean min?)"
    """
    for name in names:
        known = _synonym(name) or meant(name)
        if known and name != known:
            return f" ({name!r} is no operator: did you mean {known}?)"
    return ""


def _one_edit_apart(left: str, right: str) -> bool:
    """Say whether one character put in, left out, changed or swapped makes them equal."""
    if abs(len(left) - len(right)) > 1 or left == right:
        return False
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    one, other = left[start:], right[start:]
    if len(one) == len(other):
        return one[1:] == other[1:] or (one[2:] == other[2:] and one[:2] == other[1::-1])
    return one[1:] == other if len(one) > len(other) else one == other[1:]
