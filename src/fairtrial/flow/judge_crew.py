"""Threads that ask a judge many questions at once, and hand its verdicts on as they come."""

import contextlib
import queue
from collections.abc import Callable, Generator, Iterable
from threading import Thread
from typing import TypeAlias

from fairtrial.judge import Ask, Judge, Panel
from fairtrial.records import JudgeVerdict

AnyJudge: TypeAlias = Judge | Panel

_GLANCE = 0.2  # seconds between two looks for Ctrl-C

_Work: TypeAlias = "queue.SimpleQueue[Ask | None]"
_Done: TypeAlias = "queue.SimpleQueue[tuple[Ask, JudgeVerdict] | BaseException]"


def ask_all(
    judge: AnyJudge,
    asks: Iterable[Ask],
    *,
    concurrency: int,
    tick: Callable[[], None] | None = None,
) -> Generator[tuple[Ask, JudgeVerdict], None, None]:
    """Give the verdict of each question as soon as it is there.

    The threads are daemons, so that a judge that hangs holds up no exit. Closed before its end, or
    after an error, it asks nothing more.

    Args:
        judge: The judge.
        asks: What it is asked; all of it is held.
        concurrency: Questions at once.
        tick: Called some times a second while nothing comes.

    Raises:
        BaseException: What no verdict could be made of, such as a reply that cannot be kept.

    >>> list(ask_all(Panel([]), [], concurrency=8))
    []
    """
    work: _Work = queue.SimpleQueue()
    done: _Done = queue.SimpleQueue()
    count = 0
    for ask in asks:
        work.put(ask)
        count += 1
    crew = min(concurrency, count)
    for _ in range(crew):
        work.put(None)
        Thread(target=_run, args=(judge, work, done), name="fairtrial-judge", daemon=True).start()
    try:
        for _ in range(count):
            got = _next(done, tick)
            if isinstance(got, BaseException):
                raise got
            yield got
    finally:
        _send_home(work, crew)


def _run(judge: AnyJudge, work: _Work, done: _Done) -> None:
    while (ask := work.get()) is not None:
        try:
            done.put((ask, judge.ask(ask.question, ask.material)))
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            done.put(error)


def _next(done: _Done, tick: Callable[[], None] | None) -> tuple[Ask, JudgeVerdict] | BaseException:
    while True:
        try:
            return done.get(timeout=_GLANCE)
        except queue.Empty:
            if tick is not None:
                tick()


def _send_home(work: _Work, crew: int) -> None:
    """Take away what is still to be asked: nothing more is paid for."""
    with contextlib.suppress(queue.Empty):
        while True:
            work.get_nowait()
    for _ in range(crew):
        work.put(None)
