"""A whole session: which files, the run that is kept, what is cut short, and what is not loaded."""

import json
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.pytest_plugin.conftest import Suite


def test_the_run_is_kept_as_fairtrial_run_keeps_it(suite: "Suite") -> None:
    suite.set_up(suite.case("greet", trials=2), suite.case("part", said="no"))
    ran = suite.run("--fairtrial", "evals")
    (name,) = suite.runs()
    ran.stdout.fnmatch_lines(
        [
            "*= fairtrial =*",
            "*2 cases, 3 trials*",
            "cases: 1 passed, 1 failed; trials: *",
            "pass rate*50 %*",
            f"run *{name}: `fairtrial report {name}` shows all of it",
        ]
    )
    assert suite.saved().info.selection is None
    assert suite.saved().info.agent == "agent:agent"
    shown = suite.program("report", "latest")
    assert shown.ret == 0
    shown.stdout.fnmatch_lines(["FAILED  part*"])
    again = suite.program("run", "--quiet")
    assert again.ret == 1
    same = suite.program("diff", *suite.runs())
    same.stdout.fnmatch_lines(["*2 cases are the same*"])


def test_what_was_selected_is_a_part_of_the_suite(suite: "Suite") -> None:
    suite.set_up(suite.case("one"), suite.case("b"), suite.case("two"))
    suite.run("--fairtrial", "evals", "-k", "one or two").assert_outcomes(passed=2, deselected=1)
    selection = suite.saved().info.selection
    assert selection is not None
    assert selection.ids == ("one", "two")
    suite.run("--fairtrial", "evals/cases.json::b")
    assert list(suite.verdicts()) == ["b"]


def test_a_file_of_two_is_a_part_of_the_suite(suite: "Suite") -> None:
    suite.set_up(suite.case("a"))
    suite.write("evals/more.json", json.dumps([suite.case("b")]))
    suite.run("--fairtrial", "evals/more.json").assert_outcomes(passed=1)
    assert suite.saved().info.selection is not None
    suite.run("--fairtrial", "evals").assert_outcomes(passed=2)
    assert suite.saved().info.selection is None


def test_cases_lie_beside_tests_in_python(suite: "Suite") -> None:
    suite.set_up()
    suite.write(
        "tests/test_one.py",
        "import os\ndef test_one():\n    assert 'OPENAI_BASE_URL' not in os.environ\n",
    )
    suite.write("pytest.ini", "[pytest]\ntestpaths = tests\n")
    suite.run("--fairtrial").assert_outcomes(passed=2)
    suite.run().assert_outcomes(passed=1)


def test_without_settings_for_cases_what_was_named_is_collected(suite: "Suite") -> None:
    suite.write("agent.py", "def agent(task):\n    return task.input\n")
    suite.write(
        "evals/cases.yaml", "- {id: a, input: done, expect: {answer: {contains: [done]}}}\n"
    )
    suite.write("evals/other.json", "{}")
    suite.write("evals/rubrics/polite.yaml", "- Is polite\n")
    suite.run("--fairtrial", "--fairtrial-agent", "agent:agent", "evals").assert_outcomes(passed=1)


def test_that_no_case_file_was_found_is_said(suite: "Suite") -> None:
    suite.set_up()
    suite.write("tests/test_one.py", "def test_one():\n    pass\n")
    ran = suite.run("--fairtrial", "tests")
    ran.assert_outcomes(passed=1)
    ran.stdout.fnmatch_lines(["no case file was found in what pytest was asked to collect*"])


def test_the_settings_are_found_above_what_was_named(suite: "Suite") -> None:
    suite.set_up()
    inner = suite.folder / "desk"
    inner.mkdir()
    for name in ("agent.py", "fairtrial.toml", "evals"):
        (suite.folder / name).rename(inner / name)
    suite.run("--fairtrial", "desk/evals").assert_outcomes(passed=1)
    assert (inner / ".fairtrial").is_dir()
    assert not (suite.folder / ".fairtrial").exists()


def test_after_the_first_failure_nothing_more_is_run(suite: "Suite") -> None:
    suite.set_up(*(suite.case(f"c{at}", said="no") for at in range(5)))
    ran = suite.run("--fairtrial", "evals", "-x", "--fairtrial-gate")
    ran.assert_outcomes(failed=1)
    assert sum(map(len, suite.verdicts().values())) == 1
    ran.stdout.fnmatch_lines(
        ["note *4 trials of 5 planned were not run: the run ended early; *", "gate *not asked*"]
    )


