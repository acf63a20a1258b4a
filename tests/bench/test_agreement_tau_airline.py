"""Recorded airline runs: every verdict is the recorded reward, and pass^k the published one."""

import gzip
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

AGREEMENT = Path(__file__).parents[2] / "bench" / "agreement"


def module(name: str) -> Any:
    """Import a script of bench/agreement, which stands in no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(AGREEMENT)
        return importlib.import_module(name)


@pytest.fixture(scope="module")
def script() -> Any:
    return module("tau_airline")


@pytest.fixture(scope="module")
def found(script: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    data = module("datasets").find_data("tau_airline")
    if data is None:
        pytest.skip("the tau_airline data is not here (set FAIRTRIAL_DATA)")
    result: dict[str, Any] = script.agreement(data, tmp_path_factory.mktemp("airline"))
    return result


def test_every_verdict_is_the_recorded_reward(found: dict[str, Any]) -> None:
    assert (found["agree"], found["trials"], found["differ"]) == (84, 84, [])


def test_a_run_that_reached_the_right_state_and_never_ended_has_failed(
    found: dict[str, Any],
) -> None:
    assert found["failed for not ending alone"] == ["airline-46-t3"]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("pass^k", {"1": 0.511905, "2": 0.365079, "3": 0.309524, "4": 0.285714}),
        ("pass@k", {"1": 0.511905, "2": 0.65873, "3": 0.75, "4": 0.809524}),
    ],
)
def test_the_curve_is_the_known_one(
    found: dict[str, Any], name: str, values: dict[str, float]
) -> None:
    assert {k: round(value, 6) for k, value in found[name].items()} == values


def test_results_that_begin_with_error_count_as_tool_errors(found: dict[str, Any]) -> None:
    assert found["tool_errors"] == 26


def test_what_one_trial_touched_is_laid_over_what_all_touched(script: Any, tmp_path: Path) -> None:
    def end(trial: int, before: Any, after: Any) -> dict[str, Any]:
        return {
            "id": f"a-1-t{trial}",
            "before": {"users": before},
            "expected_after": {"users": {"u": {"paid": 1}}},
            "actual_after": {"users": after},
        }

    ends = [
        end(0, {"u": {"paid": 0}}, {"u": {"paid": 1}}),
        end(1, {"u": {"paid": 0}, "v": {"paid": 5}}, {"v": {"paid": 6}}),
    ]
    with gzip.open(tmp_path / "final_state.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in ends)
    worlds = script.Worlds(tmp_path)
    assert worlds.start("a-1") == {"users": {"u": {"paid": 0}, "v": {"paid": 5}}}
    assert worlds.wanted("a-1") == {"users": {"u": {"paid": 1}, "v": {"paid": 5}}}
    assert worlds.end("a-1-t1") == {"users": {"u": {"paid": 0}, "v": {"paid": 6}}}


@pytest.mark.parametrize("name", ["tau_airline", "bfcl", "match_cases"])
def test_without_the_data_a_script_says_where_to_name_it(tmp_path: Path, name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(AGREEMENT / f"{name}.py")],
        env={**os.environ, "FAIRTRIAL_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "FAIRTRIAL_DATA" in done.stderr
    assert "Traceback" not in done.stderr
