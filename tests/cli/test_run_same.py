"""The same cases come out the same by every kind of agent, and by every way of running them."""

import json
from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

SHOP = """
import fairtrial as ft

class Shop(ft.World):
    orders: dict[str, float]
    refunds: list[dict] = []

    @ft.tool
    def get_order(self, order: str) -> float:
        if order not in self.orders:
            raise ft.ToolError(f"There is no order {order}.")
        return self.orders[order]

    @ft.tool
    def refund(self, order: str, amount: float) -> str:
        number = self.new_id("R-")
        self.refunds.append({
            "order": order, "amount": amount, "number": number,
            "at": self.clock.now().isoformat(), "luck": self.random.random(),
        })
        return number
"""

PYTHON = """
import json, os, urllib.request

def ask(base, key, messages, tools):
    body = json.dumps({"model": "m", "messages": messages, "tools": tools}).encode()
    headers = {"content-type": "application/json", "authorization": f"Bearer {key}"}
    request = urllib.request.Request(f"{base}/chat/completions", body, headers)
    try:
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)["choices"][0]["message"]
    except urllib.error.HTTPError as error:
        with error:
            raise RuntimeError(error.read()) from None

def loop(messages, model, tools, call):
    while True:
        message = model(messages, tools)
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for one in message["tool_calls"]:
            said = call(one["function"]["name"], one["function"]["arguments"])
            messages.append({"role": "tool", "tool_call_id": one["id"], "content": said})

def agent(task):
    def model(messages, tools):
        return ask(task.model.base_url, task.model.api_key, messages, tools)
    return loop(list(task.messages), model, task.tools.openai, task.tools.reply)

async def aagent(task):
    import asyncio
    return await asyncio.to_thread(agent, task)

class Agent:
    def __call__(self, task):
        return agent(task)
instance = Agent()

def main():
    import sys
    task = json.load(sys.stdin)
    tools = os.environ["FAIRTRIAL_TOOLS_URL"]
    def call(name, arguments):
        request = urllib.request.Request(
            f"{tools}/{name}", arguments.encode(), {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request) as reply:
                return reply.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.read().decode()
    def model(messages, tools):
        return ask(os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"], messages, tools)
    print(loop(list(task["messages"]), model, [], call))

if __name__ == "__main__":
    main()
"""

KINDS = {
    "function": ('"agent:agent"', []),
    "coroutine": ('"agent:aagent"', []),
    "object": ('"agent:instance"', []),
    "command": ('{ command = ["python", "agent.py"] }', []),
    "process": ('"agent:agent"', ["--isolation", "process"]),
    "async process": ('"agent:aagent"', ["--isolation", "process"]),
    "loop": ('{ loop = { system = "Be brief." } }', []),
}


def case(name: str, order: str, *script: Json, **expect: Json) -> Json:
    return {
        "id": name,
        "input": f"Refund {order}.",
        "fixtures": {"orders": {"A": 40, "B": 10}},
        "limits": {"steps": 3},
        "expect": expect,
        "script": list(script),
    }


LOOK = {"call": {"get_order": {"order": "A"}}}
PAY = {"call": {"refund": {"order": "A", "amount": 40}}}
CASES = [
    case("pays", "A", LOOK, PAY, {"say": "Paid 40."}, tools={"plan": ["get_order", "refund"]},
         state={"refunds": {"length": 1}}, answer={"numbers": [40]}),
    case("pays unlooked", "A", PAY, {"say": "Paid 40."}, tools={"plan": ["get_order", "refund"]}),
    case("none there", "X", {"call": {"get_order": {"order": "X"}}}, {"say": "No such order."},
         tools={"required": [{"name": "get_order", "ok": False}]}, unchanged=True),
    case("no such tool", "A", {"call": {"pay": {}}}, {"say": "Sorry."}, unchanged=True),
    case("malformed", "A", {"call": {"get_order": {"order": 7}}}, {"say": "Sorry."},
         answer={"contains": ["sorry"]}, tools={"required": [{"name": "get_order", "ok": False}]}),
    case("together", "A", {"call": [LOOK["call"], PAY["call"]]}, {"say": "Paid 40."},
         tools={"required": ["get_order", "refund"]}),
    case("too long", "A", *[LOOK] * 5, {"say": "Done."}, answer={"contains": ["done"]}),
    case("runs out", "A", LOOK, answer={"contains": ["done"]}),
]  # fmt: skip
VERDICTS = {
    "pays": "passed", "pays unlooked": "failed", "none there": "passed", "no such tool": "passed",
    "malformed": "passed", "together": "passed", "too long": "failed", "runs out": "error",
}  # fmt: skip


