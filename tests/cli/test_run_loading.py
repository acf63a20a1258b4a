"""An agent, a world or a variant that does not load: one message that says where and what."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

AGENTS = """
number = 5
class Agent:
    def __call__(self, task): return "done"
    def method(self, task): return "done"
instance = Agent()
def two(task, other): return "done"
def none(): return "done"
def named(*, task): return "done"
def yields(task): yield "done"
async def ayields(task): yield "done"
class World: pass
nothing = None
"""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere:agent", "importing nowhere failed: ModuleNotFoundError"),
        ("agent:missing", "agent.py has no 'missing'"),
        ("agent:nothing", "agent 'agent:nothing': "),
        ("agent:number", "it is an int, which cannot be called; wanted a function of one"),
        ("agent:Agent", "Agent is a class; wanted an instance: agent = Agent()"),
        ("agent:Agent.method", "it takes (self, task); wanted a function of one parameter"),
        ("agent:two", "it takes (task, other); wanted a function of one parameter, the task"),
        ("agent:none", "it takes (); wanted a function of one parameter"),
        ("agent:named", "it takes (*, task); wanted a function of one parameter"),
        ("agent:yields", "it is a generator: it yields; return the answer instead"),
        ("agent:ayields", "it is a generator: it yields; return the answer instead"),
    ],
)
@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_what_is_no_agent_is_told_before_a_run_is_saved(
    bench: "Bench", name: str, words: str, isolation: str
) -> None:
    bench.suite(AGENTS)
    ran = bench.run("--agent", name, "--isolation", isolation)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert "Traceback" not in ran.err
    assert bench.desk.runs() == []


def test_an_object_and_a_bound_method_are_agents(bench: "Bench") -> None:
    bench.suite(AGENTS)
    for name in ("agent:instance", "agent:instance.method"):
        assert bench.run("--agent", name).code == 0


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f():\n    raise ValueError('no \\x1b[31m key')\nf()\n", "agent.py:2"),
        ("import sys\nsys.exit(7)\n", "agent.py:2"),
        ("class Odd(BaseException): ...\nraise Odd('odd')\n", "Odd: odd (agent.py:2)"),
        ("import not_there_either\n", "No module named 'not_there_either' (agent.py:1)"),
        ("def f(:\n", "SyntaxError: invalid syntax (agent.py, line 1)"),
        ("x = '\n", "SyntaxError: unterminated string literal"),
    ],
)
@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_a_module_that_raises_is_told_with_its_own_place(
    bench: "Bench", source: str, words: str, isolation: str
) -> None:
    bench.suite(source)
    ran = bench.run("--isolation", isolation, "-q")
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert "\x1b" not in ran.err
    assert ran.err.count("\n") == 1


def test_settings_without_an_agent_say_how_one_is_given(bench: "Bench") -> None:
    bench.suite()
    bench.desk.write("fairtrial.toml", 'cases = ["cases.json"]\n')
    ran = bench.run()
    assert (ran.code, ran.out) == (2, "")
    assert 'no agent: set agent = "module:function" in ' in ran.err
    assert "fairtrial.toml, or give --agent" in ran.err


def test_without_settings_the_way_to_some_is_shown(bench: "Bench") -> None:
    bench.desk.cases()
    ran = bench.run("cases.json")
    assert (ran.code, "`fairtrial init` writes one" in ran.err) == (2, True)


def test_without_settings_files_and_an_agent_are_enough(bench: "Bench") -> None:
    bench.suite()
    (bench.folder / "fairtrial.toml").unlink()
    assert bench.run("cases.json", "--agent", "agent:agent").code == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere:W", "world 'nowhere:W': importing nowhere failed"),
        ("agent:Missing", "agent.py has no 'Missing'"),
        ("agent:World", "is no world: write `class World(fairtrial.World)`"),
        ("agent:instance", "is no world: write `class instance(fairtrial.World)`"),
    ],
)
def test_what_is_no_world_is_told(bench: "Bench", name: str, words: str) -> None:
    bench.suite(AGENTS)
    ran = bench.run("--world", name, "--agent", "agent:instance")
    assert (ran.code, ran.out, words in ran.err) == (2, "", True)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ('{ command = ["no-such-program"] }', "no program 'no-such-program' on the PATH"),
        ('{ command = ["./no-such.sh"] }', "no-such.sh: no such program"),
        ('{ command = ["./agent.py"] }', "is not executable; chmod +x it"),
        ("{ command = [] }", "wanted"),
        ('{ url = "ftp://x" }', "wanted"),
        ("{ loop = { model = 5 } }", "wanted"),
    ],
)
def test_an_agent_in_a_table_that_does_not_fit_is_told(
    bench: "Bench", agent: str, words: str
) -> None:
    bench.suite()
    bench.desk.write("fairtrial.toml", f'cases = ["cases.json"]\nagent = {agent}\n')
    ran = bench.run()
    assert (ran.code, ran.out, words in ran.err) == (2, "", True)
    assert "Traceback" not in ran.err


def test_a_variant_that_is_not_there_is_answered_with_those_that_are(bench: "Bench") -> None:
    bench.suite("def agent(task):\n    open('ran', 'w').close()\n    return 'done'\n",
                settings="[variants.terse]\n[variants.fast]\n")  # fmt: skip
    ran = bench.run("--variant", "terse", "--variant", "ters")
    assert (ran.code, "no variant 'ters'; known are terse, fast" in ran.err) == (2, True)
    assert not (bench.folder / "ran").exists()


def test_a_grader_that_does_not_load_is_told(bench: "Bench") -> None:
    bench.suite()
    ran = bench.run("--grader", "agent:agent")
    assert (ran.code, "put @fairtrial.grader above it" in ran.err) == (2, True)
    assert bench.desk.runs() == []
