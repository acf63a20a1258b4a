"""Concurrency, timeouts, event loops: a run ends, whatever hangs and whatever loop is around it."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import fairtrial as ft
from fairtrial.errors import UsageError
from fairtrial.flow.course import RunOptions
from fairtrial.models import Prices
from fairtrial.records import AnswerExpectation, Case, Expectation, Report, Source
from fairtrial.trials import Bounds

if TYPE_CHECKING:
    from tests.conftest import Desk

HANGS = """
import asyncio, threading
import fairtrial as ft

FOREVER = threading.Event()

def agent(task):
    with open("begun", "a") as begun:
        begun.write(f"{task.case}\\n")
    if task.case == "blocks":
        FOREVER.wait()
    return "done"

async def aagent(task):
    with open("begun", "a") as begun:
        begun.write(f"{task.case}\\n")
    while task.case == "awaits" or task.case == "swallows":
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            if task.case == "awaits":
                raise
    if task.case == "blocks":
        FOREVER.wait()
    return "done"
"""


def cases(*names: str) -> list[Case]:
    expect = Expectation(answer=AnswerExpectation(contains=(("done",),)))
    source = Source("a.yaml", 1)
    return [Case(id=one, hash="0", source=source, input="Hi", expect=expect) for one in names]


@pytest.mark.parametrize("agent", ["agent", "aagent"])
def test_what_hangs_has_failed_once_and_the_others_finish(desk: "Desk", agent: str) -> None:
    """BL-52."""
    hanging = ["blocks", "awaits", "swallows"] if agent == "aagent" else ["blocks"]
    desk.write("hanging.py", HANGS)
    desk.cases(*map(desk.case, (*hanging, "a", "b")))
    begun = time.monotonic()
    ran = desk.run(
        "run", "cases.json", "--agent", f"hanging:{agent}", "--timeout", "0.3", "--json", "out.json"
    )
    assert time.monotonic() - begun < 5
    sys.modules["hanging"].FOREVER.set()
    assert ran.code == 1
    stops = {one["id"]: one["trials"][0]["stop"] for one in desk.read("out.json")["cases"]}
    assert stops == dict.fromkeys(hanging, "timeout") | {"a": "answer", "b": "answer"}
    lines = (desk.folder / "begun").read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == sorted([*hanging, "a", "b"])


def test_a_timeout_is_an_attempt_and_is_never_tried_again(desk: "Desk") -> None:
    """BL-52."""
    desk.write("hanging.py", HANGS)
    desk.cases(desk.case("blocks"))
    ran = desk.run(
        "run", "cases.json", "--agent", "hanging:agent", "--timeout", "0.2", "--live",
        "--retries", "3",
    )  # fmt: skip
    sys.modules["hanging"].FOREVER.set()
    assert ran.code == 1
    assert (desk.folder / "begun").read_text(encoding="utf-8") == "blocks\n"


def test_the_time_of_the_whole_run_ends_it_with_its_results(desk: "Desk") -> None:
    """BL-52."""
    desk.write("hanging.py", HANGS)
    desk.cases(*map(desk.case, ("a", "blocks")))
    ran = desk.run(
        "run", "cases.json", "--agent", "hanging:agent", "--run-timeout", "0.5",
        "--json", "out.json",
    )  # fmt: skip
    sys.modules["hanging"].FOREVER.set()
    assert ran.code == 3
    card = desk.read("out.json")["scorecard"]
    assert (card["passed"], card["not_measured"]) == (1, ["blocks"])


def done(task: ft.Task) -> str:
    return f"done {task.case}"


async def adone(task: ft.Task) -> str:
    await asyncio.sleep(0)
    return f"done {task.case}"


def passed(report: Report) -> int:
    return report.scorecard.passed


@pytest.mark.parametrize("agent", [done, adone])
def test_a_run_works_in_a_script_and_under_a_loop_that_runs(agent: ft.Task) -> None:
    """BL-53: 1 and 2."""

    async def inside() -> int:
        return passed(ft.run(cases("a", "b"), agent))  # type: ignore[arg-type]

    assert passed(ft.run(cases("a", "b"), agent)) == 2  # type: ignore[arg-type]
    assert asyncio.run(inside()) == 2


@pytest.mark.parametrize("agent", [done, adone])
def test_runs_one_after_the_other_and_at_once_all_finish(agent: ft.Task) -> None:
    """BL-53: 3."""
    many = cases(*(f"c{number}" for number in range(20)))
    assert [passed(ft.run(many, agent)) for _ in range(2)] == [20, 20]  # type: ignore[arg-type]
    together = threading.Barrier(3)

    def work(_: int) -> int:
        together.wait(10)
        return passed(ft.run(many, agent, trials=3))  # type: ignore[arg-type]

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, range(3))) == [60] * 3


def test_runs_at_once_leave_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """BL-53: 3."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-TEST-0123456789")
    before = dict(os.environ)
    first_in, second_out = threading.Event(), threading.Event()
    seen: list[str] = []

    def first(task: ft.Task) -> str:
        first_in.set()
        assert second_out.wait(10)
        seen.append(os.environ["OPENAI_API_KEY"])
        return "done"

    thread = threading.Thread(target=lambda: ft.run(cases("a"), first))
    thread.start()
    assert first_in.wait(10)
    assert passed(ft.run(cases("b"), done)) == 1
    second_out.set()
    thread.join(10)
    assert seen == ["offline"]
    assert dict(os.environ) == before


