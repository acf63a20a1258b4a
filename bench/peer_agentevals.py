"""Grade the same recordings with agentevals, run by the Python of its own environment.

    python peer_agentevals.py CASES RECORDINGS

Its superset match covers the required tools and their arguments. It has nothing for the order of
tools, forbidden tools, phrases and step limits, so those are the floor's plain questions.
"""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def tool_call(identifier: str, name: str, arguments: object) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": identifier, "type": "function", "function": function}


def messages_of(recording: dict[str, Any]) -> list[dict[str, Any]]:
    """Turn a recording into the chat messages that agentevals reads."""
    messages: list[dict[str, Any]] = []
    for step in recording["steps"]:
        calls = step.get("calls") or []
        message: dict[str, Any] = {"role": "assistant", "content": step["text"] or ""}
        if calls:
            message["tool_calls"] = [
                tool_call(call["id"], call["name"], call["arguments"]) for call in calls
            ]
        messages.append(message)
        messages += [
            {"role": "tool", "tool_call_id": call["id"], "content": json.dumps(call["result"])}
            for call in calls
        ]
    return messages


def reference_of(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the calls that a case requires, as the message that agentevals compares with."""
    wanted = case["expect"]["tools"]["required"]
    calls = [tool_call(f"r{at}", one["name"], one["args"]) for at, one in enumerate(wanted)]
    return [{"role": "assistant", "content": "", "tool_calls": calls}]


def plain_questions(case: dict[str, Any], recording: dict[str, Any]) -> bool:
    tools = case["expect"]["tools"]
    names = [call["name"] for step in recording["steps"] for call in step.get("calls") or []]
    later, said = iter(names), recording["answer"].lower()
    return (
        all(name in later for name in tools["plan"])
        and not any(name in names for name in tools["forbidden"])
        and all(
            any(one in said for one in any_of) for any_of in case["expect"]["answer"]["contains"]
        )
        and len(recording["steps"]) <= case["limits"]["steps"]
    )


def main(case_file: str, recording_file: str) -> None:
    # Not an import statement, because this environment does not have it.
    match = import_module("agentevals.trajectory.match").create_trajectory_match_evaluator(
        trajectory_match_mode="superset", tool_args_match_mode="exact"
    )
    with Path(case_file).open(encoding="utf-8") as lines:
        cases = {case["id"]: case for case in map(json.loads, lines)}
    trials = passed = 0
    with Path(recording_file).open(encoding="utf-8") as lines:
        for recording in map(json.loads, lines):
            case = cases[recording["case"]]
            outputs, reference = messages_of(recording), reference_of(case)
            matched = match(outputs=outputs, reference_outputs=reference)["score"]
            trials += 1
            passed += bool(matched) and plain_questions(case, recording)
    print(json.dumps({"trials": trials, "passed": passed}))


if __name__ == "__main__":
    main(*sys.argv[1:])
