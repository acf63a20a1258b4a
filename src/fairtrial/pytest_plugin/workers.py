"""Under pytest-xdist: each worker makes a part of the run, and the controller joins them."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pytest

from fairtrial.config import Project
from fairtrial.errors import UsageError
from fairtrial.flow.course import RunOptions
from fairtrial.flow.grade import GradedRun
from fairtrial.flow.joining import join_parts
from fairtrial.graders import GradingSettings
from fairtrial.models import Prices
from fairtrial.pytest_plugin.evals import Evals, Place
from fairtrial.pytest_plugin.gate import NAME
from fairtrial.pytest_plugin.told import Told, put_into
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
        """Tell a worker which run it makes a part of."""
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
        evals = self._evals
        parts = list(self._parts())
        if not parts:
            return None
        suite = evals.suite()
        config = evals.project.config
        place = self.run, run_folder(evals.project.root, self.run)
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
            told=self._told,
            stopped=self._stopped,
        )
        for part in parts:
            shutil.rmtree(part, ignore_errors=True)
        return graded

    def _parts(self) -> Iterator[Path]:
        folder = _parts(self._evals.project)
        yield from sorted(folder.glob(f"{self.run}-*"))

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
