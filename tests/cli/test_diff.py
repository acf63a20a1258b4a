"""fairtrial diff through its door."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk


def two_runs(desk: "Desk", *flags: str) -> None:
    """Grade a.json, in which all passes, and b.json, in which one of three trials of pay fails."""
    desk.cases(desk.case("pay"), desk.case("stay"))
    for out, answer in (("a.json", "done"), ("b.json", "no")):
        desk.record(
            *(desk.recording("pay", one) for one in ("done", answer, "done")),
            desk.recording("stay"),
        )
        desk.grade(*flags, out=out)


def test_what_got_worse_is_shown_case_by_case_and_check_by_check(desk: "Desk") -> None:
    two_runs(desk)
    ran = desk.run("diff", "a.json", "b.json", "--json", "d.json")
    assert (ran.code, ran.err) == (0, "")
    assert "pay: 3 of 3 -> 2 of 3" in ran.out
    assert "answer.contains: 3 of 3 -> 2 of 3" in ran.out
    found = desk.read("d.json")
    (lost,) = found["regressions"]
    assert (lost["id"], lost["a"], lost["b"]) == ("pay", [3, 3], [2, 3])
    assert found["unchanged"] == 1


def test_differences_come_from_unrounded_numbers(desk: "Desk") -> None:
    two_runs(desk)
    desk.run("diff", "a.json", "b.json", "--json", "d.json")
    found = desk.read("d.json")
    assert found["regressions"][0]["difference"] == 2 / 3 - 1
    rate = next(one for one in found["numbers"] if one["name"] == "pass_rate")
    assert rate["difference"] == pytest.approx(-1 / 6, abs=1e-15)


def test_the_other_way_round_it_is_a_fix(desk: "Desk") -> None:
    two_runs(desk)
    desk.run("diff", "b.json", "a.json", "--json", "d.json")
    found = desk.read("d.json")
    assert ([one["id"] for one in found["fixes"]], found["regressions"]) == (["pay"], [])


def test_nothing_differs_between_a_run_and_itself(desk: "Desk") -> None:
    two_runs(desk)
    ran = desk.run("diff", desk.runs()[0], "latest")
    assert ran.code == 0
    assert "Nothing differs" in desk.run("diff", "latest", "latest").out


def test_missing_transcripts_are_said(desk: "Desk") -> None:
    two_runs(desk, "--no-save")
    ran = desk.run("diff", "a.json", "b.json")
    assert ran.code == 0
    assert ran.err.count("the transcripts of run") == 2
    assert "pay: 3 of 3 -> 2 of 3" in ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a.json"], "Missing argument 'B'"),
        (["a.json", "none"], "no run 'none'"),
        (["a.json", "cases.json"], "cases.json: not what a run writes there"),
        (["a.json", "b.json", "--json", "b.json"], "would be lost"),
        (["a.json", "b.json", "--json", "."], "a folder; wanted a file"),
    ],
)
def test_a_mistake_is_said_in_words(desk: "Desk", arguments: list[str], words: str) -> None:
    two_runs(desk)
    ran = desk.run("diff", *arguments)
    assert (ran.code, ran.out, words in ran.err) == (2, "", True)
