"""Types of JSON in words for people."""

import re

_TYPES = re.compile(r"Expected `(.+?)`(?:, got `(.+?)`)?$", re.DOTALL)
_WORDS = {
    "object": "an object",
    "array": "a list",
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
}


def type_mismatch(text: str) -> str | None:
    """Put msgspec's words for a value of the wrong type into ours; None for anything else.

    >>> type_mismatch("Expected `int | null`, got `str`")
    'wanted a whole number or null, got text'
    """
    types = _TYPES.match(text)
    if types is None:
        return None
    wanted = " or ".join(_WORDS.get(word, word) for word in types[1].split(" | "))
    got = _WORDS.get(types[2], types[2]) if types[2] else "something else"
    return f"wanted {wanted}, got {got}"
