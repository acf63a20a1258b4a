"""A worker process: `python -m fairtrial.agents.worker READ WRITE` runs one agent, task by task.

Lines of JSON come in on the first descriptor and go out on the second; stdout belongs to the agent.
"""

import contextvars
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Awaitable
from typing import TYPE_CHECKING, BinaryIO, cast

import msgspec

from fairtrial.agents.callables import callable_agent
from fairtrial.agents.failure import failure_of, retry_after_of
from fairtrial.agents.remote_tools import RemoteTools, RemoteWorld
from fairtrial.agents.returned import returned_facts
from fairtrial.agents.target import find_target
from fairtrial.agents.wire import LONGEST_OUTPUT, encoded
from fairtrial.errors import PluginError, TrialOverError
from fairtrial.ports import Agent
from fairtrial.records import Json, ModelAddress, NotJsonError, Task, Variant
from fairtrial.records import Limits as CaseLimits

if TYPE_CHECKING:
    import asyncio

_LONGEST_DETAIL = 20_000  # characters of a traceback
_LEFTOVER_SECONDS = 1.0  # for what an agent left running in its loop to be cancelled


def main() -> None:
    """Serve until the run's process closes the pipe, or dies."""
    read, write = int(sys.argv[1]), int(sys.argv[2])
    del sys.argv[1:]
    for fd in (read, write):
        os.set_inheritable(fd, False)  # noqa: FBT003 - the agent's own children get neither
    inbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(read, inbox), daemon=True).start()
    with os.fdopen(write, "wb") as out:
        agent = _loaded(msgspec.json.decode(inbox.get()), out)
        runs = _Runs()
        while agent is not None:
            _tell(out, runs.facts(agent, read_task(msgspec.json.decode(inbox.get()))))
        inbox.get()  # the run's process ends this one


def _listen(fd: int, inbox: "queue.SimpleQueue[bytes]") -> None:
    """Take lines in, and end this process with all its children when the run's process is gone."""
    with os.fdopen(fd, "rb") as lines:
        for line in lines:
            inbox.put(line)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)  # even where the agent hangs


def _loaded(hello: dict[str, Json], out: BinaryIO) -> Agent | None:
    known = list(hello["path"])
    sys.path[:] = [*known, *(path for path in sys.path if path not in known)]
    name = hello["target"]
    try:
        agent = callable_agent(find_target(name), name)
    except PluginError as error:
        _tell(out, {"refused": str(error)})
        return None
    _tell(out, {"loaded": True})
    return agent


def read_task(line: dict[str, Json]) -> Task:
    """Give the task that a line tells of, with its tools over HTTP."""
    facts = line["task"]
    url, names = facts["tools_url"], line["tools"]
    tools = None if url is None or names is None else RemoteTools(url, names)
    return Task(
        case=facts["case"],
        input=facts["input"],
        messages=list(facts["messages"]),
        context=facts["context"],
        tools=tools,
        world=None if tools is None else RemoteWorld(tools),
        model=msgspec.convert(facts["model"], ModelAddress),
        variant=msgspec.convert(facts["variant"], Variant),
        trial=facts["trial"],
        limits=msgspec.convert(facts["limits"], CaseLimits),
        seed=facts["seed"],
        tools_url=url,
        token=line["token"],
    )


class _Runs:
    """Runs an agent; an async one in one event loop, where its clients stay usable."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._runner: asyncio.Runner | None = None

    def facts(self, agent: Agent, task: Task) -> dict[str, Json]:
        """Give what came of one task."""
        try:
            return returned_facts(self._returned(agent, task))
        except NotJsonError as error:
            return _failed(error, f"what the agent returned cannot be read: {error}")
        except TrialOverError as error:
            return {"over": str(error)}
        except BaseException as error:  # noqa: BLE001 - the agent is a stranger: whatever it raises
            return _failed(error, None)

    def _returned(self, agent: Agent, task: Task) -> object:
        try:
            returned = agent(task)
            if not agent.blocking:
                return self._awaited(cast(Awaitable[object], returned))
            return returned
        finally:
            self._leave_fork(sys.exception())

    def _leave_fork(self, error: BaseException | None) -> None:
        """End a fork that the agent made and let come back: its parent alone answers."""
        if os.getpid() == self._process:
            return
        code = error.code if isinstance(error, SystemExit) else error
        os._exit(code & 0xFF if isinstance(code, int) else int(code is not None))

    def _awaited(self, awaitable: Awaitable[object]) -> object:
        import asyncio  # noqa: PLC0415 - only for async agents

        async def wait() -> object:
            try:
                return await awaitable
            finally:  # before what is left in the loop is cancelled, which the fork shares
                self._leave_fork(sys.exception())

        if self._runner is None:
            self._runner = asyncio.Runner()
        try:
            return self._runner.run(wait(), context=contextvars.copy_context())
        finally:
            left = asyncio.all_tasks(self._runner.get_loop())
            if left:  # it would go on in the next trial
                self._runner.run(_cancelled(left))


async def _cancelled(left: "set[asyncio.Task[object]]") -> None:
    import asyncio  # noqa: PLC0415 - see above

    for one in left:
        one.cancel()
    await asyncio.wait(left, timeout=_LEFTOVER_SECONDS)


def _failed(error: BaseException, message: str | None) -> dict[str, Json]:
    failure = failure_of(error)
    try:
        details = "".join(traceback.format_exception(error))
    except Exception as broken:  # noqa: BLE001 - a stranger's exception may not print
        details = f"(its traceback cannot be had: {type(broken).__name__})"
    return {
        "failed": message or failure.message,
        "kind": failure.kind,
        "retry_after": retry_after_of(error),
        "details": details[-_LONGEST_DETAIL:],
    }


def _tell(out: BinaryIO, facts: dict[str, Json]) -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
    line = encoded(facts)
    if len(line) > LONGEST_OUTPUT:
        words = f"the agent returned more than {LONGEST_OUTPUT >> 20} MB"
        line = encoded({"failed": words, "kind": "agent", "retry_after": None, "details": ""})
    out.write(line + b"\n")
    out.flush()


if __name__ == "__main__":
    main()
