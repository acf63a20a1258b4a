"""What an agent returned, read with patience: any framework's messages, results and objects."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairtrial.records import Json, Step, Stop, Tokens, Trajectory, Turn, clean_text
from fairtrial.traces.calls import UnlikeFormatError
from fairtrial.traces.conversation import found_words, item_of, kind_of, read_conversation
from fairtrial.traces.history import own_part
from fairtrial.traces.openai_chat import END_MARKS, END_TOOLS
from fairtrial.traces.opening import Raised, as_json, asked, fields_of, kind_name
from fairtrial.traces.reading import Returned
from fairtrial.traces.replies import tokens_of
from fairtrial.traces.stated import read_stated, stated_field
from fairtrial.traces.transcript import Ending, Transcript

WANTED = "wanted a text, a list of messages, or a Trajectory"

_ONLY_STATED = ("answer", "steps", "stop")
"""Fields that no provider's message has."""
_STATED = (*_ONLY_STATED, "state", "error")
_ACCEPTED = (*_STATED, "messages")
_BESIDE = ("answer", "stop", "error", "state", "initial_state", "tokens", "cost", "currency")
"""What may stand beside a list of messages, and wins over what they tell."""


class _Result(Struct, frozen=True, kw_only=True):
    """The messages of a run, and what stands beside them."""

    messages: Iterable[object]
    output: object = None
    """None: the messages tell the answer."""
    output_tool: str | None = None
    """The tool by whose call the model gives its answer."""
    usage: tuple[Json, ...] = ()
    """Of each completion; empty when not told."""
    beside: dict[str, object] = {}


def read_patiently(value: object, case: str, given: Sequence[Json]) -> Returned:
    """Turn what is neither text nor a list of plain messages into a trajectory. Never raises.

    >>> read_patiently([{"role": "user", "content": "Hi"}], "greet", ()).trajectory.steps
    ()
    """
    # What is caught here was raised by the agent's own objects: by a property, say.
    returned = asked(lambda: _patiently(value, case, given))
    if isinstance(returned, Raised):
        text = f"the agent returned {kind_name(value)}, which raised {returned.name}; {WANTED}"
        return Returned(refusal=text)
    return returned


def _patiently(value: object, case: str, given: Sequence[Json]) -> Returned:
    if isinstance(value, str):  # of a class of its own
        return Returned(trajectory=Trajectory(case=case, answer=clean_text(value)))
    try:
        result = _result(value)
        if result is not None:
            return _from_messages(result, case, given)
        fields = fields_of(value)
        if fields is not None and any(key in fields for key in _STATED):
            return Returned(trajectory=read_stated(fields, case))
    except UnlikeFormatError as error:
        return Returned(refusal=f"the agent returned {kind_name(value)}: {error}")
    hint = "" if fields is None else f" (or an object with one of: {', '.join(_ACCEPTED)})"
    return Returned(refusal=f"the agent returned {found_words(value)}; {WANTED}{hint}")


def _result(value: object) -> _Result | None:
    """Give the messages that a value is, or holds; None when there are none."""
    if isinstance(value, list | tuple):
        return _Result(messages=value)
    fields = fields_of(value)
    if not isinstance(value, dict | Trajectory):
        for method in ("to_input_list", "all_messages"):
            messages = _asked(value, method)
            if isinstance(messages, list | tuple):
                return _of_a_run(value, messages)
    if fields is None or isinstance(value, Trajectory):
        return None
    messages = fields.get("messages")
    if isinstance(messages, list | tuple) and "steps" not in fields:
        beside = {key: fields[key] for key in _BESIDE if fields.get(key) is not None}
        return _Result(messages=messages, output=fields.get("structured_response"), beside=beside)
    if any(key in fields for key in _ONLY_STATED):
        return None
    item = item_of(value, "")
    return _Result(messages=[value]) if item and kind_of(item.fields) else None


def _asked(value: object, method: str) -> object:
    found = _held(value, method)
    return asked(found) if callable(found) else None


def _held(value: object, name: str) -> object:
    found: object = asked(lambda: getattr(value, name, None))
    return None if isinstance(found, Raised) else found


def _of_a_run(value: object, messages: Sequence[object]) -> _Result:
    """Read the result of a run of OpenAI Agents or Pydantic AI."""
    output = _held(value, "final_output")
    output = _held(value, "output") if output is None else output
    tool, replies = _held(value, "_output_tool_name"), _held(value, "raw_responses")
    usage = [
        as_json((fields_of(reply) or {}).get("usage"))
        for reply in (replies if isinstance(replies, list | tuple) else ())
    ]
    return _Result(
        messages=messages,
        output=output,
        output_tool=tool if isinstance(tool, str) else None,
        usage=tuple(usage),
    )


def _from_messages(result: _Result, case: str, given: Sequence[Json]) -> Returned:
    """Read a conversation.

    Raises:
        UnlikeFormatError: An item could not be read.
    """
    transcript = Transcript()
    uttered = read_conversation(result.messages, transcript.note, result.output_tool)
    for message, place, tokens in own_part(uttered, given, transcript.note):
        transcript.add(message, place, tokens)
    steps = _with_usage(transcript.steps(), result.usage)
    ending = transcript.ending(END_MARKS, END_TOOLS) if steps else Ending(None, None)
    answer, stop = _told(ending, result.output)
    trajectory = Trajectory(
        case=case, answer=answer, stop=stop, steps=steps, turns=_turns(transcript)
    )
    for name, value in result.beside.items():
        try:
            trajectory = replace(trajectory, **{name: stated_field(name, value)})
        except UnlikeFormatError as error:
            transcript.note(f"{error}; left out")
    return Returned(trajectory=trajectory, notes=transcript.remarks())


def _told(ending: Ending, output: object) -> tuple[str | None, Stop | None]:
    """Give answer and stop; what the framework says that the run came to is the answer."""
    if output is None:
        return ending
    value = as_json(output)
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text, "refused" if ending.stop == "refused" else "answer"


def _turns(transcript: Transcript) -> tuple[Turn, ...] | None:
    """Give the turns where a user spoke again after the agent; else there is one, as unsaid."""
    turns = transcript.turns() if transcript.spoken else ()
    return turns if any(turn.first for turn in turns) else None


def _with_usage(steps: tuple[Step, ...], usage: tuple[Json, ...]) -> tuple[Step, ...]:
    """Give the steps with their tokens, if the counts are of as many completions."""
    counts = [tokens_of(one) for one in usage]
    if len(counts) != len(steps):
        return steps
    return tuple(
        replace(step, tokens=tokens) if _counted(tokens) else step
        for step, tokens in zip(steps, counts, strict=True)
    )


def _counted(tokens: Tokens | None) -> bool:
    # A reply cost something: 0 and 0 is what nobody counted.
    return tokens is not None and bool(tokens.input or tokens.output)
