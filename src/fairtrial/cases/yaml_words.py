"""What libyaml's messages mean to somebody who writes a case file."""

from typing import Final

from fairtrial.records import MAX_DEPTH

_MEANINGS: Final = (
    ("tab character", "a tab in the indentation; YAML wants spaces: indent with spaces"),
    ("another document", "a second document (---); a file holds one"),
    ("maximum nesting depth", f"nested deeper than {MAX_DEPTH}"),
    (
        "mapping values are not allowed",
        "a colon where no key can stand; quote text that holds a colon and a space, "
        "and look at the indentation",
    ),
    ("undefined alias", "an alias (*name) without its anchor; quote text that begins with *"),
    (
        "expected ',' or",
        "no comma and no closing bracket of what opens at line {opened}; quote "
        "text that holds a bracket, a brace or a comma",
    ),
    (
        "did not find expected",
        "this does not fit what begins at line {opened}; look at the indentation, and quote text "
        "that goes on after a closing quote or bracket",
    ),
    ("could not find expected ':'", "a key without a colon, or text of several lines; quote it"),
    ("unexpected end of stream", "a quote that opens here and is never closed"),
    (
        "unknown escape character",
        "a backslash that is no escape in double quotes; patterns stand in single quotes",
    ),
    (
        "Unicode character escape",
        "an escape that is no character (half of one, or too large); write the character itself",
    ),
)


def meaning(problem: str, at: str, opened: int) -> str:
    r"""Say what is wrong.

    Args:
        problem: libyaml's words.
        at: The character at which it stopped; empty at the end.
        opened: The line at which what it was reading begins.

    >>> meaning("found character that cannot start any token", "\t", 1)
    'a tab where YAML wants spaces; indent with spaces, or quote it'
    """
    if "cannot start any token" in problem:
        if at == "\t":
            return "a tab where YAML wants spaces; indent with spaces, or quote it"
        return f"text cannot begin with {at!r} here; quote it"
    for words, said in _MEANINGS:
        if words in problem:
            return said.format(opened=opened)
    return f"{problem}; quote text with special characters"
