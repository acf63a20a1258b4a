"""Programs as agents: what they are told, what they answer, and that none outlives its task."""

import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.agents import AgentFailedError, CommandAgent, failure_of
from fairtrial.agents import command as commands
from fairtrial.agents.program import Program
from fairtrial.errors import PluginError, TrialOverError
from fairtrial.records import Json, ModelAddress, Task

if TYPE_CHECKING:
    from tests.agents.conftest import Shop, TaskMaker

Maker = Callable[..., CommandAgent]


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Maker]:
    made: list[CommandAgent] = []

    def make(*parts: str, **env: str) -> CommandAgent:
        made.append(CommandAgent(parts, cwd=tmp_path, env=env))
        return made[-1]

    yield make
    for agent in made:
        agent.close()


@pytest.fixture
def sh(command: Maker) -> Maker:
    return lambda script, **env: command("sh", "-c", script, **env)


@pytest.fixture
def python(command: Maker) -> Maker:
    return lambda code, **env: command(sys.executable, "-c", code, **env)


def wait_for(path: Path) -> None:
    """Wait until a program has opened a fifo to write; no sleep is needed."""
    path.read_bytes()


class Calling:
    """A call of an agent in a thread of its own."""

    def __init__(self, agent: CommandAgent, task: Task) -> None:
        self.returned: Json = None
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._call, args=(agent, task))
        self._thread.start()

    def _call(self, agent: CommandAgent, task: Task) -> None:
        try:
            self.returned = agent(task)
        except BaseException as error:  # noqa: BLE001 - kept for the test
            self.error = error

    def end(self) -> "Calling":
        self._thread.join(10)
        assert not self._thread.is_alive(), "the call hangs"
        return self


def test_the_answer_is_what_it_writes(sh: Maker, make_task: "TaskMaker") -> None:
    assert sh("echo Done.")(make_task()) == "Done."


def test_the_task_is_on_stdin(python: Maker, make_task: "TaskMaker", shop: "Shop") -> None:
    agent = python(
        "import json, sys; t = json.load(sys.stdin);"
        "print(t['case'], t['trial'], t['tools']['mcp'][0]['name'], t['context'])"
    )
    assert agent(make_task(tools=shop, context={"a": 1})) == "c1 2 get_order {'a': 1}"


def test_tools_and_models_are_in_the_environment(sh: Maker, make_task: "TaskMaker") -> None:
    script = (
        'echo "$FAIRTRIAL_CASE $FAIRTRIAL_TRIAL $FAIRTRIAL_SEED $FAIRTRIAL_TOOLS_URL";'
        'echo "$OPENAI_BASE_URL $ANTHROPIC_BASE_URL $OPENAI_API_KEY $ANTHROPIC_API_KEY $OWN"'
    )
    model = ModelAddress(
        base_url="http://o", anthropic_base_url="http://a", api_key="k1", anthropic_api_key="k2"
    )
    agent = sh(script, OWN="mine", OPENAI_BASE_URL="http://elsewhere")
    answer = agent(make_task(model=model, tools_url="http://t"))
    assert answer == "c1 2 7 http://t\nhttp://o http://a k1 k2 mine"


def test_a_key_that_is_not_given_stays_as_it_was(
    sh: Maker, make_task: "TaskMaker", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "own")
    monkeypatch.delenv("FAIRTRIAL_TOOLS_URL", raising=False)
    agent = sh('echo "$ANTHROPIC_API_KEY ${FAIRTRIAL_TOOLS_URL-none}"')
    assert agent(make_task()) == "own none"


def test_it_runs_in_its_folder(sh: Maker, make_task: "TaskMaker", tmp_path: Path) -> None:
    (tmp_path / "here.txt").write_text("found", encoding="utf-8")
    assert sh("cat here.txt")(make_task()) == "found"


def test_a_trajectory_and_messages_come_back_decoded(sh: Maker, make_task: "TaskMaker") -> None:
    trajectory = {"answer": "Done.", "steps": [{"calls": [{"name": "pay"}]}]}
    assert sh(f"echo '{json.dumps(trajectory)}'")(make_task()) == trajectory
    assert sh("""echo '[{"role": "user"}]'""")(make_task()) == [{"role": "user"}]


