"""Merges what is known about a trial: what the agent says, and what its world and model saw."""

from collections.abc import Sequence
from typing import Final

import msgspec

from fairtrial.match import equal
from fairtrial.records import (
    Json,
    Mode,
    Step,
    Stop,
    Tokens,
    ToolCall,
    Trajectory,
    TrajectoryError,
)
from fairtrial.trials.pairing import pair_calls

_SILENCE: Final = Trajectory(case="")  # what an agent tells that tells nothing
_ENCODE: Final = msgspec.json.Encoder().encode


def assemble(  # noqa: PLR0913 - the evidence: one argument for each thing that is known of a trial
    *,
    case: str,
    trial: int,
    returned: Trajectory | None,
    seen: Sequence[Step],
    calls: Sequence[ToolCall],
    world_known: bool,
    state: dict[str, Json] | None,
    initial_state: dict[str, Json] | None,
    stop: Stop | None,
    error: TrajectoryError | None,
    seconds: float | None,
    mode: Mode,
    notes: Sequence[str] = (),
    cost: float | None = None,
) -> Trajectory:
    """Give the trajectory of one trial. What was seen stands above what the agent says.

    Steps are those that the agent returned, else those that the model's side saw, else one for each
    call of the world, marked inferred. Every call that the world saw is in it exactly once.

    Args:
        case: Id of the case.
        trial: 0 and up.
        returned: What the agent returned, read; None when it returned nothing.
        seen: Completions that passed through the listener, in order.
        calls: The world's own record, in order.
        world_known: There is a world with tools: a call that it did not see did not happen.
        state: The world at the end; None without a world.
        initial_state: The world at the start; None without a world.
        stop: Why the trial was stopped from outside; None when it was not.
        error: What broke the trial; None where nothing is known to have.
        seconds: That the agent took.
        mode: Who spoke for the model.
        notes: Kept under `extra`, as `notes`.
        cost: Where the agent does not say.

    >>> steps = (Step(calls=(ToolCall(name="pay", id="c1"), ToolCall(name="made_up"))),)
    >>> got = assemble(
    ...     case="c", trial=0, returned=Trajectory(case="c", answer="Paid.", steps=steps), seen=(),
    ...     calls=(ToolCall(name="pay", result="ok"), ToolCall(name="log", result=1)),
    ...     world_known=True, state={"paid": 1}, initial_state={"paid": 0}, stop=None, error=None,
    ...     seconds=1.5, mode="none",
    ... )
    >>> [(call.name, call.id, call.result, call.executed) for call in got.steps[0].calls]
    [('pay', 'c1', 'ok', True), ('log', None, 1, True), ('made_up', None, UNSET, False)]
    >>> got.stop, got.state
    ('answer', {'paid': 1})
    """
    told = _SILENCE if returned is None else returned
    steps, inferred = _steps(told, seen, calls)
    if world_known and not (inferred and steps is not told.steps):
        steps = _with_world(steps, calls)
    error = error or told.error
    # Python hands 15 keywords over as they are; with more it makes a dict, in four times the time.
    whole = Trajectory(
        case=case,
        trial=trial,
        answer=told.answer,
        stop=stop or told.stop or _stop(told.answer, error),
        error=error,
        model=mode,
        steps=steps,
        inferred=inferred,
        state=told.state if state is None else state,
        initial_state=told.initial_state if initial_state is None else initial_state,
        tokens=_tokens(told, steps, seen),
        cost=cost if told.cost is None else told.cost,
        currency=told.currency,
        seconds=told.seconds if seconds is None else seconds,
        extra=_with_notes(told.extra, notes) if notes else told.extra,
    )
    if told.turns is None and told.spans is None:
        return whole
    return msgspec.structs.replace(whole, turns=told.turns, spans=told.spans)


def _steps(
    told: Trajectory, seen: Sequence[Step], calls: Sequence[ToolCall]
) -> tuple[tuple[Step, ...], bool]:
    """Give the steps before the world's record is merged in, and whether they are inferred."""
    if told.steps:
        if len(seen) == len(told.steps):
            return _completed(told.steps, seen), told.inferred
        if _is_cut(told.steps, seen, calls):
            return tuple(seen), False
        return told.steps, told.inferred
    if seen:
        return tuple(seen), False
    if told.steps is not None and not calls:
        return told.steps, told.inferred
    return tuple([Step(calls=(call,)) for call in calls]), True


def _is_cut(told: Sequence[Step], seen: Sequence[Step], calls: Sequence[ToolCall]) -> bool:
    """Say whether the agent returned the end of its conversation alone.

    It reports fewer calls than its world saw, and its model's side saw them all.
    """
    reported = sum(len(step.calls) for step in told)
    return (
        len(told) < len(seen)
        and reported < len(calls)
        and len(calls) <= sum(len(step.calls) for step in seen)
    )


