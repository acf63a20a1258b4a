"""What grading says of a trial: checks, a verdict, and the numbers beside them."""

from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from fairtrial.records.trajectory import Stop

Verdict: TypeAlias = Literal["passed", "failed", "error"]
"""Of one trial. `error`: it could not be measured, and not through the agent's fault."""


class Pairing(Struct, frozen=True, kw_only=True, gc=False):
    """One item of a plan and the call it was paired with."""

    item: str
    """The plan item's tool name."""
    call: int | None
    """Index of the call in the trajectory, from 0; None when no call fits."""


class Check(Struct, frozen=True, kw_only=True):
    """One named yes/no question about a trial, and its answer.

    >>> Check(name="finished", passed=True, score=1.0, decides=True, reason="answered").passed
    True
    """

    name: str
    """Dotted; the part before the dot is the grader; brackets tell checks of one kind apart."""
    passed: bool | None
    """None: it could not be told, and `reason` says why."""
    score: float | None = None
    """0 to 1; None exactly when `passed` is None."""
    decides: bool = True
    """False: shown, but the verdict does not look at it."""
    reason: str = ""
    asked: bool | UnsetType = UNSET
    """False for the checks that every case has without asking (finished, tools.repeats,
    text_tool_call)."""
    detail: str | UnsetType = UNSET
    """The traceback of a team's own grader that raised."""
    precision: float | UnsetType = UNSET
    """Only plans: calls that were planned, as a share of all calls."""
    recall: float | UnsetType = UNSET
    """Only plans: planned items that were called, as a share of all items."""
    extra: int | UnsetType = UNSET
    """Only plans: calls that no item of the plan was paired with."""
    alignment: tuple[Pairing, ...] | UnsetType = UNSET
    """Only plans: which call each item was paired with."""
    calls: tuple[int, ...] | UnsetType = UNSET
    """Indexes into the trial's `tools` of the calls that decided it, the first of them; of a plan
    that failed, the calls that were not planned. Unset where no call did."""
    steps: tuple[int, ...] | UnsetType = UNSET
    """Indexes of the steps that decided it, from 0, where it was not a call of theirs."""


class Trial(Struct, frozen=True, kw_only=True):
    """One graded trial: a line of `trials.jsonl`; without the trajectory, a row of the report."""

    case: str
    trial: int
    verdict: Verdict
    stop: Stop
    error: str | None
    """Why it could not be measured, or what the agent raised; None when neither."""
    steps: int | None
    tokens: int | None
    """Input plus output; None when any part is unknown."""
    cost: float | None
    seconds: float | None
    tool_errors: int | None
    """Calls that failed; None when the steps are unknown."""
    tools: tuple[str, ...]
    """Names of the calls in order."""
    failed_calls: tuple[int, ...]
    """Indexes into `tools` of the calls that failed."""
    checks: tuple[Check, ...]
    known_tokens: int = 0
    """Tokens of the parts that are known: at least this many."""
    known_cost: float = 0.0
    """Cost of the parts that are known: at least this much."""
    estimated: bool = False
    """The token count is an estimate."""
    model: str = "none"
    note: str | None = None
    """What the reader of the amounts should know, such as a stated total unlike its parts."""
    unrun: tuple[int, ...] | UnsetType = UNSET
    """Indexes into `tools` of the calls that never came to a tool, where there are any."""
    failures: tuple[str, ...] | UnsetType = UNSET
    """The first failed calls with what the tool said, where there are any."""
    trajectory: msgspec.Raw | UnsetType = UNSET
    """The recording itself, as JSON; unset in reports."""
