"""Case files as tests: what is collected, what it is called, and what a result is to pytest."""

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.pytest_plugin.conftest import Suite


def test_a_case_is_a_test_and_its_trials_are_inside(suite: "Suite") -> None:
    suite.set_up(suite.case("greet"), suite.case("part", said="no", trials=1))
    ran = suite.run("--fairtrial", "--fairtrial-trials", "3", "evals", "-v")
    ran.assert_outcomes(passed=1, failed=1)
    ran.stdout.fnmatch_lines(["evals/cases.json::greet PASSED*", "evals/cases.json::part FAILED*"])
    assert suite.verdicts() == {"greet": ["passed"] * 3, "part": ["failed"] * 3}


def test_a_failure_is_told_by_its_checks_and_no_traceback(suite: "Suite") -> None:
    suite.set_up(suite.case("part", said="no", protected=True))
    ran = suite.run_apart("--fairtrial", "evals", "--full-trace", "--tb=long")
    ran.stdout.fnmatch_lines(
        [
            "0 of 1 measured trial passed",
            "evals/cases.json:1 (protected)",
            "failed answer.contains?done?: *",
            "FAILED evals/cases.json::part - answer.contains?done?: *",
        ]
    )
    told = ran.stdout.str()
    assert "Traceback" not in told
    assert "pytest_plugin" not in told
    assert "Told" not in told


def test_what_could_not_be_measured_is_an_error_and_no_failure(suite: "Suite") -> None:
    agent = """
import fairtrial as ft
def agent(task):
    if task.input == "down" and task.trial != 1:
        raise ft.ProviderError("the model is away")
    return task.input
"""
    suite.set_up(suite.case("down", said="down"), suite.case("greet"), agent=agent)
    ran = suite.run("--fairtrial", "evals", "--fairtrial-trials", "2")
    ran.assert_outcomes(passed=1, errors=1)
    ran.stdout.fnmatch_lines(["*ERROR at setup of down*", "*the model is away*"])
    ran.stdout.fnmatch_lines(["failed answer.contains?done?*"])
    assert suite.verdicts()["down"] == ["error", "failed"]


@pytest.mark.parametrize("said", ["no", "down"])
def test_a_case_that_only_informs_never_fails(suite: "Suite", said: str) -> None:
    agent = """
import fairtrial as ft
def agent(task):
    if task.input == "down":
        raise ft.ProviderError("the model is away")
    return task.input
"""
    suite.set_up(suite.case("shown", said=said, informs=True), suite.case("greet"), agent=agent)
    ran = suite.run("--fairtrial", "evals", "-rx")
    ran.assert_outcomes(passed=1, xfailed=1)
    assert ran.ret == 0
    ran.stdout.fnmatch_lines(["XFAIL evals/cases.json::shown - the case only informs: *"])


def test_ids_tags_and_protection_select(suite: "Suite") -> None:
    suite.set_up(
        suite.case("cancel-ill", tags=["fee", "lang:en"]),
        suite.case("cancel-well", tags=["skip"], protected=True),
        suite.case("pay", tags=["fee"]),
    )

    def chosen(*options: str) -> list[str]:
        ran = suite.run("--fairtrial", "--collect-only", "-q", "--strict-markers", *options)
        lines = ran.stdout.lines
        return [line.partition("::")[2] for line in lines if "::" in line]

    assert chosen("evals") == ["cancel-ill", "cancel-well", "pay"]
    assert chosen("evals", "-k", "cancel") == ["cancel-ill", "cancel-well"]
    assert chosen("evals", "-m", "fee and not lang_en") == ["pay"]
    assert chosen("evals", "-m", "protected and tag_skip") == ["cancel-well"]
    assert chosen("evals/cases.json::pay") == ["pay"]
    assert suite.runs() == []


def test_a_tag_that_is_a_mark_of_pytest_does_nothing(suite: "Suite") -> None:
    suite.set_up(suite.case("one", tags=["skip", "xfail"]), suite.case("two", tags=["skipif"]))
    suite.run("--fairtrial", "evals").assert_outcomes(passed=2)


def test_all_mistakes_of_all_files_are_one_error(suite: "Suite") -> None:
    suite.set_up({"id": "a", "inptu": "x"}, {"id": "b"})
    suite.write("evals/more.json", json.dumps([{"id": "c", "input": 5}, suite.case("good")]))
    ran = suite.run("--fairtrial", "evals")
    ran.assert_outcomes(errors=1)
    assert ran.ret == 2
    ran.stdout.fnmatch_lines(
        [
            "*ERROR collecting evals/cases.json*",
            "evals/cases.json:1:*: inptu: unknown field; *",
            "evals/more.json:1:*: input: wanted *",
            "* problems in 2 files",
        ]
    )
    assert "Traceback" not in ran.stdout.str()
    assert suite.runs() == []


def test_fixtures_that_do_not_fit_are_told_before_anything_is_run(suite: "Suite") -> None:
    world = """
import fairtrial as ft
class Desk(ft.World):
    paid: list[float] = []
    @ft.tool
    def pay(self, amount: float) -> str:
        return "paid"
"""
    suite.set_up(suite.case("a", fixtures={"piad": []}), settings='world = "desk:Desk"\n')
    suite.write("desk.py", world)
    ran = suite.run("--fairtrial", "evals")
    ran.assert_outcomes(errors=1)
    ran.stdout.fnmatch_lines(
        ["evals/cases.json:1: case a: fixtures.piad: World Desk has no such field; *"]
    )


def test_hostile_ids_and_answers_are_inert(suite: "Suite") -> None:
    agent = 'def agent(task):\n    return "::error::x\\x1b[31m ]]> <script> \\u202e"\n'
    suite.set_up(
        suite.case("::error::x ]]><script> | #"),
        suite.case("a::b"),
        suite.case("a:b"),
        suite.case("x" * 200),
        agent=agent,
    )
    ran = suite.run("--fairtrial", "evals", "-v", "--junitxml=out.xml")
    ran.assert_outcomes(failed=4)
    told = ran.stdout.str()
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert not any(line.lstrip().startswith("::") for line in told.splitlines())
    ran.stdout.fnmatch_lines(["evals/cases.json::a:b FAILED*", "evals/cases.json::a:b #2 FAILED*"])
    import xml.etree.ElementTree as ET  # noqa: PLC0415

    cases = ET.parse(suite.folder / "out.xml").getroot().iter("testcase")
    assert len(list(cases)) == 4
