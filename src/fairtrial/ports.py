"""What a plug-in looks like: small protocols on one screen. Whatever has the shape is one."""

from typing import Protocol, runtime_checkable

from fairtrial.records import Case, Check, Json, Trajectory


@runtime_checkable
class Grader(Protocol):
    """A team's own grader, as `fairtrial.grader` marks it."""

    grader_name: str
    """Its checks are named after it."""

    def __call__(
        self, case: Case, trajectory: Trajectory, state: dict[str, Json] | None
    ) -> Check | list[Check]:
        """Give the checks of one trial."""
        ...