def test_ctrl_c_keeps_what_was_measured(suite: "Suite") -> None:
    agent = """
import os, signal
def agent(task):
    if task.input == "stop":
        os.kill(os.getpid(), signal.SIGINT)
        import time; time.sleep(5)
    return task.input
"""
    suite.set_up(
        suite.case("a"),
        suite.case("b", said="stop"),
        suite.case("c"),
        agent=agent,
        settings="concurrency = 1\n",
    )
    ran = suite.run_apart("--fairtrial", "evals")
    assert ran.ret == 2
    ran.stdout.fnmatch_lines(["*KeyboardInterrupt*"])
    ran.stdout.fnmatch_lines(["note *2 trials of 3 planned were not run: the run was interrupted*"])
    assert suite.verdicts() == {"a": ["passed"], "b": [], "c": []}
    resumed = suite.program("run", "--resume", "--quiet")
    assert "cannot be gone on with" not in resumed.stderr.str()


def test_what_the_run_may_spend_bounds_all_cases_together(suite: "Suite") -> None:
    agent = """
import fairtrial as ft
def agent(task):
    return ft.Trajectory(case=task.case, answer=task.input, cost=0.4, model="live")
"""
    suite.set_up(
        *(suite.case(f"c{at}") for at in range(4)), agent=agent, settings='model = "live"\n'
    )
    ran = suite.run("--fairtrial", "evals", "--fairtrial-max-cost", "1")
    ran.assert_outcomes(passed=2, errors=2)
    ran.stdout.fnmatch_lines(
        ["1 of 1 planned trials were not run: the next trial could have passed what it may spend*"]
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--fairtrial-gate",), "--fairtrial-gate is for collected cases; add --fairtrial"),
        (("--fairtrial", "--fairtrial-strict"), "is for the gate; add --fairtrial-gate"),
        (("--fairtrial", "--fairtrial-trials", "0"), "wanted a whole number from 1 up, got 0"),
        (("--fairtrial", "--fairtrial-variant", "x"), "no variant 'x'; known are none"),
        (("--fairtrial", "--fairtrial-agent", "x"), "--fairtrial-agent: wanted "),
        (("--fairtrial", "--fairtrial-config", "no.toml"), "no.toml: no such file"),
    ],
)
def test_a_mistake_in_the_options_is_one_line(
    suite: "Suite", options: tuple[str, ...], told: str
) -> None:
    suite.set_up()
    ran = suite.run(*options, "evals")
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stderr.fnmatch_lines([f"ERROR: *{told}*"])
    assert "Traceback" not in ran.stderr.str()


def test_an_agent_that_does_not_load_is_told_once_in_full(suite: "Suite") -> None:
    suite.set_up(suite.case("a"), suite.case("b"), agent="import no_such_module\n")
    ran = suite.run("--fairtrial", "evals")
    ran.assert_outcomes(errors=2)
    ran.stdout.fnmatch_lines(["*no_such_module*", "the run could not be begun, as told above: *"])
    assert suite.runs() == []


LOADED = """
import sys
def pytest_sessionfinish():
    ours = sorted(name for name in sys.modules if name.partition(".")[0] == "fairtrial")
    heavy = sorted({"msgspec", "yaml", "asyncio", "click", "regex", "httpx2"} & set(sys.modules))
    print("LOADED", *ours, *heavy)
"""


@pytest.mark.parametrize("block", [False, True])
def test_who_does_not_use_it_loads_nothing_but_the_entry(suite: "Suite", block: bool) -> None:
    suite.write("conftest.py", LOADED)
    suite.write("test_one.py", "def test_one():\n    pass\n")
    options = ["-p", "no:cacheprovider", "-p", "no:anyio", "-s"]
    if block:
        options += ["-p", "no:fairtrial"]
    ran = suite.pytester.run(
        sys.executable,
        "-m",
        "pytest",
        *([] if block else ["-p", "fairtrial"]),
        *options,
    )
    ran.assert_outcomes(passed=1)
    (line,) = [line for line in ran.stdout.lines if "LOADED" in line]
    ours = [] if block else ["fairtrial", "fairtrial.pytest_plugin", "fairtrial.version"]
    assert line.partition("LOADED")[2].split() == ours


def test_it_comes_with_the_package_and_can_be_left_out(
    suite: "Suite", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    suite.set_up()
    suite.write("test_one.py", "def test_one():\n    pass\n")
    plain = ("-p", "no:hypothesispytest", "-p", "no:langsmith_plugin")
    ran = suite.pytester.runpytest_subprocess(*plain, "--fairtrial", "evals")
    ran.assert_outcomes(passed=1)
    ran = suite.pytester.runpytest_subprocess(*plain, "-p", "no:fairtrial", "test_one.py")
    ran.assert_outcomes(passed=1)
    ran = suite.pytester.runpytest_subprocess(*plain, "-p", "no:fairtrial", "--fairtrial")
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
