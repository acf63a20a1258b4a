"""What an agent in a worker process returned, on its way to the run's process."""

import dataclasses
from collections.abc import Mapping

import msgspec

from fairtrial.records import MAX_DEPTH, Json, NotJsonError, Trajectory, plain

_MESSAGES = ("to_input_list", "all_messages")
"""How the results of agent frameworks give their messages."""
_OUTPUTS = ("final_output", "output")


class RunResult:
    """The result of a framework's run, with what is read from one: messages, output and usage."""

    def __init__(self, facts: dict[str, Json]) -> None:
        """Take what `returned_facts` gave."""
        self._messages = facts["messages"]
        self.output = facts.get("output")
        self.raw_responses = facts.get("raw_responses")
        self._output_tool_name = facts.get("output_tool")

    def all_messages(self) -> list[Json]:
        """Give the messages."""
        return list(self._messages)


def returned_facts(value: object) -> dict[str, Json]:
    """Give what was returned as JSON. What cannot be JSON within it becomes a text that says so.

    Raises:
        NotJsonError: It is nothing that JSON has.

    >>> returned_facts(("a", {"b": float("inf"), "c": b"GIF"}))
    {'returned': ['a', {'b': None, 'c': '(bytes, which is not JSON)'}]}
    """
    if not isinstance(value, type | dict | list | str | Trajectory):
        for name in _MESSAGES:
            give = getattr(value, name, None)
            messages = give() if callable(give) else None
            if isinstance(messages, list | tuple):
                return {"run": _run_facts(value, messages)}
    try:
        return {"returned": plain(value)}
    except NotJsonError:
        if _parts(value) is None:
            raise
        return {"returned": _json(value, 0)}


def returned_value(facts: dict[str, Json]) -> object:
    """Give what is to be read as if it had been returned here."""
    run = facts.get("run")
    return RunResult(run) if isinstance(run, dict) else facts.get("returned")


def _run_facts(value: object, messages: object) -> dict[str, Json]:
    outputs = (getattr(value, name, None) for name in _OUTPUTS)
    tool = getattr(value, "_output_tool_name", None)
    replies = getattr(value, "raw_responses", None)
    return {
        "messages": _json(messages, 0),
        "output": _json(next((one for one in outputs if one is not None), None), 0),
        "output_tool": tool if isinstance(tool, str) else None,
        "raw_responses": [
            {"usage": _json(getattr(reply, "usage", None), 0)}
            for reply in (replies if isinstance(replies, list | tuple) else ())
        ],
    }


def _json(value: object, depth: int) -> Json:
    try:
        return plain(value)
    except NotJsonError:
        parts = None if depth >= MAX_DEPTH else _parts(value)
    if isinstance(parts, dict):
        return {
            plain(key): _json(item, depth + 1) for key, item in parts.items() if type(key) is str
        }
    if parts is not None:
        return [_json(item, depth + 1) for item in parts]
    return None if isinstance(value, float) else f"({type(value).__name__}, which is not JSON)"


def _parts(value: object) -> dict[Json, object] | list[object] | None:
    """Give what a value is made of; None where it is made of nothing that can be looked into."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, type):
        return None
    if isinstance(value, msgspec.Struct):
        return {name: getattr(value, name) for name in value.__struct_fields__}
    if dataclasses.is_dataclass(value):
        return {one.name: getattr(value, one.name, None) for one in dataclasses.fields(value)}
    return dict(vars(value)) if callable(getattr(value, "model_dump", None)) else None
