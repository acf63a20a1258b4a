"""fairtrial gate through its door: exit codes, the decision, the first baseline, filters."""

import json
from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk

GOOD, BAD, LOST = "done", "no", {"error": {"kind": "provider", "message": "429"}}


def run_of(desk: "Desk", out: str, model: Json = "none", **answers: Json) -> None:
    """Grade cases a and the protected b, with these answers a trial, into a report."""
    desk.cases(*(desk.case(name, protected=name == "b") for name in answers))
    desk.record(
        *(
            desk.recording(name, model=model, **answer)
            if isinstance(answer, dict)
            else desk.recording(name, answer, model=model)
            for name, given in answers.items()
            for answer in given
        )
    )
    desk.grade(out=out)


# Mode, baseline, candidate, flags -> exit, decision.
SITUATIONS = [
    ("none", {"a": [GOOD]}, {"a": [GOOD]}, [], 0, "pass"),
    ("none", {"a": [GOOD]}, {"a": [BAD]}, [], 1, "fail"),
    ("none", {"a": [GOOD], "b": [GOOD]}, {"a": [GOOD]}, [], 1, "fail"),
    ("none", {"a": [GOOD], "c": [GOOD]}, {"a": [GOOD]}, ["--allow-removed"], 0, "pass"),
    ("none", {"a": [GOOD]}, {"a": [LOST]}, [], 3, "error"),
    ("none", {"a": [GOOD]}, {"a": [BAD], "b": [LOST]}, [], 1, "fail"),
    ("none", {"a": [BAD, GOOD]}, {"a": [GOOD, BAD]}, ["--min-pass-rate", "0.9"], 1, "fail"),
    ("none", {"a": [GOOD]}, {"a": [GOOD], "new": [BAD]}, [], 0, "pass"),
    ("live", {"b": [GOOD] * 2}, {"b": [GOOD, BAD]}, [], 4, "inconclusive"),
    ("live", {"a": [GOOD] * 2}, {"a": [GOOD, BAD]}, [], 0, "inconclusive"),
    ("live", {"a": [GOOD] * 2}, {"a": [GOOD, BAD]}, ["--strict"], 4, "inconclusive"),
]


@pytest.mark.parametrize(
    ("model", "before", "now", "flags", "code", "decision"), SITUATIONS, ids=range(len(SITUATIONS))
)
def test_the_exit_code_is_the_decision(
    desk: "Desk",
    model: str,
    before: dict[str, list[Json]],
    now: dict[str, list[Json]],
    flags: list[str],
    code: int,
    decision: str,
) -> None:
    run_of(desk, "before.json", model, **before)
    assert desk.run("accept", "before.json", "--baseline", "b.json").code == 0
    run_of(desk, "now.json", model, **now)
    ran = desk.run("gate", "now.json", "--baseline", "b.json", "--json", "d.json", *flags)
    decided = desk.read("d.json")
    assert (ran.code, decided["exit"], decided["decision"]) == (code, code, decision)
    assert ran.last.startswith(f"exit {code}: ")
    assert ran.out.startswith(f"{decision.upper()}: ")


def test_the_decision_has_every_key_of_the_contract(desk: "Desk") -> None:
    run_of(desk, "before.json", a=[GOOD])
    desk.run("accept", "before.json")
    run_of(desk, "now.json", a=[BAD])
    desk.run("gate", "now.json", "--json", "d.json")
    decided = desk.read("d.json")
    assert decided.keys() >= {"decision", "exit", "spent", "reasons"}
    assert decided["spent"] is None
    for reason in decided["reasons"]:
        assert reason.keys() >= {
            *("rule", "kind", "case", "tag", "text", "baseline", "candidate", "interval"),
        }
    assert (decided["reasons"][0]["case"], decided["reasons"][0]["kind"]) == ("a", "fail")


def test_the_newest_run_is_held_against_the_baseline_of_the_settings(desk: "Desk") -> None:
    run_of(desk, "out.json", a=[GOOD])
    desk.write("fairtrial.toml", 'baseline = "accepted.json"')
    assert desk.run("accept").code == 0
    assert (desk.folder / "accepted.json").is_file()
    assert desk.run("gate").code == 0
    run_of(desk, "out.json", a=[BAD])
    assert desk.run("gate").code == 1


# No baseline yet.


def test_the_first_run_that_passes_becomes_the_baseline_and_that_is_said(desk: "Desk") -> None:
    run_of(desk, "out.json", a=[GOOD])
    ran = desk.run("gate", "--json", "d.json")
    assert ran.code == 0
    assert ran.out.startswith("PASS: there is no baseline")
    assert "this run was written as the first: evals/baseline.json" in " ".join(ran.out.split())
    assert desk.read("d.json")["reasons"][-1]["rule"] == "baseline"
    assert list(desk.read("evals/baseline.json")["cases"]) == ["a"]
    assert desk.run("gate").out.startswith("PASS: the run holds")


@pytest.mark.parametrize("answers", [{"b": [BAD]}, {"a": [LOST]}])
def test_a_run_that_does_not_pass_becomes_no_baseline(
    desk: "Desk", answers: dict[str, list[Json]]
) -> None:
    run_of(desk, "out.json", **answers)
    assert desk.run("gate").code == (1 if "b" in answers else 3)
    assert not (desk.folder / "evals").exists()


