"""The benchmark runs, on very little work and without looking at the clock."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.records import Trajectory

BENCH = Path(__file__).parents[2] / "bench"


def run(script: str, *arguments: object) -> str:
    command = [sys.executable, str(BENCH / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def workload(folder: Path) -> list[bytes]:
    run("workload.py", folder, "--cases", 10, "--trials", 5)
    return (folder / "recordings.jsonl").read_bytes().splitlines()


def test_the_work_is_recordings_of_the_usual_size(tmp_path: Path) -> None:
    lines = workload(tmp_path)
    trials = [msgspec.json.decode(line, type=Trajectory) for line in lines]
    assert len({(trial.case, trial.trial) for trial in trials}) == 50
    assert {len(trial.steps or ()) for trial in trials} == {3, 4, 5}
    assert 4200 <= sum(map(len, lines)) / 50 <= 4400


def test_the_same_numbers_give_the_same_work(tmp_path: Path) -> None:
    assert workload(tmp_path / "one") == workload(tmp_path / "two")


def test_the_floor_finds_a_fifth_of_the_recordings_wrong(tmp_path: Path) -> None:
    workload(tmp_path)
    files = (tmp_path / "cases.jsonl", tmp_path / "recordings.jsonl", tmp_path / "out.jsonl")
    assert json.loads(run("floor.py", *files)) == {"trials": 50, "passed": 40}


def test_a_round_of_everything_agrees_with_the_floor(tmp_path: Path) -> None:
    kept = tmp_path / "rows.jsonl"
    small = ("--rounds", 1, "--cases", 10, "--trials", 2, "--json", kept, "--folder", tmp_path)
    out = run("run.py", *small)
    rows: list[dict[str, Any]] = [json.loads(line) for line in kept.read_text().splitlines()]
    graded = [row for row in rows if row["bench"] == "grade 10 x 2"]
    assert {row["tool"]: row["passed"] for row in graded} == {
        "floor": 16,
        "fairtrial": 16,
        "fairtrial --no-save": 16,
    }
    ran = [row for row in rows if row["bench"] == "run 10 x 2"]
    assert {row["tool"]: row["passed"] for row in ran} == {"floor": 16, "fairtrial": 16}
    assert out.count("| yes |") == 5
    idle = next(row for row in rows if row["bench"] == "import" and row["tool"] == "floor")
    assert idle["rss"] < 16e6, "the memory of a job is its own, not that of the bench"
