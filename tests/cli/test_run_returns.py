"""Whatever an agent gives back, raises or does to its process, the run goes on and says so."""

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

ODD = """
import sys

class Odd(BaseException): ...

class Unprintable(Exception):
    def __str__(self): raise ValueError("no")
    __repr__ = __str__

def integer(): return 7
def nan(): return float("nan")
def nothing(): return None
def empty(): return ""
def raw(): return b"done"
def thing(): return object()
def a_function(): return lambda: "done"
def exits(): sys.exit(0)
def exits_in_words(): sys.exit("so long")
def odd(): raise Odd("odd")
def interrupt(): raise KeyboardInterrupt
def leaves(): raise GeneratorExit
def stops(): raise StopIteration
def unprintable(): raise Unprintable
def recursion(): return recursion()
def memory(): raise MemoryError
def huge_error(): raise ValueError("x" * 10_000_000)
def warns():
    import warnings
    raise DeprecationWarning("old")

def cycle():
    answer = []
    answer.append(answer)
    return answer

def cyclic_object():
    answer = {"role": "assistant", "content": "done"}
    answer["self"] = answer
    return {"answer": "done", "messages": [answer], "extra": {"loop": answer}}

def deep():
    answer = "x"
    for _ in range(100_000):
        answer = [answer]
    return answer

def agent(task):
    return globals()[task.case]() if task.case in globals() else "done"

async def aagent(task):
    return agent(task)
"""
ODDITIES = [
    name for name in re.findall(r"^def (\w+)\(\)", ODD, re.MULTILINE) if "cyclic" not in name
]
"""What is no answer: each is a failure of the agent."""

HOW = {
    "sync": [],
    "async": ["--agent", "agent:aagent"],
    "process": ["--isolation", "process", "--concurrency", "2"],
}


@pytest.mark.parametrize("how", HOW)
def test_what_is_no_answer_is_the_agents_failure_and_the_others_go_on(
    bench: "Bench", how: str
) -> None:
    bench.suite(ODD, *map(bench.desk.case, (*ODDITIES, "last")))
    report = bench.report(*HOW[how], code=1)
    verdicts = {case["id"]: case["trials"][0]["verdict"] for case in report["cases"]}
    assert verdicts == dict.fromkeys(ODDITIES, "failed") | {"last": "passed"}
    assert len((bench.folder / "out.json").read_bytes()) < 200_000
    for line in (bench.desk.runs()[0] / "trials.jsonl").read_text(encoding="utf-8").splitlines():
        bench.desk.strict(line)


@pytest.mark.parametrize("how", HOW)
def test_why_it_is_none_is_said_with_the_agents_own_line(bench: "Bench", how: str) -> None:
    bench.suite(ODD, *map(bench.desk.case, ODDITIES))
    report = bench.report(*HOW[how], code=1)
    said = {case["id"]: case["trials"][0]["error"] for case in report["cases"]}
    assert "the agent returned int; wanted a text" in said["integer"]
    assert "SystemExit: so long (agent.py:" in said["exits_in_words"]
    assert "Odd: odd (agent.py:" in said["odd"]
    assert "KeyboardInterrupt (agent.py:" in said["interrupt"]
    assert "RecursionError" in said["recursion"]
    assert all(len(text) < 3_000 for text in said.values() if text)


@pytest.mark.parametrize("how", HOW)
def test_a_cycle_beside_the_answer_costs_no_trial(bench: "Bench", how: str) -> None:
    bench.suite(ODD, bench.desk.case("cyclic_object"), bench.desk.case("last"))
    trials = bench.trials(*HOW[how], "--allow-failures")
    assert trials[1]["verdict"] == "passed"
    for line in (bench.desk.runs()[0] / "trials.jsonl").read_text(encoding="utf-8").splitlines():
        bench.desk.strict(line)


@pytest.mark.parametrize("how", HOW)
def test_ten_megabytes_are_graded_whole_and_saved(bench: "Bench", how: str) -> None:
    long = "def agent(task):\n    return 'x' * 10_000_000 + ' done'\n"
    bench.suite(long + "async def aagent(task):\n    return agent(task)\n")
    (trial,) = bench.trials(*HOW[how])
    assert trial["verdict"] == "passed"
    assert len(bench.saved()[0]["trajectory"]["answer"]) == 10_000_005
    assert (bench.folder / "out.json").stat().st_size < 10_000


@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_what_an_agent_prints_is_no_answer(bench: "Bench", isolation: str) -> None:
    bench.suite("def agent(task):\n    print('done')\n    return 'no'\n")
    assert bench.run("--isolation", isolation).code == 1


CHANGES_PLACE = """
import os
def agent(task):
    os.chdir("/")
    os.environ["OPENAI_BASE_URL"] = "http://nowhere"
    return "done"
"""


