"""Text from outside in GitHub's Markdown, where nothing in it is a link, a mention or markup.

Only code spans keep text whole and inert: in prose GitHub makes links of addresses, names, numbers
and hashes even where each character is escaped.
"""

import re
from collections.abc import Iterable

from fairtrial.report.measure import seen_within

_TICKS = re.compile("`+")
_PLAIN = re.compile(
    r"""[(\[]?(?:
        (?![0-9a-fA-F]{7,}\b)[A-Za-z]{1,30}(?:['-][a-z]{1,20})?   # a word, and no hash of a commit
      | [+-]?[<>~]?\d{1,6}(?:[.,]\d{1,6}){0,4}                    # a number
      | % | = | -> | /
    )[)\]]{0,2}[,;:.]?""",
    re.VERBOSE,
)
"""Words that stay prose: none of them, nor any row of them, is anything in Markdown."""

_LONGEST_NAME = 100


def code(text: str, most: int = _LONGEST_NAME, *, table: bool = False) -> str:
    r"""Give a text from outside as a code span of one line, cut at `most` characters.

    What cannot be seen is escaped; so is `|` in a `table`, where every reader of Markdown looks for
    cells before it looks for code.

    >>> code("a\n@b"), code("x ` y"), code("a|b", table=True)
    ('`a\\n@b`', '`` x ` y ``', '`a\\x7cb`')
    """
    text = seen_within(text, most)
    if table:
        text = text.replace("|", r"\x7c")
    if not text.strip(" "):
        text = f'"{text}"'
    longest = max(map(len, _TICKS.findall(text)), default=0)
    if not longest:
        return f"`{text}`" if text.strip(" ") == text else f"` {text} `"
    ticks = "`" * (longest + 1)
    return f"{ticks} {text} {ticks}"


def prose(text: str, most: int = 600) -> str:
    r"""Give a sentence of ours with names from outside in it: all but plain words becomes code.

    >>> prose("the pass rate of tag @all fell from 100 % to 33.3 %, see #12")
    'the pass rate of tag `@all` fell from 100 % to 33.3 %, see `#12`'
    """
    out: list[str] = []
    strange: list[str] = []
    for word in [*seen_within(text, most).split(" "), ""]:
        plain = not word or _PLAIN.fullmatch(word) is not None
        if not plain:
            strange.append(word)
            continue
        if strange:
            out.append(_strange(" ".join(strange)))
            strange = []
        if word:
            out.append(word)
    return " ".join(out)


def _strange(text: str) -> str:
    """Give words as code; what is written as code already is not quoted twice."""
    end = re.search(r"[,;:.)]*\Z", text)
    tail = end[0] if end is not None else ""
    body = text.removesuffix(tail) if tail else text
    inner = body[1:-1]
    if len(body) > 2 and body[0] == body[-1] == "`" and "`" not in inner:
        return code(inner, len(inner)) + tail.rstrip(")") + ")" * tail.count(")")
    return code(text, len(text))


def row(cells: Iterable[str]) -> str:
    """Give a row of a table.

    >>> row(["tag", "now"])
    '| tag | now |'
    """
    return f"| {' | '.join(cells)} |"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Give a table: the first column to the left, the others to the right.

    >>> print(table(["tag", "now"], [["`fee`", "100 %"]]))
    | tag | now |
    | :-- | --: |
    | `fee` | 100 % |
    """
    titles = list(head)
    under = [":--", *["--:"] * (len(titles) - 1)]
    return "\n".join([row(titles), row(under), *map(row, rows)])


def folded(title: str, blocks: Iterable[str]) -> str:
    """Give blocks that are shown when the reader opens them.

    >>> print(folded("2 fixes", ["- a"]))
    <details><summary>2 fixes</summary>
    <BLANKLINE>
    - a
    <BLANKLINE>
    </details>
    """
    return "\n\n".join([f"<details><summary>{title}</summary>", *blocks, "</details>"])
