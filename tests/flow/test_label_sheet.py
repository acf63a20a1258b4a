"""Questions in a file: written without answers, read back with what is wrong in every line."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.cases import load_suite
from fairtrial.errors import ProblemsError
from fairtrial.flow.label import open_labelling
from fairtrial.flow.label_sheet import read_sheet, write_sheet
from fairtrial.records import Json
from fairtrial.store import find_run
from tests.flow.test_label import ITEM, judge, lines, options, suite

if TYPE_CHECKING:
    from tests.conftest import Desk


def sheet(desk: "Desk", **more: Json) -> tuple[Path, list[Json]]:
    """Write the questions of a run of three cases, and give them."""
    run, cases = suite(desk, 3)
    out = desk.folder / "sheet.jsonl"
    written = write_sheet(out, open_labelling(run, cases, options(desk, **more)))
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert written == len(rows)
    return out, rows


def fill(out: Path, rows: list[Json]) -> None:
    out.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def taken(desk: "Desk", out: Path) -> int:
    cases = load_suite([desk.folder / "cases.json"]).cases
    return read_sheet(out, find_run("latest", desk.folder), cases, options(desk))


def test_a_question_has_all_that_it_takes_and_nothing_of_a_judge(desk: "Desk") -> None:
    run, cases = suite(desk, 3)
    judge(run, {"c1"})
    out = desk.folder / "sheet.jsonl"
    write_sheet(out, open_labelling(run, cases, options(desk)))
    text = out.read_text(encoding="utf-8")
    assert "judge" not in text
    assert "stratum" not in text
    row = next(row for row in map(json.loads, text.splitlines()) if row["item"] == "care: tone")
    assert (row["question"], row["scale"], row["label"]) == ("tone: 1 rude, 5 warm", "score", "")
    assert "user: Hello?" in row["text"]


def test_answers_are_taken_over_and_open_ones_stay_open(desk: "Desk") -> None:
    out, rows = sheet(desk, item="sorry")
    said: list[Json] = ["pass", "Cannot tell", ""]
    for row, answer in zip(rows, said, strict=True):
        row["label"] = answer
    rows[0] |= {"note": "twice", "labeller": "bo"}
    fill(out, rows)
    assert taken(desk, out) == 2
    told = lines(desk)
    assert [(line["label"], line["labeller"], line.get("note")) for line in told] == [
        ("pass", "bo", "twice"),
        (None, "ana", None),
    ]
    assert all(line["weight"] == 1.0 and line["stratum"].startswith("plain") for line in told)


def test_what_is_answered_is_not_written_again(desk: "Desk") -> None:
    out, rows = sheet(desk)
    rows[0]["label"] = "fail" if rows[0]["item"] == ITEM else 5
    fill(out, rows)
    taken(desk, out)
    _, again = sheet(desk)
    assert len(again) == len(rows) - 1


def test_answers_outside_the_sample_count_too(desk: "Desk") -> None:
    out, rows = sheet(desk, item="sorry")
    other = {"case": rows[0]["case"], "item": "care: tone", "label": "4.0"}
    fill(out, [other])
    assert taken(desk, out) == 1
    assert lines(desk)[0]["label"] == 4
    assert "weight" not in lines(desk)[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"label": "maybe"}, "label: got 'maybe'; accepted are pass, fail or cannot tell"),
        ({"label": 3}, "label: got 3; accepted are pass, fail or cannot tell"),
        ({"item": "care: tone", "label": 9}, "accepted are a whole number from 1 to 5"),
        ({"item": "care: tone", "label": "pass"}, "accepted are a whole number from 1 to 5"),
        ({"case": "zz", "label": "pass"}, "no question of this run: item 'Says sorry' of trial 0"),
        ({"label": "pass", "transcript": "beef"}, "transcript: the trial is another one"),
        ({"label": "pass", "weight": 0}, "weight: got 0; leave it as the export wrote it"),
        ({"label": []}, "label: "),
    ],
)
def test_every_mistake_is_named_with_its_line_and_nothing_is_taken(
    desk: "Desk", change: dict[str, Json], said: str
) -> None:
    out, rows = sheet(desk, item="sorry")
    fill(out, [rows[0] | {"label": "pass"}, rows[1] | change, rows[2] | {"label": "perhaps"}])
    with pytest.raises(ProblemsError) as error:
        taken(desk, out)
    by_line = {
        text.removeprefix(f"{out}:").partition(":")[0]: text for text in error.value.problems
    }
    assert set(by_line) == {"2", "3"}
    assert said in by_line["2"]
    assert not (desk.folder / "evals" / "labels.jsonl").exists()


def test_two_answers_of_one_person_are_refused(desk: "Desk") -> None:
    out, rows = sheet(desk, item="sorry")
    fill(out, [rows[0] | {"label": "pass"}, rows[0] | {"label": "fail"}])
    with pytest.raises(ProblemsError, match=r":2: label: ana answers this question twice"):
        taken(desk, out)