def _completed(steps: tuple[Step, ...], seen: Sequence[Step]) -> tuple[Step, ...]:
    """Take tokens, and the seconds that the agent does not tell, from the completions seen.

    What was seen knows which counts are estimates; the agent was given them as if they were told.
    """
    return tuple(
        [
            Step(
                text=step.text,
                calls=step.calls,
                tokens=step.tokens if other.tokens is None else other.tokens,
                seconds=other.seconds if step.seconds is None else step.seconds,
            )
            for step, other in zip(steps, seen, strict=True)
        ]
    )


def _tokens(told: Trajectory, steps: tuple[Step, ...], seen: Sequence[Step]) -> Tokens | None:
    """Give the total: as told, save where every completion was seen."""
    if told.tokens is None or (seen and len(seen) == len(steps)):
        return _total(steps, seen) or told.tokens
    return told.tokens


def _with_world(steps: tuple[Step, ...], calls: Sequence[ToolCall]) -> tuple[Step, ...]:
    """Put the world's own record of each call in place of the agent's."""
    flat = [call for step in steps for call in step.calls]
    if _alike(flat, calls):
        left = iter(calls)
        return tuple(
            [
                _changed(step, [_recorded(call, next(left)) for call in step.calls])
                if step.calls
                else step
                for step in steps
            ]
        )
    pairs = pair_calls([step.calls for step in steps], calls)
    added = _unreported(pairs, calls)
    merged = []
    for number, (step, partners) in enumerate(zip(steps, pairs, strict=True)):
        mine = [*added.get((number, -1), ())]
        for place, (call, partner) in enumerate(zip(step.calls, partners, strict=True)):
            mine.append(_unexecuted(call) if partner is None else _recorded(call, calls[partner]))
            mine += added.get((number, place), ())
        merged.append(_changed(step, mine))
    return tuple(merged)


def _alike(reported: list[ToolCall], seen: Sequence[ToolCall]) -> bool:
    """Say whether both are the same calls in the same order."""
    if len(reported) != len(seen):
        return False
    for one, other in zip(reported, seen, strict=True):
        if one.name != other.name:
            return False
    ours = [call.arguments for call in reported]
    theirs = [call.arguments for call in seen]
    try:
        if ours != theirs:
            return False
        if _ENCODE(ours) == _ENCODE(theirs):  # tells true from 1, and costs less than a walk
            return True
    except (RecursionError, ValueError, TypeError):
        pass  # the walk below can do it
    return equal(ours, theirs)


def _unreported(
    pairs: Sequence[Sequence[int | None]], calls: Sequence[ToolCall]
) -> dict[tuple[int, int], list[ToolCall]]:
    """Give the calls that nobody reported, each under the place of the call after which it came.

    A place is the number of a step and that of a call in it; -1 is before its first call.
    """
    place_of = {
        partner: (number, place)
        for number, step in enumerate(pairs)
        for place, partner in enumerate(step)
    }
    added: dict[tuple[int, int], list[ToolCall]] = {}
    place = (0, -1)
    for index, call in enumerate(calls):
        if index in place_of:
            place = place_of[index]
        else:
            added.setdefault(place, []).append(call)
    return added


def _recorded(reported: ToolCall, seen: ToolCall) -> ToolCall:
    if reported.id is None:
        return seen
    return ToolCall(
        name=seen.name,
        arguments=seen.arguments,
        id=reported.id,
        result=seen.result,
        error=seen.error,
        seconds=seen.seconds,
        changed=seen.changed,
    )


def _unexecuted(call: ToolCall) -> ToolCall:
    return msgspec.structs.replace(call, executed=False)


def _changed(step: Step, calls: list[ToolCall]) -> Step:
    return Step(text=step.text, calls=tuple(calls), tokens=step.tokens, seconds=step.seconds)


def _stop(answer: str | None, error: TrajectoryError | None) -> Stop | None:
    if answer is not None:
        return "answer"
    return None if error is None else "error"


def _total(steps: tuple[Step, ...], seen: Sequence[Step]) -> Tokens | None:
    """Sum the tokens, where all are known: of the steps, else of the completions that were seen.

    The second is for an agent that counts its steps otherwise than the model's side does.
    """
    return _sum(steps) or _sum(seen)


def _sum(steps: Sequence[Step]) -> Tokens | None:
    read = written = 0
    estimated = False
    for step in steps:
        tokens = step.tokens
        if tokens is None or tokens.input is None or tokens.output is None:
            return None
        read += tokens.input
        written += tokens.output
        estimated = estimated or tokens.estimated
    return Tokens(input=read, output=written, estimated=estimated) if steps else None


def _with_notes(extra: dict[str, Json] | None, notes: Sequence[str]) -> dict[str, Json]:
    kept = (extra or {}).get("notes", [])
    return {**(extra or {}), "notes": [*(kept if isinstance(kept, list) else [kept]), *notes]}