def test_importing_starts_no_loop_and_no_thread_and_changes_nothing() -> None:
    """BL-53: 4."""
    code = (
        "import sys, threading, socket\n"
        "before = socket.socket.connect, threading.Thread.start\n"
        "import fairtrial, fairtrial.flow, fairtrial.agents, fairtrial.trials\n"
        "assert (socket.socket.connect, threading.Thread.start) == before\n"
        "assert threading.active_count() == 1\n"
        "import asyncio\n"
        "assert asyncio.run.__module__ == 'asyncio.runners'\n"
        "try:\n    asyncio.get_running_loop()\nexcept RuntimeError:\n    print('none')\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "none\n"


CLIENT = """
import asyncio
import httpx2

CLIENT = httpx2.AsyncClient(trust_env=False)

async def agent(task):
    body = {"model": "m", "messages": list(task.messages)}
    reply = await CLIENT.post(f"{task.model.base_url}/chat/completions", json=body)
    return reply.json()["choices"][0]["message"]["content"]
"""


@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_a_client_made_outside_the_loop_works_for_every_trial(desk: "Desk", isolation: str) -> None:
    """BL-53: 5."""
    desk.write("client.py", CLIENT)
    desk.cases(desk.case("a", script=[{"say": "done"}]), desk.case("b", script=[{"say": "done"}]))
    done = subprocess.run(
        [sys.executable, "-m", "fairtrial", "run", "cases.json", "--agent", "client:agent",
         "-k", "10", "--isolation", isolation],
        cwd=desk.folder, capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_trials_at_once_are_refused(tmp_path: Path) -> None:
    """BL-52: a bound that lets nothing run is told, and does not hang."""
    options = RunOptions(root=tmp_path, bounds=Bounds(concurrency=0), prices=Prices())
    with pytest.raises((UsageError, ValueError), match="concurrency"):
        ft.run(cases("a"), done, options=options)


def test_ctrl_c_reaches_who_called(tmp_path: Path) -> None:
    """BL-53: a run in a script does not swallow it and go on with half of the trials."""
    code = (
        "import os, signal, threading\n"
        "import fairtrial as ft\n"
        "def agent(task):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    threading.Event().wait()\n"
        "cases = ft.load_cases('cases.json')\n"
        "try:\n    ft.run(cases, agent)\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    case = '[{"id": "a", "input": "x", "expect": {"answer": {"contains": ["done"]}}}]'
    (tmp_path / "cases.json").write_text(case, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True,
        timeout=30,
    )  # fmt: skip
    assert ended.stdout == "interrupted\n"


@pytest.mark.parametrize("trials", [0, -1])
def test_no_trials_are_refused(trials: int) -> None:
    """BL-52."""
    with pytest.raises(UsageError, match="trials: wanted a whole number from 1 up"):
        ft.run(cases("a"), done, trials=trials)
