"""fairtrial report --html, --compare and --history through the door."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk


def graded(desk: "Desk", answer: str = "done", *flags: str) -> None:
    desk.cases(desk.case("a"), desk.case("b"))
    desk.record(desk.recording("a", answer), desk.recording("b", "done"))
    desk.grade(*flags)


def test_a_page_is_written_and_nothing_printed(desk: "Desk") -> None:
    graded(desk)
    ran = desk.run("report", "--html", "p.html")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (desk.folder / "p.html").read_bytes().startswith(b"<!doctype html>")


def test_a_page_and_json_at_once(desk: "Desk") -> None:
    graded(desk)
    assert desk.run("report", "--html", "p.html", "--json", "again.json").code == 0
    assert (desk.folder / "p.html").exists()
    assert (desk.folder / "again.json").read_bytes() == (desk.folder / "out.json").read_bytes()


def test_two_runs_on_one_page(desk: "Desk") -> None:
    graded(desk)
    (desk.folder / "out.json").rename(desk.folder / "old.json")
    graded(desk, "no")
    assert desk.run("report", "--html", "p.html", "--compare", "old.json").code == 0
    assert b'"compare":{"name":"old.json"' in (desk.folder / "p.html").read_bytes()


def test_missing_transcripts_of_the_other_run_are_said(desk: "Desk") -> None:
    graded(desk, "done", "--no-save")
    (desk.folder / "out.json").rename(desk.folder / "old.json")
    graded(desk, "no")
    ran = desk.run("report", "--html", "p.html", "--compare", "old.json")
    assert (ran.code, ran.err.startswith("fairtrial: the transcripts of run")) == (0, True)


def test_an_errors_only_run_is_a_page(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording(error={"kind": "provider", "message": "429"}))
    desk.grade()
    assert desk.run("report", "--html", "p.html").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--compare", "x"], "add --html OUT"),
        (["--history", "--html", "p.html", "--compare", "x"], "leave one out"),
        (["--case", "a"], "--case belongs to --history"),
        (["--last", "3"], "--last belongs to --history"),
        (["--history", "--last", "0"], "0 is not in the range"),
        (["--history", "--case", "none"], "no run of the history has a case 'none'"),
        (["--history", "none"], "no finished run in the history"),
        (["--html", "p.html", "--compare", "none"], "no run 'none'"),
        (["out.json", "--html", "out.json"], "would be lost"),
        (["--html", "."], "a folder; wanted a file"),
    ],
)
def test_a_mistake_is_said_in_words(desk: "Desk", arguments: list[str], words: str) -> None:
    graded(desk)
    ran = desk.run("report", *arguments)
    assert (ran.code, ran.out, words in ran.err) == (2, "", True), ran.err


def test_the_history_is_told(desk: "Desk") -> None:
    graded(desk)
    graded(desk, "no")
    ran = desk.run("report", "--history")
    assert (ran.code, "a  █▁  0 of 1" in ran.out) == (0, True)
    assert "1 case did not move" in ran.out
    assert desk.run("report", "--history", "--case", "a", "--last", "1").out.startswith("1 run")


def test_the_history_is_written_as_page_and_json(desk: "Desk") -> None:
    graded(desk)
    ran = desk.run("report", "--history", "--html", "h.html", "--json", "h.json")
    assert (ran.code, ran.out) == (0, "")
    assert desk.read("h.json")["runs"][0]["cases"] == {"a": [1, 1], "b": [1, 1]}
    assert b'"kind":"history"' in (desk.folder / "h.html").read_bytes()
