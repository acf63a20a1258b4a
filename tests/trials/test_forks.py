"""A fork that an agent made and let come back ends, and the run goes on in its parent alone."""

import asyncio
import os
import select
import signal
import sys
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from fairtrial.records import Task

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),  # it is what is tried here
]
Child = Callable[[], object]


def forked(child: Child) -> object:
    """Fork; give the exit code of the child, or words if it hangs."""
    alive, held = os.pipe()
    pid = os.fork()
    if pid == 0:
        return child()
    os.close(held)  # the child's end closes with it
    ended, _, _ = select.select([alive], [], [], 10)
    os.close(alive)
    if not ended:
        os.kill(pid, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return code if ended else "it hung"


def raises() -> object:
    raise LookupError


def blocking(child: Child) -> Callable[[Task], Any]:
    return lambda task: forked(child)


def in_loop(child: Child) -> Callable[[Task], Any]:
    async def target(task: Task) -> object:
        await asyncio.sleep(0)
        return forked(child)

    return target


def awaitable(child: Child) -> Callable[[Task], Any]:
    return lambda task: in_loop(child)(task)


@pytest.mark.parametrize("agent", [blocking, in_loop, awaitable])
@pytest.mark.parametrize(
    ("child", "code"),
    [
        (lambda: "from the child", 0),
        (lambda: sys.exit(3), 3),
        (lambda: sys.exit(-1), 255),
        (lambda: sys.exit(None), 0),
        (lambda: sys.exit("no"), 1),
        (raises, 1),
    ],
)
def test_a_fork_that_comes_back_ends_with_its_exit_code(
    rig: Any, agent: Callable[[Child], Any], child: Child, code: int
) -> None:
    rig.run(agent(child), 2, concurrency=1)
    assert rig.returned == [code, code]


def test_a_fork_that_comes_back_waits_for_no_lock_of_the_run(rig: Any) -> None:
    finishing, forking = Event(), Event()
    finish = rig.finish

    def slow(job: int, trial: Any, outcome: Any) -> None:
        if job == 0:
            finishing.set()
            forking.wait(20)
        finish(job, trial, outcome)

    def target(task: Task) -> object:
        if task.trial == 0:
            return None
        finishing.wait(20)
        try:
            return forked(lambda: None)
        finally:
            forking.set()

    rig.finish = slow
    rig.run(target, 2, concurrency=2)
    assert rig.returned == [None, 0]


def test_a_fork_that_lets_others_in_its_loop_go_on_ends_with_the_first(rig: Any) -> None:
    went_on: list[int] = []

    async def target(task: Task) -> object:
        parent = os.getpid()
        if task.trial:
            return task.trial
        code = forked(lambda: "child")
        while os.getpid() != parent:
            went_on.append(1)
            await asyncio.sleep(0)
        return code

    rig.run(target, 3, concurrency=2)
    assert rig.returned == [0, 1, 2]
