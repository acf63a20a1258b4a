"""The fields of what meets the agent: messages, faults, stub tools, script, simulated user."""

from functools import partial
from typing import Final

from fairtrial.cases.compiled import Compiled
from fairtrial.cases.hints import nearest, unknown_field, wanted
from fairtrial.cases.located import Notes, Path
from fairtrial.cases.shapes import (
    BAD,
    Anything,
    Data,
    Field,
    Fields,
    Flag,
    Many,
    Named,
    Real,
    Schema,
    Text,
    Whole,
)
from fairtrial.match import compile_matcher, surely_sound
from fairtrial.records import Json


class Messages:
    """A conversation so far, in a provider's form; kept untouched."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give a tuple of the messages."""
        if not isinstance(value, list):
            notes.add(path, wanted("a list of messages such as {role: user, content: Hi}", value))
            return BAD
        if not value:
            notes.add(path, "an empty list; wanted at least one message, or drop the field")
            return BAD
        for index, message in enumerate(value):
            if not isinstance(message, dict):
                text = wanted("a message such as {role: user, content: Hi}", message)
                notes.add((*path, index), text)
            elif not isinstance(message.get("role", ""), str):
                notes.add((*path, index, "role"), wanted("text", message["role"]))
            elif not {"role", "type"} & message.keys():
                notes.add((*path, index, "role"), "missing; wanted user, assistant, system or tool")
        return tuple(value)

    def schema(self) -> Schema:
        """Accept lists of objects."""
        return {"type": "array", "items": {"type": "object"}, "minItems": 1}


FAULT: Final = Fields(
    {
        "error": Field(Text("text: the tool's error"), "What the tool says instead of a result."),
        "times": Field(Whole(1), "How many calls fail; all unless said."),
        "after": Field(Whole(0), "How many calls go well before."),
        "every": Field(Whole(1), "Only every n-th call fails."),
        "latency": Field(Real(), "Seconds that the call takes longer."),
        "drop_result": Field(Flag(), "true: the write happens and the reply is lost."),
        "inject": Field(Text(), "Text that is put into the tool's result."),
    },
    some=("error", "latency", "drop_result", "inject"),
    what="a mapping {error, times, after, every, latency, drop_result, inject}",
    local={"message": "error", "raises": "error", "delay": "latency", "count": "times"},
)
FAULTS: Final = Named(
    Many(
        FAULT,
        "schedules such as {error: 503 upstream, times: 1}",
        "makes nothing go wrong",
        data=True,
    ),
    "a mapping of tools to schedules such as [{error: 503 upstream, times: 1}]",
)


CLAUSE: Final = Fields(
    {
        "description": Field(Text(), "What the tool does, for the model."),
        "parameters": Field(Data("a JSON Schema"), "The arguments, as a JSON Schema."),
        "when": Field(
            Compiled(
                partial(compile_matcher, names=True),
                {"description": "A matcher on the arguments."},
                sound=partial(surely_sound, names=True),
            ),
            "A matcher on the arguments that this reply is for.",
        ),
        "returns": Field(Anything(), "The result.", "value"),
        "raises": Field(Text("text: the tool's error"), "The error instead of a result."),
        "appends": Field(Data("a mapping {field of the world: row}"), "Rows added to the world."),
    },
    what="a mapping {when, returns, raises, appends}, or a list of these",
    local={
        "return": "returns",
        "result": "returns",
        "output": "returns",
        "response": "returns",
        "error": "raises",
        "args": "when",
        "arguments": "when (a matcher on the arguments)",
        "schema": "parameters",
    },
)
STUBS: Final = Named(
    Many(CLAUSE, "mappings {when, returns, raises, appends}", "makes no tool", data=True),
    "a mapping of stub tools, such as {get_time: {returns: noon}} "
    "(calls that must happen stand under expect.tools)",
)


class Calls:
    """The calls of a script's step: `{tool: arguments}`, or a list of such."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the calls as written."""
        many = value if isinstance(value, list) else [value]
        if value in ({}, []):
            notes.add(path, "no call in it; wanted {tool: {argument: value}}")
        for index, call in enumerate(many):
            where = (*path, index) if isinstance(value, list) else path
            if not isinstance(call, dict):
                text = wanted("{tool: {argument: value}}", call)
                notes.add(where, f"{text}; without arguments: {{tool: {{}}}}")
                continue
            for name, arguments in call.items():
                if not isinstance(arguments, dict):
                    text = wanted("a mapping of arguments ({} for none)", arguments)
                    notes.add((*where, name), text)
        return value

    def schema(self) -> Schema:
        """Accept one such mapping, or a list."""
        call: Schema = {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {"type": "object"},
        }
        return {"anyOf": [call, {"type": "array", "items": call, "minItems": 1}]}


