"""Parts of one run, as one run."""

from pathlib import Path

import msgspec
import pytest

from fairtrial.errors import StoreError
from fairtrial.flow.course import RunOptions
from fairtrial.flow.graded import GradedRun
from fairtrial.flow.joining import join_parts
from fairtrial.models import Prices
from fairtrial.records import Case, RunInfo, Source, Trajectory, Trial
from fairtrial.store import RunWriter, find_run, run_folder

CASES = tuple(Case(id=name, hash="0", source=Source("a.yaml", 1)) for name in "abc")


def trial(name: str, number: int = 0) -> Trial:
    return Trial(
        case=name, trial=number, verdict="passed", stop="answer", error=None, steps=1, tokens=None,
        cost=None, seconds=None, tool_errors=0, tools=(), failed_calls=(), checks=(),
        model="scripted",
    )  # fmt: skip


def part(root: Path, name: str, *trials: Trial) -> Path:
    folder = root / ".fairtrial" / "parts" / name
    info = RunInfo(id=name, folder=str(folder), mode="none", variant="v", selection=None)
    planned = {case.id: 2 for case in CASES[:2]}
    with RunWriter.start(info, CASES[:2], folder=folder, planned=planned) as writer:
        for one in trials:
            state = {"rows": list(range(200))}
            told = Trajectory(case=one.case, answer="x", initial_state=state)
            writer.add(one, msgspec.json.encode(told))
    return folder


def joined(root: Path, *parts: Path, told: tuple[str, ...] = ()) -> GradedRun | None:
    options = RunOptions(root=root, prices=Prices())
    place = "whole", run_folder(root, "whole")
    return join_parts(parts, CASES, options, place=place, secrets=(), told=told)


def test_parts_of_which_none_has_an_end_are_one_run(tmp_path: Path) -> None:
    first = part(tmp_path, "gw0", trial("a"), trial("b", 1))
    second = part(tmp_path, "gw1", trial("a", 1))
    with (first / "trials.jsonl").open("ab") as file:
        file.write(b'{"case":"b","trial":0,"verd')  # cut off by the end of the process
    run = joined(tmp_path, first, second, told=("odd", "odd"))
    assert run is not None
    run.close()
    saved = find_run("whole", tmp_path)
    assert (saved.info.variant, saved.info.mode, saved.info.id) == ("v", "scripted", "whole")
    assert {one.id: len(one.trials) for one in saved.results()} == {"a": 2, "b": 1}
    assert [one.planned for one in saved.results()] == [2, 2]
    first_note, odd = saved.scorecard.notes[:2]
    assert first_note.startswith("1 trial of 4 planned were not run")
    assert odd == "odd"
    states = [msgspec.json.decode(bytes(one.trajectory or b"")) for one in saved.trials()]
    assert all(state["initial_state"] == {"rows": list(range(200))} for state in states)


def test_of_parts_without_a_trial_there_is_no_run(tmp_path: Path) -> None:
    assert joined(tmp_path) is None
    assert joined(tmp_path, part(tmp_path, "gw0")) is None
    assert not run_folder(tmp_path, "whole").exists()


def test_a_trial_that_comes_twice_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    twice = part(tmp_path, "gw0", trial("a")), part(tmp_path, "gw1", trial("a"))
    with pytest.raises(StoreError, match="trial 0 of 'a' is there twice"):
        joined(tmp_path, *twice)
    assert not run_folder(tmp_path, "whole").exists()