def test_in_ci_no_baseline_is_made_and_the_command_that_makes_one_is_told(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    run_of(desk, "out.json", a=[GOOD])
    monkeypatch.setenv("CI", "1")
    ran = desk.run("gate", "out.json", "--baseline", "my base.json", "--json", "d.json")
    assert ran.code == 3
    assert "fairtrial accept out.json --baseline 'my base.json'" in " ".join(ran.out.split())
    assert not (desk.folder / "my base.json").exists()
    assert (desk.read("d.json")["decision"], desk.read("d.json")["exit"]) == ("error", 3)
    run_of(desk, "out.json", b=[BAD])
    ran = desk.run("gate", "out.json", "--json", "d.json")
    assert ran.code == 1
    assert "baseline" in {reason["rule"] for reason in desk.read("d.json")["reasons"]}


def test_in_ci_an_inconclusive_run_without_a_baseline_is_an_error(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    run_of(desk, "out.json", "live", b=[GOOD, BAD])
    assert desk.run("gate", "out.json").code == 4
    monkeypatch.setenv("CI", "true")
    assert desk.run("gate", "out.json").code == 3


@pytest.mark.parametrize("said", ["", "0", "false", "False", " "])
def test_ci_that_is_off_is_no_ci(desk: "Desk", monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("CI", said)
    run_of(desk, "out.json", a=[GOOD])
    assert desk.run("gate").code == 0
    assert (desk.folder / "evals/baseline.json").is_file()


# A filtered run.


def filtered(desk: "Desk", report: str, *names: str) -> None:
    """Make a report one of a run that was filtered to some ids."""
    run = desk.read(report)
    run["run"]["filter"] = {"ids": names, "tags": [], "protected": False, "only": []}
    run["cases"] = [case for case in run["cases"] if case["id"] in names]
    desk.write(report, json.dumps(run))


def test_a_filtered_run_is_held_against_its_own_cases_and_says_so(desk: "Desk") -> None:
    run_of(desk, "out.json", a=[GOOD], b=[GOOD])
    desk.run("accept", "out.json")
    filtered(desk, "out.json", "a")
    ran = desk.run("gate", "out.json")
    assert ran.code == 0
    assert "filtered (id a): 1 other case" in " ".join(ran.out.split())
    run_of(desk, "out.json", a=[BAD], b=[GOOD])
    filtered(desk, "out.json", "a")
    assert desk.run("gate", "out.json").code == 1
    filtered(desk, "out.json", "none")
    assert desk.run("gate", "out.json").code == 3


# What people get wrong.

MISTAKES = [
    (["none"], "no run 'none'; the newest in"),
    (["cases.json"], "cases.json: not what a run writes there"),
    (["out.json", "--baseline", "runs.jsonl"], "runs.jsonl: no format is given"),
    (["out.json", "--baseline", "out.json"], "this is the report of a run, not a baseline"),
    (["out.json", "--baseline", "."], ".: cannot be read: Is a directory"),
    (["out.json", "--baseline", "x" * 300], "File name too long"),
    (["out.json", "--json", "out.json"], "would be lost"),
    (["out.json", "--json", "evals/baseline.json"], "would be lost"),
    (["out.json", "--tolerance", "nan"], "--tolerance: wanted a share from 0 to 1"),
    (["out.json", "--errors", "-0.1"], "--errors: wanted a share from 0 to 1"),
    (["out.json", "--growth", "-1"], "--growth: wanted a share from 0 up"),
    (["out.json", "--min-pass-hat-k", "x"], "Invalid value for '--min-pass-hat-k'"),
    (["out.json", "more"], "unexpected extra argument"),
]


@pytest.mark.parametrize(
    ("arguments", "words"), MISTAKES, ids=[words[:40] for _, words in MISTAKES]
)
def test_a_mistake_is_said_in_words_and_changes_nothing(
    desk: "Desk", arguments: list[str], words: str
) -> None:
    run_of(desk, "out.json", a=[GOOD])
    desk.run("accept", "out.json")
    before = {file: file.read_bytes() for file in desk.folder.rglob("*") if file.is_file()}
    ran = desk.run("gate", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert "Traceback" not in ran.err
    assert {one: one.read_bytes() for one in desk.folder.rglob("*") if one.is_file()} == before


def test_a_start_that_fits_two_runs_is_refused_with_their_names(desk: "Desk") -> None:
    run_of(desk, "out.json", a=[GOOD])
    run_of(desk, "out.json", a=[GOOD])
    ran = desk.run("gate", "20")
    assert ran.code == 2
    assert all(folder.name in ran.err for folder in desk.runs())


def test_a_run_that_was_cut_short_is_said_to_be(desk: "Desk") -> None:
    run_of(desk, "out.json", a=[GOOD])
    (folder,) = desk.runs()
    (folder / "scorecard.json").unlink()
    ran = desk.run("gate")
    assert (ran.code, "the run was cut short; `fairtrial grade " in ran.err) == (2, True)
    assert not (desk.folder / "evals").exists()


def test_a_case_that_is_in_a_report_twice_is_no_decision(desk: "Desk") -> None:
    run_of(desk, "out.json", a=[GOOD])
    report = desk.read("out.json")
    desk.write("out.json", json.dumps(report | {"cases": report["cases"] * 2}))
    ran = desk.run("gate", "out.json")
    assert (ran.code, "case 'a' is in it twice" in ran.err) == (2, True)


def test_settings_of_the_gate_hold_and_flags_beat_them(desk: "Desk") -> None:
    run_of(desk, "out.json", a=[GOOD, BAD])
    desk.run("accept")
    desk.write("fairtrial.toml", "[gate]\nmin_pass_rate = 0.6\n")
    assert desk.run("gate").code == 1
    assert desk.run("gate", "--min-pass-rate", "0.5").code == 0
