"""What a tool says to an agent that is wrong: calls that are, and what an answer lacks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fairtrial.records import Json
from fairtrial.text import cut

_OF_PYTHON = re.compile(r"(?:[A-Za-z_.]+Error|[A-Za-z_.]*Exception)(?::|$)")
_INSIDES = re.compile(r"Traceback \(most recent|File \"[^\"]*\", line \d|\bobject at 0x[0-9a-f]{4}")
_LONGEST = 1000  # characters that a model should have to read
_UNKNOWN_NUMBER = 987_654_321
_WRONG = {"no": ["such", "value"]}


class Refusal(NamedTuple):
    """A call that failed."""

    heard: str
    """What the agent hears."""
    bug: str | None
    """What broke in the tool; None: it said no."""


class Probe(NamedTuple):
    """A call that an agent could make by mistake."""

    arguments: dict[str, Json]
    about: str
    """The parameter."""
    told: str
    """What the mistake is, for a sentence."""
    clues: tuple[str, ...]
    """One of these must be in the answer."""
    must_fail: bool = True


def probes(arguments: Mapping[str, Json], parameters: Json) -> Iterator[Probe]:
    """Give mistaken calls, each one step from a call that works.

    >>> schema = {"properties": {"booking": {"type": "string"}}, "required": ["booking"]}
    >>> [probe.told for probe in probes({"booking": "H-204"}, schema)]
    ['without booking', 'with a booking of the wrong type', 'with a booking that does not exist']
    """
    properties = parameters.get("properties") or {}
    for name in parameters.get("required") or ():
        without = {key: value for key, value in arguments.items() if key != name}
        yield Probe(without, name, f"without {name}", (name,))
    for name, schema in properties.items():
        if _takes_only(schema):
            wrong = {**arguments, name: _WRONG}
            yield Probe(wrong, name, f"with a {name} of the wrong type", (name,))
    for name, value in arguments.items():
        made_up = _made_up(name, value)
        if made_up is not None:
            told = f"with a {name} that does not exist"
            clues = (name, str(made_up))
            yield Probe({**arguments, name: made_up}, name, told, clues, must_fail=False)


def _takes_only(schema: Json) -> bool:
    """Say whether a schema takes some plain type, and surely no mapping."""
    kinds = schema.get("type") if isinstance(schema, dict) else None
    listed = kinds if isinstance(kinds, list) else [kinds]
    return bool(kinds) and "object" not in listed


def _made_up(name: str, value: Json) -> Json:
    """Give a value as an agent could make it up; None where it cannot be told from a right one."""
    if isinstance(value, str):
        return f"no-such-{name}"
    if isinstance(value, int) and not isinstance(value, bool):
        return _UNKNOWN_NUMBER
    return None


def complaints(refusal: Refusal, clues: Sequence[str]) -> Iterator[str]:
    """Give what an agent could not act on in what it hears.

    >>> list(complaints(Refusal("no booking H-999", None), ("booking",)))
    []
    >>> [text] = complaints(Refusal("KeyError: 'H-999'", None), ("booking", "H-999"))
    >>> text.partition("; ")[2]
    'raise ft.ToolError that says what there is'
    """
    heard = refusal.heard
    if refusal.bug is not None:
        yield (
            f"the tool breaks: {cut(refusal.bug, 300)}; the trial would be an error, and measure "
            "nothing; where the agent is wrong raise ft.ToolError that says so"
        )
        return
    shown = cut(repr(heard), 200)
    if _INSIDES.search(heard):
        yield f"the agent hears {shown}: the insides of a program; say in words what is wrong"
    elif _OF_PYTHON.match(heard):
        yield (
            f"the agent hears {shown}: an exception of Python, and no way out; raise ft.ToolError "
            "that says what there is"
        )
    elif clues and not any(clue.casefold() in heard.casefold() for clue in clues):
        yield f"the agent hears {shown}, which does not name {clues[0]}; say which argument it is"
    if len(heard) > _LONGEST:
        yield f"the agent hears {len(heard)} characters; a sentence is enough"
