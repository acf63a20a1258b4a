"""Hostile text from an agent, and secrets: what reaches the terminal and the disk."""

import os
import re
from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

HOSTILE = r"""
import fairtrial as ft

BAD = (
    "x\x1b[2J\x1b]0;owned\x07 \x9b31m \r\n::error::owned\n::set-output name=a::b\n"
    "##[error]owned \u202eevil \ud800 \x00 " + "word " * 40 + "::error file=x::owned " * 40
)

class Odd(Exception): ...

def agent(task):
    if task.case == "answers":
        return BAD
    if task.case == "raises":
        raise Odd(BAD)
    if task.case == "provider":
        raise ft.ProviderError(BAD)
    if task.case == "calls":
        task.tools.reply(BAD, BAD)
        task.tools.reply("look", '{"text": "\\u001b[2J", "more": 1}')
        return "no"
    return {
        "answer": BAD, "steps": [{"text": BAD, "calls": [{"name": BAD, "arguments": BAD,
        "error": BAD}]}], "state": {BAD: [BAD]}, "extra": {BAD: BAD}, "error": None,
    }

async def aagent(task):
    return agent(task)
"""
NAMES = ("answers", "raises", "provider", "calls", "tells")
TOOLS: Json = {"look": {"parameters": {"text": "str"}, "returns": "x"}}
COMMAND = re.compile(r"^\s*::\w[\w-]*( [^:]*)?::|##\[", re.MULTILINE)
"""What a build reads as a command to itself, at the start of a line."""

OURS = re.compile(r"^::stop-commands::([0-9a-f]{32})\n(.*?)^::\1::\n", re.MULTILINE | re.DOTALL)
"""What tells GitHub to listen to no command, and after the run to listen again."""


@pytest.mark.parametrize("ci", [{}, {"CI": "1", "GITHUB_ACTIONS": "true"}])
@pytest.mark.parametrize("options", [[], ["-v"], ["--isolation", "process"], ["--gate"]])
def test_nothing_that_an_agent_says_acts_on_a_terminal_or_a_build(
    bench: "Bench", monkeypatch: pytest.MonkeyPatch, options: list[str], ci: dict[str, str]
) -> None:
    for name, value in ci.items():
        monkeypatch.setenv(name, value)
    bench.suite(HOSTILE, *(bench.desk.case(name, tools=TOOLS) for name in NAMES))
    ran = bench.run(*options)
    text = ran.out + OURS.sub(r"\2", ran.err)
    assert (text != ran.out + ran.err) is ("GITHUB_ACTIONS" in ci)
    assert ran.code in {1, 3}
    assert not {char for char in text if ord(char) < 32 and char != "\n"}
    assert not {char for char in text if char in "\x7f\x9b\u202e"}
    assert not COMMAND.findall(text), COMMAND.findall(text)
    assert len(text) < 40_000
    for file in bench.desk.runs()[-1].iterdir():
        for line in file.read_text(encoding="utf-8").splitlines():
            bench.desk.strict(line)


def test_a_huge_answer_is_cut_on_the_screen_and_whole_on_the_disk(bench: "Bench") -> None:
    bench.suite("def agent(task):\n    return 'y' * 5_000_000\n")
    ran = bench.run("-v")
    assert len(ran.out) < 10_000
    assert len(bench.saved()[0]["trajectory"]["answer"]) == 5_000_000


SECRET = "sk-TEST-0123456789abcdef"
LEAKY = """
import os, pathlib

SEEN = {name: os.environ.get(name) for name in ("OPENAI_API_KEY", "PAY_API_KEY")}

def agent(task):
    return {
        "answer": f"done {SEEN} {task.model.api_key} {os.environ.get('OPENAI_API_KEY')} "
        + pathlib.Path("key").read_text(),
        "steps": [{"calls": [{"name": "pay", "arguments": {"password": "p-TEST-1"}}]}],
        "extra": {"headers": {"Authorization": "Bearer t-TEST-77"}},
    }

def crash(task):
    raise ValueError(pathlib.Path("key").read_text())
"""


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_no_secret_reaches_a_file_or_a_line(
    bench: "Bench", monkeypatch: pytest.MonkeyPatch, live: bool, isolation: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("PAY_API_KEY", "pay-TEST-4711")
    bench.suite(LEAKY)
    key = bench.desk.write("key", SECRET)
    said = []
    for agent in ("agent:agent", "agent:crash"):
        options = ["--live"] * live + ["--isolation", isolation, "--agent", agent]
        said.append(bench.run("-v", "--json", "out.json", *options))
        said.append(bench.desk.run("report", "-v"))
    mine = {key, bench.folder / "agent.py", bench.folder / "cases.json"}
    files = [one for one in bench.folder.rglob("*") if one.is_file() and one not in mine]
    texts = [one.read_text(encoding="utf-8", errors="replace") for one in files]
    texts += [ran.out + ran.err for ran in said]
    assert len(files) > 6
    for secret in (SECRET, "pay-TEST-4711", "p-TEST-1", "t-TEST-77"):
        assert [text for text in texts if secret in text] == [], secret


TELLS = """
import os
def agent(task):
    with open("seen", "w") as seen:
        seen.write(repr([task.model.api_key, os.environ.get("OPENAI_API_KEY"),
            os.environ.get("ANTHROPIC_API_KEY"), os.environ.get("OPENAI_BASE_URL")]))
    return "done"
if __name__ == "__main__":
    class Model: api_key = None
    class Task: model = Model
    print(agent(Task))
"""


@pytest.mark.parametrize("how", ["thread", "process", "command"])
def test_offline_the_agent_does_not_see_the_keys(
    bench: "Bench", monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.setenv("OPENAI_BASE_URL", "https://provider.invalid/v1")
    bench.suite(TELLS)
    if how == "command":
        command = 'agent = { command = ["python", "agent.py"] }'
        bench.desk.write("fairtrial.toml", f'cases = ["cases.json"]\n{command}\n')
    assert bench.run(*([] if how == "command" else ["--isolation", how])).code == 0
    seen = (bench.folder / "seen").read_text(encoding="utf-8")
    assert SECRET not in seen
    assert "provider.invalid" not in seen
    assert "http://127.0.0.1:" in seen


def test_live_the_agent_has_the_keys_and_the_address_of_the_environment(
    bench: "Bench", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("OPENAI_BASE_URL", "https://provider.invalid/v1")
    bench.suite(TELLS)
    assert bench.run("--live").code == 0
    seen = (bench.folder / "seen").read_text(encoding="utf-8")
    assert seen.count(SECRET) == 2
    assert "https://provider.invalid/v1" in seen


def test_the_environment_is_as_it_was_when_a_run_has_ended(
    bench: "Bench", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    before = dict(os.environ)
    bench.suite(TELLS)
    bench.run()
    assert dict(os.environ) == before


LIVE_SETTINGS = """
[variants.real]
model = "m-9"
settings = { token = "s-TEST-88", api_key = "k-TEST-99" }
"""


def test_secrets_in_the_settings_reach_no_run(bench: "Bench") -> None:
    bench.suite(settings=LIVE_SETTINGS)
    bench.run("--variant", "real", "-k", "2")
    run = (bench.desk.runs()[0] / "run.json").read_text(encoding="utf-8")
    assert "TEST" not in run
    rows = (bench.desk.runs()[0] / "trials.jsonl").read_bytes().splitlines(keepends=True)
    (bench.desk.runs()[0] / "trials.jsonl").write_bytes(rows[0])
    assert bench.run("--resume").code == 0
