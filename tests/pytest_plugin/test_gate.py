"""The gate as the last test."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.pytest_plugin.conftest import Suite


def test_it_is_the_last_test_whatever_is_selected(suite: "Suite") -> None:
    suite.set_up(suite.case("a", tags=["x"]), suite.case("b"))
    ran = suite.run("--fairtrial", "evals", "--fairtrial-gate", "-m", "x", "--collect-only", "-q")
    assert [line for line in ran.stdout.lines if "::" in line] == [
        "evals/cases.json::a",
        "fairtrial::gate",
    ]


def test_a_loss_fails_it_with_its_reasons(suite: "Suite") -> None:
    suite.set_up(suite.case("a", protected=True), suite.case("b"))
    first = suite.run("--fairtrial", "evals", "--fairtrial-gate")
    first.assert_outcomes(passed=3)
    first.stdout.fnmatch_lines(
        ["note [[]baseline] there was no baseline, so this run was written*"]
    )
    suite.write("agent.py", "def agent(task):\n    return 'no'\n")
    ran = suite.run("--fairtrial", "evals", "--fairtrial-gate")
    ran.assert_outcomes(failed=3)
    ran.stdout.fnmatch_lines(
        [
            "FAIL: the run does not hold against evals/baseline.json",
            "fail [[]protected] a is protected and passed 1 of 1, now 0 of 1; *",
            "exit 1: *",
            "FAILED fairtrial::gate - a is protected *",
        ]
    )
    assert "Traceback" not in ran.stdout.str()


def test_in_ci_no_baseline_is_an_error(suite: "Suite") -> None:
    suite.set_up()
    ran = suite.run("--fairtrial", "evals", "--fairtrial-gate", CI="1")
    ran.assert_outcomes(passed=1, errors=1)
    ran.stdout.fnmatch_lines(["*ERROR at setup of gate*", "*there is no baseline at evals/*"])


UNSURE = """
import os, fairtrial as ft
def agent(task):
    lost = os.environ.get("LOST") and task.trial == 0 and task.case == "c0"
    answer = "no" if lost else task.input
    return ft.Trajectory(case=task.case, answer=answer, model="live", steps=(ft.Step(text=answer),))
"""


def test_inconclusive_is_shown_and_fails_where_it_must_be_told(suite: "Suite") -> None:
    cases = [suite.case(f"c{at}", protected=at == 0) for at in range(6)]
    suite.set_up(*cases, agent=UNSURE, settings='model = "live"\ntrials = 3\n')
    suite.run("--fairtrial", "evals", "--fairtrial-gate").assert_outcomes(passed=7)
    ran = suite.run("--fairtrial", "evals", "--fairtrial-gate", LOST="1")
    gated = suite.saved().gated
    assert gated is not None
    assert (gated.decision.decision, gated.decision.exit) == ("inconclusive", 4)
    ran.assert_outcomes(failed=2, passed=5)
    suite.set_up(
        *(one | {"protected": False} for one in cases),
        agent=UNSURE,
        settings='model = "live"\ntrials = 3\n',
    )
    assert suite.program("accept").ret == 0


def test_the_gate_of_nothing_is_an_error(suite: "Suite") -> None:
    suite.set_up(agent="import no_such_module\n")
    ran = suite.run("--fairtrial", "evals", "--fairtrial-gate")
    ran.assert_outcomes(errors=2)
    ran.stdout.fnmatch_lines(["no trial was run, so there is nothing to decide"])
