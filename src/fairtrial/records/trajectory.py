"""What an agent did in one trial: turns, steps, calls, tokens, cost, stop, answer, final state."""

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from fairtrial.records.json import Json

Mode: TypeAlias = Literal["live", "scripted", "replayed", "none"]
"""Who spoke for the model; `none` when no model was seen."""

Stop: TypeAlias = Literal["answer", "steps", "budget", "timeout", "refused", "error"]
"""Why a trajectory ended."""

ErrorKind: TypeAlias = Literal["agent", "provider", "user", "script", "world"]
"""Whose fault an error was. Only `agent` counts against the agent; the others mean: not
measured."""


class Tokens(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Tokens of one step or of a whole trajectory. None is not known, which is not 0."""

    input: int | None = None
    """Tokens read by the model, cached ones included."""
    output: int | None = None
    """Tokens written by the model."""
    estimated: bool = False
    """True when counted by us rather than told by the provider; never compared with a told
    count."""


class ToolCall(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call of a tool as the model wrote it, with what came back."""

    name: str
    arguments: dict[str, Json] | str | None = None
    """An object, or the raw text that the model wrote; None and "" are read as no arguments."""
    id: str | None = None
    """The provider's id. Not unique in practice, so nothing is keyed by it."""
    result: Json | UnsetType = UNSET
    """What the tool gave back; unset when nothing did."""
    error: str | None = None
    """The tool layer's error, None when the call succeeded. Never guessed from the result's
    words."""
    seconds: float | None = None
    changed: bool | None = None
    """Whether the call changed the world's state; None when nobody looked."""
    executed: bool = True
    """False for a call that the agent reported and the world never saw."""


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One model completion. Its calls are parallel: their order within the step means nothing."""

    text: str | None = None
    calls: tuple[ToolCall, ...] = ()
    tokens: Tokens | None = None
    seconds: float | None = None


class TrajectoryError(Struct, frozen=True, kw_only=True):
    """What broke the trial, and whose fault it was."""

    kind: ErrorKind
    message: str


class Turn(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One user turn of a conversation and the steps that answered it."""

    user: str | None = None
    first: int = 0
    """Index of the first step of this turn, from 0."""
    last: int | None = None
    """Index of the last step of this turn, inclusive; None runs to the next turn or the end."""


class Span(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One timed part of a trajectory that is neither a step nor a call.

    For example a retrieval, a guardrail or a sub-agent.
    """

    name: str
    kind: str | None = None
    seconds: float | None = None
    attributes: dict[str, Json] = {}
    parent: str | None = None


class Trajectory(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the agent did in one trial of one case. Only `case` is required.

    >>> import msgspec
    >>> line = b'{"case": "c1", "answer": "Done.", "steps": [{"calls": [{"name": "pay"}]}]}'
    >>> trajectory = msgspec.json.decode(line, type=Trajectory)
    >>> trajectory.steps[0].calls[0].name, trajectory.stop, trajectory.model
    ('pay', None, 'none')
    """

    case: str
    trial: int | None = None
    """0 and up; None is numbered in file order."""
    answer: str | None = None
    stop: Stop | None = None
    """None when not said: then `answer` if there is an answer, else `error`."""
    error: TrajectoryError | None = None
    model: Mode = "none"
    steps: tuple[Step, ...] | None = None
    """None when nobody recorded them: unknown, which is not the same as none."""
    inferred: bool = False
    """True when the steps were made up from the world's calls, one each; then their number is not
    known."""
    state: dict[str, Json] | None = None
    """The world at the end; None when unknown."""
    initial_state: dict[str, Json] | None = None
    """The world at the start; None means: as the case's fixtures say."""
    tokens: Tokens | None = None
    cost: float | None = None
    """Money, in `currency`, else in the suite's one currency; None is unknown."""
    currency: str | None = None
    seconds: float | None = None
    turns: tuple[Turn, ...] | None = None
    spans: tuple[Span, ...] | None = None
    extra: dict[str, Json] | None = None
    format: int = 1
