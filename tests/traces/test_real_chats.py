"""Real chat logs that nobody here wrote; skipped where the data is not at hand."""

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairtrial.records import Trajectory
from fairtrial.traces import read_openai_chat

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("FAIRTRIAL_DATA") or ROOT.parent / "shared" / "data")
CHATS = DATA / "trace_formats" / "openai_chat"
AIRLINE = DATA / "tau_airline"

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the public data sets are not here (set FAIRTRIAL_DATA)"
)


@pytest.fixture(scope="module")
def airline() -> list[Trajectory]:
    found = list(read_openai_chat(AIRLINE / "trajectories.jsonl.gz"))
    assert [i.refusal for i in found if i.refusal] == []
    return [i.trajectory for i in found if i.trajectory is not None]


@pytest.fixture(scope="module")
def matrix() -> dict[tuple[str, int], Any]:
    lines = (AIRLINE / "matrix.jsonl").read_text().splitlines()
    return {(row["task"], row["trial"]): row for row in map(json.loads, lines)}


def test_all_airline_trials_come_in(
    airline: list[Trajectory], matrix: dict[tuple[str, int], Any]
) -> None:
    assert len(airline) == 84
    assert {(told.case, told.trial) for told in airline} == set(matrix)
    assert sum(len(told.steps or ()) for told in airline) == 568 + 428
    calls = [call for told in airline for step in told.steps or () for call in step.calls]
    assert len(calls) == 428
    assert all(isinstance(call.arguments, dict) for call in calls)


def test_every_airline_call_has_the_result_that_follows_it(airline: list[Trajectory]) -> None:
    calls = [call for told in airline for step in told.steps or () for call in step.calls]
    assert all(call.result is not msgspec.UNSET for call in calls)
    assert all(call.error is None for call in calls)
    asked = [call for call in calls if call.name == "get_reservation_details"]
    found = [call for call in asked if isinstance(call.result, dict)]
    assert found
    for call in found:
        assert isinstance(call.arguments, dict)
        assert isinstance(call.result, dict)
        assert call.result["reservation_id"] == call.arguments["reservation_id"]


def test_an_airline_run_stopped_with_an_answer_exactly_if_it_ended(
    airline: list[Trajectory], matrix: dict[tuple[str, int], Any]
) -> None:
    stopped = {(told.case, told.trial): told.stop == "answer" for told in airline}
    assert stopped == {key: row["ended"] for key, row in matrix.items()}


def manifest() -> list[Any]:
    file = DATA / "trace_formats" / "manifest.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    return [row for row in rows if row["format"] == "openai_chat"]


@pytest.mark.parametrize("row", manifest(), ids=lambda row: Path(row["file"]).stem[-40:])
def test_each_chat_file_holds_the_calls_that_its_manifest_lists(row: Any) -> None:
    (found,) = read_openai_chat(CHATS.parent / row["file"])
    assert found.trajectory is not None
    calls = [call for step in found.trajectory.steps or () for call in step.calls]
    wanted = [call for call in row["calls"] if call["name"]]  # phantoms are dropped
    assert [(c.name, c.arguments, c.id) for c in calls] == [
        (c["name"], json.loads(c["args"]), c["id"]) for c in wanted
    ]
    assert [c.result is not msgspec.UNSET for c in calls] == [c["has_result"] for c in wanted]
    assert len(wanted) == len(row["calls"]) or any("left out" in note for note in found.notes)
