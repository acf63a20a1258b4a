"""One worker process as the run's process sees it."""

import os
import select
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from fairtrial.agents.program import Program, Tail, ending_of, read_ready
from fairtrial.agents.raised import AgentFailedError
from fairtrial.agents.wire import LONGEST_OUTPUT, encoded
from fairtrial.errors import PluginError
from fairtrial.records import Json

_SHOWN = 1_600  # characters of the worker's output in a message
_READS = 16  # of 64 KB each before all pipes are looked at again
_LAST_READS = 4_000  # once nobody can write any more, or only who will be killed


class WorkerLink:
    """A worker process that runs one agent, and the pipes to it."""

    def __init__(
        self,
        alias: str,
        env: Mapping[str, str],
        *,
        python: str = sys.executable,
        cwd: Path | None = None,
    ) -> None:
        """Start the process.

        Args:
            alias: The part of the listener's addresses that is the worker's own.
            env: Its whole environment.
            python: The interpreter, in which fairtrial can be imported.
            cwd: Where it runs; None: here.

        Raises:
            PluginError: It cannot be started.
        """
        self.alias = alias
        self.loaded = False
        self._said = Tail()
        theirs_in, self._tasks = os.pipe()
        self._answers, theirs_out = os.pipe()
        command = [python, "-u", "-P", "-m", "fairtrial.agents.worker"]
        command += [str(theirs_in), str(theirs_out)]
        try:
            self._program = Program(
                command, env=env, cwd=cwd, pass_fds=(theirs_in, theirs_out), piped=False
            )
        except BaseException:
            os.close(self._tasks)
            os.close(self._answers)
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        self._pipes: tuple[int, ...] = (self._tasks, self._answers)
        os.set_blocking(self._tasks, False)
        os.set_blocking(self._answers, False)

    def load(self, target: str, path: Sequence[str]) -> None:
        """Let the worker import the agent.

        Raises:
            PluginError: It does not load.
        """
        reply = self.ask({"target": target, "path": list(path)})
        if reply is None:
            module = target.partition(":")[0]
            words = f"agent {target!r}: importing {module} failed: the process {self._death()}"
            raise PluginError(words)
        if "refused" in reply:
            raise PluginError(str(reply["refused"]))
        self.loaded = True

    def run(self, facts: dict[str, Json]) -> dict[str, Json]:
        """Hand a task over and give what came of it.

        Raises:
            AgentFailedError: The worker died.
        """
        reply = self.ask(facts)
        if reply is None:
            raise AgentFailedError(f"the agent's process {self._death()}", details=str(self._said))
        return reply

    def ask(self, facts: dict[str, Json]) -> dict[str, Json] | None:
        """Send a line and give the worker's next; None if it died before."""
        self._said = Tail()
        rest = memoryview(encoded(facts) + b"\n")
        line = bytearray()
        ended = False
        while not ended:
            ended = self._program.ended()  # what it wrote before is still read
            wanted = {self._answers: select.POLLIN, self._program.stderr: select.POLLIN}
            if rest:
                wanted[self._tasks] = select.POLLOUT
            ready = {} if ended else self._program.wait(wanted)
            if self._tasks in ready:
                rest = self._sent(rest)
            # A moderate number each: an agent may write more, and faster, than can be read.
            self._keep(_READS)
            for chunk in _chunks(self._answers, _READS if not ended else _LAST_READS):
                line += chunk
                if chunk.endswith(b"\n"):
                    return _decoded(line)
                if not chunk or len(line) > 2 * LONGEST_OUTPUT:
                    return None
        return None

    def ended(self) -> bool:
        """Say whether the worker has died."""
        return self._program.ended()

    def kill(self) -> None:
        """Kill the worker and all that it started."""
        self._program.kill()

    def bury(self) -> int:
        """Kill it, wait for its end, and close the pipes; give the exit code."""
        pipes, self._pipes = self._pipes, ()
        if pipes:
            self._keep(_LAST_READS)
        code = self._program.bury()
        for fd in pipes:
            os.close(fd)
        return code

    def _keep(self, reads: int) -> None:
        """Keep the end of what the agent printed."""
        for chunk in _chunks(self._program.stderr, reads):
            self._said.add(chunk)

    def _sent(self, rest: memoryview) -> memoryview:
        try:
            return rest[os.write(self._tasks, rest) :]
        except BlockingIOError:
            return rest
        except OSError:  # it is dying, which the next look shows
            return rest[:0]

    def _death(self) -> str:
        """Give words for how the worker ended, and the end of what it wrote."""
        words, _ = ending_of(self.bury())
        said = str(self._said)
        return words + (f"; at the end of its output: {said[-_SHOWN:]}" if said else "")


def _chunks(fd: int, most: int) -> Iterator[bytes]:
    """Give what is there, in at most so many reads; b"" is the end."""
    for _ in range(most):
        chunk = read_ready(fd)
        if chunk is None:
            return
        yield chunk
        if not chunk:
            return


def _decoded(line: bytearray) -> dict[str, Json] | None:
    try:
        facts = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):  # the agent wrote into our pipe
        return None
    return facts if isinstance(facts, dict) else None
