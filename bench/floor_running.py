"""The least that running trials can cost: run errands, ask five questions, write a line.

    python bench/floor_running.py CASES TRIALS AT_ONCE

prints one JSON line: how many trials there were, and in how many all five answers were yes.
"""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from errand import run_errand
from workload import case_of

_ENCODE = msgspec.json.Encoder().encode


def answers(case: dict[str, Any], messages: list[dict[str, Any]]) -> list[bool]:
    """Ask the five questions of a case, with Python's own equality and without frills."""
    tools, limits = case["expect"]["tools"], case["limits"]
    calls = [call["function"] for said in messages for call in said.get("tool_calls") or ()]
    names = [call["name"] for call in calls]
    (wanted,) = tools["required"]
    told = [
        msgspec.json.decode(call["arguments"]) for call in calls if call["name"] == wanted["name"]
    ]
    later, said = iter(names), messages[-1]["content"].lower()
    return [
        all(name in later for name in tools["plan"]),
        not any(name in names for name in tools["forbidden"]),
        any(wanted["args"].items() <= arguments.items() for arguments in told),
        any(phrase in said for phrase in case["expect"]["answer"]["contains"][0]),
        sum(said["role"] == "assistant" for said in messages) <= limits["steps"],
    ]


async def work(errands: Iterator[tuple[dict[str, Any], int]], out: BinaryIO) -> list[bool]:
    """Run errands until there are none left; give for each whether it passed."""
    passed = []
    for case, trial in errands:
        messages = await run_errand(case["input"])
        checks = answers(case, messages)
        row = {"case": case["id"], "trial": trial, "messages": messages, "checks": checks}
        out.write(_ENCODE(row) + b"\n")
        passed.append(all(checks))
    return passed


async def run_all(cases: int, trials: int, at_once: int, out: BinaryIO) -> list[bool]:
    """Run every trial of every case, `at_once` at a time."""
    suite = [case_of(number) for number in range(cases)]
    errands = ((case, trial) for trial in range(trials) for case in suite)
    done = await asyncio.gather(*(work(errands, out) for _ in range(at_once)))
    return [passed for worker in done for passed in worker]


def main(cases: str, trials: str, at_once: str) -> None:
    with Path("floor.jsonl").open("wb") as out:
        passed = asyncio.run(run_all(int(cases), int(trials), int(at_once), out))
    sys.stdout.buffer.write(_ENCODE({"trials": len(passed), "passed": sum(passed)}) + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
