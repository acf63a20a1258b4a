"""fairtrial grade RUN: a saved run is graded again, as the cases are now."""

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk


@pytest.mark.parametrize("name", ["latest", "id", "start", "folder", "report"])
def test_a_saved_run_is_graded_again_to_the_same_verdicts(desk: "Desk", name: str) -> None:
    desk.cases(desk.case("a"), desk.case("b"))
    desk.record(*(desk.recording(one, answer) for one in "ab" for answer in ("done", "no")))
    first = desk.graded()
    (folder,) = desk.runs()
    run = {"id": folder.name, "start": folder.name[:-2], "folder": folder, "report": "out.json"}
    ran = desk.run("grade", run.get(name, name), "--json", "again.json")
    assert ran.code == 1
    again = desk.read("again.json")
    assert again["cases"] == first["cases"]
    assert again["scorecard"] == first["scorecard"]
    assert again["run"]["id"] != first["run"]["id"]
    assert len(desk.runs()) == 2


def test_a_saved_run_is_graded_as_the_cases_are_now(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording())
    assert desk.grade().code == 0
    desk.cases(desk.case("greet", "goodbye"))
    assert desk.run("grade", "latest").code == 1
    desk.cases(desk.case(), name="other.json")
    assert desk.run("grade", "other.json", "latest").code == 0


def test_a_saved_run_whose_case_files_are_gone_is_graded_by_those_of_the_settings(
    desk: "Desk",
) -> None:
    desk.cases()
    desk.record(desk.recording())
    desk.grade()
    (desk.folder / "cases.json").rename(desk.folder / "moved.json")
    ran = desk.run("grade", "latest")
    assert (ran.code, "no case files" in ran.err) == (2, True)
    desk.write("fairtrial.toml", 'cases = "moved.json"')
    assert desk.run("grade", "latest").code == 0


def test_a_filtered_run_stays_one_when_it_is_graded_again(desk: "Desk") -> None:
    desk.cases(desk.case("a"), desk.case("b"))
    desk.record(desk.recording("a"))
    assert desk.grade().code == 3
    (folder,) = desk.runs()
    chosen = {"ids": ["a"], "tags": [], "protected": False, "only": []}
    run = desk.strict((folder / "run.json").read_text(encoding="utf-8")) | {"filter": chosen}
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    (folder / "cases.jsonl").write_text(lines[0] + "\n", encoding="utf-8")
    assert desk.run("grade", "latest", "--json", "again.json").code == 0
    assert desk.read("again.json")["run"]["filter"] == chosen
    assert [one["id"] for one in desk.read("again.json")["cases"]] == ["a"]


def test_a_run_that_was_cut_short_is_graded_and_never_taken_for_whole(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording(), desk.recording())
    desk.grade()
    (folder,) = desk.runs()
    (folder / "scorecard.json").unlink()
    trials = folder / "trials.jsonl"
    trials.write_bytes(trials.read_bytes()[:-9])
    ran = desk.run("grade", "latest", "--json", "again.json", "--quiet")
    assert (ran.code, ran.last) == (3, "exit 3: not all that was recorded could be graded")
    assert "cut short" in ran.err
    card = desk.read("again.json")["scorecard"]
    assert (card["trials"], card["passed"], "cut short" in card["notes"][0]) == (1, 1, True)
    assert desk.run("gate", "again.json").code == 3
    assert desk.run("grade", "latest").code == 3


def test_a_run_that_lost_lines_has_still_lost_them_when_it_is_graded_again(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording(), "torn")
    assert desk.grade().code == 3
    ran = desk.run("grade", "latest", "--quiet")
    assert (ran.code, "1 line of runs.jsonl could not be read" in ran.err) == (3, True)


def test_a_run_whose_transcripts_are_gone_cannot_be_graded_again(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording())
    desk.grade("--no-save")
    ran = desk.run("grade", "cases.json", "out.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("fairtrial: out.json: the transcripts are missing")


def test_what_counted_as_a_tool_error_counts_when_it_is_graded_again(desk: "Desk") -> None:
    desk.cases()
    call = {"name": "find", "arguments": {}, "result": "Error: no such book"}
    desk.record(desk.recording(steps=[{"calls": [call]}, {"text": "done"}]))
    rule = ("--tool-error", '{"matches": "^Error"}')
    desk.grade(*rule)
    desk.run("grade", "latest", "--json", "again.json")
    assert desk.read("again.json")["scorecard"]["tool_errors"] == 1
