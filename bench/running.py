"""Suites whose agent is run, and not its recordings graded: overhead a trial, waiting, HTTP.

    python bench/running.py FOLDER [--cases 100]

writes a suite: cases.jsonl, fairtrial.toml, and an agent that returns messages (agent.py) or asks
the scripted model three times over HTTP (caller.py).
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import msgspec
from workload import case_of

HERE = Path(__file__).resolve().parent

AGENT = f"""
import sys

sys.path.insert(0, {str(HERE)!r})
from errand import run_errand


async def agent(task):
    return await run_errand(task.input)
"""

CALLER = """
import http.client
import json
from urllib.parse import urlsplit

FUNCTION = {"name": "find_parcel", "parameters": {"type": "object", "properties": {}}}
TOOLS = [{"type": "function", "function": FUNCTION}]


def agent(task):
    place = urlsplit(task.model.base_url)
    connection = http.client.HTTPConnection(place.hostname, place.port)
    messages = list(task.messages)
    while True:
        body = json.dumps({"model": "scripted", "messages": messages, "tools": TOOLS})
        connection.request("POST", place.path + "/chat/completions", body)
        message = json.loads(connection.getresponse().read())["choices"][0]["message"]
        messages.append(message)
        if not message.get("tool_calls"):
            connection.close()
            return messages
        for call in message["tool_calls"]:
            reply = {"role": "tool", "tool_call_id": call["id"], "content": "ok"}
            messages.append(reply)
"""

SETTINGS = """
cases = ["cases.jsonl"]
agent = "{agent}:agent"
"""


def script_of(number: int) -> list[dict[str, Any]]:
    """Give the three completions that a case's model makes over HTTP."""
    return [
        {"call": {"find_parcel": {"parcel": f"P-{number}"}}},
        {"call": {"find_parcel": {"parcel": f"P-{number}", "detail": 1}}},
        {"say": "The pickup is booked."},
    ]


def write(folder: Path, *, cases: int, agent: str = "agent") -> Path:
    """Write a suite into a folder and give the file of its settings."""
    folder.mkdir(parents=True, exist_ok=True)
    encode = msgspec.json.Encoder().encode
    with (folder / "cases.jsonl").open("wb") as out:
        for number in range(cases):
            case = case_of(number)
            if agent == "caller":
                case["expect"] = {"answer": {"contains": ["booked"]}}
                case["script"] = script_of(number)
            out.write(encode(case) + b"\n")
    (folder / "agent.py").write_text(AGENT, encoding="utf-8")
    (folder / "caller.py").write_text(CALLER, encoding="utf-8")
    settings = folder / "fairtrial.toml"
    settings.write_text(SETTINGS.format(agent=agent), encoding="utf-8")
    return settings


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--agent", choices=("agent", "caller"), default="agent")
    given = parser.parse_args()
    sys.stdout.write(f"{write(given.folder, cases=given.cases, agent=given.agent)}\n")


if __name__ == "__main__":
    main()
