"""The script of a case: its steps for a variant, and the replies that they become."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct

from fairtrial.errors import ScriptError
from fairtrial.records import (
    Case,
    Completion,
    Json,
    ModelCall,
    ModelRequest,
    NotJsonError,
    Tokens,
    clean_text,
    plain,
)
from fairtrial.text import cut

_FALLBACK: Final = "default"
_STATUSES: Final = range(400, 600)


def script_of(case: Case, variant: str | None) -> tuple[Json, ...] | None:
    """Give the steps that the case's script has for a variant; None when there is no script.

    A list is for all variants. A mapping has a list for each, and `default` for those that it
    does not name and for a run without a variant.

    Raises:
        ScriptError: The script has no steps for this variant.

    >>> from fairtrial.records import Source
    >>> script = {"default": [{"say": "Hi"}], "short": [{"say": "Yo"}]}
    >>> case = Case(id="c1", hash="0", source=Source("a.yaml", 1), script=script)
    >>> script_of(case, "short"), script_of(case, None)
    (({'say': 'Yo'},), ({'say': 'Hi'},))
    """
    script = case.script
    if script is UNSET or script is None:
        return None
    if not isinstance(script, dict):
        return tuple(script)
    name = variant if variant in script else _FALLBACK
    if name not in script:
        there = ", ".join(cut(one) for one in script)
        asked = "a run without a variant" if variant is None else f"the variant {cut(variant)}"
        raise ScriptError(
            f"case {case.id} has no script for {asked} ({case.source}); there are scripts for: "
            f"{there}; add `{_FALLBACK}:` under `script:` for all others"
        )
    return tuple(script[name])


class Reply(Struct, frozen=True, kw_only=True):
    """What a step of a script makes the model say, as far as it is known before it is asked."""

    completion: Completion | None = None
    """None: the step cannot be played; see `failure`."""
    times: int = 1
    input: int | None = None
    """Tokens read; None: to be estimated from the request."""
    output: int | None = None
    """Tokens written; None: to be estimated from the reply."""
    arguments: str | None = None
    """Raw arguments of a call for which the script names no tool."""
    failure: str = ""
    """What to say when the step cannot be played."""

    def to(self, request: ModelRequest) -> Completion:
        """Give the completion.

        Raises:
            ScriptError: The step cannot be played, or not for this request.
        """
        reply = self.completion
        if reply is None or (self.arguments is not None and not request.tools):
            raise ScriptError(self.failure)
        if reply.tokens is not None or reply.status is not None:
            return reply
        calls = reply.calls
        if self.arguments is not None:
            calls = (ModelCall(name=clean_text(request.tools[0]), arguments=self.arguments),)
        told = self.input is not None and self.output is not None
        read = self.input if self.input is not None else _estimate(request.characters)
        wrote = self.output if self.output is not None else _estimate(_written(reply, calls))
        return Completion(
            text=reply.text,
            calls=calls,
            refusal=reply.refusal,
            tokens=Tokens(input=read, output=wrote, estimated=not told),
        )


def _estimate(characters: int) -> int:
    return max(1, characters // 4)  # the usual rule of thumb for English


def _written(reply: Completion, calls: tuple[ModelCall, ...]) -> int:
    said = len(reply.text or "") + len(reply.refusal or "")
    return said + sum(len(call.name) + len(call.arguments) for call in calls)


class Script(NamedTuple):
    """A script made ready once, to be shared by all trials of its case and variant."""

    case: Case
    """Held for as long as the script, so that nothing else gets its identity."""
    replies: tuple[Reply, ...]
    over: str
    """What to say to a request for which there is no reply."""


_MOST: Final = 4096  # scripts held at a time: cases are run in order, so few are in use at once
_ready: dict[tuple[int, str | None], Script] = {}


def ready_script(case: Case, variant: str | None) -> Script:
    """Give the script of a case for a variant, made ready on first use.

    >>> from fairtrial.records import Source
    >>> case = Case(id="c1", hash="0", source=Source("a.yaml", 1), script=[{"say": "Hi"}])
    >>> ready_script(case, None) is ready_script(case, None)
    True
    """
    # By identity: to compare cases would cost more than to play a script.
    key = (id(case), variant)
    script = _ready.get(key)
    if script is None:
        if len(_ready) >= _MOST:
            _ready.clear()
        script = _ready[key] = _compiled(case, variant)
    return script


def _compiled(case: Case, variant: str | None) -> Script:
    try:
        steps = script_of(case, variant)
    except ScriptError as error:
        return Script(case, (), str(error))  # said when a model is asked for, which may never be
    if steps is None:
        over = (
            f"case {case.id} has no script ({case.source}); write what the model says under "
            "`script:`, or run with --live to ask a real model"
        )
        return Script(case, (), over)
    number = f"{len(steps)} step{'s' * (len(steps) != 1)}"
    over = (
        f"the script of case {case.id} has {number} and the agent asked for another reply; "
        "add a step, or let the agent stop after its answer"
    )
    return Script(case, tuple(_replies(case, steps)), over)


def _replies(case: Case, steps: tuple[Json, ...]) -> Iterator[Reply]:
    for at, step in enumerate(steps):
        where = f"step {at + 1} of the script of case {case.id} ({case.source})"
        try:
            yield _reply(plain(step), _nearest_tool(steps, at), where)
        except NotJsonError as error:
            yield Reply(failure=f"{where}: {error}")


def _reply(step: Json, tool: str | None, where: str) -> Reply:
    told = step.get("tokens") or {}
    read, wrote = told.get("input"), told.get("output")
    status, raw = step.get("status"), step.get("malformed")
    if status is not None:
        if status not in _STATUSES:
            return Reply(failure=f"{where}: the status is no failure; wanted 400 to 599")
        return Reply(completion=Completion(status=status), times=step.get("times") or 1)
    if isinstance(raw, str) and tool is None:
        return Reply(
            completion=Completion(),
            input=read,
            output=wrote,
            arguments=raw,
            failure=f"{where}: there is no tool to call, for the script names none and the agent "
            "offers none; write {malformed: {tool: text}}",
        )
    completion = Completion(
        text=step.get("say"),
        calls=tuple(_raw_calls(raw, tool or "")) + tuple(_calls(step)),
        refusal=step.get("refuse"),
        tokens=None if read is None or wrote is None else Tokens(input=read, output=wrote),
    )
    return Reply(completion=completion, input=read, output=wrote)


def _raw_calls(raw: Json, tool: str) -> Iterator[ModelCall]:
    if raw is not None:
        named: dict[str, str] = raw if isinstance(raw, dict) else {tool: raw}
        for name, text in named.items():
            yield ModelCall(name=name, arguments=text)


def _calls(step: Json) -> Iterator[ModelCall]:
    for calls in _listed(step.get("call")):
        for name, arguments in calls.items():
            yield ModelCall(name=name, arguments=msgspec.json.encode(arguments).decode())


def _listed(call: Json) -> list[dict[str, Json]]:
    if call is None:
        return []
    return call if isinstance(call, list) else [call]


def _nearest_tool(steps: tuple[Json, ...], at: int) -> str | None:
    """Name the tool that raw arguments alone are for: the next in the script, else the last."""
    if not isinstance(steps[at].get("malformed"), str):
        return None
    around = [*steps[at + 1 :], *reversed(steps[:at])]
    return next((clean_text(name) for step in around for name in _tools(step)), None)


def _tools(step: Json) -> Iterator[str]:
    raw = step.get("malformed")
    yield from raw if isinstance(raw, dict) else ()
    for calls in _listed(step.get("call")):
        yield from calls
