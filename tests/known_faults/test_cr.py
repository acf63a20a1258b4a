"""Size, crash, serialisation, cost: a run always ends, and every file of it parses strictly."""

import tracemalloc
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk

GRADERS = """
import datetime
import fairtrial as ft

LOOP = []
LOOP.append(LOOP)
ODD = {
    "nan": float("nan"), "inf": float("inf"), "list": [float("nan"), 1.0], "text": "1",
    "bytes": b"x", "set": {1}, "date": datetime.date(2026, 1, 1), "loop": LOOP,
    "big": 2, "yes": True,
}
"""
GRADER = """
@ft.grader
def odd_{name}(case, trajectory, state):
    return ft.Check(name="odd", passed=True, score=ODD["{name}"], decides=True, reason="")
"""
ODD = ["nan", "inf", "list", "text", "bytes", "set", "date", "loop", "big", "yes"]


@pytest.mark.parametrize("name", ODD)
def test_whatever_a_grader_gives_the_run_ends_and_its_files_parse(desk: "Desk", name: str) -> None:
    """BL-64."""
    desk.cases(desk.case("a"), desk.case("b"))
    desk.record(desk.recording("a"), desk.recording("b"))
    desk.write(f"odd_graders_{name}.py", GRADERS + GRADER.format(name=name))
    ran = desk.grade("--grader", f"odd_graders_{name}:odd_{name}")
    assert (ran.code, ran.err) == (3, "")
    (trial,) = desk.read("out.json")["cases"][0]["trials"]
    assert (trial["verdict"], "score is" in trial["error"]) == ("error", True)
    for file in desk.runs()[0].iterdir():
        for line in file.read_text(encoding="utf-8").splitlines():
            desk.strict(line)


def test_values_that_json_hardly_holds_spoil_no_file(desk: "Desk") -> None:
    """BL-64."""
    desk.cases()
    odd = '{"case": "greet", "answer": "done", "extra": {"k": [null, null], "big": 1e308}, '
    odd += '"state": {"lone": "\\ud800", "\\u0000": "\\u2028"}, "cost": 1e308, "steps": []}'
    desk.record(odd, odd)
    assert desk.grade().code == 0
    assert desk.read("out.json")["scorecard"]["passed"] == 2
    for line in (desk.runs()[0] / "trials.jsonl").read_text(encoding="utf-8").splitlines():
        desk.strict(line)
    assert desk.run("accept").code == 0
    desk.read("evals/baseline.json")


def test_an_unknown_cost_is_not_zero_and_sums_say_what_they_lack(desk: "Desk") -> None:
    """BL-65."""
    tokens = [{"input": 100, "output": 10}, {}, {"input": 50}]
    steps = [{"text": "x", "tokens": one} for one in tokens]
    desk.cases(desk.case("greet", limits={"cost": 0.05, "tokens": 1000}))
    desk.record(desk.recording(steps=steps))
    ran = desk.grade("-v")
    card = desk.read("out.json")["scorecard"]
    assert (card["mean_cost"], card["total_cost"], card["mean_tokens"]) == (None, None, None)
    assert (card["total_tokens"], card["unknown"]["tokens"], card["unknown"]["cost"]) == (160, 1, 1)
    (trial,) = desk.read("out.json")["cases"][0]["trials"]
    assert desk.check(trial, "limits.cost")["passed"] is None
    assert desk.check(trial, "limits.tokens")["passed"] is None
    assert (trial["verdict"], ran.code) == ("error", 3)
    assert "0.00 USD" not in ran.out


def test_what_is_known_may_be_too_much_already(desk: "Desk") -> None:
    """BL-65."""
    steps = [{"text": "x", "tokens": {"input": 900}}, {"text": "y", "tokens": {}}]
    desk.cases(desk.case("greet", limits={"tokens": 500}))
    desk.record(desk.recording(steps=steps))
    (trial,) = desk.graded()["cases"][0]["trials"]
    assert desk.check(trial, "limits.tokens")["passed"] is False


def test_long_answers_are_graded_whole_and_cut_only_on_the_screen(desk: "Desk") -> None:
    """BL-62."""
    answer = "x" * 200_000
    desk.cases(desk.case("greet", "done"))
    desk.record(
        *(desk.recording(answer=f"{answer} done") for _ in range(10)),
        *(desk.recording(answer=answer) for _ in range(10)),
    )
    ran = desk.grade("-v")
    card = desk.read("out.json")["scorecard"]
    assert (card["passed"], card["failed"]) == (10, 10)
    assert len(ran.out) < 10_000
    assert (desk.folder / "out.json").stat().st_size < 100_000
    lines = (desk.runs()[0] / "trials.jsonl").read_bytes().splitlines()
    assert all(len(line) > 200_000 for line in lines)


LONG = """
def agent(task):
    return "x" * 200_000 + str(task.trial) + " done"
"""


def peak_of(desk: "Desk", trials: int) -> int:
    """Run that many trials and give the most memory that was held for them."""
    tracemalloc.start()
    try:
        ran = desk.run("run", "-k", str(trials), "--agent", "long_agent:agent", "-q", "cases.json")
        assert ran.code == 0, ran.err
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_the_memory_of_a_run_does_not_grow_with_its_trials(desk: "Desk") -> None:
    """BL-62."""
    desk.cases()
    desk.write("long_agent.py", LONG)
    peak_of(desk, 2)  # loads what a run loads
    few, many = peak_of(desk, 20), peak_of(desk, 200)
    assert many < few + 4_000_000  # 200 answers are 40 MB
    lines = (desk.runs()[-1] / "trials.jsonl").read_bytes().splitlines()
    assert (len(lines), min(map(len, lines)) > 200_000) == (200, True)
