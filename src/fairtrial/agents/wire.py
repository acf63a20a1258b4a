"""The task as JSON for agents outside this process, and what they answer, read back."""

import msgspec

from fairtrial.records import Json, Task, plain

LONGEST_OUTPUT = 64 * 1024 * 1024
"""Bytes that an agent's answer may have."""

_TRAJECTORY_KEYS = frozenset({"answer", "steps", "stop", "state", "error"})


def task_json(task: Task) -> bytes:
    """Give the task as JSON: what a command reads on stdin and a URL is sent.

    >>> from fairtrial.records import ModelAddress
    >>> address = ModelAddress(base_url="http://127.0.0.1:1/v1", anthropic_base_url="")
    >>> text = task_json(Task(case="c1", input="Hi", messages=[], model=address, trial=0, seed=7))
    >>> sorted(msgspec.json.decode(text))[:5]
    ['case', 'context', 'input', 'limits', 'messages']
    """
    tools = task.tools
    schemas: dict[str, Json] = {
        "openai": [] if tools is None else tools.openai,
        "anthropic": [] if tools is None else tools.anthropic,
        "mcp": [] if tools is None else tools.mcp,
    }
    return encoded(task_facts(task) | {"tools": schemas})


def task_facts(task: Task) -> dict[str, Json]:
    """Give what can be said of a task in JSON, without its tools."""
    return {
        "case": task.case,
        "input": task.input,
        "messages": task.messages,
        "context": task.context,
        "model": task.model,
        "variant": task.variant,
        "trial": task.trial,
        "limits": task.limits,
        "seed": task.seed,
        "tools_url": task.tools_url,
    }


def encoded(value: Json) -> bytes:
    """Give a value as JSON, also where its text holds lone surrogates."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(plain(value))


def read_output(text: str) -> Json:
    r"""Give what a program's output says: a trajectory, a list of messages, or an answer.

    An object with any of answer, steps, stop, state or error, or with a list of messages, is given
    as a mapping, and a list of objects as messages. All else is the answer, as it stands.

    >>> read_output('{"answer": "Done."}'), read_output('{"fee": 0}\n'), read_output("Done.\n")
    ({'answer': 'Done.'}, '{"fee": 0}', 'Done.')
    """
    if text.lstrip()[:1] in ("{", "["):
        try:
            value = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            value = None
        if is_more_than_an_answer(value):
            return value
    return text.removesuffix("\n").removesuffix("\r")


def is_more_than_an_answer(value: Json) -> bool:
    """Say whether decoded JSON has the shape of a trajectory or of messages."""
    if isinstance(value, dict):
        return not _TRAJECTORY_KEYS.isdisjoint(value) or isinstance(value.get("messages"), list)
    return isinstance(value, list) and bool(value) and all(isinstance(x, dict) for x in value)
