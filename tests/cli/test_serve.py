"""fairtrial serve: one case's world and model, for an agent that somebody starts by hand."""

import json
import os
import shlex
import signal
import subprocess
from typing import TYPE_CHECKING

import httpx2
import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

WORLD = """
import fairtrial as ft

class Bank(ft.World):
    accounts: dict[str, float]
    sent: list[dict] = []

    @ft.tool
    def send(self, to: str, amount: float) -> str:
        self.sent.append({"to": to, "amount": amount})
        return "sent"
"""
SCRIPT: Json = [{"call": {"send": {"to": "b", "amount": 4}}}, {"say": "All done."}]
EXPECT: Json = {
    "answer": {"contains": ["done"]}, "state": {"sent": [{"to": "b", "amount": 4}]},
    "tools": {"plan": ["send"]},
}  # fmt: skip


def served(bench: "Bench", *options: str) -> "tuple[subprocess.Popen[str], dict[str, str]]":
    """Start `serve` on a case and give the variables that it prints."""
    case = bench.desk.case("pay", expect=EXPECT, script=SCRIPT, fixtures={"accounts": {"a": 1}})
    bench.desk.cases(case, bench.desk.case("other"))
    bench.desk.write("world.py", WORLD)
    bench.desk.write("fairtrial.toml", 'cases = ["cases.json"]\nworld = "world:Bank"\n')
    process = bench.start("serve", "pay", *options)
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first.startswith("# serving pay; start the agent with these"), first
    variables = {}
    while "FAIRTRIAL_SEED" not in variables:
        export, _, said = process.stdout.readline().strip().partition(" ")
        assert export == "export"
        name, _, value = shlex.split(said)[0].partition("=")
        variables[name] = value
    return process, variables


def act(variables: dict[str, str]) -> str:
    """Do what an agent would: ask the model, call the tool, ask again."""
    messages: list[Json] = [{"role": "user", "content": "Hello?"}]
    with httpx2.Client(trust_env=False) as client:
        while True:
            body = {"model": "m", "messages": messages}
            headers = {"authorization": f"Bearer {variables['OPENAI_API_KEY']}"}
            url = f"{variables['OPENAI_BASE_URL']}/chat/completions"
            message = client.post(url, json=body, headers=headers).json()["choices"][0]["message"]
            messages.append(message)
            if not message.get("tool_calls"):
                return str(message["content"])
            for call in message["tool_calls"]:
                function = call["function"]
                url = f"{variables['FAIRTRIAL_TOOLS_URL']}/{function['name']}"
                said = client.post(url, content=function["arguments"]).text
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": said})


def ended(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Press Ctrl-C and give the exit code and what was printed."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    return process.returncode, out, err


def test_an_agent_started_by_hand_is_graded_on_ctrl_c(bench: "Bench") -> None:
    process, variables = served(bench)
    assert act(variables) == "All done."
    code, out, err = ended(process)
    assert (code, err) == (0, "")
    assert "cases: 1 passed" in out


def test_its_recording_is_graded_the_same(bench: "Bench") -> None:
    process, variables = served(bench, "--out", "runs.jsonl")
    act(variables)
    assert ended(process)[0] == 0
    (line,) = bench.lines("runs.jsonl")
    recording = bench.desk.strict(line)
    assert (recording["case"], recording["answer"]) == ("pay", "All done.")
    ran = bench.desk.run("grade", "cases.json", "--recordings", "runs.jsonl", "--json", "out.json")
    assert ran.code == 3  # the other case was not recorded
    first, second = bench.desk.read("out.json")["cases"]
    assert (first["status"], second["status"]) == ("passed", "error")


def test_the_variables_are_a_shells_and_name_the_case(bench: "Bench") -> None:
    process, variables = served(bench)
    assert variables["FAIRTRIAL_CASE"] == "pay"
    assert variables["OPENAI_BASE_URL"].startswith("http://127.0.0.1:")
    assert variables["FAIRTRIAL_TOOLS_URL"].endswith("/tools")
    assert {"ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "FAIRTRIAL_TRIAL"} <= set(variables)
    ended(process)


def test_nothing_done_is_told_as_nothing_done(bench: "Bench") -> None:
    process, _ = served(bench, "--out", "runs.jsonl")
    code, out, err = ended(process)
    assert (code, err) == (0, "")
    assert "Traceback" not in out
    assert len(bench.lines("runs.jsonl")) == 1


def test_after_ctrl_c_the_address_is_gone(bench: "Bench") -> None:
    process, variables = served(bench)
    act(variables)
    ended(process)
    with pytest.raises(httpx2.ConnectError):
        act(variables)


def test_a_port_may_be_chosen_and_one_that_is_taken_is_told(bench: "Bench") -> None:
    process, variables = served(bench)
    port = variables["OPENAI_BASE_URL"].split(":")[2].partition("/")[0]
    done = bench.program("serve", "pay", "--port", port)
    assert (done.returncode, done.stdout) == (2, "")
    assert port in done.stderr
    assert "Traceback" not in done.stderr
    ended(process)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["pya"], "no case 'pya'; did you mean 'pay'?"),
        (["pay", "--variant", "x"], "no variant 'x'"),
        (["pay", "--world", "nowhere:W"], "importing nowhere failed"),
        (["pay", "--port", "70000"], "70000 is not in the range"),
        (["pay", "--out", "cases.json"], "would be lost"),
        ([], "Missing argument 'CASE'"),
    ],
)
def test_what_cannot_be_served_is_told(bench: "Bench", options: list[str], words: str) -> None:
    bench.desk.cases(bench.desk.case("pay"))
    bench.desk.write("fairtrial.toml", 'cases = ["cases.json"]\n')
    ran = bench.desk.run("serve", *options)
    assert (ran.code, ran.out, words in ran.err) == (2, "", True), ran.err


def test_keys_of_the_environment_are_neither_printed_nor_recorded(
    bench: "Bench", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-TEST-0123456789")
    process, variables = served(bench, "--out", "runs.jsonl")
    assert variables["OPENAI_API_KEY"] != "sk-TEST-0123456789"
    url = f"{variables['FAIRTRIAL_TOOLS_URL']}/send"
    secret = json.dumps({"to": os.environ["OPENAI_API_KEY"], "amount": 4})
    httpx2.post(url, content=secret, trust_env=False)
    code, out, err = ended(process)
    assert code == 0
    assert "sk-TEST-0123456789" not in out + err + "".join(bench.lines("runs.jsonl"))


def test_a_terminal_that_is_closed_ends_it_with_its_recording(bench: "Bench") -> None:
    process, variables = served(bench, "--out", "runs.jsonl")
    act(variables)
    process.terminate()
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")
    assert "cases: 1 passed" in out
    assert len(bench.lines("runs.jsonl")) == 1
