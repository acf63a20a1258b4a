"""Under pytest-xdist: one run, whoever ran its cases, and the gate once."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.store import SavedRun

if TYPE_CHECKING:
    from tests.pytest_plugin.conftest import Suite


def test_workers_make_one_run(suite: "Suite") -> None:
    cases = [suite.case(f"c{at}", said="no" if at == 3 else "done") for at in range(8)]
    suite.set_up(*cases)
    ran = suite.run_apart("--fairtrial", "evals", "-n", "3", "--fairtrial-trials", "2")
    ran.assert_outcomes(passed=7, failed=1)
    assert len(suite.runs()) == 1
    verdicts = suite.verdicts()
    assert list(verdicts) == [f"c{at}" for at in range(8)]
    assert all(len(trials) == 2 for trials in verdicts.values())
    assert verdicts["c3"] == ["failed"] * 2
    assert suite.saved().finished
    assert suite.saved().info.selection is None
    assert suite.saved().scorecard.passed == 14
    assert list((suite.folder / ".fairtrial" / "parts").glob("*")) == []
    assert len(list(suite.saved().trials())) == 16
    alone = suite.run_apart("--fairtrial", "evals", "--fairtrial-trials", "2")
    alone.assert_outcomes(passed=7, failed=1)
    first, second = suite.runs()
    suite.program("diff", first, second).stdout.fnmatch_lines(["*8 cases are the same*"])


@pytest.mark.parametrize("lost", [False, True])
def test_the_gate_is_asked_once_by_the_controller(suite: "Suite", lost: bool) -> None:
    suite.set_up(*(suite.case(f"c{at}", said="{done}") for at in range(4)))
    assert suite.program("run", "--gate", "--quiet").ret == 0
    if lost:
        suite.write("agent.py", "def agent(task):\n    return 'no'\n")
    ran = suite.run_apart(
        "--fairtrial", "evals", "-n", "2", "--fairtrial-gate", "--junitxml=out.xml"
    )
    ran.assert_outcomes(**({"failed": 5} if lost else {"passed": 5}))
    assert ran.ret == int(lost)
    report = (suite.folder / "out.xml").read_text(encoding="utf-8")
    assert report.count('name="gate"') == 1
    gated = suite.saved().gated
    assert gated is not None
    assert gated.decision.decision == ("fail" if lost else "pass")


def test_a_worker_that_dies_takes_its_case_with_it_and_no_other(suite: "Suite") -> None:
    agent = """
import ctypes, time
def agent(task):
    if task.input == "die":
        ctypes.string_at(0)
    return task.input
"""
    suite.set_up(
        *(suite.case(f"c{at}", said="die" if at == 2 else "done") for at in range(5)), agent=agent
    )
    ran = suite.run_apart("--fairtrial", "evals", "-n", "2", "--fairtrial-gate", CI="1")
    assert ran.ret == 1
    verdicts = suite.verdicts()
    assert verdicts.pop("c2") == []
    assert set(map(tuple, verdicts.values())) == {("passed",)}
    ran.stdout.fnmatch_lines(["note *1 trial of 5 planned were not run*"])
    gated = suite.saved().gated
    assert gated is not None
    assert gated.decision.decision == "error"


def killed(suite: "Suite") -> Path:
    """Run under workers, and kill the controller from within; give the folder of the parts."""
    import fcntl  # noqa: PLC0415 - not there on Windows

    agent = """
import os, pathlib, signal, time
def agent(task):
    if task.input == "last":
        parts = pathlib.Path(".fairtrial/parts").glob("*/trials.jsonl")
        while sum(file.read_bytes().count(b"\\n") for file in parts) < 1:
            time.sleep(0.01)
            parts = pathlib.Path(".fairtrial/parts").glob("*/trials.jsonl")
        os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)  # one that lives on is waited for: see test_parts.py
    return "done"
"""
    cases = [suite.case("first"), *(suite.case(f"c{n}", said="last") for n in range(3))]
    suite.set_up(*cases, agent=agent, settings="concurrency = 1\n")
    options = ("-n", "1", "--max-worker-restart", "0")
    suite.run_apart("--fairtrial", "evals", *options)
    parts = suite.folder / ".fairtrial" / "parts"
    (trials,) = parts.glob("*/trials.jsonl")
    with trials.open("rb+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # waits for the worker's end
    return parts


@pytest.mark.skipif(sys.platform == "win32", reason="runs are not held there")
def test_what_a_killed_session_measured_is_a_run_in_the_next(suite: "Suite") -> None:
    parts = killed(suite)
    (left,) = parts.glob("*-gw0")
    name = left.name.removesuffix("-gw0")
    suite.write("agent.py", "def agent(task):\n    return 'done'\n")
    ran = suite.run_apart("--fairtrial", "evals", "-n", "1")
    ran.stdout.fnmatch_lines([f"run {name} was cut short when pytest was killed; it is saved"])
    assert len(suite.runs()) == 2
    assert list(parts.glob("*")) == []
    rescued = SavedRun.read_folder(suite.folder / ".fairtrial" / "runs" / name)
    assert [trial.case for trial in rescued.trials()] == ["first"]
    assert suite.saved().info.id != name


@pytest.mark.skipif(sys.platform == "win32", reason="runs are not held there")
def test_parts_of_other_cases_stay_and_are_named(suite: "Suite") -> None:
    parts = killed(suite)
    (left,) = parts.glob("*-gw0")
    suite.set_up(suite.case("other"))
    ran = suite.run_apart("--fairtrial", "evals", "-n", "1")
    ran.stdout.fnmatch_lines(["*left by a killed pytest, of other cases; take it away"])
    assert (left / "trials.jsonl").exists()
    assert len(suite.runs()) == 1


def test_each_is_refused(suite: "Suite") -> None:
    suite.set_up()
    ran = suite.run_apart("--fairtrial", "evals", "--dist", "each", "--tx", "2*popen")
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stderr.fnmatch_lines(["ERROR: --dist each would run every case in every worker; *"])


def test_mistakes_are_told_by_workers_too(suite: "Suite") -> None:
    suite.set_up({"id": "a", "inptu": "x"})
    ran = suite.run_apart("--fairtrial", "evals", "-n", "2")
    ran.stdout.fnmatch_lines(["evals/cases.json:1:*: inptu: unknown field; *"])
    assert ran.ret != 0
    assert suite.runs() == []


def test_first_failure_stops_workers_and_keeps_what_there_is(suite: "Suite") -> None:
    suite.set_up(*(suite.case(f"c{at}", said="no") for at in range(12)))
    ran = suite.run_apart("--fairtrial", "evals", "-n", "2", "-x", "--fairtrial-gate")
    assert ran.ret != 0
    measured = sum(map(len, suite.verdicts().values()))
    assert 1 <= measured < 12
    assert suite.saved().gated is None
