"""What an agent under test returned, whatever its framework, turned into a trajectory."""

from collections.abc import Sequence

from fairtrial.records import Json, Trajectory, clean_text
from fairtrial.traces.plain_chat import read_plain_chat
from fairtrial.traces.reading import Returned

_ASKING = frozenset({"user", "system", "developer"})
"""Roles of what an agent is handed to answer."""


def read_returned(value: object, case: str, given: Sequence[Json] = ()) -> Returned:
    """Turn what an agent returned into a trajectory of the case. Never raises.

    A text is the answer; None is no answer, with steps unknown. A Trajectory, or an object like a
    recording (`answer`, `steps`, `stop`, `state`, `error`), is taken as it states, without its
    case and trial. Messages may be those of OpenAI Chat or Responses, Anthropic, LangChain,
    Pydantic AI or OpenAI Agents, as JSON or as the SDK's objects, in a list, under `messages`, or
    within the framework's result.

    A step is a completion; calls and results are matched by id, in order. The answer is the last
    text after the last call, or what the framework's result says. The conversation that the agent
    was handed is no part of it: that is what `given` says. Without it, replies before the last
    user message that comes before any call are taken for it.

    Args:
        value: What the agent returned.
        case: The id of the case.
        given: The messages that the agent was handed.

    >>> read_returned("In bay 4.", "find").trajectory.answer
    'In bay 4.'
    >>> read_returned(4, "find").refusal
    'the agent returned int; wanted a text, a list of messages, or a Trajectory'
    """
    if value is None:
        return Returned(trajectory=Trajectory(case=case))
    if type(value) is str:
        return Returned(trajectory=Trajectory(case=case, answer=clean_text(value)))
    if type(value) is list and all(map(_asks, given)):
        plain = read_plain_chat(value, case)
        if plain is not None:
            return Returned(trajectory=plain)
    # A dozen formats, and most agents need none of them.
    from fairtrial.traces.patient import read_patiently  # noqa: PLC0415

    return read_patiently(value, case, given)


def _asks(message: Json) -> bool:
    """Say whether a message that the agent was handed is no reply of its own."""
    role = message.get("role") if isinstance(message, dict) else None
    return isinstance(role, str) and role in _ASKING