def test_an_agent_that_goes_elsewhere_takes_nothing_along(
    bench: "Bench", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    bench.suite(CHANGES_PLACE, *map(bench.desk.case, "ab"))
    done = bench.program("run", "--json", "out.json", "--gate")
    assert done.returncode == 0, done.stdout + done.stderr
    assert bench.desk.read("out.json")["scorecard"]["passed"] == 2
    assert (bench.folder / "evals" / "baseline.json").is_file()


REDIRECTS = """
import io, sys, threading
BOTH = threading.Barrier(2)
def agent(task):
    before, sys.stdout, sys.stderr = sys.stdout, io.StringIO(), io.StringIO()
    BOTH.wait(10)
    print("chatter")
    sys.stdout = before if task.case == "a" else sys.stdout
    return "done"
"""


def test_an_agent_that_redirects_what_it_prints_hides_no_scorecard(bench: "Bench") -> None:
    bench.suite(REDIRECTS, *map(bench.desk.case, "ab"))
    ran = bench.run()
    assert (ran.code, ran.last) == (0, "exit 0: everything was measured and passed")
    assert "chatter" not in ran.out


BUSY = """
import fairtrial as ft

class Busy(Exception):
    status_code = 429
    retry_after = 0.01

SEEN = []

def agent(task):
    SEEN.append(task)
    with open("log", "a") as log:
        log.write(f"{task.world is SEEN[0].world} {task.seed}\\n")
    if len(SEEN) < 3:
        raise Busy("busy")
    return "done"
"""


def test_live_a_provider_that_fails_is_asked_again_in_a_clean_world(bench: "Bench") -> None:
    bench.suite(BUSY)
    ran = bench.run("--live", "--retries", "2")
    assert (ran.code, "1 trial took more than one attempt" in ran.out) == (0, True)
    first, second, third = (line.split() for line in bench.lines("log"))
    assert (first[0], second[0], third[0]) == ("True", "False", "False")
    assert first[1] == second[1] == third[1]


def test_live_it_is_asked_as_often_as_is_said_and_then_not_measured(bench: "Bench") -> None:
    bench.suite(BUSY)
    (trial,) = bench.trials("--live", "--retries", "1", code=3)
    assert (trial["verdict"], trial["error"].startswith("provider: Busy: busy")) == ("error", True)
    assert len(bench.lines("log")) == 2


def test_offline_nothing_is_tried_again(bench: "Bench") -> None:
    bench.suite(BUSY)
    assert bench.run().code == 3
    assert len(bench.lines("log")) == 1


FORKS = """
import os, sys
def agent(task):
    child = os.fork()
    if child == 0:
        if task.case == "raises":
            raise ValueError
        if task.case == "returns":
            return "done"
        sys.exit({"exits": 0, "exits with 3": 3, "exits in words": "words"}[task.case])
    _, status = os.waitpid(child, 0)
    return f"done {os.waitstatus_to_exitcode(status)}"
"""


def test_a_fork_that_comes_back_writes_no_trial(bench: "Bench") -> None:
    codes = {"exits": 0, "exits with 3": 3, "exits in words": 1, "raises": 1, "returns": 0}
    bench.suite(FORKS, *map(bench.desk.case, codes))
    done = bench.program("run", "--concurrency", "1", "-k", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    said = [(row["case"], row["trajectory"]["answer"]) for row in bench.saved()]
    assert sorted(said) == sorted(2 * [(name, f"done {code}") for name, code in codes.items()])


POOLS = """
import multiprocessing
def agent(task):
    with multiprocessing.get_context("fork").Pool(1) as pool:  # ended by SIGTERM
        return f"done {pool.map(abs, [-1])}"
"""


def test_a_pool_of_processes_ends_as_it_would_without_us(bench: "Bench") -> None:
    bench.suite(POOLS)
    done = bench.program("run", "-k", "3", "-q")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_agent_that_closes_standard_output_closes_nothing_of_the_run(bench: "Bench") -> None:
    bench.suite("import sys\ndef agent(task):\n    sys.stdout.close()\n    return 'done'\n")
    done = bench.program("run")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "exit 0: everything was measured and passed" in done.stdout
    assert len(bench.saved()) == 1


DIES = """
import os, signal
def agent(task):
    if task.case == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if task.case == "left":
        os._exit(5)
    return "done"
"""


def test_a_worker_that_dies_is_a_failure_and_another_takes_its_place(bench: "Bench") -> None:
    bench.suite(DIES, *map(bench.desk.case, ("killed", "left", "lives")))
    options = ["--isolation", "process", "--concurrency", "1", "-k", "2"]
    report = bench.report(*options, code=1)
    said = {case["id"]: case["trials"][0]["error"] for case in report["cases"]}
    assert [case["status"] for case in report["cases"]] == ["failed", "failed", "passed"]
    assert "was ended by SIGKILL" in said["killed"]
    assert "ended with exit code 5" in said["left"]
