"""A trial as a judge reads it: the request, each step with its calls and results, the answer."""

import msgspec

from fairtrial.records import Case, Json, Trajectory
from fairtrial.text import visible

_MOST_OF_ONE = 4_000  # characters of one text, argument list or result
_MOST_OF_ANSWER = 12_000
_MOST = 48_000  # characters of all steps together
_ENCODE = msgspec.json.Encoder(order="deterministic").encode


def transcript_of(case: Case, trajectory: Trajectory) -> str:
    """Give what happened in a trial as text, without times, ids and the other checks.

    Long texts are cut in the middle and say so, and of a long trial the middle steps are left out.
    What cannot be seen (control characters, invisible marks) is written as an escape.

    >>> from fairtrial.records import Source, Step, ToolCall
    >>> case = Case(id="c", hash="", source=Source("a.yaml", 1), input="Cancel H-204")
    >>> call = ToolCall(name="cancel", arguments={"booking": "H-204"}, result={"fee": 0})
    >>> trajectory = Trajectory(case="c", answer="Done.", steps=(Step(calls=(call,)),))
    >>> print(transcript_of(case, trajectory))
    == request ==
    user: Cancel H-204
    == what the agent did ==
    step 1, call: cancel {"booking":"H-204"}
    step 1, result of cancel: {"fee":0}
    == the agent's answer ==
    Done.
    """
    answer = trajectory.answer
    parts = [
        "== request ==",
        *_request(case, trajectory),
        "== what the agent did ==",
        *_bounded(_steps(trajectory)),
        "== the agent's answer ==",
        "(there is no answer)" if answer is None else _cut(answer, _MOST_OF_ANSWER) or "(empty)",
    ]
    return "\n".join(parts)


def _request(case: Case, trajectory: Trajectory) -> list[str]:
    lines = []
    for message in case.messages or ():
        if isinstance(message, dict):
            role, content = message.get("role"), message.get("content")
            lines.append(f"{_cut(str(role), 100)}: {_cut(_text(content))}")
    if case.input is not None:
        lines.append(f"user: {_cut(case.input)}")
    lines += [
        f"user, before step {turn.first + 1}: {_cut(turn.user)}"
        for turn in trajectory.turns or ()
        if turn.user is not None and turn.user != case.input
    ]
    return lines or ["(none)"]


def _steps(trajectory: Trajectory) -> list[str]:
    """Give a text a step."""
    if trajectory.steps is None:
        return ["(the steps were not recorded)"]
    texts = []
    for number, step in enumerate(trajectory.steps, 1):
        lines = []
        if step.text and step.text != trajectory.answer:
            lines.append(f"step {number}, agent: {_cut(step.text, _MOST_OF_ONE)}")
        for call in step.calls:
            name = _cut(call.name, 200)
            lines.append(f"step {number}, call: {name} {_cut(_arguments(call.arguments))}")
            if call.error is not None:
                lines.append(f"step {number}, error of {name}: {_cut(call.error)}")
            elif call.result is not msgspec.UNSET:
                lines.append(f"step {number}, result of {name}: {_cut(_text(call.result))}")
            else:
                lines.append(f"step {number}, {name}: (it gave no result)")
        texts.append("\n".join(lines))
    return [text for text in texts if text] or ["(no call)"]


def _arguments(arguments: dict[str, Json] | str | None) -> str:
    if isinstance(arguments, str):
        return arguments
    return _text(arguments or {})


def _text(value: Json) -> str:
    return value if isinstance(value, str) else _ENCODE(value).decode()


def _cut(text: str, most: int = _MOST_OF_ONE) -> str:
    text = visible(text)
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half:,} characters left out ...]\n{text[-half:]}"


def _bounded(steps: list[str]) -> list[str]:
    """Give the first and the last steps that fit, and say how many are left out between them."""
    if sum(map(len, steps)) <= _MOST:
        return steps
    first, last, room = 0, len(steps), _MOST
    while first < last:
        from_start = first <= len(steps) - last
        size = len(steps[first] if from_start else steps[last - 1])
        if size > room:
            break
        room -= size
        if from_start:
            first += 1
        else:
            last -= 1
    return [*steps[:first], f"[... {last - first} steps left out ...]", *steps[last:]]
