"""What every case has without asking: did it finish, and did it print a call it should make."""

import functools

import msgspec

from fairtrial.graders.fences import fences_of
from fairtrial.graders.question import HOLDS, Outcome, Question
from fairtrial.graders.subject import Subject
from fairtrial.records import Json, Stop
from fairtrial.text import cut

_MARKERS = ("<tool_call>", "<function=", "[TOOL_CALLS]", "<|python_tag|>")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_STOPPED = {
    "answer": "it ended with an answer",
    "steps": "it ran out of steps",
    "budget": "it spent its budget",
    "timeout": "it ran out of time",
    "refused": "it refused",
    "error": "it ended without an answer",
}
_CUT_SHORT = ("steps", "budget", "timeout", "error")  # an agent's error may only say how


@functools.cache
def finished_question(wanted: Stop | None) -> Question:
    """Ask whether the agent ended as the case says; `answer` where it says nothing.

    >>> from fairtrial.records import Trajectory
    >>> finished_question(None).ask(Subject(Trajectory(case="c", stop="timeout"))).reason
    'it ran out of time'
    """
    stop = wanted or "answer"

    def ask(subject: Subject) -> Outcome:
        ended = subject.stop
        if subject.trajectory.error is None:
            right = ended == stop or (wanted is None and _decided(subject))
        else:  # a crash is no answer and no refusal, whatever stop says
            right = ended == stop and stop in _CUT_SHORT
        return HOLDS if right else Outcome(passed=False, reason=_why(subject, stop))

    return Question(name="finished", ask=ask, holds=_STOPPED[stop], asked=wanted is not None)


def _decided(subject: Subject) -> bool:
    """Say whether a single decision was made: no loop was to run, so its calls end it too."""
    return subject.decision and subject.stop == "steps"


def _why(subject: Subject, wanted: Stop) -> str:
    error = subject.trajectory.error
    ended = subject.stop
    text = f"the agent raised: {cut(error.message, 200)}" if error else _STOPPED[ended]
    if wanted != "answer":
        text += f", wanted: {_STOPPED[wanted]}"
    failed = [call for call in subject.calls or () if call.failed and call.reached]
    if not failed:
        return text
    last = failed[-1]
    said = f": {cut(str(last.error), 100)}" if last.error else ""
    count = "1 tool call had failed" if len(failed) == 1 else f"{len(failed)} tool calls had failed"
    return f"{text}; {count} before, the last {cut(last.name)}{said}"


@functools.cache
def printed_call_question() -> Question:
    """Ask whether a step without calls has a call written out as text, which nothing executes.

    >>> from fairtrial.records import Trajectory, Step
    >>> step = Step(text='<tool_call>{"name": "pay"}</tool_call>')
    >>> printed_call_question().ask(Subject(Trajectory(case="c", steps=(step,)))).passed
    False
    """

    def ask(subject: Subject) -> Outcome:
        for number, text in _suspicious(subject):
            printed = _printed(text, subject)
            if printed is not None:
                place = f"step {number}" if number else "the answer"
                reason = f"{place} prints a call as text: {printed}"
                steps = (number - 1,) if number else ()
                return Outcome(passed=False, reason=reason, steps=steps)
        if subject.calls is None:
            return Outcome(passed=None, reason="the steps were not recorded")
        return HOLDS

    return Question(
        name="text_tool_call", ask=ask, holds="no call was printed as text", asked=False
    )


def _suspicious(subject: Subject) -> list[tuple[int, str]]:
    """Give the texts of steps without calls in which a call may stand: hardly ever any.

    An answer that is no step's text has number 0.
    """
    steps, answer = subject.trajectory.steps or (), subject.answer
    texts = []
    for at, step in enumerate(steps, 1):
        text = step.text
        if text and not step.calls and _may_be_call(text):
            texts.append((at, text))
    if answer and _may_be_call(answer) and answer not in [step.text for step in steps]:
        texts.append((0, answer))
    return texts


def _may_be_call(text: str) -> bool:
    return "{" in text or "<" in text or "[" in text


def _printed(text: str, subject: Subject) -> str | None:
    for marker in _MARKERS:
        if marker in text:
            return cut(text[text.index(marker) :][:200], 80)
    body = text.strip()
    if body.startswith(("```", "~~~")):
        fences = fences_of(body)
        body = fences.blocks[0].strip() if fences.alone and len(fences.blocks) == 1 else ""
    if not (body.startswith("{") and body.endswith("}")):
        return None
    name = _called(body)
    if name is None:
        return None
    return cut(body, 80) if name in subject.called or name in subject.known() else None


def _called(body: str) -> str | None:
    """Give the tool that a text calls: it is one JSON object with a name and arguments."""
    try:
        value: Json = msgspec.json.decode(body)
    except (UnicodeEncodeError, msgspec.DecodeError, RecursionError):
        return None
    if isinstance(value, dict) and isinstance(value.get("function"), dict):
        value = value["function"]
    if not isinstance(value, dict) or not any(key in value for key in _ARGUMENTS):
        return None
    name = value.get("name")
    return name if isinstance(name, str) else None
