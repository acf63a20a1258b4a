"""A run that is cut short: nothing finished is lost, nothing is run twice, and it can go on."""

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Bench

COUNTING = """
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
        if mine == STOP + 8:  # all of those at once: nothing more is finished
            with open("there", "w") as there:
                there.write("x")
        threading.Event().wait()
    return "done"
"""


def until_there(pipe: "Path") -> None:
    """Wait until the agent writes to the pipe."""
    with pipe.open() as there:
        assert there.read() == "x"


def test_kill_at_any_moment_loses_the_trials_in_flight_alone(bench: "Bench") -> None:
    bench.suite(COUNTING, *(bench.desk.case(f"c{number}") for number in range(10)))
    pipe = bench.pipe("there")
    kept = b""
    for options in (["run", "-k", "100"], ["run", "--resume"]):
        process = bench.start(*options, STOP_AFTER="300")
        until_there(pipe)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)
        file = bench.desk.runs()[0] / "trials.jsonl"
        assert file.read_bytes().startswith(kept)
        kept = file.read_bytes()
    done = {(row["case"], row["trial"]) for row in bench.saved()}
    assert len(done) == 600
    begun = len(bench.lines("log"))
    assert begun == 616
    finished = bench.program("run", "--resume", "latest", "--json", "out.json")
    assert (finished.returncode, "running 400 trials, 600 of 1,000" in finished.stderr) == (0, True)
    assert (bench.desk.runs()[0] / "trials.jsonl").read_bytes().startswith(kept)
    later = [tuple(line.split()) for line in bench.lines("log")[begun:]]
    assert len(later) == len(set(later)) == 400
    assert {(case, int(trial)) for case, trial in later} & done == set()
    report = bench.desk.read("out.json")
    assert report["scorecard"]["passed"] == report["scorecard"]["trials"] == 1000
    assert [len(case["trials"]) for case in report["cases"]] == [100] * 10
    assert len(bench.desk.runs()) == 1


def test_ctrl_c_shows_what_is_done_and_the_way_on_ends_it(bench: "Bench") -> None:
    bench.suite(COUNTING, *map(bench.desk.case, "ab"))
    pipe = bench.pipe("there")
    process = bench.start("run", "-k", "20", "--concurrency", "8", STOP_AFTER="10")
    until_there(pipe)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "trials: 10 passed" in out
    assert "30 trials of 40 planned were not run: the run was interrupted" in " ".join(out.split())
    name = bench.desk.runs()[0].name
    assert f"what is done is saved; go on with: fairtrial run --resume {name}" in err
    assert "Traceback" not in err
    again = bench.desk.run("run", "--resume", name)
    assert (again.code, again.last) == (0, "exit 0: everything was measured and passed")
    assert "trials: 40 passed" in again.out
    assert "not run" not in again.out


def test_ctrl_c_twice_ends_at_once(bench: "Bench") -> None:
    bench.suite(COUNTING, *map(bench.desk.case, "ab"))
    pipe = bench.pipe("there")
    process = bench.start("run", "-k", "20", "--concurrency", "8", STOP_AFTER="10")
    until_there(pipe)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    assert len(bench.saved()) == 10


def test_a_finished_run_is_not_gone_on_with(bench: "Bench") -> None:
    bench.suite()
    bench.run()
    ran = bench.run("--resume")
    assert ran.code == 2
    assert "is whole: nothing is missing; `fairtrial report" in ran.err
    (bench.desk.runs()[0] / "scorecard.json").unlink()  # killed after the last trial
    assert bench.run("--resume").code == 0
    assert (bench.desk.runs()[0] / "scorecard.json").is_file()


def test_there_is_no_run_to_go_on_with(bench: "Bench") -> None:
    bench.suite()
    for name in ("latest", "2026"):
        ran = bench.run("--resume", name)
        assert (ran.code, "no run" in ran.err) == (2, True)


