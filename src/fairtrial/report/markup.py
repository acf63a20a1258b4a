"""Text from outside in GitHub's Markdown, where nothing in it is a link, a mention or markup.

Only code spans keep text whole and inert: in prose GitHub makes links of addresses, names, numbers
and hashes even where each character is escaped.
"""

import re
from collections.abc import Iterable

from fairtrial.report.measure import seen_within

_TICKS = re.compile("`+")
_FENCE = re.compile("`{9,}")
"""So many backticks are escaped: GitHub takes no fence of more than 80 for code."""
_PLAIN = re.compile(
    r"""[(\[]?(?:
        (?![0-9a-fA-F]{7,}\b|www\b|http)[A-Za-z]{1,30}(?:['-][a-z]{1,20})?   # no hash, no address
      | [+-]?[<>~]?\d{1,6}(?:[.,]\d{1,6}){0,4}                    # a number
      | % | = | -> | /
    )[)\]]{0,2}[,;:.]? | \( | [)\]]?[,;:.)]""",
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
    if "`" * 9 in text:
        text = seen_within(_FENCE.sub(lambda ticks: r"\x60" * len(ticks[0]), text), most)
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
    text = seen_within(text, most)
    paired = text.count("`") % 2 == 0 and "``" not in text
    parts = text.split("`") if paired else [text]
    out = ""
    for at, part in enumerate(parts):  # those at odd places stood between backticks
        piece = code(part, len(part)) if at % 2 else _words(part)
        out += " " * (out.endswith("`") and piece.startswith("`")) + piece
    return out


def _words(text: str) -> str:
    """Give a text whose strange words are code, those beside each other in one span."""
    out: list[str] = []
    strange: list[str] = []
    for word in [*text.split(" "), ""]:
        if word and _PLAIN.fullmatch(word) is None:
            strange.append(word)
            continue
        if strange:
            out.append(code(" ".join(strange), len(text)))
            strange = []
        out.append(word)
    return " ".join(out[:-1] if out and not out[-1] else out)


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