def test_output_that_is_no_utf_8_is_kept_as_far_as_it_goes(
    sh: Maker, make_task: "TaskMaker"
) -> None:
    assert sh(r"printf 'a\377b'")(make_task()) == "a\ufffdb"


def test_a_task_larger_than_a_pipe_arrives_whole(python: Maker, make_task: "TaskMaker") -> None:
    agent = python("import json, sys; print(len(json.load(sys.stdin)['input']))")
    assert agent(make_task(input="x" * 3_000_000)) == "3000000"


def test_a_program_that_never_reads_is_no_hindrance(sh: Maker, make_task: "TaskMaker") -> None:
    assert sh("echo Done.")(make_task(input="x" * 3_000_000)) == "Done."
    assert sh("exec <&-; echo Done.")(make_task(input="x" * 3_000_000)) == "Done."


def test_input_and_output_larger_than_pipes_go_both_ways(
    python: Maker, make_task: "TaskMaker"
) -> None:
    agent = python("import sys; [sys.stdout.write('> ' + line) for line in sys.stdin]")
    answer = agent(make_task(input="x" * 3_000_000))
    assert len(answer) > 3_000_000


@pytest.mark.parametrize(
    ("script", "words", "code", "signal"),
    [
        ("echo lost >&2; exit 3", "` ended with exit code 3; at the end of stderr: lost", 3, None),
        ("exit 1", "` ended with exit code 1", 1, None),
        ("kill -SEGV $$", "` was ended by SIGSEGV", None, "SIGSEGV"),
        ("echo Done.; kill -9 $$", "` was ended by SIGKILL", None, "SIGKILL"),
    ],
)
def test_another_end_than_0_is_the_agents_failure(
    script: str, words: str, code: int | None, signal: str | None, sh: Maker, make_task: "TaskMaker"
) -> None:
    with pytest.raises(AgentFailedError) as told:
        sh(script)(make_task())
    assert str(told.value).endswith(words)
    assert (told.value.code, told.value.signal) == (code, signal)
    assert failure_of(told.value).kind == "agent"


def test_of_a_flood_of_errors_the_end_is_kept(python: Maker, make_task: "TaskMaker") -> None:
    agent = python("import sys; sys.stderr.write('x' * 5_000_000 + 'the end'); sys.exit(2)")
    with pytest.raises(AgentFailedError) as told:
        agent(make_task())
    assert failure_of(told.value).message.endswith("the end")
    assert len(told.value.details) == 4_000
    assert len(str(told.value)) < 2_000


def test_a_refusal_of_the_listener_in_its_errors_is_no_fault_of_the_agent(
    sh: Maker, make_task: "TaskMaker"
) -> None:
    with pytest.raises(AgentFailedError) as told:
        sh("echo 'Error 400: fairtrial_script: no step is left' >&2; exit 1")(make_task())
    assert failure_of(told.value).kind == "script"


def test_a_flood_of_output_is_stopped(
    sh: Maker, make_task: "TaskMaker", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "LONGEST_OUTPUT", 2 << 20)
    with pytest.raises(AgentFailedError, match="wrote more than 2 MB to stdout and was stopped"):
        sh("trap '' TERM; yes")(make_task())


def test_a_program_that_cannot_be_started_is_no_fault_of_the_agent(
    command: Maker, make_task: "TaskMaker"
) -> None:
    for _ in range(2):
        with pytest.raises(PluginError, match="no such program"):
            command("no-such-program-here")(make_task())


@pytest.mark.parametrize("parts", ["sh -c true", [], [""], ["sh", 5], [Path("x")]])
def test_a_command_that_is_no_list_of_texts_is_refused(parts: Json) -> None:
    with pytest.raises(PluginError, match="wanted a program and its arguments as a list"):
        CommandAgent(parts, cwd=Path(), env={})


