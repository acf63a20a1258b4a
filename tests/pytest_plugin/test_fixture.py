"""The fixture and the mark, for tests in Python."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.pytest_plugin.conftest import Suite

TESTS = """
import fairtrial as ft
import pytest

class Desk(ft.World):
    paid: list[float] = []

    @ft.tool
    def pay(self, amount: float) -> str:
        self.paid.append(amount)
        return "paid"

def payer(task):
    task.tools.pay(amount=5)
    return "I paid 5"

pytestmark = pytest.mark.fairtrial(agent=payer, world=Desk)
CASE = {"input": "Pay 5", "expect": {"state": {"paid": [5]}}}

@pytest.mark.fairtrial(trials=3)
def test_pays(fairtrial):
    report = fairtrial(CASE)
    assert report.scorecard.passed == 3
    assert report.cases[0].id == "test_pays"
    ft.testing.assert_passed(report)

def test_six(fairtrial):
    ft.testing.assert_passed(fairtrial(CASE | {"expect": {"state": {"paid": [6]}}}, trials=2))

def test_misspelt(fairtrial):
    fairtrial({"inptu": "Pay 5"})

@pytest.mark.fairtrial(agnet=payer)
def test_mark(fairtrial):
    fairtrial(CASE)
"""


def test_a_test_runs_the_agent_and_gets_the_report(suite: "Suite") -> None:
    suite.write("test_desk.py", TESTS)
    ran = suite.run("--strict-markers")
    ran.assert_outcomes(passed=1, failed=2, errors=1)
    ran.stdout.fnmatch_lines(
        [
            "*@pytest.mark.fairtrial takes agent, world and trials by name; got 'agnet'*",
            "*AssertionError: test_six: 0 of 2 measured trials passed*",
            "*failed state.paid in 2 of 2 trials: *",
            "*UsageError: test_desk.py::test_misspelt: inptu: unknown field; *did you mean input?*",
        ]
    )
    assert not (suite.folder / ".fairtrial").exists()


BY_ID = """
import fairtrial as ft
import pytest

def test_greets(fairtrial):
    ft.testing.assert_passed(fairtrial("greet"))

def test_with_another(fairtrial):
    with pytest.raises(AssertionError, match="answer.contains"):
        ft.testing.assert_passed(fairtrial("greet", agent="agent:other"))

def test_no_such(fairtrial):
    with pytest.raises(pytest.UsageError, match="no case 'gret'; did you mean 'greet'"):
        fairtrial("gret")
"""


@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_a_case_of_the_files_is_named_by_its_id(suite: "Suite", options: tuple[str, ...]) -> None:
    agent = "def agent(task):\n    return task.input\ndef other(task):\n    return 'no'\n"
    suite.set_up(agent=agent)
    suite.write("tests/test_greet.py", BY_ID)
    suite.run_apart("tests", *options).assert_outcomes(passed=3)
    suite.run_apart("--fairtrial", *options).assert_outcomes(passed=4)


def test_without_an_agent_it_says_how_to_name_one(suite: "Suite") -> None:
    suite.write("test_one.py", "def test_one(fairtrial):\n    fairtrial('x')\n")
    ran = suite.run()
    ran.stdout.fnmatch_lines(["*UsageError: no case files: *"])
