"""Worlds, fixtures, faults and scripts that do not fit, and what an agent does against them."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

BANK = """
import httpx2
import fairtrial as ft

class Bank(ft.World):
    accounts: dict[str, float]
    sent: list[dict] = []

    @ft.tool
    def send(self, to: str, amount: float) -> str:
        self.sent.append({"to": to, "amount": amount})
        return "sent"

def agent(task):
    return "done"

def loop(task):
    messages = list(task.messages)
    while True:
        body = {"model": "m", "messages": messages, "tools": task.tools.openai}
        reply = httpx2.post(f"{task.model.base_url}/chat/completions", json=body, trust_env=False)
        reply.raise_for_status()
        message = reply.json()["choices"][0]["message"]
        messages.append(message)
        if not message.get("tool_calls"):
            return messages
        for call in message["tool_calls"]:
            said = task.tools.reply(call["function"]["name"], call["function"]["arguments"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": said})
"""
WORLD = 'world = "agent:Bank"\n'
FIXTURES = {"accounts": {"a": 1}}


def looped(bench: "Bench", *script: Json, by: str = "default", **fields: Json) -> Json:
    """Run a case with a script through the loop, and give its one trial."""
    case = bench.desk.case(script={by: list(script)}, fixtures=FIXTURES, **fields)
    bench.suite(BANK, case, settings=WORLD)
    ran = bench.run("--agent", "agent:loop", "--json", "out.json")
    assert "Traceback" not in ran.err + ran.out
    (trial,) = bench.desk.read("out.json")["cases"][0]["trials"]
    return trial


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"fixtures": {"accounts": {"a": "much"}}}, "fixtures.accounts.a: "),
        ({"fixtures": {"acounts": {}}}, "fixtures.acounts: "),
        ({"fixtures": {"accounts": []}}, "fixtures.accounts: "),
        ({"fixtures": FIXTURES, "faults": {"sned": [{"error": "x"}]}}, "faults.sned: "),
    ],
)
def test_what_does_not_fit_the_world_is_told_before_anything_runs(
    bench: "Bench", fields: dict[str, Json], words: str
) -> None:
    bench.suite(BANK, bench.desk.case(**fields), bench.desk.case("b", **fields), settings=WORLD)
    ran = bench.run()
    assert (ran.code, ran.out) == (2, "")
    assert "cases.json:1" in ran.err
    assert words in ran.err
    assert bench.desk.runs() == []


def test_a_misspelt_tool_or_field_is_answered_with_the_right_one(bench: "Bench") -> None:
    faults = {"sned": [{"error": "x"}]}
    case = bench.desk.case(fixtures={"acounts": {}, "accounts": {}}, faults=faults)
    bench.suite(BANK, case, settings=WORLD)
    err = bench.run().err
    assert "did you mean accounts?" in err
    assert "did you mean send?" in err


def test_a_script_is_played_and_the_world_changed(bench: "Bench") -> None:
    call = {"call": {"send": {"to": "b", "amount": 4}}}
    expect = {"state": {"sent": [{"to": "b", "amount": 4}]}}
    trial = looped(bench, call, {"say": "done"}, expect=expect)
    assert (trial["verdict"], trial["model"], trial["tools"]) == ("passed", "scripted", ["send"])


def test_a_script_for_other_variants_alone_is_not_measured_and_says_so(bench: "Bench") -> None:
    trial = looped(bench, {"say": "done"}, by="terse")
    assert trial["verdict"] == "error"
    assert "cases.json:1" in trial["error"]
    assert "terse" in trial["error"]


def test_a_script_that_runs_out_is_not_measured_and_says_so(bench: "Bench") -> None:
    trial = looped(bench, {"call": {"send": {"to": "b", "amount": 4}}})
    assert trial["verdict"] == "error"
    assert "the script of case greet has 1 step and the agent asked for another" in trial["error"]


def test_a_script_that_calls_a_tool_that_is_not_there_shows_in_the_trial(bench: "Bench") -> None:
    trial = looped(bench, {"call": {"sned": {"to": "b"}}}, {"say": "done"})
    assert (trial["verdict"], trial["tools"], trial["tool_errors"]) == ("passed", ["sned"], 1)


def test_a_script_without_a_case_for_it_is_one_trial_not_the_run(bench: "Bench") -> None:
    scripted = bench.desk.case("a", script=[{"say": "done"}], fixtures=FIXTURES)
    bench.suite(BANK, scripted, bench.desk.case("b", fixtures=FIXTURES), settings=WORLD)
    report = bench.report("--agent", "agent:loop", code=3)
    assert [case["status"] for case in report["cases"]] == ["passed", "error"]
    (trial,) = report["cases"][1]["trials"]
    assert "case b has no script (cases.json:1)" in trial["error"]


AT_IMPORT = """
import os
import httpx2

BASE = os.environ["OPENAI_BASE_URL"]

def agent(task):
    body = {"model": "m", "messages": list(task.messages)}
    reply = httpx2.post(f"{BASE}/chat/completions", json=body, trust_env=False)
    reply.raise_for_status()
    return reply.json()["choices"][0]["message"]["content"]
"""


def test_a_client_made_at_import_is_refused_with_the_way_out(bench: "Bench") -> None:
    bench.suite(AT_IMPORT, bench.desk.case(script=[{"say": "done"}]))
    ran = bench.run("--json", "out.json", "-k", "2")
    said = " ".join(ran.out.split())
    assert ran.code == 3, ran.out
    assert "2 model requests came from no trial and were refused" in said
    assert 'pass base_url=task.model.base_url, or set isolation = "process"' in said
    assert bench.report("--isolation", "process", "-k", "2")["scorecard"]["passed"] == 2


BROKEN = (
    BANK
    + """
class Broken(Bank):
    @ft.tool
    def look(self) -> int:
        return 1 // 0

def looks(task):
    task.tools.reply("look", "{}")
    return "done"
"""
)


def test_the_worlds_own_fault_is_not_the_agents_and_the_others_go_on(bench: "Bench") -> None:
    bench.suite(BROKEN, *(bench.desk.case(name, fixtures=FIXTURES) for name in "ab"))
    trials = bench.trials("--world", "agent:Broken", "--agent", "agent:looks", code=3)
    assert [trial["verdict"] for trial in trials] == ["error", "error"]
    assert all("ZeroDivisionError" in trial["error"] for trial in trials)
