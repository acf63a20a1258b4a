"""`isolation = "process"`: agents in worker processes."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.agents import AgentFailedError, ProcessAgent, failure_of, retry_after_of
from fairtrial.agents.returned import RunResult
from fairtrial.errors import PluginError, TrialOverError
from fairtrial.records import Json, Task

if TYPE_CHECKING:
    from tests.agents.conftest import MiniListener, TaskMaker

Isolated = Callable[..., ProcessAgent]


@pytest.fixture
def isolated(tmp_path: Path, listener: "MiniListener") -> Iterator[Isolated]:
    made: list[ProcessAgent] = []

    def make(body: str, *, live: bool = False, **env: str) -> ProcessAgent:
        (tmp_path / "own_agent.py").write_text(body, encoding="utf-8")
        made.append(
            ProcessAgent(
                "own_agent:agent",
                import_from=[tmp_path],
                point=listener.point,
                live=live,
                env=env,
            )
        )
        return made[-1]

    yield make
    for agent in made:
        agent.close()


class Calling:
    """A call of an agent in a thread of its own."""

    def __init__(self, agent: ProcessAgent, task: Task) -> None:
        self.returned: object = None
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._call, args=(agent, task))
        self._thread.start()

    def _call(self, agent: ProcessAgent, task: Task) -> None:
        try:
            self.returned = agent(task)
        except BaseException as error:  # noqa: BLE001 - kept for the test
            self.error = error

    def end(self) -> "Calling":
        self._thread.join(20)
        assert not self._thread.is_alive(), "the call hangs"
        return self


def test_a_client_made_at_import_speaks_to_the_trial_at_hand(
    isolated: Isolated, listener: "MiniListener", listener_task: "TaskMaker"
) -> None:
    agent = isolated(
        "import openai\nclient = openai.OpenAI(max_retries=0)\n"
        "def agent(task):\n"
        "    reply = client.chat.completions.create(model='m', messages=[])\n"
        "    return reply.choices[0].message.content\n"
    )
    assert agent.blocking
    answers = [agent(listener_task(token)) for token in ("t1", "t2")]
    assert answers == [f"{token} asked with Bearer fairtrial-offline" for token in ("t1", "t2")]
    (alias,) = listener.led
    assert [token for _, token in listener.pointed] == [None, "t1", None, "t2", None]
    assert listener.led[alias] is None


def test_live_the_providers_variables_are_left_alone(
    isolated: Isolated, listener_task: "TaskMaker", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://provider.example")
    monkeypatch.setenv("OPENAI_API_KEY", "real")
    body = (
        "import os\nnames = ('OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OWN')\n"
        "said = [os.environ.get(name) for name in names]\nagent = lambda task: ' '.join(said)\n"
    )
    live = isolated(body, live=True, OWN="mine")
    assert live(listener_task()) == "https://provider.example real mine"
    offline = isolated(body, OWN="mine", OPENAI_BASE_URL="https://provider.example")
    assert str(offline(listener_task())).startswith("http://127.0.0.1:")
    assert "real" not in str(offline(listener_task()))


def test_the_tools_are_the_worlds_own(
    isolated: Isolated, listener: "MiniListener", listener_task: "TaskMaker"
) -> None:
    agent = isolated(
        "def agent(task):\n"
        "    task.tools['get_order'](order='o1')\n"
        "    task.world.get_order('o2')\n"
        "    said = task.tools.reply('cancel', '{}')\n"
        "    return [len(task.tools.openai), said, task.case, task.trial]\n"
    )
    returned = agent(listener_task())
    assert isinstance(returned, list)
    assert (returned[0], returned[2:]) == (2, ["c1", 2])
    assert [name for name, _ in listener.mounted["t1"].calls] == ["get_order"] * 2 + ["cancel"]


def test_async_agents_keep_their_loop_and_lose_what_they_left_running(
    isolated: Isolated, listener_task: "TaskMaker"
) -> None:
    agent = isolated(
        "import asyncio, contextvars\nloops, ended = set(), []\n"
        "seen = contextvars.ContextVar('seen', default=None)\n"
        "async def linger():\n"
        "    try: await asyncio.sleep(100)\n"
        "    finally: ended.append(1)\n"
        "async def agent(task):\n"
        "    before, _ = seen.get(), seen.set(1)\n"
        "    loops.add(asyncio.get_running_loop())\n"
        "    asyncio.create_task(linger()); await asyncio.sleep(0)\n"
        "    return [len(loops), len(ended), before]\n"
    )
    assert [agent(listener_task()) for _ in range(3)] == [[1, 0, None], [1, 1, None], [1, 2, None]]


def test_a_frameworks_result_keeps_its_messages(
    isolated: Isolated, listener_task: "TaskMaker"
) -> None:
    returned = isolated(
        "class Result:\n    output = 'Done.'\n    def all_messages(self): return [{'a': 1}]\n"
        "agent = lambda task: Result()\n"
    )(listener_task())
    assert isinstance(returned, RunResult)
    assert (returned.all_messages(), returned.output) == ([{"a": 1}], "Done.")


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ("raise KeyError('H-1')", "agent", "KeyError: 'H-1' ("),
        ("raise SystemExit(2)", "agent", "SystemExit: 2"),
        ("raise ConnectionResetError('x')", "provider", "ConnectionResetError: x"),
        ("raise ft.ProviderError('down')", "provider", "ProviderError: down"),
        ("return object()", "agent", "what the agent returned cannot be read: value: object is"),
        ("raise RuntimeError('400 fairtrial_script')", "script", "RuntimeError: 400"),
    ],
)
def test_an_exception_is_whose_fault_it_would_be_in_process(
    body: str, kind: str, words: str, isolated: Isolated, listener_task: "TaskMaker"
) -> None:
    agent = isolated(f"import fairtrial.errors as ft\ndef agent(task):\n    {body}\n")
    with pytest.raises(AgentFailedError) as told:
        agent(listener_task())
    failure = failure_of(told.value)
    assert failure.kind == kind
    assert words in failure.message
    if "KeyError" in words:
        assert "own_agent.py:3)" in failure.message
        assert "Traceback" in told.value.details


def test_a_wait_that_a_provider_asked_for_travels(
    isolated: Isolated, listener_task: "TaskMaker"
) -> None:
    agent = isolated(
        "class Busy(Exception):\n    status_code = 429\n    headers = {'retry-after': '4'}\n"
        "def agent(task): raise ValueError() from Busy()\n"
    )
    with pytest.raises(AgentFailedError) as told:
        agent(listener_task())
    assert (failure_of(told.value).kind, retry_after_of(told.value)) == ("provider", 4.0)


def test_a_worker_lives_through_exceptions(isolated: Isolated, listener_task: "TaskMaker") -> None:
    agent = isolated(
        "import os\ndef agent(task):\n    if task.trial: raise ValueError\n    return os.getpid()\n"
    )
    first = agent(listener_task(trial=0))
    with pytest.raises(AgentFailedError):
        agent(listener_task(trial=1))
    assert agent(listener_task(trial=0)) == first


def test_a_trial_that_is_over_unwinds_the_agent(
    isolated: Isolated, listener: "MiniListener", listener_task: "TaskMaker"
) -> None:
    agent = isolated(
        "def agent(task):\n    try: task.tools.call('cancel')\n    except Exception: return 'no'\n"
    )
    task = listener_task()
    del listener.mounted["t1"]
    with pytest.raises(TrialOverError, match="this trial has ended"):
        agent(task)


def test_a_worker_that_died_is_replaced(isolated: Isolated, listener_task: "TaskMaker") -> None:
    agent = isolated(
        "import os\ndef agent(task):\n    if task.trial: os.abort()\n    return os.getpid()\n"
    )
    first = agent(listener_task(trial=0))
    with pytest.raises(AgentFailedError, match="was ended by SIGABRT"):
        agent(listener_task(trial=1))
    assert agent(listener_task(trial=0)) not in (first, None)


def test_a_worker_that_died_while_idle_is_not_used(
    isolated: Isolated, listener_task: "TaskMaker"
) -> None:
    agent = isolated("import os\nagent = lambda task: os.getpid()\n")
    first = agent(listener_task())
    assert isinstance(first, int)
    os.kill(first, 9)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert agent(listener_task()) != first


HANGS = (
    "import signal, subprocess\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "def agent(task):\n"
    "    if task.trial == 0: return 'Done.'\n"
    "    subprocess.Popen(['sh', '-c', 'trap \"\" TERM; sleep 100'])\n"
    "    open(task.context, 'w').write('up')\n"
    "    while True: pass\n"
)


@pytest.mark.parametrize("by", ["abandon", "close"])
def test_a_hung_agent_is_killed_with_its_children(
    by: str, isolated: Isolated, listener_task: "TaskMaker", tmp_path: Path
) -> None:
    up = tmp_path / "up"
    os.mkfifo(up)
    agent, task = isolated(HANGS), listener_task(trial=1, context=str(up))
    calling = Calling(agent, task)
    assert up.read_text(encoding="utf-8") == "up"
    if by == "abandon":
        agent.abandon(task)
    else:
        agent.close()
    assert isinstance(calling.end().error, TrialOverError)
    if by == "abandon":
        assert agent(listener_task(trial=0)) == "Done."


def test_an_agent_that_hangs_when_imported_is_killed(
    isolated: Isolated, listener_task: "TaskMaker", tmp_path: Path
) -> None:
    up = tmp_path / "up"
    os.mkfifo(up)
    agent, task = isolated(f"open({str(up)!r}, 'w').write('up')\nwhile True: pass"), listener_task()
    calling = Calling(agent, task)
    assert up.read_text(encoding="utf-8") == "up"
    agent.abandon(task)
    assert isinstance(calling.end().error, TrialOverError)


def test_trials_at_once_have_workers_of_their_own(
    isolated: Isolated, listener: "MiniListener", listener_task: "TaskMaker", tmp_path: Path
) -> None:
    agent = isolated(
        "import os\ndef agent(task):\n"
        "    open(task.context + 'up', 'w').write('up')\n"
        "    return [open(task.context + 'go').read(), os.getpid()]\n"
    )
    calls = []
    for token in ("a", "b"):
        for name in ("up", "go"):
            os.mkfifo(tmp_path / f"{token}-{name}")
        calls.append(Calling(agent, listener_task(token, context=str(tmp_path / f"{token}-"))))
        assert (tmp_path / f"{token}-up").read_text(encoding="utf-8") == "up"
    assert sorted(filter(None, listener.led.values())) == ["a", "b"]
    for token in ("a", "b"):
        (tmp_path / f"{token}-go").write_text(token, encoding="utf-8")
    returned: list[Json] = [call.end().returned for call in calls]
    assert [one[0] for one in returned] == ["a", "b"]
    assert returned[0][1] != returned[1][1]


def test_an_agent_that_does_not_load_is_no_fault_of_the_agent(
    isolated: Isolated, listener_task: "TaskMaker"
) -> None:
    agent = isolated("import no_such_package")
    for _ in range(2):
        with pytest.raises(PluginError, match="importing own_agent failed: ModuleNotFoundError"):
            agent(listener_task())


def test_a_closed_agent_starts_nothing(isolated: Isolated, listener_task: "TaskMaker") -> None:
    agent = isolated("agent = lambda task: 'Done.'")
    assert agent(listener_task()) == "Done."
    agent.close()
    with pytest.raises(TrialOverError):
        agent(listener_task())


def test_the_same_paths_lead_to_the_same_modules(
    isolated: Isolated, listener_task: "TaskMaker", tmp_path: Path
) -> None:
    import_from = isolated("import sys\nagent = lambda task: sys.path[0]")(listener_task())
    assert import_from == str(tmp_path)


def test_warmed_workers_have_imported_the_agent_before_any_task(
    isolated: Isolated, make_task: "TaskMaker", tmp_path: Path
) -> None:
    body = (
        "import os, pathlib\n"
        f"pathlib.Path({str(tmp_path)!r}, f'imported-{{os.getpid()}}').touch()\n"
        "def agent(task):\n    return str(os.getpid())\n"
    )
    agent = isolated(body)
    agent.warm(3)
    imported = {path.name for path in tmp_path.glob("imported-*")}
    assert len(imported) == 3
    assert f"imported-{agent(make_task())}" in imported


def test_an_agent_that_does_not_load_is_told_when_it_is_warmed(isolated: Isolated) -> None:
    agent = isolated("raise RuntimeError('no licence')\n")
    with pytest.raises(PluginError, match="no licence"):
        agent.warm(2)
