"""The story of `serve`: one case's world and model, for an agent that somebody starts by hand."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from fairtrial.flow.attempt import Attempt, Job, Setting
from fairtrial.flow.endpoints import OFFLINE_KEY, Endpoints
from fairtrial.flow.in_memory import grade
from fairtrial.flow.run import prepare_worlds
from fairtrial.graders import GradingSettings
from fairtrial.records import Case, Report, Trajectory, Variant
from fairtrial.trials import Outcome
from fairtrial.worlds import World


class Served(Struct, frozen=True, kw_only=True):
    """What was seen of an agent that was started by hand, and how it did."""

    trajectory: Trajectory
    report: Report


class Serving:
    """A case that is being served. Close it to learn what the agent did.

    Attributes:
        environment: The variables that an agent is to be started with.
    """

    def __init__(
        self,
        case: Case,
        endpoints: Endpoints,
        *,
        world: type[World] | None,
        variant: Variant,
        seed: int = 0,
        trial: int = 0,
    ) -> None:
        """Build the world and put it on the listener.

        Raises:
            ProblemsError: The case's fixtures, faults or stub tools do not fit the world.
        """
        setting = Setting(
            endpoints=endpoints,
            blueprints=prepare_worlds(world, [case]),
            variant=variant,
            seed=seed,
            step_cap=None,
            model=None,
            unseen=False,
        )
        self._case = case
        self._attempt = Attempt(Job(case, trial), setting)
        task = self._attempt.task
        self.environment: Mapping[str, str] = {
            "OPENAI_BASE_URL": task.model.base_url,
            "OPENAI_API_KEY": OFFLINE_KEY,
            "ANTHROPIC_BASE_URL": task.model.anthropic_base_url,
            "ANTHROPIC_API_KEY": OFFLINE_KEY,
            "FAIRTRIAL_TOOLS_URL": task.tools_url or "",
            "FAIRTRIAL_CASE": case.id,
            "FAIRTRIAL_TRIAL": str(trial),
            "FAIRTRIAL_SEED": str(task.seed),
        }

    def close(self, settings: GradingSettings | None = None) -> Served:
        """End the trial and grade what was seen; the model's last words are the answer."""
        self._attempt.close()
        seen = self._attempt.trajectory(Outcome())
        last = seen.steps[-1] if seen.steps else None
        if last is not None and not last.calls:
            seen = msgspec.structs.replace(seen, answer=last.text)
        return Served(trajectory=seen, report=grade([self._case], [seen], settings))
