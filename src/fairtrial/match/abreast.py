"""The calls of two trajectories walked abreast, up to the first that only one of them made."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from fairtrial.match.call import Call
from fairtrial.match.equality import MISSING, fingerprint

Apart: TypeAlias = Literal["calls", "outcome", "end", "nowhere"]
"""Other calls, another outcome of the same call, no more calls on one side, or no difference."""


class Walked(Struct, frozen=True):
    """How far two trajectories went together, and what came then."""

    apart: Apart
    a: tuple[Call, ...]
    """Of `calls`: those that b did not make, in an order that is not that of the step; of
    `outcome`: the one; of `end`: those left, or none."""
    b: tuple[Call, ...]
    before: tuple[str, ...]
    """Names of the calls that both made alike in earlier steps, in order."""


class _Made(NamedTuple):
    """A call, and what it is told from others by."""

    wanted: str
    """Its tool and arguments."""
    outcome: str
    call: Call


class _Open:
    """The calls of one step that have no partner yet."""

    def __init__(self, steps: Iterator[Sequence[Call]]) -> None:
        self._steps = steps
        self._held: dict[str, dict[str, list[Call]]] = {}
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._count)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._held))

    def refill(self) -> None:
        """Take the next step when all calls of the last one have found a partner."""
        if not self._held:
            for made in map(_made, next(self._steps, ())):
                outcomes = self._held.setdefault(made.wanted, {})
                outcomes.setdefault(made.outcome, []).append(made.call)
                self._count += 1

    def outcomes(self, wanted: str) -> dict[str, list[Call]]:
        """Give what is held of one tool and its arguments, by outcome."""
        return self._held.get(wanted, {})

    def take(self, wanted: str, outcome: str) -> _Made:
        """Give a call and hold it no longer."""
        outcomes = self._held[wanted]
        call = outcomes[outcome].pop()
        self._count -= 1
        if not outcomes[outcome]:
            del outcomes[outcome]
        if not outcomes:
            del self._held[wanted]
        return _Made(wanted, outcome, call)

    def calls(self) -> tuple[Call, ...]:
        """Give all that are held, sorted so that their order within the step means nothing."""
        made = (
            _Made(wanted, outcome, call)
            for wanted, outcomes in self._held.items()
            for outcome, calls in outcomes.items()
            for call in calls
        )
        return tuple(one.call for one in sorted(made, key=_told))


def walk(a: Iterable[Call], b: Iterable[Call]) -> Walked:
    """Walk the calls of two trajectories side by side, and stop where they part.

    The calls of one step are parallel: they find their partners in any order. Calls that one side
    made in one step and the other in several, one after the other, are the same calls.

    >>> from fairtrial.match.call import calls_of
    >>> from fairtrial.records import Step, ToolCall, Trajectory
    >>> get, pay, stop = (Step(calls=(ToolCall(name=name),)) for name in ("get", "pay", "stop"))
    >>> long, short = (calls_of(Trajectory(case="c", steps=(get, last))) for last in (pay, stop))
    >>> walked = walk(long, short)
    >>> walked.apart, walked.a[0].name, walked.b[0].name, walked.before
    ('calls', 'pay', 'stop', ('get',))
    """
    left, right = _Open(_steps(a)), _Open(_steps(b))
    before: list[str] = []
    while True:
        left.refill()
        right.refill()
        if not (left and right):
            apart: Apart = "end" if left or right else "nowhere"
            return Walked(apart, left.calls(), right.calls(), tuple(before))
        # The one with more may hold very many for very many steps of the other.
        turned = len(right) < len(left)
        alike, unlike = _pair(right, left) if turned else _pair(left, right)
        if left and right:
            return Walked("calls", left.calls(), right.calls(), tuple(before))
        if unlike:
            pair = min(unlike, key=lambda pair: sorted(map(_told, pair)))
            one, other = reversed(pair) if turned else pair
            return Walked("outcome", (one.call,), (other.call,), tuple(before))
        before += sorted(alike)


def _steps(calls: Iterable[Call]) -> Iterator[Sequence[Call]]:
    for _, step in itertools.groupby(calls, key=lambda call: call.step):
        yield tuple(step)


def _made(call: Call) -> _Made:
    wanted = f"!{call.raw}" if call.malformed else fingerprint(call.arguments)
    source = call.source
    result = "" if call.result is MISSING else fingerprint(call.result)
    outcome = fingerprint([source.error, source.executed, result])
    return _Made(f"{call.name}\0{wanted}", outcome, call)


def _told(made: _Made) -> tuple[str, str]:
    return made.wanted, made.outcome


def _pair(fewer: _Open, more: _Open) -> tuple[list[str], list[tuple[_Made, _Made]]]:
    """Take the calls that both hold out of both: names of those with one outcome, and the rest."""
    alike: list[str] = []
    unlike: list[tuple[_Made, _Made]] = []
    for wanted in fewer:
        for outcome in tuple(fewer.outcomes(wanted)):
            while outcome in fewer.outcomes(wanted) and outcome in more.outcomes(wanted):
                alike.append(fewer.take(wanted, outcome).call.name)
                more.take(wanted, outcome)
        ours, theirs = fewer.outcomes(wanted), more.outcomes(wanted)
        if ours and theirs:
            rest = zip(_each(ours), _each(theirs), strict=False)
            unlike += [(fewer.take(wanted, a), more.take(wanted, b)) for a, b in rest]
    return alike, unlike


def _each(outcomes: dict[str, list[Call]]) -> list[str]:
    """Name each outcome as often as it came, sorted."""
    return [outcome for outcome in sorted(outcomes) for _ in outcomes[outcome]]
