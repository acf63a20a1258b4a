"""`isolation = "process"`: a Python agent in worker processes, killed when it hangs."""

import os
import secrets
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock, Thread

from fairtrial.agents.in_flight import Attempt, InFlight
from fairtrial.agents.raised import AgentFailedError
from fairtrial.agents.returned import returned_value
from fairtrial.agents.wire import task_facts
from fairtrial.agents.worker_link import WorkerLink
from fairtrial.errors import PluginError, TrialOverError
from fairtrial.records import Addresses, Json, Task

_LONGEST_IMPORT = 60.0  # seconds
_OFFLINE_KEY = "fairtrial-offline"  # SDKs want some key; a real one never goes anywhere


class ProcessAgent:
    """A pool of worker processes; each runs one trial at a time.

    A worker's environment is set before the agent's module is imported, so that clients made then
    speak to the trial at hand: the worker has addresses of its own, which lead from trial to trial.
    """

    blocking = True

    def __init__(  # noqa: PLR0913 - each is what a worker is started with
        self,
        target: str,
        *,
        import_from: Sequence[Path],
        point: Callable[[str, str | None], Addresses],
        live: bool,
        env: Mapping[str, str] | None = None,
        tree: Path | None = None,
        python: str | None = None,
    ) -> None:
        """Keep what to start; nothing is started yet.

        Args:
            target: `module:name` of a Python agent.
            import_from: Folders that come first on the import path.
            point: Leads an alias on the listener to a trial's token (None: to none).
            live: The provider's variables are left as they are.
            env: Variables besides those of this process.
            tree: The agent's own folder, where it runs and outside which nothing of this process'
                import path is looked for; None: here, with the whole import path.
            python: Its interpreter, in which fairtrial can be imported; None: ours.
        """
        self._target = target
        self._tree = tree
        self._python = python or sys.executable
        self._import_from = [str(folder) for folder in import_from]
        self._point = point
        self._live = live
        self._env = dict(env or {})
        self._in_flight = InFlight()
        self._lock = Lock()
        self._idle: list[WorkerLink] = []
        self._closed = False
        self.name = target

    def __call__(self, task: Task) -> object:
        """Run one task in a worker.

        Returns:
            What the agent returned, as JSON, or as an object with the messages of a run.

        Raises:
            AgentFailedError: The agent raised, or its process died.
            PluginError: The agent does not load.
            TrialOverError: The trial has ended.
        """
        with self._in_flight.attempt(task) as attempt:
            worker = self._free_worker() or self._new_worker()
            try:
                facts = self._ran(worker, task, attempt)
            except BaseException:
                attempt.on_stop(None)
                worker.bury()
                attempt.go_on()
                raise
            finally:
                self._point(worker.alias, None)
            self._give_back(worker)
            return _outcome(facts)

    def warm(self, count: int) -> None:
        """Start so many workers and let them import the agent, all at the same time.

        An import that takes longer than a minute is left to the trial that it is for.

        Raises:
            PluginError: The agent does not load.
        """
        faults: list[PluginError] = []
        threads = [Thread(target=self._warm_one, args=(faults,), daemon=True) for _ in range(count)]
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + _LONGEST_IMPORT
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        if faults:
            raise faults[0]

    def _warm_one(self, faults: list[PluginError]) -> None:
        try:
            worker = self._new_worker()
        except PluginError as error:
            faults.append(error)
            return
        try:
            self._load(worker)
        except PluginError as error:
            worker.bury()
            faults.append(error)
            return
        self._give_back(worker)

    def abandon(self, task: Task) -> None:
        """Kill the task's worker; another takes its place when one is wanted."""
        self._in_flight.abandon(task)

    def close(self) -> None:
        """Kill all workers."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        self._in_flight.close()
        for worker in idle:
            worker.bury()

    def _ran(self, worker: WorkerLink, task: Task, attempt: Attempt) -> dict[str, Json]:
        attempt.on_stop(worker.kill)
        if not worker.loaded:
            self._load(worker)
        self._point(worker.alias, task.token)
        names = None if task.tools is None else list(task.tools)
        facts = worker.run({"task": task_facts(task), "tools": names, "token": task.token})
        attempt.on_stop(None)
        attempt.go_on()
        return facts

    def _load(self, worker: WorkerLink) -> None:
        known = self._import_from
        others = [path for path in sys.path if path not in known] if self._tree is None else []
        worker.load(self._target, [*known, *others])

    def _free_worker(self) -> WorkerLink | None:
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None or not worker.ended():
                return worker
            worker.bury()

    def _new_worker(self) -> WorkerLink:
        alias = secrets.token_urlsafe(16)
        there = self._point(alias, None)
        env = {**os.environ, "FAIRTRIAL_TOOLS_URL": there.tools}
        if not self._live:
            env |= {"OPENAI_API_KEY": _OFFLINE_KEY, "ANTHROPIC_API_KEY": _OFFLINE_KEY}
        env |= self._env
        if not self._live:  # last: no setting leads an offline run to a provider
            env |= {"OPENAI_BASE_URL": there.openai, "ANTHROPIC_BASE_URL": there.anthropic}
        return WorkerLink(alias, env, python=self._python, cwd=self._tree)

    def _give_back(self, worker: WorkerLink) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(worker)
                return
        worker.bury()


def _outcome(facts: dict[str, Json]) -> object:
    if "over" in facts:
        raise TrialOverError(facts["over"])
    if "failed" in facts:
        raise AgentFailedError(
            facts["failed"],
            kind=facts.get("kind", "agent"),
            retry_after=facts.get("retry_after"),
            details=facts.get("details", ""),
        )
    return returned_value(facts)
