"""fairtrial import through its door."""

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk

TALK = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "All done."}]


def chats(desk: "Desk", *names: str, name: str = "chats.jsonl") -> None:
    """Write one conversation a line."""
    desk.record(*({"case": one, "messages": TALK} for one in names), name=name)


@pytest.mark.parametrize("flags", [[], ["--from", "openai-chat"]])
def test_what_is_imported_can_be_graded(desk: "Desk", flags: list[str]) -> None:
    desk.cases()
    chats(desk, "greet", "greet")
    ran = desk.run("import", "chats.jsonl", "--out", "runs.jsonl", *flags)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "runs.jsonl: 2 trajectories from openai-chat\n"
    assert desk.grade().code == 0
    assert desk.read("out.json")["run"]["mode"] == "live"


def test_what_is_refused_is_named_and_the_rest_written(desk: "Desk") -> None:
    talk = json.dumps({"case": "greet", "messages": TALK})
    desk.record(talk, "{broken", talk, name="chats.jsonl")
    ran = desk.run("import", "chats.jsonl", "--out", "runs.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("chats.jsonl:2: not JSON")
    assert "the other 2 were written" in ran.err
    assert len((desk.folder / "runs.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_several_files_become_one_and_fields_may_be_named(desk: "Desk") -> None:
    for name in ("a", "b"):
        desk.record({"test": name, "n": 4, "messages": TALK}, name=f"{name}.jsonl")
    flags = ["--case-field", "test", "--trial-field", "n"]
    ran = desk.run("import", "a.jsonl", "b.jsonl", "--out", "runs.jsonl", *flags)
    assert ran.code == 0
    rows = (desk.folder / "runs.jsonl").read_text(encoding="utf-8").splitlines()
    assert [(json.loads(row)["case"], json.loads(row)["trial"]) for row in rows] == [
        ("a", 4),
        ("b", 4),
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "x.jsonl"], "Missing argument 'FILE...'"),
        (["chats.jsonl"], "Missing option '--out'"),
        (["chats.jsonl", "--out", "x.jsonl", "--from", "nope"], "is not 'openai-chat'"),
        (["none.jsonl", "--out", "x.jsonl"], "none.jsonl: cannot be read: No such file"),
        (["empty.jsonl", "--out", "x.jsonl"], "empty.jsonl: empty file"),
        ([".", "--out", "x.jsonl"], ".: cannot be read: Is a directory"),
        (["chats.jsonl", "--out", "."], "a folder; wanted a file"),
        (["chats.jsonl", "--out", "chats.jsonl"], "would be lost"),
        (["chats.jsonl", "--out", "-"], "/dev/stdout is standard output"),
    ],
)
def test_a_mistake_is_said_in_words_and_nothing_is_written(
    desk: "Desk", arguments: list[str], words: str
) -> None:
    chats(desk, "greet")
    desk.write("empty.jsonl", "")
    before = (desk.folder / "chats.jsonl").read_bytes()
    ran = desk.run("import", *arguments)
    assert (ran.code, ran.out, words in ran.err) == (2, "", True)
    assert (desk.folder / "chats.jsonl").read_bytes() == before
    assert not (desk.folder / "x.jsonl").exists()
