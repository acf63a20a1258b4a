"""The gate as shipped, on a few simulated builds: it is rarely wrong, and sees what is broken."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "bench" / "gate_sim.py"


def simulated(out: Path, *options: object) -> dict[str, Any]:
    command = [sys.executable, str(SCRIPT), "--json", str(out), *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told: dict[str, Any] = json.loads(out.read_text())
    return told


def rows(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["scenario"]: row for row in told["scenarios"]}


@pytest.mark.parametrize("suite", ["A", "B"])
def test_unchanged_builds_are_rarely_stopped(suite: str, tmp_path: Path) -> None:
    options = ("--suite", suite, "--cases", 60, "--builds", 150, "--seed", 5)
    told = simulated(tmp_path / "out.json", *options, "--only", "nothing")
    # 5 % of 150 are 7.5; nobody meets 15 or more of a rate of 5 % in 100 seeds.
    assert rows(told)["nothing changed"]["block_rate"] < 0.1
    assert told["false_alarms"]["interval"][0] <= 0.05


def test_what_is_broken_is_seen_and_named(tmp_path: Path) -> None:
    options = ("--suite", "A", "--cases", 60, "--builds", 25, "--seed", 5)
    told = rows(simulated(tmp_path / "out.json", *options, "--only", "broken", "--only", "5 cases"))
    broken = told["3 cases fully broken"]
    assert broken["block_rate"] == 1.0
    assert broken["named_rate"] > 0.9
    assert told["5 cases down 50 points"]["block_rate"] > 0.9
    assert broken["extra_trials"]["mean"] < 60 * 100 / 4


def test_the_same_seed_gives_the_same_figures(tmp_path: Path) -> None:
    options = ("--suite", "B", "--cases", 30, "--builds", 5, "--seed", 7)
    one, two = (simulated(tmp_path / name, *options) for name in ("one", "two"))
    assert one == two
    assert len(one["scenarios"]) == 13
    assert (one["suite"], one["cases"], one["builds"], one["seed"]) == ("B", 30, 5, 7)


def test_a_suites_own_baseline_gives_the_rates(tmp_path: Path) -> None:
    case = {"protected": False, "passed": 4, "measured": 5}
    baseline = {"cases": {"a": case | {"protected": True}, "b": case, "c": case | {"measured": 0}}}
    (tmp_path / "baseline.json").write_text(json.dumps(baseline))
    options = ("--history", tmp_path / "baseline.json", "--builds", 3, "--only", "nothing")
    told = simulated(tmp_path / "out.json", *options)
    assert (told["cases"], told["protected"]) == (2, 1)


def test_numbers_that_make_no_sense_are_refused() -> None:
    command = [sys.executable, str(SCRIPT), "--builds", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "from 1 up" in done.stderr) == (2, True)


def test_an_adaptive_run_names_more_and_is_stopped_as_rarely(tmp_path: Path) -> None:
    options = ("--suite", "A", "--cases", 60, "--builds", 40, "--seed", 5, "--only", "10 cases")
    plain = rows(simulated(tmp_path / "plain.json", *options))["10 cases down 30 points"]
    told = rows(simulated(tmp_path / "out.json", *options, "--adaptive", "--only", "nothing"))
    adaptive = told["10 cases down 30 points"]
    assert plain["further_trials"] == 0
    assert 0 < told["nothing changed"]["further_trials"] < 300
    assert adaptive["named_rate"] > plain["named_rate"]
    assert told["nothing changed"]["block_interval"][0] <= 0.05
