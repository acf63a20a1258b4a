"""Any program as an agent: the task on its stdin, the answer or a trajectory on its stdout."""

import os
import select
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from fairtrial.agents.in_flight import Attempt, InFlight
from fairtrial.agents.program import Program, Tail, ending_of, poll, read_ready
from fairtrial.agents.raised import AgentFailedError
from fairtrial.agents.wire import LONGEST_OUTPUT, read_output, task_json
from fairtrial.errors import PluginError
from fairtrial.records import Json, Task
from fairtrial.text import cut

_WAIT = 0.05  # seconds for output still on its way once the program has ended, at a time
_LAST_WAITS = 5
_LAST_READS = 200  # the most read then; a pipe holds far less
_SHOWN = 1_600  # characters of the error stream in a message


class CommandAgent:
    """A program that is started for every task, and killed with all its children.

    It reads the task as JSON on stdin, and finds its tools and models in FAIRTRIAL_TOOLS_URL,
    OPENAI_BASE_URL, ANTHROPIC_BASE_URL and the keys beside them. What it writes to stdout is its
    answer, or JSON of a trajectory or of messages. Any exit code but 0 is its failure.

    >>> agent = CommandAgent(["sh", "-c", "echo Done."], cwd=Path("."), env={})
    >>> agent.name, agent.blocking
    ("sh -c 'echo Done.'", True)
    """

    blocking = True

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        name: str | None = None,
    ) -> None:
        """Keep what to start.

        Args:
            command: The program and its arguments; no shell is between.
            cwd: The folder that it runs in.
            env: Variables besides those of this process.
            name: What people call it; None: the command.

        Raises:
            PluginError: No list of texts.
        """
        texts = not isinstance(command, str) and all(isinstance(part, str) for part in command)
        if not texts or not command or not command[0]:
            raise PluginError(
                f"agent command: wanted a program and its arguments as a list, such as "
                f'["node", "agent.js"], got {cut(repr(command))}'
            )
        self._command = tuple(command)
        self._cwd = cwd
        self._env = dict(env)
        self._in_flight = InFlight()
        self.name = cut(name or shlex.join(self._command), 200)

    def __call__(self, task: Task) -> Json:
        """Run the program on one task.

        Returns:
            A trajectory or messages as decoded JSON, else the text that it wrote.

        Raises:
            AgentFailedError: It ended with another code than 0, by a signal, or wrote too much.
            PluginError: It cannot be started.
            TrialOverError: The task was abandoned.
        """
        with self._in_flight.attempt(task) as attempt:
            program = Program(self._command, env=self._environment(task), cwd=self._cwd)
            try:
                attempt.on_stop(program.kill)
                talk = _Talk(program, task_json(task))
                talk.go_on(attempt)
            finally:
                attempt.on_stop(None)
                code = program.bury()
            attempt.go_on()
            self._judge(code, talk)
            return read_output(talk.output.decode(errors="replace"))

    def warm(self, count: int) -> None:
        """Need nothing."""

    def abandon(self, task: Task) -> None:
        """Kill the task's program and its children at once."""
        self._in_flight.abandon(task)

    def close(self) -> None:
        """Kill all that still run."""
        self._in_flight.close()

    def _environment(self, task: Task) -> dict[str, str]:
        model = task.model
        told = {
            "FAIRTRIAL_CASE": task.case,
            "FAIRTRIAL_TRIAL": str(task.trial),
            "FAIRTRIAL_SEED": str(task.seed),
            "FAIRTRIAL_TOOLS_URL": task.tools_url,
            "OPENAI_BASE_URL": model.base_url,
            "ANTHROPIC_BASE_URL": model.anthropic_base_url,
            "OPENAI_API_KEY": model.api_key,
            "ANTHROPIC_API_KEY": model.anthropic_api_key,
        }
        return {**os.environ, **self._env, **{name: text for name, text in told.items() if text}}

    def _judge(self, code: int, talk: "_Talk") -> None:
        said = str(talk.errors)
        if talk.too_long:
            raise AgentFailedError(
                f"`{self.name}` wrote more than {LONGEST_OUTPUT >> 20} MB to stdout and was "
                "stopped; the answer goes to stdout, logs to stderr",
                details=said,
            )
        if code:
            words, name = ending_of(code)
            shown = said if len(said) <= _SHOWN else f"…{said[-_SHOWN:]}"
            raise AgentFailedError(
                f"`{self.name}` {words}" + (f"; at the end of stderr: {shown}" if shown else ""),
                details=said,
                code=code if code > 0 else None,
                signal=name,
            )


class _Talk:
    """Hands a task to a program and collects what it writes."""

    def __init__(self, program: Program, task: bytes) -> None:
        self.output, self.errors = bytearray(), Tail()
        self._program = program
        self._rest = memoryview(task)
        self._reading = {program.stdout, program.stderr}

    @property
    def too_long(self) -> bool:
        return len(self.output) > LONGEST_OUTPUT

    def go_on(self, attempt: Attempt) -> None:
        """Talk until the program has ended or has said too much."""
        program = self._program
        while not (program.ended() or self.too_long):
            wanted = dict.fromkeys(self._reading, select.POLLIN)
            if program.stdin >= 0:
                wanted[program.stdin] = select.POLLOUT
            ready = program.wait(wanted)
            if program.stdin in ready:
                self._rest = _fed(program, self._rest)
            self._read(ready)
        # What the program started may hold its output open, or write to it, for ever.
        waits = 0
        for _ in range(_LAST_READS):
            if not self._reading or attempt.stopped or self.too_long or waits == _LAST_WAITS:
                return
            ready = poll(dict.fromkeys(self._reading, select.POLLIN), _WAIT)
            waits += not ready
            self._read(ready)

    def _read(self, ready: dict[int, int]) -> None:
        for fd in self._reading & ready.keys():
            chunk = read_ready(fd)
            if chunk == b"":
                self._reading.discard(fd)
            elif chunk and fd == self._program.stderr:
                self.errors.add(chunk)
            elif chunk:
                self.output += chunk


def _fed(program: Program, rest: memoryview) -> memoryview:
    """Write what the pipe takes, and give what is left; the end closes it."""
    try:
        rest = rest[os.write(program.stdin, rest) :]
    except BlockingIOError:
        return rest
    except OSError:  # the program does not read, which is its right
        rest = rest[:0]
    if not rest:
        program.close_stdin()
    return rest
