"""The story of import, without the command line."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.errors import ImportFormatError, ProblemsError, StoreError
from fairtrial.flow.imports import import_traces
from fairtrial.store import Recording, read_recordings

if TYPE_CHECKING:
    from tests.conftest import Desk

TALK = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "done"}]


def test_what_is_written_reads_back_in_the_order_of_the_files(desk: "Desk") -> None:
    files = [
        desk.record({"case": name, "messages": TALK}, name=f"{name}.jsonl") for name in ("b", "a")
    ]
    imported = import_traces(files, desk.folder / "sub" / "out.jsonl")
    assert (imported.total, imported.notes) == (2, ())
    read = list(read_recordings(desk.folder / "sub" / "out.jsonl"))
    assert [one.trajectory.case for one in read if isinstance(one, Recording)] == ["b", "a"]


def test_only_the_first_refusals_are_named_and_all_counted(desk: "Desk") -> None:
    rows = ["{"] * 60
    file = desk.record({"case": "a", "messages": TALK}, *rows, name="chats.jsonl")
    with pytest.raises(ProblemsError) as refused:
        import_traces([file], desk.folder / "out.jsonl")
    problems = refused.value.problems
    assert len(problems) == 52
    assert problems[50] == "and 10 more"
    assert problems[51].endswith("out.jsonl: the other one was written")


def test_a_file_of_another_kind_leaves_what_was_there(desk: "Desk") -> None:
    out = desk.write("out.jsonl", "precious")
    good = desk.record({"case": "a", "messages": TALK}, name="good.jsonl")
    with pytest.raises(ImportFormatError):
        import_traces([good, desk.write("bad.jsonl", "")], out)
    assert out.read_text(encoding="utf-8") == "precious"
    assert {file.name for file in desk.folder.iterdir()} == {"out.jsonl", "good.jsonl", "bad.jsonl"}


def test_a_place_that_cannot_be_written_is_said(desk: "Desk") -> None:
    good = desk.record({"case": "a", "messages": TALK}, name="good.jsonl")
    with pytest.raises(StoreError, match="cannot be written"):
        import_traces([good], good / "out.jsonl")