class Malformed:
    """The raw arguments of a call: the text alone, or `{tool: text}`."""

    def __init__(self) -> None:
        self.alone = Text("text, or {tool: text}", blank=True)
        self.named = Named(Text(blank=True), "{tool: text}", empty="calls no tool")

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the text, or the texts by tool, as written."""
        return (self.named if isinstance(value, dict) else self.alone).read(value, path, notes)

    def schema(self) -> Schema:
        """Accept a string, or strings by tool."""
        return {"anyOf": [self.alone.schema(), {**self.named.schema(), "minProperties": 1}]}


def _check_step(out: dict[str, Json], path: Path, notes: Notes) -> None:
    kinds: list[str] = [kind for kind in ("malformed", "refuse", "status") if kind in out]
    if {"say", "call"} & out.keys():
        kinds.insert(0, "say or call")
    if len(kinds) > 1:
        notes.add(path, f"{' and '.join(kinds)} exclude each other; make them steps of their own")
    if "times" in out and "status" not in out:
        notes.add((*path, "times"), "only beside status; write the step again for another time")


_TOKENS: Final = Fields(
    {
        "input": Field(Whole(0), "Tokens read."),
        "output": Field(Whole(0), "Tokens written."),
    },
    what="a mapping {input, output}",
)
STEP: Final = Fields(
    {
        "say": Field(Text(blank=True), "What the model writes."),
        "call": Field(
            Calls(), "The tools it calls: {tool: {argument: value}}, or a list.", "wrong"
        ),
        "malformed": Field(
            Malformed(), "A call whose arguments are this raw text; or {tool: text}."
        ),
        "refuse": Field(Text(), "The words of a refusal."),
        "status": Field(Whole(100), "An HTTP status instead of a reply."),
        "times": Field(Whole(1), "How often the status comes."),
        "tokens": Field(_TOKENS, "What the step is said to have used."),
    },
    some=("say", "call", "malformed", "refuse", "status"),
    check=_check_step,
    what="a mapping {say, call, malformed, refuse, status, times, tokens}",
    local={
        "text": "say",
        "content": "say",
        "answer": "say",
        "message": "say",
        "calls": "call",
        "tool": "call: {tool: {argument: value}}",
        "tools": "call",
        "tool_calls": "call",
        "error": "status",
        "usage": "tokens",
    },
)


class Script:
    """What the model says offline: a list of steps, or such lists by variant."""

    def __init__(self) -> None:
        self.steps = Many(STEP, "steps", "says nothing")
        self.variants = Named(self.steps, "lists of steps by variant", empty="says nothing")

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the script as written."""
        if isinstance(value, list):
            self.steps.read(value, path, notes)
            return value
        if not isinstance(value, dict):
            notes.add(path, wanted("a list of steps, or lists by variant", value))
            return BAD
        if value and value.keys() <= STEP.table.keys():
            notes.add(path, "a single step; put it in a list: [{say: ...}]")
            return BAD
        for name, steps in value.items():
            if not isinstance(steps, list):
                notes.add((*path, name), self._no_list(name, steps))
                continue
            self.steps.read(steps, (*path, name), notes)
        if not value:
            notes.add(path, "an empty script says nothing; wanted steps, or drop the field")
        return value

    @staticmethod
    def _no_list(name: str, steps: Json) -> str:
        close = nearest(name, STEP.table)
        if close:
            return unknown_field(name, STEP.table, {})
        return wanted("a list of steps for this variant", steps)

    def schema(self) -> Schema:
        """Accept lists of steps, and mappings of lists."""
        steps: Schema = {"type": "array", "items": STEP.schema(), "minItems": 1}
        return {
            "anyOf": [
                steps,
                {"type": "object", "additionalProperties": steps, "minProperties": 1},
            ]
        }


def _check_user(out: dict[str, Json], path: Path, notes: Notes) -> None:
    known = out.get("knows", {})
    for name in out.get("withholds", {}):
        if name not in known:
            close = nearest(name, known)
            hint = f"; did you mean {close}?" if close else ""
            where = (*path, "withholds", name)
            notes.add(where, f"the user does not know {name!r}; write it under knows{hint}")


USER: Final = Fields(
    {
        "persona": Field(Text(), "Who the user is."),
        "goal": Field(Text(), "What the user wants."),
        "knows": Field(Data("a mapping of facts"), "Facts that the user can tell.", merge="deep"),
        "withholds": Field(
            Named(Whole(0), "a mapping of facts to turns"),
            "Facts told only after so many turns.",
            merge="keys",
        ),
        "max_turns": Field(Whole(1), "Turns after which the user gives up."),
    },
    check=_check_user,
    what="a mapping {persona, goal, knows, withholds, max_turns}",
)
