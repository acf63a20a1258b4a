"""fairtrial accept through its door: what it writes, and what it never writes over."""

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk

LOST = {"error": {"kind": "provider", "message": "429"}}


def graded(desk: "Desk", *names: str, **fields: object) -> None:
    """Grade a passing trial of each case, with these fields in its recording."""
    desk.cases(*(desk.case(name) for name in names))
    desk.record(*(desk.recording(name, **fields) for name in names))
    desk.grade()


def test_a_run_becomes_the_baseline_with_every_key_of_the_contract(desk: "Desk") -> None:
    graded(desk, "b", "a")
    ran = desk.run("accept", "--baseline", "sub/b.json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("sub/b.json: 2 cases of run ")
    accepted = desk.read("sub/b.json")
    assert accepted.keys() == {"format", "suite", "git", "mode", "k", "cases"}
    assert list(accepted["cases"]) == ["a", "b"]
    assert accepted["cases"]["a"].keys() == {
        *("hash", "protected", "tags", "passed", "measured", "planned", "checks"),
        *("steps", "tokens", "cost"),
    }
    assert (accepted["git"], accepted["cases"]["a"]["checks"]["finished"]) == (None, [1, 1])
    lines = (desk.folder / "sub/b.json").read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith('    "') for line in lines) == 2


def test_accepting_the_same_run_twice_changes_no_byte(desk: "Desk") -> None:
    graded(desk, "a")
    desk.run("accept", "out.json")
    first = (desk.folder / "evals/baseline.json").read_bytes()
    assert desk.run("accept", "out.json").out.startswith("evals/baseline.json: 1 case of run ")
    assert (desk.folder / "evals/baseline.json").read_bytes() == first


@pytest.mark.parametrize("fields", [LOST, None])
def test_a_run_with_nothing_measured_is_no_baseline(
    desk: "Desk", fields: dict[str, object] | None
) -> None:
    desk.cases()
    desk.record(*([] if fields is None else [desk.recording(**fields)]))
    desk.grade()
    ran = desk.run("accept")
    assert (ran.code, ran.out) == (3, "")
    assert "nothing was measured, so it is no baseline" in ran.err
    assert not (desk.folder / "evals").exists()


def test_a_case_that_was_not_measured_is_named_and_keeps_what_was_accepted(desk: "Desk") -> None:
    graded(desk, "a", "b")
    desk.run("accept")
    accepted = desk.read("evals/baseline.json")["cases"]["b"]
    desk.record(desk.recording("a"), desk.recording("b", **LOST))
    desk.grade()
    ran = desk.run("accept")
    assert ran.code == 0
    assert ran.last == "not measured, so nothing new is accepted for them: b"
    assert desk.read("evals/baseline.json")["cases"]["b"] == accepted


def test_a_filtered_run_replaces_only_its_own_cases(desk: "Desk") -> None:
    graded(desk, "a", "b")
    desk.run("accept", "out.json")
    before = desk.read("evals/baseline.json")
    desk.record(desk.recording("a", "no"), desk.recording("b", "no"))
    desk.grade()
    report = desk.read("out.json")
    report["run"]["filter"] = {"ids": ["b"], "tags": [], "protected": False, "only": []}
    desk.write("out.json", json.dumps(report | {"cases": report["cases"][1:]}))
    assert desk.run("accept", "out.json").code == 0
    after = desk.read("evals/baseline.json")
    assert after["cases"]["a"] == before["cases"]["a"]
    assert (before["cases"]["b"]["passed"], after["cases"]["b"]["passed"]) == (1, 0)


@pytest.mark.parametrize(
    "name", ["cases.json", "cases.yaml", "runs.jsonl", "out.json", ".", "fairtrial.toml"]
)
def test_a_file_that_is_no_baseline_is_never_replaced(desk: "Desk", name: str) -> None:
    graded(desk, "a")
    desk.write("cases.yaml", "- {id: a, expect: {answer: {contains: done}}}\n")
    desk.write("fairtrial.toml", "")
    before = {file: file.read_bytes() for file in desk.folder.rglob("*") if file.is_file()}
    ran = desk.run("accept", "out.json", "--baseline", name)
    assert (ran.code, ran.out) == (2, "")
    assert "is no baseline, so it is not replaced" in ran.err
    assert {one: one.read_bytes() for one in desk.folder.rglob("*") if one.is_file()} == before


@pytest.mark.parametrize("text", ["", "<<<<<<< ours\n{}\n", '{"format": 99, "cases": {}}'])
def test_a_damaged_baseline_is_replaced_by_a_whole_run_and_not_by_a_filtered_one(
    desk: "Desk", text: str
) -> None:
    graded(desk, "a")
    desk.write("b.json", text)
    report = desk.read("out.json")
    chosen = {"ids": ["a"], "tags": [], "protected": False, "only": []}
    desk.write("f.json", json.dumps(report | {"run": report["run"] | {"filter": chosen}}))
    assert desk.run("accept", "f.json", "--baseline", "b.json").code == 2
    assert (desk.folder / "b.json").read_text(encoding="utf-8") == text
    assert desk.run("accept", "out.json", "--baseline", "b.json").code == 0
    assert list(desk.read("b.json")["cases"]) == ["a"]


def test_a_run_that_lost_lines_is_accepted_with_a_word_about_it(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording(), "torn")
    desk.grade()
    ran = desk.run("accept")
    assert (ran.code, "1 line of runs.jsonl could not be read" in ran.err) == (0, True)


def test_a_mistake_is_said_in_words(desk: "Desk") -> None:
    graded(desk, "a")
    ran = desk.run("accept", "none")
    assert (ran.code, "no run 'none'" in ran.err) == (2, True)
    ran = desk.run("accept", "out.json", "--baseline", "out.json/b.json")
    assert (ran.code, "out.json/b.json: cannot be written" in ran.err) == (2, True)


def test_a_failing_protected_case_is_accepted_with_a_word_about_it(desk: "Desk") -> None:
    desk.cases(desk.case("a", protected=True))
    desk.record(desk.recording("a", "no"))
    desk.grade()
    ran = desk.run("accept", "--baseline", "b.json")
    assert (ran.code, "the gate fails until every trial of them passes: a" in ran.err) == (0, True)
