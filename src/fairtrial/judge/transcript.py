"""A trial as a judge reads it: the request, each step with its calls and results, the answer."""

import hashlib
import re
from collections.abc import Iterable
from itertools import chain

import msgspec

from fairtrial.records import Case, Json, Trajectory, TranscriptPart
from fairtrial.text import visible

_MOST_OF_ONE = 4_000  # characters of one text, argument list or result
_MOST_OF_ANSWER = 12_000
_MOST = 48_000  # characters of all steps together
_HEADING = re.compile(r"^(?===)")
_LIKE_OURS = re.compile(r"^(?===|step \d|user\b|\[\.\.\.)", re.IGNORECASE | re.MULTILINE)
_MOVED_IN = "    "
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
    return transcript_text(transcript_parts(case, trajectory))


def transcript_text(parts: Iterable[TranscriptPart]) -> str:
    r"""Join the parts of a transcript.

    Headings and steps stand at the edge; a line of a text that looks like one is moved in, so that
    no answer can hold a call that nobody made.

    >>> transcript_text([TranscriptPart(heading="request", entries=("user: Hi\n== x ==",))])
    '== request ==\nuser: Hi\n    == x =='
    """
    lines: list[str] = []
    for part in parts:
        lines.append(f"== {part.heading} ==")
        for entry in part.entries:
            first, end, rest = entry.partition("\n")
            lines.append(_HEADING.sub(_MOVED_IN, first) + end + _LIKE_OURS.sub(_MOVED_IN, rest))
    return "\n".join(lines)


def transcript_parts(case: Case, trajectory: Trajectory) -> tuple[TranscriptPart, ...]:
    """Give the same text in its parts, so that no text of an agent can pass for a heading.

    >>> from fairtrial.records import Source
    >>> case = Case(id="c", hash="", source=Source("a.yaml", 1), input="Hi")
    >>> [part.heading for part in transcript_parts(case, Trajectory(case="c", answer="Hello."))]
    ['request', 'what the agent did', "the agent's answer"]
    """
    answer = trajectory.answer
    said = "(there is no answer)" if answer is None else _cut(answer, _MOST_OF_ANSWER) or "(empty)"
    return (
        TranscriptPart(heading="request", entries=tuple(_request(case, trajectory))),
        TranscriptPart(heading="what the agent did", entries=tuple(_bounded(_steps(trajectory)))),
        TranscriptPart(heading="the agent's answer", entries=(said,)),
    )


def transcript_fingerprint(trajectory: Trajectory) -> str:
    """Give 16 hex digits over what an agent did and said, as a reader sees it.

    The case is left out, and so are times and ids: a trial that is graded again has the same.

    >>> one = transcript_fingerprint(Trajectory(case="c", answer="Done.", seconds=1.5))
    >>> one == transcript_fingerprint(Trajectory(case="c", answer="Done.")), len(one)
    (True, 16)
    """
    told = [_steps(trajectory), trajectory.answer, [turn.user for turn in trajectory.turns or ()]]
    return hashlib.sha256(_ENCODE(told)).hexdigest()[:16]


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


def _steps(trajectory: Trajectory) -> list[list[str]]:
    """Give the entries of each step."""
    if trajectory.steps is None:
        return [["(the steps were not recorded)"]]
    steps = []
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
        steps.append(lines)
    return [entries for entries in steps if entries] or [["(no call)"]]


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


def _bounded(steps: list[list[str]]) -> list[str]:
    """Give the first and the last steps that fit, and say how many are left out between them."""
    sizes = [len("\n".join(entries)) for entries in steps]
    first, last, room = 0, len(steps), _MOST
    if sum(sizes) <= _MOST:
        return [*chain(*steps)]
    while first < last:
        from_start = first <= len(steps) - last
        size = sizes[first] if from_start else sizes[last - 1]
        if size > room:
            break
        room -= size
        if from_start:
            first += 1
        else:
            last -= 1
    left_out = f"[... {last - first} steps left out ...]"
    return [*chain(*steps[:first]), left_out, *chain(*steps[last:])]
