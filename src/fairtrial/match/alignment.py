"""The most items of a plan that pair with calls: in order of steps, or in any order."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from fairtrial.match.call import Call
from fairtrial.match.pairing import pair_rows
from fairtrial.match.pattern import CallPattern
from fairtrial.match.search import StepSearch

Pairs: TypeAlias = list[int | None]


def pair_any_order(items: Sequence[CallPattern], calls: Sequence[Call]) -> Pairs:
    """Pair as many items as possible with different calls; for each item the call's position."""
    return pair_rows(_rows(items, calls), len(calls))


def pair_in_order(units: Sequence[Sequence[CallPattern]], calls: Sequence[Call]) -> Pairs:
    """Pair as many items as possible with different calls, in order; for each item a position.

    Args:
        units: Each one pattern, or the members of a group.
        calls: In order of their steps.
    """
    found = _first_fit(units, calls)
    if found is not None:
        return found
    items = [item for unit in units for item in unit]
    rows = _rows(items, calls)
    steps = _steps(rows, calls)
    if len(units) == len(items) and all(step & (step - 1) == 0 for step in steps):
        return _subsequence(rows, steps)
    return StepSearch([len(unit) for unit in units], rows, steps).best()


def _rows(items: Sequence[CallPattern], calls: Sequence[Call]) -> list[int]:
    """Give for each item the positions of the calls that match it, as bits."""
    by_name: dict[str, list[int]] = {}
    for position, call in enumerate(calls):
        by_name.setdefault(call.name, []).append(position)
    return [
        sum(
            1 << position
            for position in by_name.get(item.name, ())
            if item.matches(calls[position])
        )
        for item in items
    ]


def _steps(rows: Sequence[int], calls: Sequence[Call]) -> list[int]:
    """Give for each step the calls that match anything, as bits; steps without any are left out."""
    useful = 0
    for row in rows:
        useful |= row
    by_step: dict[int, int] = {}
    for position, call in enumerate(calls):
        by_step[call.step] = by_step.get(call.step, 0) | (useful & 1 << position)
    return [bits for _, bits in sorted(by_step.items()) if bits]


def _first_fit(units: Sequence[Sequence[CallPattern]], calls: Sequence[Call]) -> Pairs | None:
    """Take every call for the first open item that it fits. None unless all items find one so."""
    pairs: Pairs = []
    rest = iter(enumerate(calls))
    for unit in units:
        found: Pairs = [None] * len(unit)
        for position, call in rest:
            for member, item in enumerate(unit):
                if found[member] is None and item.matches(call):
                    found[member] = position
                    break
            if None not in found:
                break
        else:
            return None
        pairs += found
    return pairs


def _subsequence(rows: Sequence[int], steps: Sequence[int]) -> Pairs:
    """Pair single items with calls one after the other: the longest rising chain of matches."""
    ends: list[int] = []  # the lowest last item of a chain of each length
    chains: list[_Chain] = []
    for bit in steps:
        column = [item for item, row in enumerate(rows) if row & bit]
        for item in reversed(column):  # downwards, so that a call is used once in a chain
            length = bisect_left(ends, item)
            chain = _Chain(item, bit, chains[length - 1] if length else None)
            if length == len(ends):
                ends.append(item)
                chains.append(chain)
            elif item < ends[length]:
                ends[length] = item
                chains[length] = chain
    pairs: Pairs = [None] * len(rows)
    link = chains[-1] if chains else None
    while link is not None:
        pairs[link.item] = link.bit.bit_length() - 1
        link = link.before
    return pairs


class _Chain(NamedTuple):
    item: int
    bit: int
    before: "_Chain | None"
