"""Baselines and flaky verdicts: trials are measurements, and a rate hides no case."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import Desk


def test_a_case_that_passes_sometimes_is_flaky_and_every_trial_is_kept(desk: "Desk") -> None:
    """BL-40."""
    desk.cases(desk.case("tone-3"))
    desk.record(*(desk.recording("tone-3", one) for one in ("done", "no", "done!")))
    ran = desk.grade()
    (only,) = desk.read("out.json")["cases"]
    assert (only["status"], only["pass_rate"], ran.code) == ("flaky", 2 / 3, 1)
    assert [trial["verdict"] for trial in only["trials"]] == ["passed", "failed", "passed"]
    lines = (desk.runs()[0] / "trials.jsonl").read_text(encoding="utf-8").splitlines()
    assert [desk.strict(line)["trajectory"]["answer"] for line in lines] == ["done", "no", "done!"]
    assert "flaky" in ran.out.lower()


def test_a_broken_case_is_seen_behind_any_suite_rate(desk: "Desk") -> None:
    """BL-41."""
    names = [f"c{number}" for number in range(19)]
    desk.cases(*(desk.case(name) for name in (*names, "R4")))
    others = [desk.recording(name) for name in names for _ in range(3)]
    desk.record(*others, *[desk.recording("R4")] * 3)
    desk.grade(out="before.json")
    desk.run("accept", "before.json")
    desk.record(*others, *[desk.recording("R4", "no")] * 3)
    desk.grade(out="after.json")
    assert desk.read("after.json")["scorecard"]["pass_rate"] == 0.95
    flags = ["--min-pass-rate", "0.8", "--tolerance", "0.1", "--json", "d.json"]
    assert desk.run("gate", "after.json", *flags).code == 1
    assert "R4" in {reason["case"] for reason in desk.read("d.json")["reasons"]}
    desk.run("diff", "after.json", "before.json", "--json", "d.json")
    assert [one["id"] for one in desk.read("d.json")["fixes"]] == ["R4"]


def test_a_gate_on_an_unchanged_run_always_says_the_same(desk: "Desk") -> None:
    """BL-40."""
    desk.cases(desk.case("a"), desk.case("b"))
    desk.record(*(desk.recording(name, one) for name in "ab" for one in ("done", "no", "done")))
    desk.grade()
    desk.run("accept", "out.json")
    said = {desk.run("gate", "out.json", "--json", "d.json") for _ in range(5)}
    assert len(said) == 1
    desk.grade(out="again.json")
    assert desk.run("gate", "again.json") in said
