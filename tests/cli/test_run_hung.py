"""Agents that hang: they have failed, nobody waits for them, and nothing of them is left."""

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

PYTHON = """
import asyncio, os, signal, subprocess, sys, threading
from concurrent.futures import ThreadPoolExecutor

def told():
    with open("pids", "a") as pids:
        pids.write(f"{os.getpid()}\\n")

def sleeps(task):
    if task.case == "hangs":
        threading.Event().wait()
    return "done"

def spins(task):
    while task.case == "hangs":
        pass
    return "done"

async def waits(task):
    if task.case == "hangs":
        await asyncio.Event().wait()
    return "done"

async def blocks(task):
    if task.case == "hangs":
        threading.Event().wait()
    return "done"

async def swallows(task):
    while task.case == "hangs":
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass
    return "done"

def pool(task):
    with ThreadPoolExecutor() as pool:
        pool.submit(sleeps, task).result()
    return "done"

async def thread(task):
    return await asyncio.to_thread(sleeps, task)

def child(task):
    told()
    if task.case == "hangs":
        subprocess.run(["sh", "-c", "trap '' TERM; echo $$ >> pids; read line < nobody"])
    return "done"
"""
SHELL = """
trap '' TERM INT HUP
echo $$ >> pids
if [ "$FAIRTRIAL_CASE" = hangs ]; then
    (echo "$(exec sh -c 'echo $PPID')" >> pids; read line < nobody)
    read line < nobody
fi
echo done
"""


def left(bench: "Bench") -> list[str]:
    """Give which of the processes that told their number still run."""
    told = [pid for pid in bench.lines("pids") if Path("/proc", pid).exists()]
    assert bench.lines("pids"), "no process told its number"
    return [pid for pid in told if "State:\tZ" not in Path("/proc", pid, "status").read_text()]


def hung(bench: "Bench", *options: str) -> float:
    """Run a case that hangs and one that does not; give the seconds it took."""
    begun = time.monotonic()
    done = bench.program("run", "--timeout", "0.4", "--json", "out.json", *options)
    took = time.monotonic() - begun
    assert done.returncode == 1, done.stdout + done.stderr
    first, second = bench.desk.read("out.json")["cases"]
    (trial,) = first["trials"]
    assert (trial["verdict"], trial["stop"]) == ("failed", "timeout")
    assert second["status"] == "passed"
    assert "Traceback" not in done.stderr
    return took


FUNCTIONS = ["sleeps", "spins", "waits", "blocks", "swallows", "pool", "thread"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_hung_function_is_left_behind(bench: "Bench", name: str) -> None:
    bench.suite(PYTHON, *map(bench.desk.case, ("hangs", "ends")))
    assert hung(bench, "--agent", f"agent:{name}") < 5


@pytest.mark.parametrize("name", ["blocks", "child"])
def test_a_hung_worker_is_killed_with_its_children(bench: "Bench", name: str) -> None:
    told = "sleeps" if name == "child" else name
    source = PYTHON + (f"\n_run = {told}\ndef {told}(task):\n    told()\n    return _run(task)\n")
    bench.suite(source, *map(bench.desk.case, ("hangs", "ends")))
    bench.pipe("nobody")
    # The time counts from when a worker is asked for, so it has to last for its start.
    took = hung(bench, "--agent", f"agent:{name}", "--isolation", "process", "--timeout", "3")
    assert took < 10
    assert left(bench) == []


def test_a_hung_command_that_ignores_signals_is_killed_with_its_children(bench: "Bench") -> None:
    bench.suite("", *map(bench.desk.case, ("hangs", "ends")))
    bench.desk.write("agent.sh", SHELL)
    bench.desk.write(
        "fairtrial.toml", 'cases = ["cases.json"]\nagent = { command = ["sh", "agent.sh"] }\n'
    )
    bench.pipe("nobody")
    assert hung(bench, "--timeout", "1.5") < 8
    assert len(bench.lines("pids")) == 3
    assert left(bench) == []


@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_interrupted_with_hung_agents_it_ends_promptly(bench: "Bench", isolation: str) -> None:
    source = PYTHON + "\ndef agent(task):\n    told()\n    open('there', 'w').close()\n"
    bench.suite(source + "    threading.Event().wait()\n", bench.desk.case("hangs"))
    pipe = bench.pipe("there")
    process = bench.start("run", "--isolation", isolation)
    pipe.open().close()
    begun = time.monotonic()
    os.kill(process.pid, 2)
    assert process.wait(10) == 130
    assert time.monotonic() - begun < 4
    assert left(bench) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ended_by_a_signal_it_keeps_what_is_done_and_leaves_no_program(
    bench: "Bench", number: signal.Signals
) -> None:
    bench.suite("", bench.desk.case("ends"), bench.desk.case("hangs"))
    bench.desk.write("agent.sh", SHELL.replace("    (echo", "    echo x > there\n    (echo"))
    bench.desk.write(
        "fairtrial.toml", 'cases = ["cases.json"]\nagent = { command = ["sh", "agent.sh"] }\n'
    )
    bench.pipe("nobody")
    pipe = bench.pipe("there")
    process = bench.start("run", "--concurrency", "1")
    pipe.read_text(encoding="utf-8")
    process.send_signal(number)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out.splitlines()[-1]) == (130, "exit 130: interrupted")
    assert "go on with: fairtrial run --resume" in err
    assert [row["case"] for row in bench.saved()] == ["ends"]
    assert left(bench) == []


def test_a_killed_run_leaves_no_worker_and_no_program(bench: "Bench") -> None:
    source = PYTHON + "\ndef agent(task):\n    told()\n    open('there', 'w').close()\n"
    bench.suite(source + "    threading.Event().wait()\n", bench.desk.case("hangs"))
    pipe = bench.pipe("there")
    process = bench.start("run", "--isolation", "process")
    pipe.open().close()
    process.kill()
    process.wait(10)
    until = time.monotonic() + 10
    while left(bench) and time.monotonic() < until:
        pass  # the worker sees the end of its pipe
    assert left(bench) == []
