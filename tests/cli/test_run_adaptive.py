"""fairtrial run --adaptive: more trials of what may have become worse, from the command line."""

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_run_cut_short import until_there

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

SHAKY = """
import os, threading

LOCK, SEEN = threading.Lock(), [0]
STOP = int(os.environ.get("STOP_AFTER", "1000000"))

def agent(task):
    with LOCK:
        SEEN[0] += 1
        mine = SEEN[0]
        with open("log", "a") as log:
            log.write(f"{task.case} {task.trial}\\n")
    if mine > STOP:
        with open("there", "w") as there:
            there.write("x")
        threading.Event().wait()
    if os.environ.get("CHANGED") and task.case in "ab":
        return "done" if task.trial % 3 else "no"
    return "done"
"""
LIVE = 'model = "live"\ntrials = 5\nconcurrency = 1\n'


@pytest.fixture
def accepted(bench: "Bench", monkeypatch: pytest.MonkeyPatch) -> "Bench":
    """A live suite whose accepted run passed, and a change that makes a and b fail one in three."""
    bench.suite(SHAKY, *map(bench.desk.case, "abcd"), settings=LIVE)
    assert bench.run().code == 0
    assert bench.desk.run("accept").code == 0
    (bench.folder / "log").unlink()
    monkeypatch.setenv("CHANGED", "1")
    return bench


def test_it_says_what_was_spent_and_saved_and_report_says_it_again(accepted: "Bench") -> None:
    ran = accepted.run("--adaptive")
    assert ran.code == 1
    told = " ".join(ran.out.split())
    assert "more trials 20 of 2 cases, to tell which pass less often" in told
    assert "a: 5 of 5 in the baseline, 3 of 5, then" in told
    assert "as many for every case would be" in told
    assert " ".join(accepted.desk.run("report").out.split()) in told
    assert len(accepted.lines("log")) == 40


def test_json_holds_the_further_trials_apart(accepted: "Bench") -> None:
    report = accepted.report("--adaptive", code=1)
    adaptive = report["scorecard"]["adaptive"]
    assert [(one["id"], one["more_planned"]) for one in adaptive["cases"]] == [("a", 10), ("b", 10)]
    assert {len(case["trials"]) for case in report["cases"]} == {5}
    assert report["scorecard"]["trials"] == 20
    assert accepted.report(code=1)["scorecard"]["adaptive"] is None


def test_the_gate_reads_them(accepted: "Bench") -> None:
    accepted.run("--adaptive", "-q")
    decision = " ".join(accepted.desk.run("gate").out.split())
    assert "a passed 5 of 5, now 3 of 5, then" in decision


def test_without_a_baseline_there_is_nothing_to_be_worse_than(bench: "Bench") -> None:
    bench.suite(SHAKY, settings=LIVE)
    ran = bench.run("--adaptive")
    assert ran.code == 2
    assert "there is no baseline at evals/baseline.json" in ran.err
    assert "fairtrial accept" in ran.err
    assert bench.lines("log") == []


def test_offline_it_says_why_there_are_none(bench: "Bench") -> None:
    bench.suite()
    assert bench.run("--gate").code == 0
    ran = bench.run("--adaptive")
    assert ran.code == 0
    assert "more trials none: no live model spoke" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--max-extra", "5"], "--max-extra bounds what --adaptive adds"),
        (["--adaptive", "--max-extra", "0"], "0 is not in the range x>=1"),
        (["--adaptive", "--baseline", "cases.json"], "cases.json"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_run(
    accepted: "Bench", options: list[str], said: str
) -> None:
    ran = accepted.run(*options)
    assert (ran.code, said in ran.err) == (2, True), ran.err
    assert accepted.lines("log") == []


def test_killed_among_them_it_goes_on_and_runs_nothing_twice(accepted: "Bench") -> None:
    pipe = accepted.pipe("there")
    process = accepted.start("run", "--adaptive", STOP_AFTER="27")
    until_there(pipe)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(30)
    before = accepted.lines("log")
    assert len(before) == 28
    whole = accepted.program("run", "--resume", "--json", "out.json")
    assert whole.returncode == 1, whole.stderr
    later = accepted.lines("log")[28:]
    assert set(later) & set(before[:27]) == set()
    adaptive = accepted.desk.read("out.json")["scorecard"]["adaptive"]
    assert adaptive["whole"]
    assert adaptive["trials"] == len({*before, *later}) - 20
    again = accepted.run("--resume")
    assert (again.code, "is whole: nothing is missing" in again.err) == (2, True)


def test_a_run_that_is_whole_can_be_given_more(accepted: "Bench") -> None:
    assert accepted.run().code == 1
    ran = accepted.run("--resume", "--adaptive")
    assert ran.code == 1, ran.err
    assert "more trials 20 of 2 cases" in " ".join(ran.out.split())
    assert len(accepted.desk.runs()) == 2


def test_cut_short_it_says_how_to_go_on_whatever_became_of_the_baseline(accepted: "Bench") -> None:
    pipe = accepted.pipe("there")
    accepted.run("-q")
    process = accepted.start("run", "--resume", "--adaptive", STOP_AFTER="3")
    until_there(pipe)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    name = accepted.desk.runs()[-1].name
    assert (process.returncode, f"fairtrial run --resume {name}" in err) == (130, True)
    for command in ("report", "gate"):
        said = accepted.desk.run(command).err
        assert f"further trials are missing; go on with: fairtrial run --resume {name}" in said
    assert (accepted.desk.runs()[-1] / "gate.json").is_file()
    (accepted.folder / "evals" / "baseline.json").unlink()
    whole = accepted.run("--resume", "--json", "out.json")
    assert whole.code == 1, whole.err
    adaptive = accepted.desk.read("out.json")["scorecard"]["adaptive"]
    assert (adaptive["whole"], adaptive["trials"]) == (True, 20)
    assert not (accepted.desk.runs()[-1] / "gate.json").exists()
    assert "missing" not in accepted.desk.run("report").err


def test_killed_among_them_it_is_told_by_the_run(accepted: "Bench") -> None:
    pipe = accepted.pipe("there")
    process = accepted.start("run", "--adaptive", STOP_AFTER="23")
    until_there(pipe)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(30)
    assert "further trials are missing" in accepted.desk.run("report").err


def test_the_end_of_the_time_says_how_to_go_on(accepted: "Bench") -> None:
    accepted.run("-q")
    ran = accepted.run("--resume", "--adaptive", "--run-timeout", "0.000001")
    assert "go on with: fairtrial run --resume" in ran.err


@pytest.mark.parametrize("edit", [{"more_passed": -50}, {"more_passed": 99}, {"measured": 10**30}])
def test_counts_that_no_trials_have_are_refused(accepted: "Bench", edit: dict[str, int]) -> None:
    accepted.run("--adaptive", "-q")
    file = accepted.desk.runs()[-1] / "scorecard.json"
    card = json.loads(file.read_text())
    card["adaptive"]["cases"][0] |= edit
    file.write_text(json.dumps(card))
    for command in ("gate", "report"):
        done = accepted.desk.run(command)
        assert (done.code, "scorecard.json: " in done.err) == (2, True), done.err
