"""fairtrial report through its door: a saved run shown again, or written as JSON."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk


def graded(desk: "Desk", *flags: str) -> None:
    """Grade two cases: hostile texts in one, nothing recorded of the other."""
    desk.cases(desk.case("a", tags=["t"]), desk.case("b"))
    desk.record(
        desk.recording("a", "done \x00\x1b[31m \ud800 “q”", cost=0.1, trial=3),
        desk.recording("a", None, error={"kind": "provider", "message": "429 \u2028"}),
    )
    desk.grade(*flags)


@pytest.mark.parametrize("name", ["latest", "out.json"])
def test_a_report_written_again_is_the_same_bytes(desk: "Desk", name: str) -> None:
    graded(desk)
    ran = desk.run("report", name, "--json", "again.json")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (desk.folder / "again.json").read_bytes() == (desk.folder / "out.json").read_bytes()
    assert desk.read("again.json")["cases"][0]["trials"][0]["trial"] == 3


def test_a_report_may_be_written_over_itself(desk: "Desk") -> None:
    graded(desk)
    before = (desk.folder / "out.json").read_bytes()
    assert desk.run("report", "out.json", "--json", "out.json").code == 0
    assert (desk.folder / "out.json").read_bytes() == before


def test_the_newest_run_is_shown_as_grade_showed_it(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording())
    shown = desk.grade().out
    ran = desk.run("report")
    assert ran.code == 0
    assert shown.startswith(ran.out.rstrip("\n"))


def test_a_failing_run_is_shown_with_exit_0(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording(answer="no"))
    desk.grade()
    ran = desk.run("report")
    assert (ran.code, "FAILED" in ran.out) == (0, True)


def test_missing_transcripts_are_said_and_the_rest_is_shown(desk: "Desk") -> None:
    graded(desk, "--no-save")
    ran = desk.run("report", "out.json")
    assert ran.code == 0
    assert ran.err.startswith("fairtrial: the transcripts of run")
    assert "ERROR" in ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no run in"),
        (["none"], "no run in"),
        (["cases.json"], "not what a run writes there"),
        (["."], "no run.json in it"),
    ],
)
def test_a_mistake_is_said_in_words(desk: "Desk", arguments: list[str], words: str) -> None:
    desk.cases()
    ran = desk.run("report", *arguments)
    assert (ran.code, ran.out, words in ran.err) == (2, "", True)


def test_no_control_character_of_a_trial_reaches_the_terminal(desk: "Desk") -> None:
    graded(desk)
    for ran in (desk.grade("-v"), desk.run("report", "-v"), desk.run("gate")):
        assert {char for char in ran.out + ran.err if ord(char) < 32 or ord(char) == 127} == {"\n"}
