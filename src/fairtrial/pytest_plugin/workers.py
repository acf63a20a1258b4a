"""Under pytest-xdist: each worker makes a part of the run, and the controller joins them."""

import os
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal

import pytest

from fairtrial.config import Project
from fairtrial.errors import FairtrialError, StoreError, UsageError
from fairtrial.flow.course import RunOptions
from fairtrial.flow.graded import GradedRun
from fairtrial.flow.joining import join_parts
from fairtrial.graders import GradingSettings
from fairtrial.models import Prices
from fairtrial.pytest_plugin.evals import Evals, Place
from fairtrial.pytest_plugin.gate import NAME
from fairtrial.pytest_plugin.parts import fits, forget, hold, left_over, parts_of
from fairtrial.pytest_plugin.told import Told, put_into
from fairtrial.report import inert
from fairtrial.store import known_secrets, new_run_id, run_folder

_KEY = "fairtrial"
_WIDTH = "fairtrial_width"
_PARTS = "parts"
"""Beside the runs, so that no part of a run is taken for one."""


class Worker:
    """What a worker does: its part of the run, and a word on it for the controller.

    Attributes:
        width: Of texts.
    """

    def __init__(self, config: Any, evals: Evals) -> None:
        """Take the place that the controller gave."""
        self._config = config
        self._evals = evals
        given = self._config.workerinput
        self.width = int(given[_WIDTH])
        run_id = f"{given[_KEY]}-{given['workerid']}"
        folder = _parts(evals.project) / run_id
        evals.place = Place((run_id, folder), int(given["workercount"]))
        config.pluginmanager.register(self, "fairtrial-worker")

    @classmethod
    def of(cls, config: pytest.Config, evals: Evals) -> "Worker | None":
        """Give what this process does as a worker; None where it is none."""
        return cls(config, evals) if hasattr(config, "workerinput") else None

    def pytest_sessionfinish(self) -> None:
        """End this part, before the controller is told that it has ended."""
        graded, told, stopped = self._evals.end()
        self._config.workeroutput[_KEY] = {"told": list(told), "stopped": stopped}
        if graded is not None:
            graded.close()


class Workers:
    """What the controller does: names the run, joins its parts, asks the gate."""

    def __init__(self, config: pytest.Config, evals: Evals, width: Callable[[], int]) -> None:
        """Name the run. Texts are so wide.

        Raises:
            UsageError: Every worker would run every case.
        """
        if config.getoption("dist") == "each":
            raise UsageError("--dist each would run every case in every worker; use --dist load")
        self._evals = evals
        self._width = width
        self._told: list[str] = []
        self._stopped: Any = None
        self._held: BinaryIO | None = None
        self.found: list[str] = []
        """What is to be said of sessions that were killed."""
        self.run = new_run_id(datetime.now(UTC), os.urandom(3).hex())  # noqa: TID251 - names the run
        config.pluginmanager.register(self, "fairtrial-workers")

    @classmethod
    def of(cls, config: pytest.Config, evals: Evals, width: Callable[[], int]) -> "Workers | None":
        """Give what this process does as a controller; None where it is none."""
        distributes = config.getoption("dist", "no") != "no" and config.getoption("tx", None)
        return (
            cls(config, evals, width)
            if distributes and not hasattr(config, "workerinput")
            else None
        )

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker which run it makes a part of.

        Raises:
            pytest.UsageError: Nothing can be written here.
        """
        if self._held is None:
            try:
                self._held = hold(_parts(self._evals.project), self.run)
            except StoreError as error:
                raise pytest.UsageError(inert(str(error))) from None
        node.workerinput |= {_KEY: self.run, _WIDTH: self._width()}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object | None) -> None:  # noqa: ARG002 - xdist's
        """Take a worker's word; one that crashed has none."""
        output = getattr(node, "workeroutput", {}).get(_KEY)
        if output is not None:
            self._told += output["told"]
            self._stopped = self._stopped or output["stopped"]

    def joined(self) -> GradedRun | None:
        """Join the parts into a run folder; None where no trial was run.

        Raises:
            ProblemsError: The case files cannot be read any more.
            StoreError: A part cannot be read, or the run not be saved.
        """
        parts = parts_of(_parts(self._evals.project), self.run)
        graded = None
        if parts:
            graded = self._joined(self.run, parts, told=self._told, stopped=self._stopped)
        self._rescue()
        return graded

    def _joined(
        self, run: str, parts: Sequence[Path], *, told: Sequence[str] = (), stopped: Any = None
    ) -> GradedRun | None:
        evals = self._evals
        suite = evals.suite()
        config = evals.project.config
        place = run, run_folder(evals.project.root, run)
        options = RunOptions(
            root=evals.project.root,
            settings=GradingSettings(currency=config.currency),
            prices=Prices(),
        )
        graded = join_parts(
            parts,
            suite.cases,
            options,
            place=place,
            secrets=known_secrets(os.environ),
            told=told,
            stopped=stopped,
        )
        forget(_parts(evals.project), run, all_of_it=True)
        return graded

    def _rescue(self) -> None:
        """Join what killed sessions have measured, as runs that were cut short.

        What is of another suite than that of now stays where it is.
        """
        parts = _parts(self._evals.project)
        for run, own in left_over(parts, self.run):
            try:
                graded = self._joined(run, own) if fits(own, self._evals.suite()) else None
            except FairtrialError as error:
                self.found.append(f"{', '.join(map(str, own))}: left by a killed pytest: {error}")
                continue
            if graded is not None:
                graded.close()
                self.found.append(f"run {run} was cut short when pytest was killed; it is saved")
            elif own and parts_of(parts, run):
                places = ", ".join(map(str, own))
                self.found.append(
                    f"{places}: left by a killed pytest, of other cases; take it away"
                )
            else:
                forget(parts, run, all_of_it=True)

    def close(self) -> None:
        """Let other sessions know that this one is over."""
        if self._held is not None:
            forget(_parts(self._evals.project), self.run, all_of_it=False)
            self._held.close()

    def report(
        self, config: pytest.Config, decide: Callable[[], Told | None], project: Project
    ) -> None:
        """Ask the gate, and report it as the test that the workers left out."""
        path = project.file or project.root
        location = (os.path.relpath(path, config.rootpath), 0, "gate")
        hook = config.hook
        hook.pytest_runtest_logstart(nodeid=NAME, location=location)
        told: Told | None = None
        phases: tuple[Literal["setup", "call", "teardown"], ...] = ("setup", "call", "teardown")
        for when in phases:
            began = time.perf_counter()
            told = decide() if when == "setup" else told
            report = pytest.TestReport(
                NAME,
                location,
                {},
                "passed",
                None,
                when,
                duration=time.perf_counter() - began,
            )
            if told is not None and when == ("setup" if told.kind == "error" else "call"):
                report.outcome = "failed"
                put_into(report, _raised(told), (path, 1))
            hook.pytest_runtest_logreport(report=report)
            if report.failed and when == "setup":
                break
        hook.pytest_runtest_logfinish(nodeid=NAME, location=location)


def _raised(told: Told) -> "pytest.ExceptionInfo[Told]":
    try:
        raise told
    except Told as error:
        return pytest.ExceptionInfo.from_exception(error)


def _parts(project: Project) -> Path:
    return run_folder(project.root, "any").parents[1] / _PARTS
