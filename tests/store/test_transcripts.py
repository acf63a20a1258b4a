"""Single transcripts of a saved run."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.errors import StoreError
from fairtrial.records import Case, RunInfo, Trajectory, Trial
from fairtrial.store import RunWriter, Transcripts

MakeTrial = Callable[..., Trial]


@pytest.fixture
def folder(info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path) -> Path:
    with RunWriter.start(info, cases, folder=runs / info.id) as writer:
        writer.add(make_trial("a", 1), b'{"case":"a","answer":"one","initial_state":{"n":1}}')
        writer.add(make_trial("b", 0, "error"))
        writer.add(make_trial("a", 0), b'{"case":"a","answer":"zero"}')
        writer.add(make_trial("a", 1), '{"case":"a","answer":"again é"}'.encode())
    return runs / info.id


def test_a_trial_is_found_and_of_two_with_one_number_the_later(folder: Path) -> None:
    assert Transcripts(folder, {"a": 0}).read("a") == Trajectory(case="a", trial=0, answer="zero")
    found = Transcripts(folder, {"a": 1, "b": 0}).read("a")
    assert found == Trajectory(case="a", trial=1, answer="again é")


def test_what_is_not_there_is_none(folder: Path, runs: Path) -> None:
    found = Transcripts(folder, {"a": 7, "b": 0})
    assert (found.read("a"), found.read("b"), found.read("c")) == (None, None, None)
    assert Transcripts(runs / "gone", {"a": 0}).read("a") is None


def test_a_line_that_is_no_trial_is_named(folder: Path) -> None:
    file = folder / "trials.jsonl"
    whole = file.read_bytes()
    file.write_bytes(b"{}\n" + whole)
    with pytest.raises(StoreError, match=r"trials\.jsonl:1: "):
        Transcripts(folder, {"a": 0})


def test_a_trajectory_that_is_none_is_named(folder: Path) -> None:
    file = folder / "trials.jsonl"
    file.write_bytes(file.read_bytes().replace(b'"zero"', b"[1111]"))
    found = Transcripts(folder, {"a": 0})
    with pytest.raises(StoreError, match=r"trials\.jsonl:3: "):
        found.read("a")


def test_a_file_that_goes_away_is_an_error(folder: Path) -> None:
    found = Transcripts(folder, {"a": 0})
    (folder / "trials.jsonl").unlink()
    with pytest.raises(StoreError, match="cannot be read"):
        found.read("a")
