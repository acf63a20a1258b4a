"""Calls made again: a repeat of a call that worked, or a retry of one that failed."""

import functools
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from fairtrial.graders.question import CALLS, HOLDS, SHARED, Outcome, Question, decided_by
from fairtrial.graders.subject import Subject
from fairtrial.graders.wording import few, names
from fairtrial.match import Call, fingerprint
from fairtrial.records import Limits, Trajectory
from fairtrial.text import cut

_RETRIES = 2


class _Again(NamedTuple):
    """A call that equals an earlier one of the same user turn."""

    call: Call
    retries: int
    """How often in a row it was now called after its own error; 0: the earlier one succeeded."""


def repeats_question(limits: Limits) -> Question:
    """Ask whether the agent called the same thing again without need.

    A repeat equals the latest equal call of the same user turn, which succeeded, with no change of
    the world's state between; a retry follows an equal call that failed, and a success ends its
    count. Calls of one step count in the order in which they were recorded.

    >>> from fairtrial.records import Step, ToolCall
    >>> call = ToolCall(name="get", arguments={"id": 1})
    >>> twice = Trajectory(case="c", steps=(Step(calls=(call,)), Step(calls=(call,))))
    >>> repeats_question(Limits()).ask(Subject(twice)).reason
    'get was repeated 1 time, 0 allowed'
    """
    retries = _RETRIES if limits.retries is None else limits.retries
    asked = limits.repeats is not None or limits.retries is not None
    if isinstance(limits.repeats, dict):
        return _question(limits.repeats, retries, asked=asked)
    return _shared_question(limits.repeats or 0, retries, asked=asked)


def _question(allowed: int | dict[str, int], retries: int, *, asked: bool) -> Question:
    def ask(subject: Subject) -> Outcome:
        calls = subject.calls or []
        if len(subject.called) == len(calls):
            return HOLDS
        again = list(_again(calls, subject.trajectory))
        repeated = [item.call for item in again if not item.retries]
        wrong = _over([call.name for call in repeated], allowed)
        deciding = repeated if wrong else []
        retried: dict[str, int] = {}
        for item in again:
            if item.retries > retries:
                retried[item.call.name] = max(item.retries, retried.get(item.call.name, 0))
                deciding.append(item.call)
        wrong += [
            f"{cut(name)} was retried {_times(count)} after its error, {retries} allowed"
            for name, count in retried.items()
        ]
        if not wrong:
            return HOLDS
        return Outcome(passed=False, reason=few(wrong, 3, "; "), calls=decided_by(deciding))

    return Question(
        name="tools.repeats",
        ask=ask,
        holds="no call was repeated without need",
        about=CALLS,
        asked=asked,
    )


_shared_question = functools.lru_cache(SHARED)(_question)


def _over(repeated: list[str], allowed: int | dict[str, int]) -> list[str]:
    if not repeated:
        return []
    if isinstance(allowed, int):
        total, tools = len(repeated), list(dict.fromkeys(repeated))
        verb = "was" if len(tools) == 1 else "were"
        text = f"{names(tools)} {verb} repeated {_times(total)}, {allowed} allowed"
        return [text] if total > allowed else []
    return [
        f"{cut(name)} was repeated {_times(count)}, {allowed.get(name, 0)} allowed"
        for name, count in Counter(repeated).items()
        if count > allowed.get(name, 0)
    ]


def _times(count: int) -> str:
    return "1 time" if count == 1 else f"{count} times"


_Key: TypeAlias = tuple[str, bool, str]


def _key(call: Call) -> _Key:
    """Give what two calls share exactly when they are equal."""
    if call.malformed:
        return call.name, True, str(call.raw)
    return call.name, False, fingerprint(call.arguments)


class _Latest(NamedTuple):
    """The latest of the equal calls of a user turn."""

    failed: bool
    changes: int
    """Changes of state up to and with it."""
    retries: int
    """How often in a row the call was repeated after its own error."""


def _again(calls: list[Call], trajectory: Trajectory) -> Iterator[_Again]:
    told = any(call.changed is not None for call in calls)
    starts = sorted(turn.first for turn in trajectory.turns or ())
    latest: dict[tuple[int, _Key], _Latest] = {}
    seen: set[_Key] = set()
    changes = 0  # changes of state so far; equal counts mean: nothing changed between
    for call in calls:
        key = _key(call)
        place = (bisect_right(starts, call.step), key)
        earlier, retries, failed = latest.get(place), 0, call.failed
        if earlier is not None:
            if earlier.failed:
                retries = earlier.retries + 1
                yield _Again(call, retries)
            elif changes == earlier.changes:
                yield _Again(call, 0)
        if (call.changed is True) if told else (not failed and key not in seen):
            changes += 1
        seen.add(key)
        latest[place] = _Latest(failed, changes, retries)
