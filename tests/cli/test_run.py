"""fairtrial run: the scorecard, the report by the contract, and what the exit code says."""

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

MIXED = """
import fairtrial as ft

def agent(task):
    if task.case == "fails" or (task.case == "flaky" and task.trial == 1):
        return "no"
    if task.case == "errs":
        raise ft.ProviderError("overloaded")
    return "done"
"""


def test_a_run_is_reported_by_the_contract(bench: "Bench") -> None:
    bench.suite(MIXED, *map(bench.desk.case, ("passes", "fails", "flaky", "errs")))
    report = bench.report("-k", "2", code=3)
    run, card = report["run"], report["scorecard"]
    assert (run["mode"], run["variant"], run["filter"]) == ("none", None, None)
    assert (run["agent"], run["seed"], run["suite"]) == ("agent:agent", 0, "cases.json")
    assert run["folder"] == str(bench.desk.runs()[0])
    counts = [card[name] for name in ("trials", "passed", "failed", "errors", "k")]
    assert counts == [8, 3, 3, 2, 2]
    assert card["statuses"] == {"passed": 1, "failed": 1, "flaky": 1, "error": 1}
    assert [case["id"] for case in report["cases"]] == ["passes", "fails", "flaky", "errs"]
    assert [case["planned"] for case in report["cases"]] == [2] * 4
    assert card["pass_rate"] == pytest.approx(0.5)


def test_the_saved_run_is_the_reported_one(bench: "Bench") -> None:
    bench.suite(MIXED, *map(bench.desk.case, ("passes", "fails")))
    report = bench.report("-k", "3", code=1)
    assert bench.desk.run("report", "--json", "again.json").code == 0
    assert bench.desk.read("again.json")["scorecard"] == report["scorecard"]
    assert {(one["case"], one["trial"]) for one in bench.saved()} == {
        (case, trial) for case in ("passes", "fails") for trial in range(3)
    }


@pytest.mark.parametrize(
    ("case", "code", "words"),
    [
        ("passes", 0, "exit 0: everything was measured and passed"),
        ("fails", 1, "exit 1: a trial failed"),
        ("errs", 3, "exit 3: nothing was measured"),
    ],
)
def test_the_last_line_says_what_the_exit_code_means(
    bench: "Bench", case: str, code: int, words: str
) -> None:
    bench.suite(MIXED, bench.desk.case(case))
    ran = bench.run()
    assert (ran.code, ran.last) == (code, words)


def test_failures_may_be_allowed_and_what_was_not_measured_may_not(bench: "Bench") -> None:
    bench.suite(MIXED, *map(bench.desk.case, ("passes", "fails", "errs")))
    ran = bench.run("passes", "fails", "--allow-failures")
    assert (ran.code, ran.last) == (0, "exit 0: trials failed, and that is allowed here")
    assert bench.run("passes", "errs", "--allow-failures").code == 3


def test_quiet_prints_the_last_line_alone(bench: "Bench") -> None:
    bench.suite()
    ran = bench.run("--quiet")
    assert ran.out == "exit 0: everything was measured and passed\n"
    assert ran.err == ""


def test_the_terminal_says_which_cases_failed_where_they_stand_and_why(bench: "Bench") -> None:
    bench.suite(MIXED, *map(bench.desk.case, ("passes", "fails")))
    out = bench.run().out
    assert "cases.json:1" in out
    assert "answer.contains[done]: the answer does not say 'done': 'no'" in out
    assert f"saved in     {bench.desk.runs()[0]}" in out


def test_json_goes_to_a_pipe_alone_even_where_the_agent_prints(bench: "Bench") -> None:
    bench.suite("import sys\ndef agent(task):\n    print('chatter')\n    return 'done'\n")
    done = bench.program("run", "--json", "/dev/stdout")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["scorecard"]["passed"] == 1
    assert "chatter" in done.stderr
    assert "exit 0: everything was measured and passed" in done.stderr


def test_a_reader_that_leaves_changes_nothing(bench: "Bench") -> None:
    bench.suite(MIXED, *map(bench.desk.case, ("passes", "fails")))
    process = bench.start("run")
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(30) == 1
    assert len(bench.saved()) == 2


def test_nothing_is_saved_where_that_is_not_wanted(bench: "Bench") -> None:
    bench.suite()
    assert bench.report("--no-save")["run"]["folder"] is None
    assert not (bench.folder / ".fairtrial").exists()


def test_a_report_that_cannot_be_written_is_told_before_anything_runs(bench: "Bench") -> None:
    bench.suite("def agent(task):\n    open('ran', 'w').close()\n    return 'done'\n")
    for place, words in (("cases.json", "would be lost"), ("agent.py/x.json", "is no folder")):
        ran = bench.run("--json", place)
        assert (ran.code, words in ran.err) == (2, True)
    assert not (bench.folder / "ran").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-k", "refund"], "-k' / '--trials': is the number of trials, got 'refund'"),
        (["-k", "refund"], "ids and globs as arguments: fairtrial run '*refund*'"),
        (["-k", "0"], "wanted a whole number from 1 up, got 0"),
        (["-k", "-2"], "wanted a whole number from 1 up, got -2"),
        (["-k", "²"], "wanted a whole number from 1 up"),
        (["-k", "9999999999"], "wanted a whole number from 1 up"),
        (["--only", "bad"], "'bad' is no outcome; known are failed, errored, flaky"),
        (["--concurrency", "0"], "--concurrency: wanted a whole number from 1 up, got 0"),
        (["--timeout", "nan"], "--timeout: wanted seconds, more than 0, got nan"),
        (["--timeout", "0"], "--timeout: wanted seconds, more than 0, got 0"),
        (["--run-timeout", "-1"], "--run-timeout: wanted seconds, more than 0"),
        (["--retries", "-1"], "--retries: wanted a whole number from 0 up"),
        (["--step-cap", "0"], "--step-cap: wanted a whole number from 1 up"),
        (["--max-cost", "0"], "--max-cost: wanted an amount above 0"),
        (["--max-cost", "inf"], "--max-cost: wanted an amount above 0"),
        (["--agent", "nowhere"], '--agent: wanted "module:name"'),
        (["--world", "x"], "--world: wanted \"module:Class\", got 'x'"),
        (["--isolation", "vm"], "'vm' is not one of"),
        (["--gate", "--no-save"], "--gate reads the saved run; leave out --no-save"),
        (["--variant", "a", "--variant", "a"], "'a' is named twice"),
        (["--resume", "--live"], "--live does not go with --resume"),
        (["--resume", "latest", "-k", "3"], "-k does not go with --resume"),
        (["--resume", "latest", "--seed", "0"], "--seed does not go with --resume"),
    ],
)
def test_options_that_do_not_fit_are_refused_in_words(
    bench: "Bench", options: list[str], words: str
) -> None:
    bench.suite()
    ran = bench.run(*options)
    assert (ran.code, ran.out) == (2, "")
    assert words in " ".join(ran.err.split()), ran.err
    assert "Traceback" not in ran.err
