"""One attempt at one trial: a clean world, the task, and what is known when the agent is done."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct

from fairtrial.agents import failure_of
from fairtrial.errors import PluginError, TrialOverError
from fairtrial.flow.endpoints import Endpoints
from fairtrial.models import ScriptPlayer
from fairtrial.records import (
    Case,
    Json,
    Mode,
    Stop,
    Task,
    Trajectory,
    TrajectoryError,
    Variant,
    plain,
)
from fairtrial.serve import Mounted
from fairtrial.traces import read_returned
from fairtrial.trials import Outcome, StepAllowance, assemble, seed_of, step_cap, whole_seed
from fairtrial.worlds import Blueprint, World

_CALLS_A_STEP = 10  # calls that an agent may make for each step it has
_DECISION = 1  # completions of a single-step decision


class Job(Struct, frozen=True, gc=False):
    """A trial that is to be run."""

    case: Case
    trial: int

    def __str__(self) -> str:
        return f"trial {self.trial} of {self.case.id!r}"


class Setting(Struct, frozen=True, kw_only=True):
    """What all trials of a run have in common."""

    endpoints: Endpoints
    blueprints: Mapping[str, Blueprint]
    """By case id."""
    variant: Variant
    seed: int
    step_cap: int | None
    """None: as the case's limit says."""
    model: str | None
    """The model's name; None: the agent's own choice."""
    unseen: bool
    """The agent asks a real model that is not seen here."""


class Attempt:
    """A trial under way. Closing it ends it for good: an agent that goes on is stopped.

    Attributes:
        task: What the agent is handed.
    """

    def __init__(self, job: Job, setting: Setting) -> None:
        """Build the world, put it on the listener, and write the task."""
        case = job.case
        digest = seed_of(setting.seed, case.id, job.trial)
        cap = _cap(case, setting.step_cap)
        self._setting = setting
        self._job = job
        self._allowance = StepAllowance(cap, cap * _CALLS_A_STEP)
        self._blueprint = setting.blueprints[case.id]
        self._world: World = self._blueprint.build(digest, self._allowance.call)
        tools = self._world.tools
        self._player = None if setting.endpoints.live else ScriptPlayer(case, setting.variant.name)
        self._mounted = Mounted(
            tools=tools,
            model=self._player,
            before_completion=self._allowance.completion,
        )
        addresses = setting.endpoints.listener.mount(self._mounted)
        self._token = addresses.token
        self._given = _messages(case)
        self.task = Task(
            case=case.id,
            input=_input(case),
            messages=list(self._given),
            context={} if case.context is None else plain(case.context),
            tools=tools,
            world=self._world,
            model=setting.endpoints.model(addresses, setting.model),
            variant=setting.variant,
            trial=job.trial,
            limits=case.limits,
            seed=whole_seed(digest),
            tools_url=addresses.tools,
            token=addresses.token,
        )

    def close(self) -> None:
        """End the trial: its addresses lead nowhere, and calls of its world are stopped."""
        self._allowance.close()
        self._setting.endpoints.listener.unmount(self._token)

    @property
    def failed_as_scripted(self) -> bool:
        """Whether the script let the provider fail: tried again, it would do so again."""
        return self._player is not None and self._player.failed

    def trajectory(self, outcome: Outcome) -> Trajectory:
        """Give what the agent did, from all that was seen of it."""
        case = self._job.case
        returned, error, notes = self._returned(outcome)
        stop = self._stop(outcome)
        mounted, world = self._mounted, self._world
        if mounted.refusals:  # a model that had no reply is no fault of the agent, whatever it says
            error = TrajectoryError(kind="script", message=mounted.refusals[0])
        error = world.failure or error
        has_world = self._blueprint.has_tools
        return assemble(
            case=case.id,
            trial=self._job.trial,
            returned=returned,
            seen=mounted.steps,
            calls=world.calls,
            world_known=has_world,
            state=world.state if self._blueprint.has_state else None,
            initial_state=world.initial_state if self._blueprint.has_state else None,
            stop=stop,
            error=error,
            seconds=outcome.seconds,
            mode=self._mode(returned),
            notes=notes,
        )

    def _returned(
        self, outcome: Outcome
    ) -> tuple[Trajectory | None, TrajectoryError | None, Sequence[str]]:
        case = self._job.case.id
        if outcome.error is not None:
            if isinstance(outcome.error, TrialOverError) or self._allowance.exhausted:
                return None, None, ()  # stopped by us: how is told by the stop
            return None, failure_of(outcome.error), ()
        if outcome.stop is not None and outcome.returned is None:
            return None, None, ()
        returned = read_returned(outcome.returned, case, self._given)
        if returned.refusal is not None:
            return None, TrajectoryError(kind="agent", message=returned.refusal), ()
        return returned.trajectory, None, returned.notes

    def _stop(self, outcome: Outcome) -> Stop | None:
        if outcome.stop is not None:
            return outcome.stop
        return "steps" if self._allowance.exhausted else None

    def _mode(self, returned: Trajectory | None) -> Mode:
        if self._setting.endpoints.live or self._setting.unseen:
            return "live"
        if self._mounted.steps or self._mounted.refusals:
            return "scripted"
        return "none" if returned is None else returned.model


def refuse_setup(error: BaseException) -> None:
    """Raise what is wrong with the set-up and not with one trial, so that the run ends.

    Raises:
        PluginError: The agent cannot be started at all.
    """
    if isinstance(error, PluginError):
        raise error


def _cap(case: Case, override: int | None) -> int:
    if case.expect.next is not UNSET:
        return _DECISION
    return step_cap(case.limits.steps, override)


def _messages(case: Case) -> tuple[Json, ...]:
    if case.messages is None:
        return ({"role": "user", "content": case.input or ""},)
    messages = tuple(plain(message) for message in case.messages)
    if case.input is None:
        return messages
    return (*messages, {"role": "user", "content": case.input})


def _input(case: Case) -> str | None:
    """Give the last user text."""
    if case.input is not None or case.messages is None:
        return case.input
    for message in reversed(case.messages):
        if isinstance(message, dict) and message.get("role") == "user":
            return _text(message.get("content"))
    return None


def _text(content: Json) -> str | None:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [part.get("text") for part in content if isinstance(part, dict)]
    return "\n".join(part for part in parts if isinstance(part, str)) or None
