"""A suite in a folder of its own, and pytest as a process that runs it."""

import importlib
import json
import pkgutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

import fairtrial
from fairtrial.records import Json
from fairtrial.store import SavedRun, find_run

# What a session in this process loads is gone after it: nothing of ours may be among that.
for _module in pkgutil.walk_packages(fairtrial.__path__, "fairtrial."):
    if not _module.name.endswith("__main__"):
        importlib.import_module(_module.name)

ECHO = """
def agent(task):
    return task.input
"""
"""An agent that says what it was asked: a case passes where it wants words of its own input."""


class Suite:
    """A suite and pytest, with our plug-in and xdist and no others: those take their time."""

    def __init__(self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pytester = pytester
        self.folder = pytester.path
        self._monkeypatch = monkeypatch
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        monkeypatch.setenv("COLUMNS", "100")
        for name in ("CI", "FORCE_COLOR", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER"):
            monkeypatch.delenv(name, raising=False)

    def write(self, name: str, text: str) -> Path:
        """Write a file, with the folders above it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    @staticmethod
    def case(
        name: str, said: str = "done", wanted: str = "done", **fields: Json
    ) -> dict[str, Json]:
        """Give a case that passes where what is said holds what is wanted."""
        expect = {"answer": {"contains": [wanted]}}
        return {"id": name, "input": said, "expect": expect} | fields

    def set_up(self, *cases: Json, agent: str = ECHO, settings: str = "") -> None:
        """Write settings, an agent and the cases."""
        self.write("agent.py", agent)
        self.write("evals/cases.json", json.dumps(list(cases or (self.case("greet"),))))
        own = 'cases = ["evals/*.json"]\nagent = "agent:agent"\nretries = 0\n'
        self.write("fairtrial.toml", own + settings)

    def run(self, *options: str, **environment: str) -> pytest.RunResult:
        """Run pytest in the folder, in this process: much quicker, and the same."""
        return self._run(self.pytester.runpytest_inprocess, options, environment)

    def run_apart(self, *options: str, **environment: str) -> pytest.RunResult:
        """Run pytest in the folder as a process of its own."""
        return self._run(self.pytester.runpytest_subprocess, options, environment)

    def _run(
        self,
        start: Callable[..., pytest.RunResult],
        options: Sequence[str],
        environment: Mapping[str, str],
    ) -> pytest.RunResult:
        for name, value in environment.items():
            self._monkeypatch.setenv(name, value)
        plugins = ("-p", "fairtrial", "-p", "xdist.plugin")
        return start(*plugins, "-p", "no:cacheprovider", *options)

    def program(self, *arguments: str) -> pytest.RunResult:
        """Run `fairtrial` in the folder."""
        return self.pytester.run(sys.executable, "-m", "fairtrial", *arguments)

    def runs(self) -> list[str]:
        """Give the names of the saved runs, oldest first."""
        return sorted(path.name for path in (self.folder / ".fairtrial" / "runs").glob("*"))

    def saved(self) -> SavedRun:
        """Give the newest run."""
        return find_run("latest", self.folder)

    def verdicts(self) -> dict[str, list[str]]:
        """Give the verdicts of the newest run, by case."""
        return {
            result.id: [trial.verdict for trial in result.trials]
            for result in self.saved().results()
        }


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """Give an empty folder and pytest in it."""
    return Suite(pytester, monkeypatch)
