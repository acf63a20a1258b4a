"""Labels on file: appended, replaced in their place, whole whatever happens."""

import json
from pathlib import Path

import pytest

from fairtrial.errors import ProblemsError, StoreError
from fairtrial.records import Label
from fairtrial.store import LabelFile


def label(
    case: str = "c",
    said: str = "pass",
    labeller: str = "ana",
    item: str = "",
    transcript: str | None = None,
) -> Label:
    return Label(case=case, label=said, labeller=labeller, item=item, transcript=transcript)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evals" / "labels.jsonl"


def told(path: Path) -> list[tuple[str, str]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(row["case"], row["label"]) for row in rows]


def test_labels_are_appended_and_read_again(path: Path) -> None:
    for case in "abc":
        LabelFile(path).keep(label(case))
    assert [one.case for one in LabelFile(path)] == ["a", "b", "c"]
    assert path.read_bytes().count(b"\n") == 3


def test_a_later_label_of_the_same_person_stands_in_the_place_of_the_earlier(path: Path) -> None:
    file = LabelFile(path)
    for case in "abc":
        file.keep(label(case))
    file.keep(label("b", "fail"))
    assert told(path) == [("a", "pass"), ("b", "fail"), ("c", "pass")]
    assert [one.label for one in file] == ["pass", "fail", "pass"]


def test_other_people_other_transcripts_and_other_items_stand_beside(path: Path) -> None:
    file = LabelFile(path)
    file.keep_all([label(), label(labeller="bo"), label(transcript="t2"), label(item="x")])
    file.keep(label(said="fail", transcript="t2"))
    assert [said for _, said in told(path)] == ["pass", "pass", "fail", "pass"]


def test_what_somebody_added_meanwhile_stays_and_keeps_its_spelling(path: Path) -> None:
    file = LabelFile(path)
    file.keep(label())
    by_hand = '{"case": "z",   "label": "pass", "mine": 1}\n'
    with path.open("a", encoding="utf-8") as other:
        other.write(by_hand)
    file.keep(label(said="fail"))
    assert path.read_text(encoding="utf-8").endswith(by_hand)


@pytest.mark.parametrize("cut", [5, 30])
def test_a_line_that_was_cut_short_is_gone_with_the_next_label(path: Path, cut: int) -> None:
    LabelFile(path).keep_all([label("a"), label("b")])
    path.write_bytes(path.read_bytes()[:-cut])
    file = LabelFile(path)
    assert [one.case for one in file] == ["a"]
    file.keep(label("c"))
    assert told(path) == [("a", "pass"), ("c", "pass")]


def test_a_last_line_without_an_end_is_kept(path: Path) -> None:
    LabelFile(path).keep(label("a"))
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    LabelFile(path).keep(label("b"))
    assert told(path) == [("a", "pass"), ("b", "pass")]


def test_lines_that_are_no_labels_are_named_and_nothing_is_written(path: Path) -> None:
    path.parent.mkdir()
    text = '\ufeff{"case": "a", "label": "pass"}\nnonsense\n\n{"case": 1, "label": "pass"}\n'
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsError) as error:
        LabelFile(path)
    assert [one.partition(": ")[0] for one in error.value.problems] == [f"{path}:2", f"{path}:4"]
    assert path.read_text(encoding="utf-8") == text


def test_a_packed_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    packed = tmp_path / "labels.jsonl.gz"
    packed.write_bytes(b"\x1f\x8b")
    with pytest.raises(StoreError, match="unpack it first"):
        LabelFile(packed)
    with pytest.raises(StoreError, match="cannot be read"):
        LabelFile(tmp_path)


def test_what_cannot_be_written_is_said_and_not_counted(tmp_path: Path) -> None:
    (tmp_path / "evals").write_text("a file")
    file = LabelFile(tmp_path / "labels.jsonl")
    file.path = tmp_path / "evals" / "labels.jsonl"
    with pytest.raises(StoreError, match="cannot be written"):
        file.keep(label())
    assert [*file] == []