def test_what_a_program_leaves_behind_is_killed_and_not_waited_for(
    sh: Maker, make_task: "TaskMaker"
) -> None:
    assert sh("(trap '' TERM HUP; sleep 100) & echo Done.")(make_task()) == "Done."


def test_what_left_the_group_and_holds_the_output_open_is_not_waited_for(
    python: Maker, make_task: "TaskMaker", tmp_path: Path
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    child = f"open({str(fifo)!r}).read()"
    agent = python(
        "import subprocess, sys;"
        f"subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True);"
        "print('Done.')"
    )
    assert agent(make_task()) == "Done."
    fifo.write_text("end", encoding="utf-8")  # it is of another session, so it ends by itself


def test_what_goes_on_writing_after_the_end_is_not_waited_for(
    sh: Maker, make_task: "TaskMaker"
) -> None:
    answer = sh("yes & echo $! >&2; exit 0")(make_task())
    assert set(answer) <= {"y", "\n"}


def test_output_that_ends_before_the_program_does_is_waited_for(
    sh: Maker, make_task: "TaskMaker", tmp_path: Path
) -> None:
    agent = sh("echo Done.; exec >&- 2>&-; sleep 0.1; : > ended")
    assert agent(make_task()) == "Done."
    assert (tmp_path / "ended").exists()


@pytest.mark.parametrize("by", ["abandon", "close"])
def test_a_hung_program_that_ignores_signals_is_killed_at_once(
    by: str, sh: Maker, make_task: "TaskMaker", tmp_path: Path
) -> None:
    up = tmp_path / "up"
    os.mkfifo(up)
    agent, task = sh("trap '' TERM INT HUP; echo > up; (sleep 100) & wait; wait"), make_task()
    calling = Calling(agent, task)
    wait_for(up)
    if by == "abandon":
        agent.abandon(task)
    else:
        agent.close()
    assert isinstance(calling.end().error, TrialOverError)


def test_abandoning_one_task_leaves_the_others(
    sh: Maker, make_task: "TaskMaker", tmp_path: Path
) -> None:
    up, go = tmp_path / "up", tmp_path / "go"
    os.mkfifo(up)
    os.mkfifo(go)
    agent = sh('if [ "$FAIRTRIAL_TRIAL" = 0 ]; then echo > up; sleep 100; else cat go; fi')
    hung, good = make_task(trial=0), make_task(trial=1)
    first, second = Calling(agent, hung), Calling(agent, good)
    wait_for(up)
    agent.abandon(hung)
    assert isinstance(first.end().error, TrialOverError)
    go.write_text("Done.", encoding="utf-8")
    assert second.end().returned == "Done."


def test_a_task_abandoned_while_the_program_starts_ends_at_once(
    sh: Maker, make_task: "TaskMaker", monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, task = sh("trap '' TERM; sleep 100"), make_task()

    def starting(*args: Json, **fields: Json) -> Program:
        agent.abandon(task)
        return Program(*args, **fields)

    monkeypatch.setattr(commands, "Program", starting)
    with pytest.raises(TrialOverError):
        agent(task)


def test_a_closed_agent_starts_nothing(sh: Maker, make_task: "TaskMaker") -> None:
    agent = sh("echo Done.")
    agent.close()
    with pytest.raises(TrialOverError):
        agent(make_task())


def test_many_threads_at_once_each_get_their_own_answer(sh: Maker, make_task: "TaskMaker") -> None:
    agent = sh("echo $FAIRTRIAL_TRIAL")
    calls = [Calling(agent, make_task(trial=number)) for number in range(40)]
    assert [one.end().returned for one in calls] == [str(number) for number in range(40)]


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_a_program_in_javascript(command: Maker, make_task: "TaskMaker") -> None:
    agent = command(
        "node",
        "-e",
        "let t = JSON.parse(require('fs').readFileSync(0));"
        "let steps = [{text: process.env.FAIRTRIAL_CASE}];"
        "console.log(JSON.stringify({answer: t.case, steps}))",
    )
    assert agent(make_task()) == {"answer": "c1", "steps": [{"text": "c1"}]}
