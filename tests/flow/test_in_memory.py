"""Grade and compare with everything in memory."""

from typing import TYPE_CHECKING

import msgspec
import pytest

import fairtrial as ft
from fairtrial.cases import Suite, load_suite
from fairtrial.errors import RecordingError
from fairtrial.flow.in_memory import compare, grade
from fairtrial.records import GateSettings, Report, Trajectory

if TYPE_CHECKING:
    from tests.conftest import Desk


def suite_of(desk: "Desk", *names: str) -> Suite:
    """Write and load cases that want "done"."""
    return load_suite([desk.cases(*(desk.case(name) for name in names))])


def said(case: str, answer: str | None = "done", trial: int | None = None) -> Trajectory:
    return Trajectory(case=case, answer=answer, steps=(), trial=trial)


def test_a_report_comes_back_and_nothing_is_written(desk: "Desk") -> None:
    suite = suite_of(desk, "a", "b")
    before = {*desk.folder.rglob("*")}
    report = grade(suite.cases, [said("b"), said("a", "no"), said("b")])
    assert [(one.id, one.status, len(one.trials)) for one in report.cases] == [
        ("a", "failed", 1),
        ("b", "passed", 2),
    ]
    assert [trial.trial for trial in report.cases[1].trials] == [0, 1]
    assert (report.run.id, report.run.folder, report.scorecard.pass_rate) == (
        *("in-memory", None, 0.5),
    )
    assert {*desk.folder.rglob("*")} == before


def test_and_on_disk_come_to_the_same(desk: "Desk") -> None:
    desk.cases(desk.case("a"), desk.case("b"))
    suite = load_suite(["cases.json"])
    rows = [desk.recording("a"), desk.recording("b", "no"), desk.recording("a", "no")]
    trajectories = [msgspec.convert(row, type=Trajectory) for row in rows]
    report = msgspec.to_builtins(grade(suite.cases, trajectories))
    desk.record(*rows)
    graded = desk.graded()
    assert graded["cases"] == msgspec.json.decode(msgspec.json.encode(report["cases"]))
    assert graded["scorecard"] == msgspec.json.decode(msgspec.json.encode(report["scorecard"]))


def test_what_does_not_belong_is_an_error(desk: "Desk") -> None:
    cases = suite_of(desk, "a").cases
    with pytest.raises(RecordingError, match="trajectory 2: case 'b' is not given"):
        grade(cases, [said("a"), said("b")])
    with pytest.raises(RecordingError, match="trial 1 of case 'a' is already"):
        grade(cases, [said("a", trial=1), said("a", trial=1)])


def report_of(desk: "Desk", **answers: list[str]) -> Report:
    """Grade the same in memory."""
    suite = load_suite([desk.cases(*(desk.case(name) for name in answers))])
    given = ((one, text) for one in answers for text in answers[one])
    return ft.grade(suite.cases, [Trajectory(case=one, answer=text) for one, text in given])


def test_a_report_is_held_against_another(desk: "Desk") -> None:
    good, bad = report_of(desk, a=["done"]), report_of(desk, a=["no"])
    assert compare(good, good).decision == "pass"
    assert compare(bad, good).decision == "fail"
    assert compare(good, None).decision == "pass"
    bar = GateSettings(min_pass_rate=0.5)
    assert compare(bad, None, bar).decision == "fail"


def test_an_accepted_baseline_does_as_well(desk: "Desk") -> None:
    desk.cases(desk.case("a"))
    desk.record(desk.recording("a"))
    desk.grade()
    desk.run("accept", "--baseline", "b.json")
    baseline = msgspec.json.decode((desk.folder / "b.json").read_bytes(), type=ft.Baseline)
    assert compare(report_of(desk, a=["no"]), baseline).decision == "fail"