def interrupt(bench: "Bench", keep: int = 1) -> "Path":
    """Make a finished run look cut short after some trials."""
    folder = bench.desk.runs()[-1]
    (folder / "scorecard.json").unlink()
    lines = (folder / "trials.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "trials.jsonl").write_bytes(b"".join(lines[:keep]))
    return folder / "trials.jsonl"


@pytest.mark.parametrize("torn", [1, 40, -2, -1])
def test_a_torn_last_line_is_run_again(bench: "Bench", torn: int) -> None:
    bench.suite()
    bench.run("-k", "3")
    lines = (bench.desk.runs()[0] / "trials.jsonl").read_bytes().splitlines(keepends=True)
    file = interrupt(bench)
    with file.open("ab") as writing:
        writing.write(lines[1][:torn])
    assert bench.run("--resume").code == 0
    assert file.read_bytes().startswith(lines[0])
    assert sorted(row["trial"] for row in bench.saved()) == [0, 1, 2]


@pytest.mark.parametrize("gone", ["trials.jsonl", "cases.jsonl", "run.json"])
def test_a_run_that_lost_a_file_says_so(bench: "Bench", gone: str) -> None:
    bench.suite()
    bench.run("-k", "3")
    file = interrupt(bench)
    (file.parent / gone).unlink()
    ran = bench.run("--resume", str(file.parent))
    if gone == "trials.jsonl":  # killed before the first trial was written
        assert (ran.code, len(bench.saved())) == (0, 3)
    else:
        assert (ran.code, gone in ran.err, "Traceback" in ran.err) == (2, True, False)


def test_cases_that_changed_since_are_named(bench: "Bench") -> None:
    bench.suite(COUNTING, *map(bench.desk.case, "abc"))
    bench.run("-k", "2")
    interrupt(bench)
    bench.desk.cases(bench.desk.case("a", "other"), bench.desk.case("b"), bench.desk.case("c"))
    ran = bench.run("--resume")
    assert (ran.code, "since it began a changed; start a new run" in ran.err) == (2, True)
    bench.desk.cases(bench.desk.case("b"))
    ran = bench.run("--resume")
    assert (ran.code, "since it began a, c are gone" in ran.err) == (2, True)
    assert len(bench.lines("log")) == 6


def test_cases_that_are_new_since_are_left_out(bench: "Bench") -> None:
    bench.suite("def agent(task):\n    return 'done'\n", *map(bench.desk.case, "ab"))
    bench.run("-k", "2", "a")
    interrupt(bench)
    bench.desk.cases(*map(bench.desk.case, "cba"))
    report = bench.report("--resume")
    assert [case["id"] for case in report["cases"]] == ["a"]
    assert report["run"]["filter"] == {"ids": ["a"], "tags": [], "protected": False, "only": []}


VARIED = """
def agent(task):
    with open("log", "a") as log:
        log.write(f"{task.variant.name} {task.variant.settings} {task.model.name} {task.seed}\\n")
    return "done"

def other(task):
    return agent(task)
"""
TERSE = "[variants.terse]\nsettings = { words = 5 }\n"


def test_it_goes_on_with_the_variant_seed_and_options_that_it_began_with(bench: "Bench") -> None:
    bench.suite(VARIED, settings=TERSE)
    bench.run("-k", "2", "--variant", "terse", "--seed", "7", "--model", "m-1",
              "--agent", "agent:other")  # fmt: skip
    interrupt(bench)
    report = bench.report("--resume")
    run = report["run"]
    assert (run["variant"], run["seed"], run["agent"]) == ("terse", 7, "agent:other")
    first, second, again = bench.lines("log")
    assert first.startswith("terse {'words': 5} m-1 ")
    assert again in {first, second}
    assert {row["trial"] for row in bench.saved()} == {0, 1}


def test_it_does_not_go_on_by_other_settings(bench: "Bench") -> None:
    bench.suite(VARIED, settings=TERSE)
    bench.run("-k", "2", "--variant", "terse")
    interrupt(bench)
    ran = bench.run("--resume", "--agent", "agent:other")
    assert ran.code == 2
    assert 'since it began agent was "agent:agent" and is "agent:other"' in ran.err
    bench.suite(VARIED, settings=TERSE.replace("5", "9"))
    ran = bench.run("--resume")
    assert 'variant_settings was {"words": 5} and is {"words": 9}' in ran.err
    bench.suite(VARIED)
    assert "no variant 'terse'" in bench.run("--resume").err


def test_what_bounds_a_run_may_be_another_when_it_goes_on(bench: "Bench") -> None:
    bench.suite()
    bench.run("-k", "3", "--concurrency", "1")
    interrupt(bench)
    assert bench.run("--resume", "--concurrency", "4", "--timeout", "5").code == 0


def test_the_end_of_the_time_keeps_what_is_done(bench: "Bench") -> None:
    bench.suite(COUNTING.replace('open("there", "w")', 'open("was-there", "w")'))
    process = bench.start("run", "-k", "30", "--run-timeout", "1", STOP_AFTER="5")
    out, err = process.communicate(timeout=30)
    assert process.returncode == 3
    said = " ".join(out.split())
    assert "25 trials of 30 planned were not run: the run's time was up (--run-timeout)" in said
    assert "go on with: fairtrial run --resume" in err
    assert len(bench.saved()) == 5
    assert bench.desk.run("gate", "--json", "decision.json").code == 3


PRICED = """
import httpx2

def agent(task):
    with open("log", "a") as log:
        log.write("ran\\n")
    body = {"model": task.model.name or "m-1", "messages": list(task.messages)}
    reply = httpx2.post(f"{task.model.base_url}/chat/completions", json=body, trust_env=False)
    return reply.json()["choices"][0]["message"]["content"]
"""
SCRIPT = [{"say": "done", "tokens": {"input": 100_000, "output": 10_000}}]
PRICE = "[prices.m-1]\ninput = 1.0\noutput = 10.0\n"  # 0.2 a trial


def test_a_cap_stops_before_it_is_passed(bench: "Bench") -> None:
    bench.suite(PRICED, bench.desk.case(script=SCRIPT), settings=PRICE)
    ran = bench.run("-k", "9", "--max-cost", "0.75", "--concurrency", "4", "--model", "m-1")
    assert ran.code == 3
    assert len(bench.saved()) == 3
    said = " ".join(ran.out.split())
    assert "6 trials of 9 planned were not run: the next trial could have passed" in said
    assert sum(row["cost"] for row in bench.saved()) == pytest.approx(0.6)
    assert bench.run("--resume", "--max-cost", "2").code == 0
    assert len(bench.saved()) == len(bench.lines("log")) == 9


UNSEEN = """
def agent(task):
    return {"answer": "done", "steps": [{"text": "done", "tokens": {"input": 10, "output": 1}}]}
"""


@pytest.mark.parametrize("how", ["settings", "flag"])
def test_an_unknown_price_is_not_zero_and_stops_under_a_cap(bench: "Bench", how: str) -> None:
    bench.suite(UNSEEN, settings='model = "live"\n' if how == "settings" else "")
    live = [] if how == "settings" else ["--live", "--model", "m-none-of-the-kind"]
    ran = bench.run("-k", "9", "--max-cost", "5", "--concurrency", "1", *live)
    assert (ran.code, len(bench.saved())) == (3, 1)
    said = " ".join(ran.out.split())
    assert "a trial's cost is not known, so --max-cost cannot be kept; " in said
    uncapped = bench.report("-k", "2", *live)
    card = uncapped["scorecard"]
    assert (uncapped["run"]["mode"], card["mean_cost"], card["passed"]) == ("live", None, 2)


def test_offline_nobody_is_paid_so_an_unknown_price_stops_nothing(bench: "Bench") -> None:
    bench.suite(PRICED, bench.desk.case(script=SCRIPT))
    assert bench.run("-k", "3", "--max-cost", "5").code == 0


def test_a_known_price_is_counted_live(bench: "Bench") -> None:
    bench.suite(UNSEEN, settings=PRICE)
    report = bench.report("-k", "2", "--live", "--model", "m-1", "--max-cost", "5")
    assert report["scorecard"]["total_cost"] == pytest.approx(2 * 20e-6)


def test_a_run_of_which_nothing_came_is_not_left_behind(bench: "Bench") -> None:
    bench.suite("import nothing_of_the_kind\n")
    for isolation in ("thread", "process"):
        ran = bench.run("--isolation", isolation)
        assert (ran.code, "No module named 'nothing_of_the_kind'" in ran.err) == (2, True)
    assert bench.desk.runs() == []


def test_lines_on_disk_are_whole_while_the_run_is_under_way(bench: "Bench") -> None:
    bench.suite(COUNTING, bench.desk.case("a"))
    pipe = bench.pipe("there")
    bench.start("run", "-k", "40", STOP_AFTER="20")
    until_there(pipe)
    rows = [json.loads(line) for line in bench.lines(str(bench.desk.runs()[0] / "trials.jsonl"))]
    assert len(rows) == 20
    assert bench.desk.run("grade", "latest").code == 3


def test_a_run_that_is_still_under_way_is_not_gone_on_with(bench: "Bench") -> None:
    bench.suite(COUNTING, bench.desk.case("a"))
    pipe = bench.pipe("there")
    process = bench.start("run", "-k", "40", STOP_AFTER="20")
    until_there(pipe)
    ran = bench.run("--resume")
    assert ran.code == 2
    assert "this run is still under way in another process; wait for it, or end it" in ran.err
    assert len(bench.saved()) == 20
    process.kill()
    process.wait(10)
    assert bench.run("--resume").code == 0
    assert len(bench.saved()) == 40


def test_a_run_folder_that_moved_goes_on_where_it_is(bench: "Bench") -> None:
    bench.suite()
    bench.run("-k", "3")
    file = interrupt(bench)
    moved = file.parent.rename(bench.folder / "moved")
    report = bench.report("--resume", "moved")
    assert (report["run"]["folder"], report["scorecard"]["passed"]) == (str(moved), 3)
    assert bench.desk.runs() == []


def test_graded_recordings_are_not_gone_on_with(bench: "Bench") -> None:
    bench.suite()
    bench.desk.record(bench.desk.recording())
    assert bench.desk.grade().code == 0
    (bench.desk.runs()[0] / "scorecard.json").unlink()
    ran = bench.run("--resume")
    assert (ran.code, ran.out) == (2, "")
    assert "recordings were graded there" in ran.err