def shop(bench: "Bench", agent: str = '"agent:agent"', *cases: Json) -> None:
    bench.suite(PYTHON, *(cases or CASES))
    bench.desk.write("shop.py", SHOP)
    settings = f'cases = ["cases.json"]\nworld = "shop:Shop"\nagent = {agent}\n'
    bench.desk.write("fairtrial.toml", settings)


def facts(bench: "Bench") -> dict[tuple[str, int], Json]:
    """Give what must not depend on how a run was run, by trial."""
    found = {}
    for row in bench.saved():
        trajectory = row["trajectory"]
        calls = [call for step in trajectory.get("steps") or [] for call in step.get("calls") or []]
        done = [[call["name"], call.get("result"), call.get("error")] for call in calls]
        found[row["case"], row["trial"]] = [
            row["verdict"], row["tools"], row["tool_errors"], row["steps"], row["stop"],
            trajectory.get("answer"), trajectory["state"], done,
        ]  # fmt: skip
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_agent_has_the_same_verdicts(bench: "Bench", kind: str) -> None:
    agent, options = KINDS[kind]
    shop(bench, agent)
    report = bench.report(*options, code=3)
    assert report["run"]["mode"] == "scripted"
    verdicts = {case["id"]: case["trials"][0]["verdict"] for case in report["cases"]}
    assert verdicts == VERDICTS


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "function"])
def test_every_kind_of_agent_leaves_the_same_trials(bench: "Bench", kind: str) -> None:
    found = []
    for agent, options in (KINDS["function"], KINDS[kind]):
        shop(bench, agent)
        bench.run(*options)
        found.append({key: row for key, row in facts(bench).items() if key[0] != "runs out"})
    assert json.dumps(found[0], skipkeys=True) == json.dumps(found[1], skipkeys=True)
    assert found[0] == found[1]


def test_the_number_at_once_the_order_and_the_filter_change_no_trial(bench: "Bench") -> None:
    shop(bench)
    bench.run("-k", "6", "--concurrency", "1")
    alone = facts(bench)
    assert len(alone) == 48
    luck = {json.dumps(row[6]) for (name, _), row in alone.items() if name == "pays"}
    assert len(luck) == 6, "each trial has chance of its own"
    bench.run("-k", "6", "--concurrency", "50")
    assert facts(bench) == alone
    shop(bench, '"agent:agent"', *CASES[::-1])
    bench.run("-k", "3", "--concurrency", "5", "pays*", "together")
    some = facts(bench)
    assert some == {key: alone[key] for key in some}
    assert len(some) == 9
    bench.run("-k", "1", "pays", "--seed", "1")
    assert facts(bench) != {key: alone[key] for key in facts(bench)}


def test_the_order_of_what_is_shown_and_written_is_that_of_the_files(bench: "Bench") -> None:
    shop(bench)
    seen = []
    for at_once in ("1", "50"):
        report = bench.report("-k", "4", "--concurrency", at_once, code=3)
        for case in report["cases"]:
            for trial in case["trials"]:
                trial.pop("seconds", None)
        seen.append((report["scorecard"], report["cases"]))
    assert [[one["trial"] for one in case["trials"]] for case in seen[0][1]] == [[0, 1, 2, 3]] * 8
    assert seen[0][1] == seen[1][1]
    assert {k: v for k, v in seen[0][0].items() if "seconds" not in k} == {
        k: v for k, v in seen[1][0].items() if "seconds" not in k
    }
