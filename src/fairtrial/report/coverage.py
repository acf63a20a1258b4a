"""What a suite looks at, for the terminal: how many cases have which tag, check and tool."""

from collections.abc import Iterator, Mapping

from fairtrial.report.figures import counted
from fairtrial.report.measure import seen
from fairtrial.report.prose import entry
from fairtrial.report.style import Style


def coverage_lines(
    cases: int, protected: int, counts: Mapping[str, Mapping[str, int]], style: Style
) -> Iterator[str]:
    """Give the size of a suite and its counts, a paragraph a kind.

    Args:
        cases: How many there are.
        protected: How many of them are protected.
        counts: By kind, such as `tags`, the cases by name.
        style: Of the stream.

    >>> from fairtrial.report.style import PLAIN
    >>> list(coverage_lines(3, 1, {"tags": {"fee": 2}}, PLAIN))
    ['3 cases, 1 protected', 'tags         fee 2']
    """
    yield style.paint(f"{counted(cases, 'case')}, {protected} protected", "bold")
    for kind, names in counts.items():
        ordered = sorted(names.items(), key=lambda item: (-item[1], item[0]))
        text = ", ".join(f"{seen(name, unicode=style.unicode)} {count}" for name, count in ordered)
        yield from entry(kind, text or "none", style, most=20)
