"""The worker program itself, spoken to over its pipes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from fairtrial.agents.worker import read_task
from fairtrial.records import Json, Limits

TASK: Json = {
    "case": "c1",
    "input": "Hi",
    "messages": [],
    "context": None,
    "model": {"base_url": "http://o", "anthropic_base_url": "http://a"},
    "variant": {"name": "v", "settings": {"a": 1}},
    "trial": 0,
    "limits": {"steps": 3},
    "seed": 7,
    "tools_url": None,
}


class Bare:
    """A worker and the two ends of its pipes that are ours."""

    def __init__(self, folder: Path, body: str) -> None:
        (folder / "bare_agent.py").write_text(body, encoding="utf-8")
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        self.popen = subprocess.Popen(
            [sys.executable, "-m", "fairtrial.agents.worker", str(theirs_in), str(theirs_out)],
            pass_fds=(theirs_in, theirs_out),
            start_new_session=True,
            stdout=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self.out: IO[bytes] = os.fdopen(ours_out, "wb", buffering=0)
        self.lines: IO[bytes] = os.fdopen(ours_in, "rb")
        self.said = self.tell({"target": "bare_agent:agent", "path": [str(folder)]})

    def send(self, facts: Json) -> None:
        self.out.write(json.dumps(facts).encode() + b"\n")

    def tell(self, facts: Json) -> Json:
        self.send(facts)
        return json.loads(self.lines.readline())

    def close(self) -> None:
        self.out.close()
        self.popen.wait(10)
        self.lines.close()


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[type[Bare]]:
    made: list[Bare] = []

    def make(body: str) -> Bare:
        made.append(Bare(tmp_path, body))
        return made[-1]

    yield make  # type: ignore[misc] # a maker of one
    for worker in made:
        worker.close()


def task_line(**fields: Json) -> Json:
    return {"task": {**TASK, **fields}, "tools": None, "token": "t1"}


def test_a_line_becomes_a_task() -> None:
    task = read_task(task_line(tools_url="http://127.0.0.1:1/t/t1/tools") | {"tools": ["pay"]})
    assert (task.case, task.variant.settings, task.limits) == ("c1", {"a": 1}, Limits(steps=3))
    assert list(task.tools) == ["pay"]
    assert task.world.tools is task.tools
    assert task.token == "t1"
    without = read_task(task_line())
    assert (without.tools, without.world) == (None, None)


def test_it_loads_answers_and_ends_when_the_pipe_does(bare: type[Bare]) -> None:
    worker = bare("agent = lambda task: 'Hello ' + task.case")  # type: ignore[call-arg,arg-type]
    assert worker.said == {"loaded": True}
    assert worker.tell(task_line()) == {"returned": "Hello c1"}
    assert worker.tell(task_line(case="c2")) == {"returned": "Hello c2"}


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_fork_that_the_agent_lets_come_back_gives_no_answer_and_ends_with_its_code(
    bare: type[Bare], kind: str
) -> None:
    worker = bare(  # type: ignore[call-arg]
        "import os, sys\n"
        f"{kind} agent(task):\n"
        "    pid = os.fork()\n"
        "    if pid == 0 and task.trial: sys.exit(task.trial)\n"
        "    if pid == 0: return 'child'\n"
        "    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])\n"  # type: ignore[arg-type]
    )
    for trial in (0, 7, 0):
        assert worker.tell(task_line(trial=trial)) == {"returned": trial}


def test_it_ends_with_its_children_when_the_runs_process_is_gone_though_the_agent_hangs(
    bare: type[Bare], tmp_path: Path
) -> None:
    up = tmp_path / "up"
    os.mkfifo(up)
    worker = bare(  # type: ignore[call-arg]
        "import subprocess, time\n"
        "def agent(task):\n"
        "    subprocess.Popen(['sleep', '100'])\n"
        f"    open({str(up)!r}, 'w').write('up')\n"
        "    while True: pass\n"  # type: ignore[arg-type]
    )
    worker.send(task_line())
    assert up.read_text(encoding="utf-8") == "up"
    worker.out.close()
    assert worker.popen.wait(10) == -9
