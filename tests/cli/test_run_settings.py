"""Settings, what a variant says instead, and what the command line says instead of both."""

import json
from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

TELLS = """
import json, os
import fairtrial as ft

class A(ft.World):
    @ft.tool
    def a(self) -> int: return 1

class B(ft.World):
    @ft.tool
    def b(self) -> int: return 1

def told(task, name):
    world = type(task.world).__name__
    tools = [] if task.tools is None else list(task.tools)
    row = {"agent": name, "seed": task.seed, "model": task.model.name, "tools": tools,
           "pid": os.getpid(), "variant": task.variant.name, "settings": task.variant.settings}
    with open("told", "a") as file:
        file.write(json.dumps(row) + "\\n")
    return "done"

def agent(task):
    return told(task, "agent")

def other(task):
    return told(task, "other")

@ft.grader
def extra(case, trajectory, state):
    return ft.Check(name="extra", passed=True, score=1, decides=False, reason="")
"""
SETTINGS = """
world = "agent:A"
model = "m-1"
seed = 5
trials = 2
currency = "EUR"
concurrency = 3
timeout = 7
step_cap = 9
isolation = "process"
[variants.terse]
model = "m-2"
trials = 3
settings = { words = 5 }
[variants.bold]
settings = { loud = true }
"""


def told(bench: "Bench", *options: str) -> list[Json]:
    """Run, and give what the agent was handed in each trial."""
    file = bench.folder / "told"
    file.unlink(missing_ok=True)
    ran = bench.run(*options)
    assert ran.code == 0, ran.err + ran.out
    return [json.loads(line) for line in bench.lines("told")]


def test_settings_hold_where_the_command_line_says_nothing(bench: "Bench") -> None:
    bench.suite(TELLS, settings=SETTINGS)
    first, second = told(bench)
    assert (first["agent"], first["model"], first["tools"]) == ("agent", "m-1", ["a"])
    assert (first["variant"], first["settings"]) == (None, {})
    assert first["pid"] == second["pid"] or first["pid"] != second["pid"]
    info = bench.desk.read(str(bench.desk.runs()[0] / "run.json"))
    assert (info["seed"], info["settings"]["currency"]) == (5, "EUR")
    assert (info["settings"]["timeout"], info["settings"]["step_cap"]) == (7, 9)
    assert (info["settings"]["concurrency"], info["settings"]["isolation"]) == (3, "process")


@pytest.mark.parametrize("variant", [[], ["--variant", "terse"]])
def test_every_flag_beats_its_setting(bench: "Bench", variant: list[str]) -> None:
    bench.suite(TELLS, settings=SETTINGS)
    (row,) = told(
        bench, "--agent", "agent:other", "--world", "agent:B", "--model", "m-9", "--seed", "6",
        "-k", "1", "--currency", "INR", "--concurrency", "2", "--timeout", "8",
        "--step-cap", "4", "--isolation", "thread", "--grader", "agent:extra", *variant,
    )  # fmt: skip
    assert (row["agent"], row["model"], row["tools"]) == ("other", "m-9", ["b"])
    info = bench.desk.read(str(bench.desk.runs()[0] / "run.json"))
    settings = info["settings"]
    assert (info["seed"], settings["currency"], settings["timeout"]) == (6, "INR", 8)
    assert (settings["step_cap"], settings["isolation"], settings["concurrency"]) == (
        4,
        "thread",
        2,
    )
    assert settings["graders"] == ["agent:extra"]


def test_a_variant_says_what_is_other_and_the_rest_holds(bench: "Bench") -> None:
    bench.suite(TELLS, settings=SETTINGS)
    rows = told(bench, "--variant", "terse", "--isolation", "thread")
    assert [row["model"] for row in rows] == ["m-2"] * 3
    assert [row["settings"] for row in rows] == [{"words": 5}] * 3
    assert rows[0]["variant"] == "terse"
    assert rows[0]["tools"] == ["a"]


def test_two_variants_are_two_runs_on_the_same_seeds_and_what_differs(bench: "Bench") -> None:
    bench.suite(TELLS.replace('return told(task, "agent")',
        'told(task, "agent")\n    return "no" if task.variant.name == "bold" else "done"'),
        settings=SETTINGS)  # fmt: skip
    ran = bench.run("--variant", "terse", "--variant", "bold", "-k", "2", "--isolation", "thread")
    assert ran.code == 1
    assert len(bench.desk.runs()) == 2
    rows = [json.loads(line) for line in bench.lines("told")]
    seeds = [{row["seed"] for row in rows if row["variant"] == name} for name in ("terse", "bold")]
    assert seeds[0] == seeds[1]
    tail = ran.out[ran.out.rindex("saved in") :]
    assert "terse" in tail
    assert "bold" in tail
    assert "greet" in tail
    infos = [bench.desk.read(str(run / "run.json"))["variant"] for run in bench.desk.runs()]
    assert infos == ["terse", "bold"]


def test_two_variants_make_no_one_report_and_no_one_gate(bench: "Bench") -> None:
    bench.suite(TELLS, settings=SETTINGS)
    both = ["--variant", "terse", "--variant", "bold"]
    for option in (["--json", "out.json"], ["--gate"]):
        ran = bench.run(*both, *option)
        assert (ran.code, ran.out, "makes one" in ran.err) == (2, "", True)


def test_a_case_says_its_trials_and_k_says_all(bench: "Bench") -> None:
    cases = [bench.desk.case("own", trials=4), bench.desk.case("settings")]
    bench.suite("def agent(task):\n    return 'done'\n", *cases, settings="trials = 2\n")
    planned = [case["planned"] for case in bench.report()["cases"]]
    assert planned == [4, 2]
    report = bench.report("-k", "3")
    assert ([case["planned"] for case in report["cases"]], report["scorecard"]["k"]) == ([3, 3], 3)


def test_settings_are_found_upwards_and_paths_are_relative_to_them(
    bench: "Bench", monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.suite()
    below = bench.folder / "deep" / "down"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert bench.run("--json", "out.json").code == 0
    assert (below / "out.json").is_file()
    assert len(bench.desk.runs()) == 1
    monkeypatch.chdir("/")
    assert bench.run("--config", str(bench.folder / "fairtrial.toml")).code == 0
    assert len(bench.desk.runs()) == 2


def test_a_setting_that_is_wrong_is_told_with_its_line(bench: "Bench") -> None:
    bench.suite(settings="trails = 3\ntimeout = -1\n")
    ran = bench.run()
    assert ran.code == 2
    assert "fairtrial.toml:4: trails: unknown setting; did you mean 'trials'?" in ran.err
    assert "fairtrial.toml:5: timeout: wanted seconds, more than 0, got -1" in ran.err
