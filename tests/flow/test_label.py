"""The story of labelling: what is drawn from a run, what was said before, and what is kept."""

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.cases import load_suite
from fairtrial.errors import ProblemsError, UsageError
from fairtrial.flow.label import Labelling, LabelOptions, labeller_of, open_labelling
from fairtrial.records import Case, Json, JudgeVerdict, Label
from fairtrial.store import SavedRun, find_run, write_lines

if TYPE_CHECKING:
    from tests.conftest import Desk

ITEM = "Says sorry"
CARE = {"criteria": [{"name": "tone", "description": "1 rude, 5 warm"}], "items": [ITEM]}


def suite(desk: "Desk", count: int = 12) -> tuple[SavedRun, tuple[Case, ...]]:
    """Grade a run of so many cases; every third answer is wrong."""
    expect = {"answer": {"contains": "fine"}, "rubric": "care"}
    cases = [desk.case(f"c{at}") | {"expect": expect} for at in range(count)]
    desk.write("cases.json", json.dumps({"rubrics": {"care": CARE}, "cases": cases}))
    answers = (("Bad" if at % 3 == 0 else "fine") + " so" * at for at in range(count))
    desk.record(*(desk.recording(f"c{at}", answer) for at, answer in enumerate(answers)))
    desk.graded()
    return find_run("latest", desk.folder), load_suite([desk.folder / "cases.json"]).cases


def options(desk: "Desk", labeller: str = "ana", **more: Json) -> LabelOptions:
    return LabelOptions(labels=desk.folder / "evals" / "labels.jsonl", labeller=labeller, **more)


def opened(desk: "Desk", count: int = 12, labeller: str = "ana", **more: Json) -> Labelling:
    return open_labelling(*suite(desk, count), options(desk, labeller, **more))


