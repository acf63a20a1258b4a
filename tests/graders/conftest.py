from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.graders import CaseGrader, GradingSettings
from fairtrial.records import Case, Check, Source, Step, ToolCall, Trajectory, Trial


def step_of(item: str | ToolCall | Step | list[str | ToolCall]) -> Step:
    """Make a step of what stands for it: a tool's name, a call, parallel calls, or a step."""
    if isinstance(item, Step):
        return item
    calls = item if isinstance(item, list) else [item]
    return Step(calls=tuple(ToolCall(name=one) if isinstance(one, str) else one for one in calls))


@pytest.fixture
def did() -> Callable[..., Trajectory]:
    """Give what makes a trajectory that answers: an item a step, other fields by name."""

    def make(*items: Any, **fields: Any) -> Trajectory:
        told = {"case": "c", "answer": "Done.", "steps": tuple(map(step_of, items))} | fields
        return Trajectory(**told)

    return make


@pytest.fixture
def grade() -> Callable[..., Trial]:
    """Give what grades a trajectory by a case of these fields."""

    def graded(
        trajectory: Trajectory, settings: GradingSettings | None = None, **fields: Any
    ) -> Trial:
        case = Case(id="c", hash="0", source=Source("a.yaml", 1), **fields)
        return CaseGrader(case, settings or GradingSettings()).grade(trajectory, 0)

    return graded


@pytest.fixture
def check(grade: Callable[..., Trial]) -> Callable[..., Check]:
    """Give what grades a trajectory and picks one check by its name."""

    def checked(name: str, trajectory: Trajectory, **fields: Any) -> Check:
        checks = grade(trajectory, **fields).checks
        return next(one for one in checks if one.name == name)

    return checked
