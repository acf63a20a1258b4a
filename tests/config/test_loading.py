"""Names to objects: graders, worlds and agents, and what is said of names that lead nowhere."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.agents import CommandAgent, LoopAgent, ProcessAgent, UrlAgent
from fairtrial.config import Config, Project
from fairtrial.config.loading import load_grader, load_world, make_agent, onto_import_path
from fairtrial.errors import PluginError
from fairtrial.ports import Agent
from fairtrial.records import Addresses, Json, ModelAddress, Task

if TYPE_CHECKING:
    from tests.conftest import Desk

GRADERS = """
import fairtrial as ft
from helper_beside import WORD

@ft.grader
def polite(case, trajectory, state):
    return ft.yes_no("polite", WORD in trajectory.answer)

def unmarked(case, trajectory, state):
    return ft.yes_no("unmarked", True)
"""


def nowhere(alias: str, token: str | None) -> Addresses:
    raise AssertionError(f"no process may be led anywhere here: {alias}")


def made(said: Json, root: Path, isolation: str | None = None) -> Agent:
    return make_agent(said, root, nowhere, isolation=isolation, timeout=5, live=False)


def answer(agent: Agent) -> object:
    """Let an agent answer a task that has neither tools nor a model."""
    address = ModelAddress(base_url="", anthropic_base_url="")
    return agent(Task(case="c", input="Hi", messages=[], model=address, trial=0, seed=1))


def program(desk: "Desk", name: str, mode: int = 0o755) -> None:
    desk.write(name, "#!/bin/sh\necho here\n").chmod(mode)


# Where modules are looked for.


def test_the_suites_folder_comes_first_and_its_src_second_however_often_it_is_said(
    desk: "Desk",
) -> None:
    sys.path.append(str(desk.folder))
    for _ in range(2):
        onto_import_path(desk.folder)
    assert sys.path[:2] == [str(desk.folder), str(desk.folder / "src")]
    assert sys.path.count(str(desk.folder)) == 1


def test_a_module_beside_the_settings_comes_before_one_below_src_and_an_installed_one(
    desk: "Desk",
) -> None:
    for place in ("src/", ""):
        desk.write(f"{place}twice.py", f"def agent(task):\n    return {place!r}\n")
    desk.write("src/iniconfig.py", "def agent(task):\n    return 'own'\n")
    assert answer(made("twice:agent", desk.folder)) == ""
    had = sys.modules.pop("iniconfig", None)
    try:
        assert answer(made("iniconfig:agent", desk.folder)) == "own"
    finally:
        del sys.modules["iniconfig"]
        if had is not None:
            sys.modules["iniconfig"] = had


# Graders.


@pytest.mark.parametrize("place", ["", "src/"])
def test_graders_are_found_beside_the_settings_and_below_src(desk: "Desk", place: str) -> None:
    desk.write(f"{place}own_graders.py", GRADERS)
    desk.write(f"{place}helper_beside.py", "WORD = 'please'\n")
    names = ("own_graders:polite", "own_graders:polite")
    project = Project(config=Config(graders=names), root=desk.folder, file=None)
    assert [one.grader_name for one in project.grading_settings().graders] == ["polite"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no_such_module:f", "importing no_such_module failed: ModuleNotFoundError.*looked in"),
        ("bad_graders:none", "bad_graders.py has no 'none'"),
        ("bad_graders:unmarked", "is not a grader: put @fairtrial.grader above it"),
        ("bad_graders:WORD", "is not a grader"),
        ("sys:x", "sys has no 'x'"),
    ],
)
def test_a_name_that_leads_to_no_grader_is_said(desk: "Desk", name: str, words: str) -> None:
    desk.write("bad_graders.py", GRADERS)
    desk.write("helper_beside.py", "WORD = 'please'\n")
    onto_import_path(desk.folder)
    with pytest.raises(PluginError, match=f"grader '{name}'.*{words}"):
        load_grader(name)


# Worlds.


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("worlds_beside:plain", "no world: write `class plain"),
        ("worlds_beside:Plain", r"no world: write `class Plain\(fairtrial.World\)`"),
        ("worlds_beside:made", "no world"),
        ("worlds_beside:Nope", "worlds_beside.py has no 'Nope'"),
        ("no_such_world:W", "importing no_such_world failed: ModuleNotFoundError"),
    ],
)
def test_a_name_that_leads_to_no_world_is_said(desk: "Desk", name: str, words: str) -> None:
    desk.write("worlds_beside.py", "plain = 1\nclass Plain: ...\nmade = Plain()\n")
    onto_import_path(desk.folder)
    with pytest.raises(PluginError, match=f"world '{name}'.*{words}"):
        load_world(name)


def test_a_world_class_that_does_not_fit_together_is_told_when_it_is_loaded(desk: "Desk") -> None:
    desk.write(
        "odd_world.py",
        "import fairtrial as ft\n\nclass Odd(ft.World):\n    tools: int = 0\n",
    )
    onto_import_path(desk.folder)
    with pytest.raises(PluginError, match=r"WorldError: .*tools.*\(odd_world\.py:3\)"):
        load_world("odd_world:Odd")


# Agents in Python.


def test_dotted_attributes_are_followed_and_what_they_lead_to_is_called(desk: "Desk") -> None:
    desk.write(
        "desk_agents.py",
        "class Desk:\n    @staticmethod\n    def answer(task):\n        return task.input\n",
    )
    agent = made("desk_agents:Desk.answer", desk.folder)
    assert (agent.name, answer(agent)) == ("desk_agents:Desk.answer", "Hi")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("odd_agents:none", r"odd_agents\.py has no 'none'"),
        ("odd_agents:Holder.none", r"odd_agents\.py has no 'Holder.none'"),
        ("odd_agents:number", "it is an int, which cannot be called"),
        ("odd_agents:Holder", "Holder is a class; wanted an instance"),
        ("odd_agents:two", r"it takes \(task, other\)"),
        ("nowhere_at_all:agent", "No module named 'nowhere_at_all'"),
    ],
)
def test_a_name_that_leads_to_no_agent_is_said(desk: "Desk", name: str, words: str | None) -> None:
    desk.write("odd_agents.py", "number = 1\nclass Holder: ...\ndef two(task, other): ...\n")
    with pytest.raises(PluginError, match=words) as told:
        made(name, desk.folder)
    assert str(told.value).startswith(f"agent '{name}': ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 / 0\n", "ZeroDivisionError: division by zero (failing_agent.py:1)"),
        ("import sys\nsys.exit(3)\n", "SystemExit: 3 (failing_agent.py:2)"),
        ("\nimport no_library\n", "No module named 'no_library' (failing_agent.py:2)"),
        ("def agent(task:\n", "SyntaxError: '(' was never closed (failing_agent.py, line 1)"),
        ("import json\njson.loads('x')\n", "line 1 column 1 (char 0) (failing_agent.py:2)"),
    ],
)
def test_a_module_that_fails_at_import_is_told_with_its_line_and_where_it_was_looked_for(
    desk: "Desk", text: str, words: str
) -> None:
    desk.write("failing_agent.py", text)
    with pytest.raises(PluginError) as told:
        made("failing_agent:agent", desk.folder)
    said = str(told.value)
    assert said.startswith("agent 'failing_agent:agent': importing failing_agent failed: ")
    places = f"{desk.folder} and {desk.folder / 'src'}, then in the installed packages"
    assert said.endswith(f"{words} (looked in {places})")


def test_a_module_that_is_not_there_has_no_line(desk: "Desk") -> None:
    with pytest.raises(PluginError) as told:
        made("nowhere_at_all:agent", desk.folder)
    assert "No module named 'nowhere_at_all' (looked in " in str(told.value)


def test_an_interrupt_at_import_ends_everything(desk: "Desk") -> None:
    desk.write("slow_agent.py", "raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        made("slow_agent:agent", desk.folder)


def test_in_a_process_of_its_own_an_agent_is_not_imported_here(desk: "Desk") -> None:
    desk.write("own_process.py", "raise AssertionError('imported here')\n")
    agent = made("own_process:agent", desk.folder, isolation="process")
    assert isinstance(agent, ProcessAgent)
    assert agent.name == "own_process:agent"


# Programs.


@pytest.mark.parametrize(
    "command", ["bin/agent --fast", ["bin/agent", "--fast"], ["./bin/agent", "--fast"]]
)
def test_a_program_below_the_suites_folder_is_named_from_there(
    desk: "Desk",
    command: Json,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program(desk, "bin/agent")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    agent = made({"command": command}, desk.folder)
    assert isinstance(agent, CommandAgent)
    words = shlex.split(command) if isinstance(command, str) else command
    assert agent.name == " ".join(words)  # the same on every machine
    assert answer(agent) == "here"


def test_an_absolute_path_is_taken_as_it_is(desk: "Desk") -> None:
    program(desk, "agent")
    assert answer(made({"command": [str(desk.folder / "agent")]}, Path("/"))) == "here"


@pytest.mark.parametrize("word", ["python", "python3"])
def test_python_is_the_python_that_runs(desk: "Desk", word: str) -> None:
    desk.write("own.py", "import sys\nprint(sys.executable)\n")
    agent = made({"command": f"{word} own.py"}, desk.folder)
    assert answer(agent) == sys.executable


def test_the_words_of_a_command_are_split_as_a_shell_does_and_no_shell_is_between(
    desk: "Desk",
) -> None:
    desk.write("say.py", "import sys\nprint(sys.argv[1:])\n")
    agent = made({"command": "python say.py 'a b' $HOME"}, desk.folder)
    assert answer(agent) == "['a b', '$HOME']"


def test_a_program_gets_the_variables_of_the_settings(desk: "Desk") -> None:
    agent = made({"command": ["sh", "-c", "echo $SHOP"], "env": {"SHOP": "open"}}, desk.folder)
    assert answer(agent) == "open"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("bin/none", "agent: {root}/bin/none: no such program"),
        ("./bin", "agent: {root}/bin: no such program"),
        (["bin/closed"], "agent: {root}/bin/closed is not executable; chmod +x it"),
        ("no-such-program-9 x", "agent: no program 'no-such-program-9' on the PATH"),
        ([" "], "agent: no program ' ' on the PATH; install it, or give its path from {root}"),
    ],
)
def test_a_program_that_cannot_be_started_is_told_before_anything_runs(
    desk: "Desk", command: Json, words: str
) -> None:
    program(desk, "bin/closed", mode=0o644)
    with pytest.raises(PluginError) as told:
        made({"command": command}, desk.folder)
    assert str(told.value).startswith(words.format(root=desk.folder))


# Addresses, and the loop.


def test_an_agent_at_an_address_is_named_by_it(tmp_path: Path) -> None:
    agent = made({"url": "http://127.0.0.1:9/agent", "headers": {"X-Key": "k"}}, tmp_path)
    assert isinstance(agent, UrlAgent)
    assert agent.name == "http://127.0.0.1:9/agent"


def test_a_header_that_http_cannot_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match="the header 'a b'"):
        made({"url": "http://127.0.0.1:9/agent", "headers": {"a b": "x\n"}}, tmp_path)


@pytest.mark.parametrize(("loop", "name"), [({"model": "m"}, "loop (m)"), ({}, "loop")])
def test_the_loop_is_made_from_its_table(loop: Json, name: str, tmp_path: Path) -> None:
    agent = made({"loop": loop}, tmp_path)
    assert isinstance(agent, LoopAgent)
    assert agent.name == name
