"""Two runs side by side for the terminal: what got worse, what got better, what else differs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fairtrial.records import (
    CaseDifference,
    CheckDifference,
    NumberDifference,
    PartingGroup,
    RunDifference,
)
from fairtrial.report.figures import amount, counted, money, percent, signed
from fairtrial.report.measure import pad
from fairtrial.report.prose import LABEL, aside, names, paragraph, short
from fairtrial.report.style import Paint, Style

_MOST_CASES = 40
"""Cases of one kind, without `--verbose`; of what got worse none is left out."""

_MOST_CHECKS = 8

_MOST_NAMES = 3
"""Cases that are named beside the cause that they share."""

_KINDS: tuple[tuple[str, str, Paint], ...] = (
    ("regressions", "worse", "red"),
    ("unmeasured", "measured on one side only", "yellow"),
    ("removed", "gone", "yellow"),
    ("changed", "changed: another case now, so not compared", "yellow"),
    ("fixes", "better", "green"),
    ("other_checks", "same pass rate, other checks", "bold"),
    ("new", "new", "bold"),
)

_NUMBERS = {
    "pass_rate": "pass rate",
    "steps": "steps a trial",
    "tokens": "tokens a trial",
    "cost": "cost a trial",
}

_COLUMNS = (11, 11, 14)

_NARROW = 80
"""Below this width the numbers are sentences, not a table."""


class _Parted(NamedTuple):
    """Where the two trials of a case part."""

    text: str
    like: str | None
    """The case that is shown in full before, and parts by the same cause."""


def difference_lines(
    difference: RunDifference,
    style: Style,
    *,
    sides: tuple[str, str],
    verbose: bool = False,
) -> Iterator[str]:
    """Give two runs side by side: counts, then each kind of difference worst first, then numbers.

    Of cases that part by one cause the first is shown in full, and the cause once for all.

    Args:
        difference: What differs.
        style: Of the stream.
        sides: What the reader calls a and b: a file, a folder, an id.
        verbose: True shows every case, and in full; else each kind but the worse ones is cut at 40.

    >>> same = RunDifference(
    ...     regressions=(), fixes=(), unmeasured=(), other_checks=(), changed=(), new=(),
    ...     removed=(), unchanged=2, left_out=0, numbers=(),
    ... )
    >>> list(difference_lines(same, Style(), sides=("old", "new")))
    ['a: old', 'b: new', 'Nothing differs. 2 cases are the same.']
    """
    for side, name in zip("ab", sides, strict=True):
        yield from paragraph(name, style, label=(f"{side}: ", "dim"), most=8)
    yield from paragraph(_counts(difference), style, indent=(0, 0))
    parted = _parted(difference, verbose=verbose)
    for kind, title, colour in _KINDS:
        cases: Sequence[CaseDifference] = getattr(difference, kind)
        if not cases:
            continue
        yield ""
        yield style.paint(title, colour)
        yield from _causes([group for group in difference.groups if group.among == kind], style)
        most = len(cases) if verbose or kind == "regressions" else _MOST_CASES
        for case in cases[:most]:
            yield from _case(case, parted.get(case.id), style, verbose=verbose)
        if len(cases) > most:
            more = counted(len(cases) - most, "more case")
            yield from aside(f"and {more} (show with --verbose)", style, 2)
        if any(parted[case.id].like for case in cases if case.id in parted):
            yield from aside("(--verbose shows every case in full)", style, 2)
    yield from _numbers(difference.numbers, style)


def _counts(difference: RunDifference) -> str:
    parts = [
        f"{len(getattr(difference, kind)):,} {title.partition(':')[0]}"
        for kind, title, _ in _KINDS
        if getattr(difference, kind)
    ]
    same = difference.unchanged
    text = "; ".join(parts) if parts else "Nothing differs"
    text += f". {counted(same, 'case')} {'is' if same == 1 else 'are'} the same."
    if difference.left_out:
        text += f" {counted(difference.left_out, 'case')} of one side only, left out by a filter."
    return text


def _parted(difference: RunDifference, *, verbose: bool) -> Mapping[str, _Parted]:
    like: dict[str, str] = {}
    if not verbose:
        for group in difference.groups:
            like.update(dict.fromkeys(group.cases[1:], group.cases[0]))
    return {one.case: _Parted(one.text, like.get(one.case)) for one in difference.partings}


def _causes(groups: Sequence[PartingGroup], style: Style) -> Iterator[str]:
    """Give what several cases part by, with the first few names; a case alone says it itself."""
    for group in groups:
        if len(group.cases) > 1:
            named = names(group.cases, style, most=_MOST_NAMES)
            text = f"{short(group.text, style, 300)} ({named})"
            label = f"{counted(len(group.cases), 'case')} part alike: "
            yield from paragraph(text, style, label=(label, "bold"), indent=(2, 6))


def _case(
    case: CaseDifference, parted: _Parted | None, style: Style, *, verbose: bool
) -> Iterator[str]:
    protected = " (protected)" if case.protected else ""
    text = f"{short(case.id, style, 100)}{protected}: {_change(case.a, case.b, 'not there')}"
    if parted is not None and parted.like is not None:
        text += f"; parts like {short(parted.like, style, 100)}"
        yield from paragraph(text, style, indent=(2, 6), most=8)
        return
    yield from paragraph(text, style, indent=(2, 6), most=8)
    most = len(case.checks) if verbose else _MOST_CHECKS
    for check in case.checks[:most]:
        yield from paragraph(_check(check, style), style, indent=(6, 10))
    if len(case.checks) > most:
        more = counted(len(case.checks) - most, "more check")
        yield from aside(f"and {more} (show with --verbose)", style, 6)
    if case.reason is not None:
        yield from paragraph(case.reason, style, label=("b: ", "dim"), indent=(6, 10))
    if parted is not None:
        yield from paragraph(parted.text, style, label=("they part ", "dim"), indent=(6, 10))


def _check(check: CheckDifference, style: Style) -> str:
    return f"{short(check.name, style, 100)}: {_change(check.a, check.b, 'not asked')}"


def _change(a: tuple[int, int] | None, b: tuple[int, int] | None, missing: str) -> str:
    return f"{_passed(a, missing)} -> {_passed(b, missing)}"


def _passed(counts: tuple[int, int] | None, missing: str) -> str:
    if counts is None:
        return missing
    return f"{counts[0]:,} of {counts[1]:,}" if counts[1] else "not measured"


def _numbers(numbers: Sequence[NumberDifference], style: Style) -> Iterator[str]:
    known = [number for number in numbers if number.cases]
    if not known:
        return
    yield ""
    table = style.width >= _NARROW
    if table:
        yield style.paint(" " * (LABEL + 2) + _set_right(("a", "b", "difference")), "dim")
    for number in known:
        name, over = _NUMBERS[number.name], f"over {counted(number.cases, 'case')}"
        a, b, change = _figures(number)
        if table:
            yield f"{pad(name, LABEL + 2)}{_set_right((a, b, change))}  {over}"
        else:
            yield from paragraph(f"{name}: {a} -> {b} ({change}), {over}", style)


def _figures(number: NumberDifference) -> tuple[str, str, str]:
    if number.name == "pass_rate":
        points = None if number.difference is None else number.difference * 100
        return (
            percent(number.a),
            percent(number.b),
            signed(points, amount(abs(points or 0)), " points"),
        )
    write = money if number.name == "cost" else amount
    change = None if number.difference is None else abs(number.difference)
    return write(number.a), write(number.b), signed(number.difference, write(change))


def _set_right(texts: tuple[str, str, str]) -> str:
    pairs = zip(texts, _COLUMNS, strict=True)
    return "".join(pad(text, column, right=True) for text, column in pairs)
