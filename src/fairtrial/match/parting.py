"""Where two trajectories of one case part: the first thing that is not the same, in words."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

from fairtrial.match.abreast import Walked, walk
from fairtrial.match.call import Call, calls_of
from fairtrial.match.equality import MISSING, equal, fingerprint
from fairtrial.match.mismatch import brief, contrast, key_path
from fairtrial.records import Json, Parting, PartingKind, Stop, Trajectory
from fairtrial.text import cut

_NAMED: Final = 4  # calls in common, and tools called at once, that are named
_SHOWN: Final = 3  # arguments of a call
_COMPARED: Final = 30  # calls of one tool in one step that are compared to find the one most alike
_LONGEST: Final = 160  # characters of a path, a call or an error
_INDEX: Final = re.compile(r"\[\d+\]")

_ENDS: Final[dict[Stop, str]] = {
    "answer": "answers",
    "steps": "runs out of steps",
    "budget": "spends its budget",
    "timeout": "runs out of time",
    "refused": "refuses",
    "error": "ends without an answer",
}


class _Found(NamedTuple):
    """What is not the same, where it was found does not matter."""

    kind: PartingKind
    text: str
    cause: str
    a: str | None = None
    b: str | None = None
    tool: str | None = None
    path: str | None = None


def first_parting(a: Trajectory, b: Trajectory) -> Parting:
    """Say where two trajectories of one case part first, b seen from a.

    Calls are compared step by step with their arguments and what came of them, those of one step
    in any order; then how the two end, their answers, their steps and the final state. What a
    step says beside its calls is not compared, and neither are times, tokens and ids of calls.

    >>> from fairtrial.records import Step, ToolCall
    >>> was, now = (
    ...     Trajectory(case="c1", answer="Done.", steps=(Step(calls=(call,)), Step(text="Done.")))
    ...     for call in (
    ...         ToolCall(name="pay", arguments={"fee": 0}),
    ...         ToolCall(name="pay", arguments={"fee": 40}),
    ...     )
    ... )
    >>> first_parting(was, now).text
    'at step 1: the argument fee of pay is 0 in a, 40 in b'
    >>> first_parting(was, was).kind
    'same'
    """
    if a.steps is None or b.steps is None:
        which = "b" if a.steps is not None else "a" if b.steps is not None else "both"
        unseen = f"the steps of {which} are not known"
        found = _after_calls(a, b)
        if found is None:
            return _parting(
                a, b, None, _Found("unknown", f"at an unknown step, if at all: {unseen}", unseen)
            )
        text = f"at the end, if not before, as {unseen}: {found.text}"
        return _parting(a, b, None, found._replace(text=text))
    walked = walk(calls_of(a), calls_of(b))
    if walked.apart == "nowhere":
        return _after_walk(a, b, a.steps, b.steps, walked)
    if walked.apart == "end":
        found = _one_stops(a, b, walked)
    elif walked.apart == "outcome":
        found = _outcome(walked.a[0], walked.b[0])
    else:
        found = _calls(walked.a, walked.b)
    steps = (_step(walked.a, a), _step(walked.b, b))
    return _parting(a, b, steps[1], _placed(found, steps, walked))


def indexes_aside(path: str) -> str:
    """Give a path without the numbers of its items, which differ where the cause does not.

    >>> indexes_aside("items[3].price")
    'items[].price'
    """
    return _INDEX.sub("[]", path)


def _parting(a: Trajectory, b: Trajectory, step: int | None, found: _Found) -> Parting:
    return Parting(
        case=b.case,
        trial_a=a.trial,
        trial_b=b.trial,
        step=step,
        kind=found.kind,
        tool=found.tool,
        path=found.path,
        a=found.a,
        b=found.b,
        text=found.text,
        cause=found.cause,
    )


def _step(calls: Sequence[Call], trajectory: Trajectory) -> int:
    """Number the step of the first of these calls; without one, the step after the last call."""
    if calls:
        return min(call.step for call in calls) + 1
    steps = trajectory.steps or ()
    return max((at for at, step in enumerate(steps, 1) if step.calls), default=0) + 1


def _placed(found: _Found, steps: tuple[int, int], walked: Walked) -> _Found:
    """Begin the text with the step and with what both did before it."""
    place = f"at step {steps[1]}"
    if steps[0] != steps[1]:
        place += f" (step {steps[0]} of a)"
    if walked.before:
        place += f", after {_names(walked.before)} in both"
    return found._replace(text=f"{place}: {found.text}")


def _names(names: Sequence[str]) -> str:
    if len(names) <= _NAMED:
        return ", ".join(cut(name) for name in names)
    return f"{len(names)} calls, the last {cut(names[-1])},"


def _after_walk(
    a: Trajectory,
    b: Trajectory,
    a_steps: Sequence[object],
    b_steps: Sequence[object],
    walked: Walked,
) -> Parting:
    """Tell two trajectories apart that make the same calls with the same outcomes."""
    found = _after_calls(a, b)
    if found is not None and found.kind != "state":
        steps = (max(len(a_steps), 1), max(len(b_steps), 1))
        return _parting(a, b, steps[1], _placed(found, steps, walked))
    if not (a.inferred or b.inferred):
        step = _other_step(a, b)
        if step is not None:
            return _parting(a, b, step, _other_steps(len(a_steps), len(b_steps), step))
    if found is not None:
        return _parting(a, b, None, found._replace(text=f"after the last step: {found.text}"))
    same = "the same calls, results and answer"
    return _parting(a, b, None, _Found("same", f"nowhere: {same}", same))


def _other_step(a: Trajectory, b: Trajectory) -> int | None:
    """Give the first step that has not the same calls, from 1, where all calls are the same."""
    sizes = [[len(step.calls) for step in one.steps or ()] for one in (a, b)]
    if sizes[0] == sizes[1]:
        return None
    pairs = enumerate(zip(*sizes, strict=False), 1)
    return next((at for at, (x, y) in pairs if x != y), min(map(len, sizes)) + 1)


def _other_steps(a: int, b: int, step: int) -> _Found:
    cause = "the same calls in other steps"
    counts = f"{a} in a, {b} in b" if a != b else f"{a} in both"
    return _Found("steps", f"at step {step}: {cause} ({counts})", cause, str(a), str(b))


def _calls(a: Sequence[Call], b: Sequence[Call]) -> _Found:
    """Tell calls of one step apart, none of which the other side makes in its own."""
    alike = _most_alike(a, b)
    if alike is not None:
        return _arguments(*alike)
    both = (_listed(a), _listed(b))
    return _Found(
        "tool",
        f"a calls {both[0]}, b calls {both[1]}",
        f"a calls {_tools(a)}, b calls {_tools(b)}",
        *both,
        tool=cut(a[0].name),
    )


def _most_alike(a: Sequence[Call], b: Sequence[Call]) -> tuple[Call, Call] | None:
    """Give the two calls of one tool with the fewest arguments that differ, if there are any."""
    shared = sorted({call.name for call in a} & {call.name for call in b})
    pairs = [
        (one, other)
        for name in shared[:_COMPARED]
        for one in islice((call for call in a if call.name == name), _COMPARED)
        for other in islice((call for call in b if call.name == name), _COMPARED)
    ]
    return min(pairs, key=_unlikeness, default=None)


def _unlikeness(pair: tuple[Call, Call]) -> tuple[bool, int, str, list[str]]:
    one, other = pair
    malformed = one.malformed or other.malformed
    texts = sorted(fingerprint(call.raw) for call in pair)  # so that a and b can change places
    return malformed, len(_differing(one.arguments, other.arguments)), one.name, texts


def _differing(a: Json, b: Json) -> list[str]:
    """Give the keys with other values, sorted; none where one of the two is no mapping."""
    if not (isinstance(a, dict) and isinstance(b, dict)):
        return []
    return [
        key
        for key in sorted(a.keys() | b.keys())
        if not equal(a.get(key, MISSING), b.get(key, MISSING))
    ]


def _arguments(a: Call, b: Call) -> _Found:
    tool = cut(a.name)
    if a.malformed or b.malformed:
        was, now = _raw(a), _raw(b)
        text = f"the arguments of {tool} are {was} in a, {now} in b"
        return _Found("argument", text, f"other arguments of {tool}", was, now, tool)
    path, was, now = _first_difference(a.arguments, b.arguments)
    was, now = _contrasted(was, now)
    text = f"the argument {path} of {tool} is {was} in a, {now} in b"
    more = len(_differing(a.arguments, b.arguments)) - 1
    if more > 0:
        text += f", and {more} more {'differs' if more == 1 else 'differ'}"
    cause = f"another argument {indexes_aside(path)} of {tool}"
    return _Found("argument", text, cause, was, now, tool, path)


def _raw(call: Call) -> str:
    if call.malformed:
        return f"{brief(call.raw)} (no JSON object)"
    return brief(call.arguments)


def _outcome(a: Call, b: Call) -> _Found:
    tool = cut(a.name)
    errors = (_error(a), _error(b))
    if errors[0] == errors[1]:
        return _result(a, b, tool)
    if all(errors):
        text = f"{tool} fails in both: {errors[0]} in a, {errors[1]} in b"
        return _Found("error", text, f"another error of {tool}", *errors, tool=tool)
    side = "b" if errors[1] else "a"
    cause = f"{tool} fails in {side} alone"
    return _Found("error", f"{cause}: {errors[0] or errors[1]}", cause, *errors, tool=tool)


def _error(call: Call) -> str | None:
    if call.error is not None:
        return brief(call.error, _LONGEST)
    return None if call.source.executed else "it reached no tool"


def _result(a: Call, b: Call, tool: str) -> _Found:
    path, was, now = _first_difference(a.result, b.result)
    was, now = _contrasted(was, now)
    where = f"{path} in the result" if path else "the result"
    text = f"{where} of {tool} is {was} in a, {now} in b"
    cause = f"another result of {tool}"
    if path:
        cause += f": {indexes_aside(path)}"
    return _Found("result", text, cause, was, now, tool, path or None)


def _one_stops(a: Trajectory, b: Trajectory, walked: Walked) -> _Found:
    """Tell a side that calls on from one that makes no more calls."""
    calls = walked.a or walked.b
    said, named = _listed(calls), _tools(calls)
    if walked.a:
        both, plain = (f"calls {said}", _end(b)), (f"calls {named}", _end(b, plain=True))
    else:
        both, plain = (_end(a), f"calls {said}"), (_end(a, plain=True), f"calls {named}")
    text, cause = (f"a {one}, b {other}" for one, other in (both, plain))
    return _Found("stop", text, cause, *both, tool=cut(calls[0].name))


def _after_calls(a: Trajectory, b: Trajectory) -> _Found | None:
    """Tell apart how two trajectories end, what they answer and which state they leave."""
    if (_stop(a), a.error) != (_stop(b), b.error):
        both, plain = (_end(a), _end(b)), (_end(a, plain=True), _end(b, plain=True))
        cause = (
            f"a {plain[0]}, b {plain[1]}" if plain[0] != plain[1] else "another error at the end"
        )
        return _Found("stop", f"a {both[0]}, b {both[1]}", cause, *both)
    if a.answer != b.answer:
        was, now = _contrasted(*(MISSING if one.answer is None else one.answer for one in (a, b)))
        return _Found("answer", f"the answer is {was} in a, {now} in b", "another answer", was, now)
    if a.state is None or b.state is None or equal(a.state, b.state):
        return None
    path, was, now = _first_difference(a.state, b.state)
    was, now = _contrasted(was, now)
    text = f"{path} in the final state is {was} in a, {now} in b"
    cause = f"another final state: {indexes_aside(path)}"
    return _Found("state", text, cause, was, now, path=path)


def _stop(trajectory: Trajectory) -> Stop:
    if trajectory.stop is not None:
        return trajectory.stop
    return "error" if trajectory.answer is None else "answer"


def _end(trajectory: Trajectory, *, plain: bool = False) -> str:
    error = trajectory.error
    if error is None:
        return _ENDS[_stop(trajectory)]
    kind = f"ends with an error of the {error.kind}"
    return kind if plain else f"{kind}: {brief(error.message, _LONGEST)}"


def _first_difference(a: Json, b: Json) -> tuple[str, Json, Json]:
    """Give the path of the first value inside that differs, keys sorted, and both values."""
    path = ""
    while True:
        if isinstance(a, dict) and isinstance(b, dict):
            key = _differing(a, b)[0]
            path = key_path(path, key)
            a, b = a.get(key, MISSING), b.get(key, MISSING)
        elif isinstance(a, list) and isinstance(b, list):
            pairs = enumerate(zip(a, b, strict=False))
            at = next((at for at, pair in pairs if not equal(*pair)), min(len(a), len(b)))
            path += f"[{at}]"
            a, b = (side[at] if at < len(side) else MISSING for side in (a, b))
        else:
            return cut(path, _LONGEST) if path else "", a, b


def _contrasted(a: Json, b: Json) -> tuple[str, str]:
    told = contrast("", a, b)
    return told.wanted, told.got


def _listed(calls: Sequence[Call]) -> str:
    return _few([_described(call) for call in calls[:_NAMED]], len(calls))


def _tools(calls: Sequence[Call]) -> str:
    names = list(dict.fromkeys(call.name for call in calls))
    return _few([cut(name) for name in names[:_NAMED]], len(names))


def _few(shown: Sequence[str], count: int) -> str:
    more = f" and {count - len(shown)} more" if count > len(shown) else ""
    return ", ".join(shown) + more


def _described(call: Call) -> str:
    if call.malformed:
        return f"{cut(call.name)}({cut(str(call.raw), 40)})"
    arguments = ", ".join(
        f"{cut(key)}={brief(value)}" for key, value in islice(call.arguments.items(), _SHOWN)
    )
    return f"{cut(call.name)}({cut(arguments, 60) if arguments else ''})"
