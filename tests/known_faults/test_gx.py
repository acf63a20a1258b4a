"""Gates, exit codes, vacuous passes: green means that something was measured and passed."""

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk

INFRA = {"kind": "provider", "message": "HTTP 429 after 42 s: no refund for wipe_disk"}
CRASH = {"kind": "agent", "message": "ZeroDivisionError after 42 s"}


def test_the_exit_code_tells_passed_failed_unreadable_and_unmeasured_apart(desk: "Desk") -> None:
    """BL-34."""
    desk.cases()
    codes = []
    for recorded in ({}, {"answer": "no"}, {"error": CRASH}, {"error": INFRA}):
        desk.record(desk.recording(**recorded))
        codes.append(desk.grade().code)
        assert desk.grade().last.startswith(f"exit {codes[-1]}: ")
    desk.write("cases.json", "[{")
    codes.append(desk.grade().code)
    assert codes == [0, 1, 1, 3, 2]


def test_allowing_failures_hides_no_error(desk: "Desk") -> None:
    """BL-34."""
    desk.cases(desk.case("a"), desk.case("b"))
    desk.record(desk.recording("a", "no"), desk.recording("b"))
    assert desk.grade("--allow-failures").code == 0
    desk.record(desk.recording("a", "no"), desk.recording("b", error=INFRA))
    assert desk.grade("--allow-failures").code == 3


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"cases": []}',
        '[{"id": "a", "input": "x", "trials": 0, "expect": {"answer": {"contains": "x"}}}]',
        '[{"id": "a", "input": "x"}]',
        '[{"id": "a", "input": "x", "expect": {}}]',
        '[{"id": "a", "input": "x", "expect": {"answer": {"contains": []}}}]',
        '[{"id": "a", "input": "x", "expect": {"answer": {"contains": ""}}}]',
        '[{"id": "a", "input": "x", "limits": {"steps": 3}, "informs": ["limits.steps"]}]',
    ],
)
def test_a_suite_that_asks_nothing_is_not_loaded(desk: "Desk", text: str) -> None:
    """BL-35."""
    desk.write("cases.json", text)
    desk.record(desk.recording("a"))
    ran = desk.grade()
    assert (ran.code, ran.out) == (2, "")
    assert "cases.json:" in ran.err


@pytest.mark.parametrize("recorded", [[], [{"error": INFRA}], [{"error": INFRA}] * 5])
def test_nothing_measured_never_exits_0(desk: "Desk", recorded: list[Json]) -> None:
    """BL-35."""
    desk.cases()
    desk.record(*(desk.recording(**one) for one in recorded))
    assert desk.grade().code == 3
    assert desk.grade("--allow-failures").code == 3
    assert desk.run("gate").code == 3
    assert desk.run("accept").code == 3
    assert not (desk.folder / "evals").exists()


def test_a_case_that_nobody_recorded_is_not_passed_by_the_others(desk: "Desk") -> None:
    """BL-35."""
    desk.cases(desk.case("a"), desk.case("b"))
    desk.record(*(desk.recording("a") for _ in range(100)))
    assert desk.grade().code == 3
    assert desk.run("gate").code == 3


def test_a_torn_file_turns_no_red_build_green(desk: "Desk") -> None:
    """BL-35."""
    desk.cases()
    desk.record(desk.recording(), desk.recording())
    desk.grade()
    assert desk.run("accept").code == 0
    desk.record(desk.recording(), '{"case": "greet", "answer": "n')
    assert desk.grade().code == 3
    ran = desk.run("gate", "--json", "d.json")
    assert (ran.code, desk.read("d.json")["decision"]) == (3, "error")
    assert "1 line of runs.jsonl could not be read" in desk.read("d.json")["reasons"][0]["text"]
    desk.record(desk.recording(answer="no"), "torn")
    desk.grade()
    assert desk.run("gate").code == 1


CHECKS = {
    "answer": {"contains": ["42"], "excludes": ["cancelled"]},
    "tools": {"forbidden": ["wipe_disk"]},
}


@pytest.mark.parametrize("answer", [None, "", "HTTP 429 after 42 s"])
def test_an_error_that_is_not_the_agents_is_no_answer(desk: "Desk", answer: str | None) -> None:
    """BL-37."""
    trial = desk.trial(CHECKS, answer=answer, error=INFRA)
    assert (trial["verdict"], trial["checks"]) == ("error", [])
    assert trial["error"].startswith("provider: HTTP 429")


def test_an_agent_that_is_dead_earns_nothing_by_silence(desk: "Desk") -> None:
    """BL-37."""
    trial = desk.trial(CHECKS, answer=None, error=CRASH)
    assert trial["verdict"] == "failed"
    answers = [one for one in trial["checks"] if one["name"].startswith("answer.")]
    assert [one["passed"] for one in answers] == [False, False]
    assert desk.check(trial, "finished")["passed"] is False


def test_what_decides_and_what_only_informs_is_told_of_every_check(desk: "Desk") -> None:
    """BL-38."""
    expect = {"answer": {"contains": "done"}, "tools": {"plan": ["look"]}}
    desk.cases(desk.case("greet", expect=expect, informs=["tools.plan"]))
    desk.record(desk.recording())
    assert desk.grade().code == 0
    (trial,) = desk.read("out.json")["cases"][0]["trials"]
    plan = desk.check(trial, "tools.plan")
    assert (trial["verdict"], plan["passed"], plan["decides"]) == ("passed", False, False)
    assert desk.check(trial, "answer.contains[done]")["decides"] is True


def test_no_check_hides_another(desk: "Desk") -> None:
    """BL-38."""
    expect = {"answer": {"contains": ["x", "y"], "excludes": "done"}, "tools": {"plan": ["look"]}}
    trial = desk.trial(expect)
    failed = {one["name"] for one in trial["checks"] if one["passed"] is False}
    assert failed == {
        *("answer.contains[x]", "answer.contains[y]", "answer.excludes[done]", "tools.plan"),
    }


@pytest.mark.parametrize(
    ("now", "code"), [({}, 0), ({"answer": "no"}, 1), ({"error": INFRA}, 3), (None, 3)]
)
def test_every_report_says_what_the_exit_code_says(
    desk: "Desk", now: Json | None, code: int
) -> None:
    """BL-34."""
    desk.cases()
    desk.record(desk.recording())
    desk.grade()
    desk.run("accept")
    desk.record(*([] if now is None else [desk.recording(**now)]))
    desk.grade()
    ran = desk.run("gate", "--markdown", "a.md", "--junit", "a.xml", "--annotations")
    assert ran.code == code
    assert ran.last.startswith(f"exit {code}: ")
    head = (desk.folder / "a.md").read_text(encoding="utf-8").splitlines()[0]
    assert ("✅" in head) is (code == 0)
    suites = ET.fromstring((desk.folder / "a.xml").read_bytes())
    assert (int(suites.attrib["failures"]) + int(suites.attrib["errors"]) > 0) is (code > 0)
    assert ("::error " in ran.out) is (code > 0)
