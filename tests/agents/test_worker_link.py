"""One worker process, as the run's process sees it."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairtrial.agents import AgentFailedError
from fairtrial.agents.worker_link import WorkerLink
from fairtrial.errors import PluginError
from fairtrial.records import Json

TASK: Json = {
    "task": {
        **dict.fromkeys(("context", "input", "tools_url")),
        "case": "c1",
        "messages": [],
        "variant": {},
        "trial": 0,
        "limits": {},
        "seed": 7,
        "model": {"base_url": "", "anthropic_base_url": ""},
    },
    "tools": None,
    "token": None,
}

Link = Callable[[str], WorkerLink]


@pytest.fixture
def link(tmp_path: Path) -> Iterator[Link]:
    made: list[WorkerLink] = []

    def make(body: str) -> WorkerLink:
        (tmp_path / "linked_agent.py").write_text(body, encoding="utf-8")
        made.append(WorkerLink("alias", os.environ))
        made[-1].load("linked_agent:agent", [str(tmp_path)])
        return made[-1]

    yield make
    for worker in made:
        worker.bury()


def test_it_runs_one_task_after_the_other(link: Link) -> None:
    worker = link("agent = lambda task: task.case")
    assert worker.run(TASK) == worker.run(TASK) == {"returned": "c1"}
    assert (worker.loaded, worker.ended()) == (True, False)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("1 / 0", "importing linked_agent failed: ZeroDivisionError: division by zero ("),
        ("1 / 0", "linked_agent.py:1) (looked in"),
        ("other = 1", "has no 'agent'"),
        ("agent = 5", "it is an int, which cannot be called"),
        ("class agent:\n    def __call__(self, task): ...", "agent is a class; wanted an instance"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_an_agent_that_does_not_load_says_why_as_in_process(
    body: str, words: str, link: Link
) -> None:
    with pytest.raises(PluginError) as told:
        link(body)
    assert str(told.value).startswith("agent 'linked_agent:agent': ")
    assert words in str(told.value)


def test_a_module_that_ends_its_process_says_how(link: Link) -> None:
    with pytest.raises(PluginError) as told:
        link("import os\nprint('half way')\nos._exit(3)")
    assert "importing linked_agent failed: the process ended with exit code 3" in str(told.value)
    assert str(told.value).endswith("half way")


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("os._exit(3)", "the agent's process ended with exit code 3"),
        ("os.kill(os.getpid(), 11)", "the agent's process was ended by SIGSEGV"),
    ],
)
def test_a_worker_that_dies_is_the_agents_failure(act: str, words: str, link: Link) -> None:
    worker = link(f"import os\ndef agent(task):\n    print('last words')\n    {act}")
    with pytest.raises(AgentFailedError) as told:
        worker.run(TASK)
    assert str(told.value) == f"{words}; at the end of its output: last words"
    assert worker.bury() == worker.bury()


def test_what_the_agent_prints_is_no_hindrance(link: Link) -> None:
    worker = link(
        "import sys, os\ndef agent(task):\n    print('x' * 3_000_000)\n"
        "    sys.stderr.write('y' * 3_000_000)\n    os.write(1, b'{}\\n')\n    return 'Done.'"
    )
    assert worker.run(TASK) == {"returned": "Done."}


def test_printing_without_end_beside_the_agent_is_no_hindrance(link: Link) -> None:
    worker = link(
        "import os, threading\ndef flood():\n    while True: os.write(1, b'x' * 60_000)\n"
        "threading.Thread(target=flood, daemon=True).start()\ndef agent(task): return 'Done.'"
    )
    assert worker.run(TASK) == {"returned": "Done."}


def test_a_large_task_and_a_large_answer_go_through(link: Link) -> None:
    worker = link("agent = lambda task: task.input * 2")
    large = {**TASK, "task": {**TASK["task"], "input": "é" * 2_000_000}}
    assert worker.run(large) == {"returned": "é" * 4_000_000}


def test_stdin_is_empty(link: Link) -> None:
    assert link("import sys\nagent = lambda task: sys.stdin.read()").run(TASK) == {"returned": ""}


def test_children_of_the_agent_do_not_hold_the_pipes(link: Link) -> None:
    worker = link(
        "import os, signal\ndef agent(task):\n    if os.fork() == 0:\n"
        "        while True: signal.pause()\n    os._exit(4)"
    )
    with pytest.raises(AgentFailedError, match="exit code 4"):
        worker.run(TASK)
