"""Grade recorded tau-bench airline runs, and compare every verdict with the recorded reward.

The data is not part of this project: name its folder (tasks.jsonl, trajectories.jsonl.gz,
final_state.jsonl.gz, matrix.jsonl) in FAIRTRIAL_DATA. Each task becomes a case whose expected final
state is the one that the task's own actions lead to, whose required calls are those actions
(informing: there is more than one right path), and whose required outputs are looked for in all
that the agent said, by a grader of our own.

    FAIRTRIAL_DATA=... python bench/agreement/tau_airline.py
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from datasets import data_folder, fairtrial, rows, write_rows

GRADER = '''"""Required outputs: said anywhere in the talk, case and commas apart."""

import fairtrial as ft


@ft.grader
def outputs(case, trajectory, state):
    wanted = (case.context or {}).get("outputs", [])
    said = " ".join(step.text or "" for step in trajectory.steps or ()).lower().replace(",", "")
    missing = [text for text in wanted if text.lower().replace(",", "") not in said]
    reason = f"never said: {', '.join(missing)}" if missing else "all said"
    return ft.yes_no("outputs", not missing, reason)
'''


Tables = dict[str, dict[str, Any]]


class Worlds:
    """The part of the world that any trial of a task touched: at the start, wanted, and at the end.

    The data cuts out what one trial touched; laid over each other, the cuts of a task's trials give
    one start that all of them share.
    """

    def __init__(self, data: Path) -> None:
        self._start: dict[str, Tables] = {}
        self._wanted: dict[str, Tables] = {}
        self._ends: dict[str, Tables] = {}
        for row in rows(data / "final_state.jsonl.gz"):
            task = row["id"].rpartition("-")[0]
            _lay(row["before"], self._start.setdefault(task, {}))
            _lay(row["expected_after"], self._wanted.setdefault(task, {}))
            self._ends[row["id"]] = row["actual_after"]

    def start(self, task: str) -> Tables:
        return self._start[task]

    def wanted(self, task: str) -> Tables:
        return _laid(self._start[task], self._wanted[task])

    def end(self, trial: str) -> Tables:
        return _laid(self._start[trial.rpartition("-")[0]], self._ends[trial])


def _lay(tables: Tables, over: Tables) -> None:
    for name, table in tables.items():
        over.setdefault(name, {}).update(table)


def _laid(under: Tables, over: Tables) -> Tables:
    names = {**under, **over}
    return {name: {**under.get(name, {}), **over.get(name, {})} for name in names}


def cases(data: Path, worlds: Worlds) -> Iterator[dict[str, Any]]:
    """Give one case a task."""
    for task in rows(data / "tasks.jsonl"):
        start, wanted = worlds.start(task["task"]), worlds.wanted(task["task"])
        expect: dict[str, Any] = {"unchanged": True}
        if wanted != start:
            expect = {"state": {name: {"equals": table} for name, table in wanted.items()}}
        if task["golden_actions"]:
            expect["tools"] = {
                "required": [
                    {"name": action["name"], "args": {"exactly": _names(action["kwargs"])}}
                    for action in task["golden_actions"]
                ]
            }
        yield {
            "id": task["task"],
            "input": task["instruction"],
            "context": {"outputs": task["required_outputs"]},
            "fixtures": start,
            "expect": expect,
            "informs": ["tools"] if task["golden_actions"] else ["tools.repeats"],
        }


def _names(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: {"equals": value} for name, value in arguments.items()}


def chats(data: Path, worlds: Worlds) -> Iterator[dict[str, Any]]:
    """Give one chat a trial, with the state it ended in and whether it ended at all."""
    ended = {row["id"]: row["ended"] for row in rows(data / "matrix.jsonl")}
    for row in rows(data / "trajectories.jsonl.gz"):
        yield {
            "case": row["task"],
            "trial": row["trial"],
            "messages": row["messages"],
            "state": worlds.end(row["id"]),
            "stop": "answer" if ended[row["id"]] else "steps",
        }


def agreement(data: Path, folder: Path) -> dict[str, Any]:
    """Grade everything in `folder` and compare; gives verdicts, disagreements and pass^k."""
    worlds = Worlds(data)
    write_rows(folder / "cases.jsonl", cases(data, worlds))
    write_rows(folder / "chats.jsonl", chats(data, worlds))
    (folder / "said.py").write_text(GRADER)
    (folder / "fairtrial.toml").write_text(
        'cases = ["cases.jsonl"]\ngraders = ["said:outputs"]\ntool_error = {matches = "^Error"}\n'
    )
    fairtrial("import", "chats.jsonl", "--from", "openai-chat", "--out", "runs.jsonl", cwd=folder)
    fairtrial("grade", "--recordings", "runs.jsonl", "--json", "out.json", cwd=folder, codes=(0, 1))
    report = json.loads((folder / "out.json").read_text())
    rewards = {
        (row["task"], row["trial"]): row["reward"] == 1 for row in rows(data / "matrix.jsonl")
    }
    trials = {
        (case["id"], trial["trial"]): trial for case in report["cases"] for trial in case["trials"]
    }
    verdicts = {key: trial["verdict"] for key, trial in trials.items()}
    unfinished = [key for key, trial in trials.items() if _failing(trial) == ["finished"]]
    differ = [key for key, passed in rewards.items() if (verdicts[key] == "passed") != passed]
    return {
        "trials": len(verdicts),
        "agree": len(verdicts) - len(differ),
        "differ": [f"{task}-t{trial}" for task, trial in differ],
        "failed for not ending alone": [f"{task}-t{trial}" for task, trial in unfinished],
        "pass^k": {k: point["pass^k"] for k, point in report["scorecard"]["curve"].items()},
        "pass@k": {k: point["pass@k"] for k, point in report["scorecard"]["curve"].items()},
        "tool_errors": report["scorecard"]["tool_errors"],
    }


def _failing(trial: dict[str, Any]) -> list[str]:
    """Name the checks that made a trial fail."""
    return [
        check["name"] for check in trial["checks"] if check["decides"] and check["passed"] is False
    ]


def main() -> int:
    """Print the agreement; exit 1 if a verdict differs."""
    data = data_folder("tau_airline")
    with tempfile.TemporaryDirectory() as folder:
        found = agreement(data, Path(folder))
    print(f"verdicts equal to the recorded reward: {found['agree']} of {found['trials']}")
    print(f"different: {', '.join(found['differ']) or 'none'}")
    alone = found["failed for not ending alone"]
    print(f"failed only because the run never ended: {', '.join(alone) or 'none'}")
    for name in ("pass^k", "pass@k"):
        print(name, "  ".join(f"k={k}: {value:.6f}" for k, value in found[name].items()))
    return 1 if found["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
