"""What a tool's docstring tells a model: its first paragraph, and a line for each argument."""

import inspect
import re
from typing import Final

_HEADS: Final = ("Args:", "Arguments:", "Parameters:")
_ARGUMENT: Final = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")


def description(text: str | None) -> str:
    r"""Give the first paragraph as one line.

    >>> description("Cancel a booking\n    of the guest.\n\n    More.")
    'Cancel a booking of the guest.'
    """
    paragraph = inspect.cleandoc(text or "").partition("\n\n")[0]
    lines = paragraph.splitlines()
    head = next((at for at, line in enumerate(lines) if line in _HEADS), len(lines))
    return " ".join(" ".join(lines[:head]).split())


def arguments(text: str | None) -> dict[str, str]:
    r"""Give what an `Args:` section says of each argument, as one line each.

    >>> arguments("Pay.\n\nArgs:\n    fee: In euros,\n        whole ones.\n    to (str): Whom.")
    {'fee': 'In euros, whole ones.', 'to': 'Whom.'}
    """
    out: dict[str, list[str]] = {}
    own: list[str] = []
    depth: int | None = None  # how far the names of arguments are indented
    for line in _section(inspect.cleandoc(text or "").splitlines()):
        indent = len(line) - len(line.lstrip())
        depth = indent if depth is None else depth
        found = _ARGUMENT.fullmatch(line.strip()) if indent <= depth else None
        if found:
            own = out.setdefault(found[1], [])
        own.append(found[2] if found else line.strip())
    return {name: " ".join(filter(None, words)) for name, words in out.items()}


def _section(lines: list[str]) -> list[str]:
    head = next((at for at, line in enumerate(lines) if line in _HEADS), len(lines))
    section: list[str] = []
    for line in lines[head + 1 :]:
        if line and not line[0].isspace():
            break
        if line.strip():
            section.append(line)
    return section
