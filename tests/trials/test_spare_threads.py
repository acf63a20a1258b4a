"""Blocking calls of a loop run in threads that never keep the process from ending."""

import asyncio
import subprocess
import sys
from threading import Event

import pytest

from fairtrial.trials.spare_threads import SpareThreads, new_loop


def test_what_a_call_raises_comes_through_its_future() -> None:
    with pytest.raises(ZeroDivisionError):
        SpareThreads().submit(divmod, 1, 0).result()


def test_a_hung_call_takes_nobodys_place() -> None:
    hung, threads = Event(), SpareThreads(max_workers=1)
    waiting = threads.submit(hung.wait)
    assert threads.submit(sum, [1]).result() == 1
    hung.set()
    assert waiting.result()


def test_a_loop_runs_blocking_calls_beside_itself() -> None:
    async def both() -> list[int]:
        return await asyncio.gather(*(asyncio.to_thread(sum, [n, 1]) for n in range(3)))

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(both()) == [1, 2, 3]


def test_a_hung_call_does_not_keep_the_process() -> None:
    code = """
import threading
from fairtrial.trials.spare_threads import SpareThreads
SpareThreads().submit(threading.Event().wait)
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=20, check=True)
    assert done.returncode == 0
