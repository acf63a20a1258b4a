"""An event loop whose helper threads never keep the process from ending."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Thread
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class SpareThreads(ThreadPoolExecutor):
    """Runs every call in a daemon thread of its own.

    `asyncio.to_thread` uses the loop's executor, and the standard one is waited for when the
    process ends: one hung call there would hang the exit. A thread a call also means that a hung
    call takes nobody's place.

    >>> SpareThreads().submit(sum, [1, 2]).result()
    3
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call the function in a new thread; its result comes through the future."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001 - handed on to whoever waits
                future.set_exception(error)
            else:
                future.set_result(result)

        Thread(target=work, name="fairtrial-spare", daemon=True).start()
        return future


def new_loop() -> asyncio.AbstractEventLoop:
    """Give a new event loop that runs blocking calls in spare threads.

    >>> loop = new_loop()
    >>> loop.run_until_complete(asyncio.to_thread(sum, [1, 2]))
    3
    >>> loop.close()
    """
    loop = asyncio.new_event_loop()
    loop.set_default_executor(SpareThreads())
    return loop
