"""Pairs the calls that an agent reported with the calls that its world saw."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from fairtrial.match import Call, fingerprint
from fairtrial.records import ToolCall

_Kind: TypeAlias = int  # calls of one kind have the same tool and equal arguments

_UNSEEN: Final = -1  # the kind of reported calls that the world saw none of
_MOST_WORK: Final = 300_000  # pairs looked at; past that the first are paired with the first


def pair_calls(
    reported: Sequence[Sequence[ToolCall]], seen: Sequence[ToolCall]
) -> list[list[int | None]]:
    """Pair reported calls with different calls that the world saw.

    As many calls of the same tool with equal arguments as there are on both sides are paired; where
    there is a choice, as many as possible in the order in which the world saw them (calls of one
    step have none). After that, a call whose arguments are text that is
    no object goes with one of the same tool where the other side has an object: somebody mended or
    broke the text on its way.

    Args:
        reported: The calls of each step.
        seen: The calls that the world saw, in order.

    Returns:
        For every call of every step the index of its partner, or None.

    >>> get, pay = ToolCall(name="get"), ToolCall(name="pay", arguments={"sum": 5})
    >>> pair_calls([[pay], [get]], [get, pay, get])
    [[1], [2]]
    """
    told = [[Call.of(0, number, call) for call in step] for number, step in enumerate(reported)]
    world = [Call.of(index, 0, call) for index, call in enumerate(seen)]
    known: dict[tuple[str, bool, str], _Kind] = {}
    kinds = [known.setdefault(_key(call), len(known)) for call in world]
    steps = [[known.get(_key(call), _UNSEEN) for call in step] for step in told]
    waiting = _in_order(steps, kinds) if _has_choice(steps, kinds) else [{} for _ in steps]
    _add_the_rest(waiting, steps, kinds)
    pairs = [
        [partners[kind].popleft() if partners.get(kind) else None for kind in step]
        for step, partners in zip(steps, waiting, strict=True)
    ]
    _pair_mended(pairs, told, world)
    return pairs


def _key(call: Call) -> tuple[str, bool, str]:
    if call.malformed:
        return call.name, True, str(call.raw)
    return call.name, False, fingerprint(call.arguments)


def _has_choice(steps: Sequence[Sequence[_Kind]], kinds: Sequence[_Kind]) -> bool:
    told = Counter(kind for step in steps for kind in step)
    return any(told[kind] not in {0, count} for kind, count in Counter(kinds).items())


def _in_order(
    steps: Sequence[Sequence[_Kind]], kinds: Sequence[_Kind]
) -> list[dict[_Kind, deque[int]]]:
    """Give for each step what it takes of one stretch of the world's calls, stretch after stretch.

    Stretches are chosen so that all steps together take the most.
    """
    taken: list[dict[_Kind, deque[int]]] = [{} for _ in steps]
    told = {kind for step in steps for kind in step}
    places = [index for index, kind in enumerate(kinds) if kind in told]
    size = len(places)
    busy = [number for number, step in enumerate(steps) if any(kind >= 0 for kind in step)]
    if len(busy) * size * size > _MOST_WORK:
        return taken
    best = [0] * (size + 1)  # most that is taken of the first so many places
    starts = []  # for each step: where the stretch begins that ends before each place
    for number in busy:
        best, begins = _with_step(best, steps[number], [kinds[place] for place in places])
        starts.append(begins)
    end = size
    for number, begins in zip(reversed(busy), reversed(starts), strict=True):
        left = Counter(steps[number])
        start = begins[end]
        for place in places[start:end]:
            kind = kinds[place]
            if left[kind] > 0:
                left[kind] -= 1
                taken[number].setdefault(kind, deque()).append(place)
        end = start
    return taken


def _with_step(
    best: Sequence[int], step: Sequence[_Kind], kinds: Sequence[_Kind]
) -> tuple[list[int], list[int]]:
    """Let one more step take a stretch: the most taken before each place, and where it begins."""
    most = list(best)
    begins = list(range(len(best)))  # an empty stretch
    wanted = Counter(step)
    for start, before in enumerate(best):
        left = wanted.copy()
        total = before
        for place in range(start, len(kinds)):
            kind = kinds[place]
            if left[kind] > 0:
                left[kind] -= 1
                total += 1
            if total > most[place + 1]:
                most[place + 1], begins[place + 1] = total, start
    return most, begins


def _add_the_rest(
    waiting: Sequence[dict[_Kind, deque[int]]],
    steps: Sequence[Sequence[_Kind]],
    kinds: Sequence[_Kind],
) -> None:
    """Give steps that lack calls of a kind those that no step took, first to first."""
    used = {place for partners in waiting for places in partners.values() for place in places}
    free: dict[_Kind, deque[int]] = {}
    for place, kind in enumerate(kinds):
        if place not in used:
            free.setdefault(kind, deque()).append(place)
    for partners, step in zip(waiting, steps, strict=True):
        for kind, count in Counter(step).items():
            mine, left = partners.setdefault(kind, deque()), free.get(kind)
            while left and len(mine) < count:
                mine.append(left.popleft())


def _pair_mended(
    pairs: list[list[int | None]], told: Sequence[Sequence[Call]], world: Sequence[Call]
) -> None:
    used = {index for step in pairs for index in step}
    free: dict[tuple[str, bool], deque[int]] = {}
    for call in world:
        if call.index not in used:
            free.setdefault((call.name, call.malformed), deque()).append(call.index)
    if not free:
        return
    for row, place, call in _unpaired(pairs, told):
        partners = free.get((call.name, not call.malformed))
        if partners:
            row[place] = partners.popleft()


def _unpaired(
    pairs: list[list[int | None]], told: Sequence[Sequence[Call]]
) -> Iterator[tuple[list[int | None], int, Call]]:
    for row, step in zip(pairs, told, strict=True):
        left = [(place, call) for place, call in enumerate(step) if row[place] is None]
        for place, call in sorted(left, key=lambda one: _key(one[1])):  # their order says nothing
            yield row, place, call
