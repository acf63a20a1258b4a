"""fairtrial judge compare and probe, from the command line."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk

JUDGE = """
import json
import re
from pathlib import Path

def judge(prompt):
    with Path("asked").open("a") as file:
        file.write("x")
    marker = re.search(r"hold the word (\\w+)", prompt)[1]
    answers = re.findall(r"== the agent's answer ==\\n(.*?)\\n" + marker, prompt, re.DOTALL)
    said = {"marker": marker, "reason": "It is so.", "evidence": "== request =="}
    if len(answers) == 2:
        said["better"] = "TIE" if len(answers[0]) == len(answers[1]) else (
            "FIRST" if len(answers[0]) > len(answers[1]) else "SECOND")
    else:
        said["verdict"] = "PASS" if "done" in answers[0] else "FAIL"
    return json.dumps(said)
"""


@pytest.fixture
def runs(desk: "Desk") -> "Desk":
    """Give a desk with a judge and the reports of three runs."""
    desk.write("fairtrial.toml", 'cases = ["cases.json"]\n[judge]\nfunction = "mine:judge"\n')
    desk.write("mine.py", JUDGE)
    desk.cases(desk.case("greet"), desk.case("leave"))
    for name, answer in {"a": "done", "b": "all done", "c": "it is all done"}.items():
        desk.record(desk.recording("greet", answer), desk.recording("leave", f"{answer}!"))
        assert desk.grade("--judge", "off", out=f"{name}.json").code == 0
    return desk


def asked(desk: "Desk") -> int:
    file = desk.folder / "asked"
    return len(file.read_text()) if file.exists() else 0


def test_ties_that_nobody_was_asked_about_measure_nothing_beside_what_is_missing(
    runs: "Desk",
) -> None:
    runs.record(runs.recording("greet", "done"), runs.recording("leave", "well done!"))
    assert runs.grade("--judge", "off", out="half.json").code == 0
    ran = runs.run("judge", "compare", "a.json", "half.json")
    assert (ran.code, "1 identical, 1 without a verdict" in ran.out) == (3, True)
    assert runs.run("judge", "compare", "a.json", "half.json", "--judge", "live").code == 0


def one(probes: Json, name: str) -> Json:
    return next(probe for probe in probes["probes"] if probe["name"] == name)


def test_nothing_is_asked_without_judge_live_and_what_is_missing_is_said(runs: "Desk") -> None:
    for words in (("compare", "a.json", "b.json"), ("probe", "a.json")):
        ran = runs.run("judge", *words, "--json", "out.json")
        assert ran.code == 3, ran.err
        assert "not on file" in ran.out
        assert "--judge live" in ran.out
    assert asked(runs) == 0
    assert {probe["rate"] for probe in runs.read("out.json")["probes"]} == {None}


def test_a_dry_run_counts_the_calls_and_exits_0(runs: "Desk") -> None:
    ran = runs.run("judge", "compare", "a.json", "b.json", "--judge", "dry")
    assert (ran.code, asked(runs)) == (0, 0)
    assert "would ask    4 calls" in ran.out
    ran = runs.run("judge", "probe", "a.json", "--judge", "dry", "--sample", "1")
    assert (ran.code, asked(runs)) == (0, 0)
    assert "would ask" in ran.out


def test_two_runs_are_compared_once_for_money_and_then_from_file(runs: "Desk") -> None:
    ran = runs.run("judge", "compare", "a.json", "b.json", "--judge", "live", "--json", "out.json")
    assert ran.code == 0, ran.err
    assert "asking mine:judge: 4 calls" in ran.err
    assert asked(runs) == 4
    told = runs.read("out.json")
    (pair,) = told["pairs"]
    assert (pair["wins_b"], pair["flips"], pair["judged"]) == (2, 0, 2)
    assert pair["pairs"][0]["a_first"] == "SECOND"
    assert (told["format"], told["use"]["calls"]) == (1, 4)
    again = runs.run("judge", "compare", "a.json", "b.json", "--json", "again.json")
    assert (again.code, asked(runs)) == (0, 4)
    assert runs.read("again.json")["pairs"] == told["pairs"]


def test_three_runs_and_a_question_of_ones_own(runs: "Desk") -> None:
    ran = runs.run("judge", "compare", "a.json", "b.json", "c.json", "--judge", "live",
                   "--question", "Which is longer?", "--json", "out.json", "-v")  # fmt: skip
    assert ran.code == 0, ran.err
    told = runs.read("out.json")
    assert (len(told["pairs"]), told["question"]) == (3, "Which is longer?")
    assert told["strengths"] == []
    assert "no finite strengths" in told["no_strengths"]


def test_a_judge_is_probed_and_the_record_holds_every_probe(runs: "Desk") -> None:
    ran = runs.run("judge", "probe", "a.json", "--judge", "live", "--json", "out.json")
    assert ran.code == 0, ran.err
    told = runs.read("out.json")
    assert (told["sampled"], told["use"]["calls"]) == (2, asked(runs))
    assert (one(told, "tone")["flips"], one(told, "empty")["flips"]) == (0, 0)
    assert one(told, "stranger")["not_measured"] == (
        "not measured: no answer of another case is unlike enough"
    )
    assert "--labels" in one(told, "own family")["not_measured"]
    assert "probed on 2 trials" in ran.out


def test_labels_belong_to_runs_in_their_order(runs: "Desk") -> None:
    runs.write("l.jsonl", '{"case": "greet", "label": "pass"}\n')
    ran = runs.run("judge", "probe", "a.json", "--labels", "l.jsonl", "--judge", "dry")
    assert ran.code == 0, ran.err
    ran = runs.run("judge", "probe", "a.json", "--labels", "l.jsonl", "--labels", "l.jsonl")
    assert (ran.code, "2 files for 1 of the runs" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("compare", "a.json"), "two runs or more"),
        (("compare", "a.json", "a.json"), "named twice"),
        (("compare", "a.json", "none"), "no run 'none'"),
        (("compare", "a.json", "b.json", "--question", " "), "--question"),
        (("compare", "a.json", "b.json", "--judge", "off"), "without a judge"),
        (("compare", "a.json", "b.json", "--json", "a.json"), "is read here"),
        (("compare", "a.json", "b.json", "--cases", "other.json"), "none of its cases"),
        (("probe",), "RUN"),
        (("probe", "a.json", "--sample", "0"), "--sample"),
    ],
)
def test_what_does_not_fit_together_exits_2_and_asks_nothing(
    runs: "Desk", words: tuple[str, ...], why: str
) -> None:
    runs.cases(runs.case("elsewhere"), name="other.json")
    ran = runs.run("judge", *words)
    assert (ran.code, asked(runs)) == (2, 0)
    assert why in " ".join(ran.err.split())


def test_without_a_judge_it_is_said_how_to_set_one_up(runs: "Desk") -> None:
    runs.write("fairtrial.toml", 'cases = ["cases.json"]\n')
    ran = runs.run("judge", "compare", "a.json", "b.json")
    assert (ran.code, "[judge]" in ran.err) == (2, True)


def test_a_judge_that_is_down_leaves_everything_unjudged_and_exits_3(runs: "Desk") -> None:
    runs.write("mine.py", "def judge(prompt):\n    raise OSError('down')\n")
    ran = runs.run("judge", "compare", "a.json", "b.json", "--judge", "live", "--json", "o.json")
    assert ran.code == 3, ran.err
    (pair,) = runs.read("o.json")["pairs"]
    assert (pair["unjudged"], pair["rate_a"], pair["place"]) == (2, None, None)
    assert "down" in ran.out
