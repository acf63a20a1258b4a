"""The gate as the last test: what it decided of the run that the tests before it made."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.config import Project
from fairtrial.errors import FairtrialError
from fairtrial.flow.compare import gate_run
from fairtrial.pytest_plugin.asked import Asked
from fairtrial.pytest_plugin.told import Kind, Told
from fairtrial.records import Decision
from fairtrial.report import Style, decision_lines, inert
from fairtrial.store import find_run

NAME = "fairtrial::gate"

_HEADLINE = 200  # characters


class GateItem(pytest.Item):
    """The last test. In a worker of xdist it is not run: the controller asks the gate, once."""

    decide: Callable[[], Told | None]
    told: Told | None = None

    def setup(self) -> None:
        """Ask the gate.

        Raises:
            Told: Nothing was measured, so there is nothing to decide.
        """
        self.told = self.decide()
        if self.told is not None and self.told.kind == "error":
            raise self.told

    def runtest(self) -> None:
        """Say what it decided.

        Raises:
            Told: It is no pass.
        """
        if self.told is not None:
            raise self.told

    def reportinfo(self) -> tuple[Path, int, str]:
        """Give a place: that of the settings' folder."""
        return self.path, 0, "gate"

    @property
    def place(self) -> tuple[Path, int]:
        """Where it stands."""
        return self.path, 1


class Gate:
    """Asks the gate about a run.

    Attributes:
        decision: What it decided; None where it was not asked, or could not be.
        baseline: The baseline's name, as it was when it was asked; None where there was none.
    """

    def __init__(self, asked: Asked, project: Project, base: Path) -> None:
        """Get ready."""
        self.decision: Decision | None = None
        self.baseline: str | None = None
        self._asked = asked
        self._project = project
        self._base = base

    def ask(self, folder: Path | None, style: Style) -> Told | None:
        """Decide about the run in a folder; None is a pass.

        Without a folder no trial was run.
        """
        if folder is None:
            text = "no trial was run, so there is nothing to decide"
            return Told("error", text, [text])
        path = self._asked.baseline or self._project.baseline
        shown = path.relative_to(self._base) if path.is_relative_to(self._base) else path
        self.baseline = str(shown) if path.exists() else None
        try:
            settings = self._project.gate_settings(
                {}, allow_removed=self._asked.allow_removed, strict=self._asked.strict
            )
            run = find_run(str(folder), self._project.root)
            decision = self.decision = gate_run(run, shown, settings, os.environ)
        except FairtrialError as error:
            lines = [inert(line) for line in str(error).splitlines()]
            return Told("error", lines[0], lines)
        return _told(decision, self.lines(style))

    def lines(self, style: Style) -> list[str]:
        """Give the decision with its reasons; none where there is no decision."""
        if self.decision is None:
            return []
        lines = decision_lines(self.decision, style, baseline_name=self.baseline)
        return [inert(line) for line in lines]


def _told(decision: Decision, lines: list[str]) -> Told | None:
    """Give what a decision is to pytest, by the contract of the exit codes."""
    if decision.decision == "pass":
        return None
    kinds: dict[int, Kind] = {0: "informs", 3: "error"}
    first = decision.reasons[0].text if decision.reasons else decision.decision
    return Told(kinds.get(decision.exit, "failed"), inert(first[:_HEADLINE]), lines)
