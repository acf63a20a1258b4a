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


def parted_runs(desk: "Desk") -> None:
    """Grade a.json, in which both cases pay and pass, and b.json, in which they answer at once."""
    names = ("c0", "c1")
    desk.cases(*(desk.case(name, expect={"tools": {"required": ["pay"]}}) for name in names))
    for out, called in (("a.json", True), ("b.json", False)):
        rows = []
        for at, name in enumerate(names):
            calls = [{"calls": [{"name": "pay", "arguments": {"n": at}}]}] * called
            rows.append(desk.recording(name, steps=[*calls, {"text": "done"}]))
        desk.record(*rows)
        desk.grade(out=out)


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


def test_the_first_step_where_they_part_is_shown_and_written(desk: "Desk") -> None:
    parted_runs(desk)
    ran = desk.run("diff", "a.json", "b.json", "--json", "d.json")
    assert "2 cases part alike: a calls pay, b answers (c0, c1)" in ran.out
    assert "they part at step 1: a calls pay(n=0), b answers" in ran.out
    assert "c1: 1 of 1 -> 0 of 1; parts like c0" in ran.out
    found = desk.read("d.json")
    first, second = found["partings"]
    cause = {"kind": "stop", "tool": "pay", "path": None}
    assert first == {
        "case": "c0",
        "trial_a": 0,
        "trial_b": 0,
        "step": 1,
        "a": "calls pay(n=0)",
        "b": "answers",
        "text": "at step 1: a calls pay(n=0), b answers",
        "cause": "a calls pay, b answers",
        **cause,
    }
    assert second["case"] == "c1"
    text = {"text": "a calls pay, b answers", "among": "regressions"}
    assert found["groups"] == [{"cases": ["c0", "c1"], **text, **cause}]


def test_only_verbose_follows_cases_that_are_not_worse(desk: "Desk") -> None:
    parted_runs(desk)
    assert "they part" not in desk.run("diff", "b.json", "a.json").out
    assert "they part at step 1: a answers, b calls pay(n=1)" in (
        desk.run("diff", "b.json", "a.json", "--verbose").out
    )


@pytest.mark.parametrize("columns", ["60", "80", "200"])
def test_what_an_agent_says_stays_in_its_lines(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    evil = "\x1b[2J\u202e\n::error::" + "x" * 5000
    desk.cases(desk.case("pay"))
    calls = [{"name": evil, "arguments": {evil: evil}, "result": evil, "error": evil}]
    for out, answer, name in (("a.json", "done", "pay"), ("b.json", evil, evil)):
        steps = [{"calls": calls}, {"calls": [{"name": name}]}, {"text": answer}]
        desk.record(desk.recording("pay", answer, steps=steps))
        desk.grade(out=out)
    ran = desk.run("diff", "a.json", "b.json", "--json", "d.json")
    assert "they part at step 2" in ran.out
    assert all(line.isprintable() and len(line) <= int(columns) for line in ran.out.splitlines())
    assert not any(line.lstrip().startswith("::") for line in ran.out.splitlines())
    assert len(desk.read("d.json")["partings"][0]["text"]) < 1000


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