def lines(desk: "Desk") -> list[Json]:
    text = (desk.folder / "evals" / "labels.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_every_item_of_every_trial_may_be_asked_with_its_scale(desk: "Desk") -> None:
    labelling = opened(desk)
    assert len(labelling.questions) == 24
    assert {(one.place.item, one.question.scale) for one in labelling.questions} == {
        (ITEM, "verdict"),
        ("care: tone", "score"),
    }
    assert {one.weight for one in labelling.questions} == {1.0}


def test_what_is_kept_says_what_it_stands_for(desk: "Desk") -> None:
    labelling = opened(desk, size=4, item="sorry")
    assert len(labelling.questions) == 4
    labelling.keep(0, "pass", "thanks twice")
    (line,) = lines(desk)
    asked = labelling.questions[0]
    assert line == {
        "case": asked.place.case, "item": ITEM, "label": "pass", "labeller": "ana",
        "note": "thanks twice", "weight": asked.weight, "stratum": asked.stratum,
        "transcript": asked.transcript,
    }  # fmt: skip
    assert sorted({(one.stratum, one.weight) for one in labelling.questions}) == [
        ("plain, failed", 2.0),
        ("plain, passed", 4.0),
    ]


def test_what_one_person_said_is_not_asked_again_and_others_are_asked_it(desk: "Desk") -> None:
    run, cases = suite(desk)
    labelling = open_labelling(run, cases, options(desk))
    labelling.keep(0, "pass", None)
    labelling.keep(1, None, None)
    again = open_labelling(run, cases, options(desk))
    assert (again.done, again.open_after(-1)) == (2, 2)
    label = again.label_of(1)
    assert label is not None
    assert label.label is None
    other = open_labelling(run, cases, options(desk, "bo"))
    assert (other.done, other.open_after(-1), other.label_of(0)) == (0, 0, None)


def test_a_new_answer_stands_in_the_place_of_the_old_one(desk: "Desk") -> None:
    labelling = opened(desk)
    labelling.keep(0, "pass", None)
    labelling.keep(1, 3, None)
    labelling.keep(0, "fail", None)
    assert [line["label"] for line in lines(desk)] == ["fail", 3]


def test_the_same_trials_graded_again_are_not_asked_again(desk: "Desk") -> None:
    run, cases = suite(desk)
    open_labelling(run, cases, options(desk)).keep(0, "pass", None)
    assert desk.run("grade", "latest").code == 1
    again = find_run("latest", desk.folder)
    assert again.info.id != run.info.id
    assert open_labelling(again, cases, options(desk)).done == 1


def test_a_trial_that_went_otherwise_is_asked_anew(desk: "Desk") -> None:
    run, cases = suite(desk, 1)
    open_labelling(run, cases, options(desk)).keep(0, "pass", None)
    desk.record(desk.recording("c0", "fine, but other"))
    desk.graded()
    assert open_labelling(find_run("latest", desk.folder), cases, options(desk)).done == 0


def judge(run: SavedRun, fails: set[str]) -> None:
    assert run.folder is not None
    names = [result.id for result in run.results()]
    write_lines(
        run.folder / "verdicts.jsonl",
        [JudgeVerdict(case=name, item=ITEM, verdict=name not in fails) for name in names],
    )


def test_the_judges_fails_come_up_and_are_not_told(desk: "Desk") -> None:
    run, cases = suite(desk, 40)
    judge(run, {"c1", "c2", "c4"})
    labelling = open_labelling(run, cases, options(desk, size=6, item="sorry"))
    strata = [one.stratum for one in labelling.questions]
    assert sum("judge FAIL" in one for one in strata) == 3
    text = str([(one.question, one.parts) for one in labelling.questions])
    assert "judge" not in text
    assert "PASS" not in text


def test_a_larger_sample_weighs_what_was_labelled_before_anew(desk: "Desk") -> None:
    run, cases = suite(desk, 30)
    small = open_labelling(run, cases, options(desk, size=4, item="sorry"))
    for at in range(4):
        small.keep(at, "pass", None)
    larger = open_labelling(run, cases, options(desk, size=10, item="sorry"))
    assert larger.done == 4
    assert {line["weight"] for line in lines(desk)} == {2.0, 4.0}
    # A smaller one takes nothing back: what was drawn with a better chance stays so.
    open_labelling(run, cases, options(desk, "bo", size=4, item="sorry")).keep(0, "pass", None)
    assert {line["weight"] for line in lines(desk)} == {2.0, 4.0}


def test_weights_come_to_the_trials_of_the_run(desk: "Desk") -> None:
    labelling = opened(desk, 30, size=7, item="sorry")
    assert sum(one.weight for one in labelling.questions) == pytest.approx(30)


def test_trials_that_could_not_be_measured_are_not_asked_about(desk: "Desk") -> None:
    cases = [desk.case(name) | {"expect": {"rubric": [ITEM]}} for name in ("a", "b")]
    desk.cases(*cases)
    error = {"kind": "provider", "message": "503"}
    desk.record(desk.recording("a"), {"case": "b", "error": error})
    desk.graded()
    run = find_run("latest", desk.folder)
    labelling = open_labelling(run, load_suite([desk.folder / "cases.json"]).cases, options(desk))
    assert [one.place.case for one in labelling.questions] == ["a"]


def test_without_a_rubric_or_such_an_item_there_is_nothing_to_ask(desk: "Desk") -> None:
    run, cases = suite(desk, 2)
    with pytest.raises(UsageError, match=r"no item holds 'polite'; there are 'Says sorry', 'care"):
        open_labelling(run, cases, options(desk, item="polite"))
    with pytest.raises(UsageError, match="no case has a rubric"):
        open_labelling(run, (), options(desk))


def test_labels_that_cannot_be_read_are_named(desk: "Desk") -> None:
    run, cases = suite(desk, 2)
    desk.write("evals/labels.jsonl", '{"case": "c0"}\n')
    with pytest.raises(ProblemsError, match=r"labels.jsonl:1: `label` is missing"):
        open_labelling(run, cases, options(desk))


def test_labels_of_nobody_and_of_other_trials_are_left_alone(desk: "Desk") -> None:
    run, cases = suite(desk, 2)
    text = '{"case":  "c0", "label": "pass"}\n'
    desk.write("evals/labels.jsonl", text)
    assert open_labelling(run, cases, options(desk)).done == 0
    assert (desk.folder / "evals/labels.jsonl").read_text() == text
    assert Label(case="c0", label="pass").labeller == ""


def test_who_labels_is_said_or_known_to_git_or_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    assert labeller_of("ana\n", tmp_path, {"USER": "root"}) == "ana"
    assert labeller_of(None, tmp_path, {"USER": "root"}) == "root"
    with pytest.raises(UsageError, match="--labeller NAME"):
        labeller_of(None, tmp_path, {})
    with pytest.raises(UsageError, match="--labeller NAME"):
        labeller_of("  ", tmp_path, {})
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "config", "user.name", "Bo Öst"], check=True)
    assert labeller_of(None, tmp_path, {"USER": "root"}) == "Bo Öst"
    monkeypatch.setenv("PATH", "")
    assert labeller_of(None, tmp_path, {"USER": "root"}) == "root"
