"""A suite to be run: settings, cases and an agent at a desk, and the program as a process."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk, Ran

DONE = "def agent(task):\n    return 'done'\n"


class Bench:
    """A desk with a suite on it, whose agent is `agent.py`."""

    def __init__(self, desk: "Desk") -> None:
        self.desk = desk
        self.folder = desk.folder
        self.started: list[subprocess.Popen[str]] = []

    def suite(self, agent: str = DONE, *cases: Json, settings: str = "") -> None:
        """Write the settings, the agent and the cases; as it stands, greet wants "done"."""
        self.desk.write("agent.py", agent)
        self.desk.cases(*cases)
        own = 'cases = ["cases.json"]\nagent = "agent:agent"\n'
        if "retries" not in settings:
            own += "retries = 0\n"  # nobody waits for a provider that is not there
        self.desk.write("fairtrial.toml", own + settings)

    def run(self, *options: str) -> "Ran":
        """Run the suite."""
        return self.desk.run("run", *options)

    def report(self, *options: str, code: int = 0) -> Json:
        """Run the suite and give its report."""
        ran = self.run("--json", "out.json", *options)
        assert ran.code == code, ran.out + ran.err
        return self.desk.read("out.json")

    def trials(self, *options: str, code: int = 0) -> list[Json]:
        """Run the suite and give all trials, in the order of the cases."""
        return [
            trial for case in self.report(*options, code=code)["cases"] for trial in case["trials"]
        ]

    def start(self, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
        """Start `fairtrial` as a process of its own; what is left of it is killed in the end."""
        return self.start_onto(subprocess.PIPE, *arguments, **environment)

    def start_onto(
        self, stdout: int | TextIO, *arguments: str, **environment: str
    ) -> "subprocess.Popen[str]":
        """Start `fairtrial` with a standard output."""
        process = subprocess.Popen(
            [sys.executable, "-m", "fairtrial", *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONUTF8": "1"} | environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def program(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Let `fairtrial` run to its end as a process of its own."""
        process = self.start(*arguments, **environment)
        out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def lines(self, name: str) -> list[str]:
        """Give the lines of a file; none where it is not there."""
        path = self.folder / name
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def pipe(self, name: str) -> Path:
        """Make a named pipe, on which a process says that it is somewhere."""
        path = self.folder / name
        os.mkfifo(path)
        return path

    def saved(self) -> list[Json]:
        """Give the trials in the newest run's folder, as they stand there."""
        text = (self.desk.runs()[-1] / "trials.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def bench(desk: "Desk") -> Iterator[Bench]:
    """Give a desk for suites that are run."""
    bench = Bench(desk)
    yield bench
    for process in bench.started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
