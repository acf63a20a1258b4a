"""Reports in files, in the step summary and in the log of a build."""

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from fairtrial.store import find_run

if TYPE_CHECKING:
    from tests.cli.conftest import Bench
    from tests.conftest import Desk


def lost(desk: "Desk") -> None:
    """Accept a run, and grade one that lost a case."""
    desk.cases(desk.case("a", tags=["t"]), desk.case("b"))
    desk.record(desk.recording("a"), desk.recording("b"))
    desk.grade()
    desk.run("accept")
    desk.record(desk.recording("a", "no"), desk.recording("b"))
    desk.grade()


def text(desk: "Desk", name: str) -> str:
    return (desk.folder / name).read_text(encoding="utf-8")


def test_gate_writes_what_it_decided_and_exits_as_ever(desk: "Desk") -> None:
    lost(desk)
    ran = desk.run("gate", "--markdown", "m/out.md", "--junit", "j/out.xml", "--annotations")
    assert (ran.code, ran.err) == (1, "")
    assert text(desk, "m/out.md").startswith("### ❌ fairtrial: FAIL\n")
    root = ET.fromstring(text(desk, "j/out.xml").encode())
    assert [one.attrib["name"] for one in root.iter("testcase")] == ["a", "b", "gate"]
    lines = ran.out.splitlines()
    assert lines[0].startswith("::error file=cases.json,line=1,title=fairtrial%3A a::")
    assert (
        ran.last == "exit 1: fail: something got worse, or a protected case or a bar does not hold"
    )


def test_report_writes_the_same_later_and_shows_nothing(desk: "Desk") -> None:
    lost(desk)
    desk.run("gate", "--markdown", "a.md", "--junit", "a.xml")
    ran = desk.run("report", "--markdown", "b.md", "--junit", "b.xml")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert text(desk, "a.md") == text(desk, "b.md")
    assert text(desk, "a.xml") == text(desk, "b.xml")


def test_report_prints_annotations_alone_and_only_when_asked(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    lost(desk)
    assert "::error" not in desk.run("report").out + desk.run("gate").out
    ran = desk.run("report", "--annotations")
    assert ran.code == 0
    assert all(line.startswith("::") for line in ran.out.splitlines())
    assert len(ran.out.splitlines()) == 3  # the case, its tag, all


def test_on_github_the_places_of_cases_are_links(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    lost(desk)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    desk.run("gate", "--markdown", "plain.md")
    assert "· `cases.json:1`<br>" in text(desk, "plain.md")
    for name, value in {
        "ACTIONS": "true", "SERVER_URL": "https://github.example", "REPOSITORY": "octo/shop",
        "SHA": "c0" * 20,
    }.items():  # fmt: skip
        monkeypatch.setenv(f"GITHUB_{name}", value)
    desk.run("gate", "--markdown", "linked.md")
    address = f"https://github.example/octo/shop/blob/{'c0' * 20}/cases.json#L1"
    assert f"· [`cases.json:1`]({address})<br>" in text(desk, "linked.md")


def test_a_run_that_nobody_gated_says_so(desk: "Desk") -> None:
    lost(desk)
    desk.run("report", "--markdown", "a.md")
    assert "The gate was not asked" in text(desk, "a.md")


def test_a_json_report_without_its_folder_is_written_too(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording())
    desk.grade("--no-save")
    ran = desk.run("report", "out.json", "--markdown", "a.md", "--junit", "a.xml")
    assert ran.code == 0
    assert "✅ fairtrial: every trial passed" in text(desk, "a.md")


def test_nothing_measured_is_red_in_every_report(desk: "Desk") -> None:
    """GX, BL-35."""
    desk.cases()
    desk.record(desk.recording(error={"kind": "provider", "message": "429"}))
    desk.grade()
    ran = desk.run("gate", "--markdown", "a.md", "--junit", "a.xml", "--annotations")
    assert ran.code == 3
    assert "### ❌ fairtrial: ERROR" in text(desk, "a.md")
    root = ET.fromstring(text(desk, "a.xml").encode())
    assert (root.attrib["failures"], root.attrib["errors"]) == ("0", "2")
    assert ran.out.startswith("::error ")


def test_the_step_summary_is_written_behind_what_is_there(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    lost(desk)
    summary = desk.write("summary.md", "before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    for _ in range(2):
        desk.run("report", "--markdown", "summary.md")
    assert text(desk, "summary.md").startswith("before\n### ")
    assert text(desk, "summary.md").count("### ❌ fairtrial") == 2
    desk.write("other.md", "before")
    desk.run("report", "--markdown", "other.md")
    assert text(desk, "other.md").startswith("### ")


@pytest.mark.parametrize(("free", "written"), [(2**20, True), (5000, True), (3000, False)])
def test_a_step_summary_never_grows_beyond_what_github_takes(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch, free: int, written: bool
) -> None:
    lost(desk)
    summary = desk.write("summary.md", "x" * (2**20 - free))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    ran = desk.run("report", "--markdown", "summary.md")
    assert ran.code == 0
    assert ("fairtrial: " in text(desk, "summary.md")) is written
    assert ("the step summary is full" in ran.err) is not written
    assert summary.stat().st_size <= 2**20


def test_run_writes_reports_of_the_run_that_it_made(bench: "Bench") -> None:
    bench.suite(
        "from pathlib import Path\ndef agent(task):\n    return Path('answer.txt').read_text()\n"
    )
    bench.desk.write("answer.txt", "done")
    assert bench.run("--gate").code == 0  # the first baseline
    bench.desk.write("answer.txt", "no")
    out = ("--markdown", "a.md", "--junit", "a.xml", "--annotations")
    ran = bench.run(*out)
    assert (ran.code, ran.last) == (1, "exit 1: a trial failed")
    assert "::error file=cases.json,line=1," in ran.out
    assert "The gate was not asked" in text(bench.desk, "a.md")
    ran = bench.run("--gate", *out)
    assert ran.code == 1
    assert ran.last.startswith("exit 1: fail")
    assert "### ❌ fairtrial: FAIL" in text(bench.desk, "a.md")
    assert find_run("latest", bench.folder).info.id in text(bench.desk, "a.md")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--markdown", "a.md", "--no-save"], "read the saved run; leave out --no-save"),
        (["--junit", "a.xml", "--no-save"], "read the saved run; leave out --no-save"),
        (["--annotations", "--variant", "x", "--variant", "y"], "a report is of one run"),
        (["--markdown", "cases.json"], "--markdown cases.json: that is read here"),
        (["--junit", "fairtrial.toml"], "--junit fairtrial.toml: that is read here"),
        (["--markdown", "."], "cannot be written"),
    ],
)
def test_a_mistake_is_said_before_anything_is_run(
    bench: "Bench", options: list[str], words: str
) -> None:
    bench.suite()
    ran = bench.run(*options)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert bench.desk.runs() == []


def test_no_report_is_written_over_what_the_gate_reads(desk: "Desk") -> None:
    lost(desk)
    before = text(desk, "evals/baseline.json")
    for option in ("--markdown", "--junit"):
        ran = desk.run("gate", option, "evals/baseline.json")
        assert (ran.code, "that is read here" in ran.err) == (2, True)
        assert desk.run("report", "out.json", option, "out.json").code == 2
    assert text(desk, "evals/baseline.json") == before


def test_a_report_on_standard_output_is_alone_there(desk: "Desk") -> None:
    lost(desk)
    ran = desk.run("gate", "--junit", "/dev/stdout")
    assert ran.code == 1
    assert "exit 1: fail" in ran.err
