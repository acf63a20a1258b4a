"""A function of the user's as a judge's model: `prompt -> text`, plain or async."""

import asyncio
import inspect
import queue
import threading
import time
from collections.abc import Awaitable, Callable
from contextvars import copy_context
from threading import Thread
from typing import TypeAlias

from fairtrial.errors import JudgeError
from fairtrial.records import JudgePrompt, JudgeReply, clean_text
from fairtrial.text import cut

JudgeFunction: TypeAlias = Callable[[str], str] | Callable[[str], Awaitable[str]]


class FunctionModel:
    """Asks a function. It is called from several threads at once.

    What an async function gives is awaited in one event loop, the same for all calls, so that a
    client which it keeps between them goes on working.

    Attributes:
        name: As the function was named.
        described: All that is known of it.
    """

    def __init__(
        self,
        function: JudgeFunction,
        name: str,
        *,
        described: str | None = None,
        timeout: float | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Take the function.

        Args:
            function: Is given the prompt, gives the reply as text.
            name: `module:function`.
            described: All that is known of what it does, such as a hash of its source. None: the
                name.
            timeout: Seconds that it is waited for; None: for ever.
            clock: Tells the seconds of a reply.
        """
        self.name = name
        self.described = described or f"function {name}"
        self._function = function
        self._timeout = timeout
        self._clock = clock
        self._loop = _Loop()

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        """Call the function.

        Raises:
            JudgeError: It raised, gave no text, or gave nothing in time.
            KeyboardInterrupt: Somebody wants the run to end.

        >>> model = FunctionModel(lambda text: text.upper(), "shop:ask")
        >>> model.reply(JudgePrompt(text="pass?", schema={}, marker="m")).text
        'PASS?'
        """
        began = self._clock()
        answered: queue.SimpleQueue[str | BaseException] = queue.SimpleQueue()
        Thread(
            target=copy_context().run,
            args=(self._answer, prompt.text, answered),
            name="fairtrial-judge-function",
            daemon=True,
        ).start()
        try:
            said = answered.get(timeout=self._timeout)
        except queue.Empty:
            raise JudgeError(
                f"judge {self.name} gave no reply within {self._timeout:g} seconds; allow more "
                "(judge.timeout), or let it give up by itself"
            ) from None
        if isinstance(said, BaseException):
            raise said
        return JudgeReply(text=said, seconds=self._clock() - began)

    def _answer(self, prompt: str, answered: "queue.SimpleQueue[str | BaseException]") -> None:
        """Call the function in a thread of its own: one that hangs holds up nobody for ever."""
        try:
            answered.put(self._said(prompt))
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            answered.put(error)

    def _said(self, prompt: str) -> str:
        """Give what the function says.

        Raises:
            JudgeError: It raised, or gave no text.
            KeyboardInterrupt: Somebody wants the run to end.
        """
        try:
            said: object = self._function(prompt)
            if inspect.isawaitable(said):
                said = self._loop.result(said)
            text = clean_text(said) if isinstance(said, str) else None
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever the user's code raises ends no run
            raise JudgeError(f"judge {self.name} raised {_told(error)}") from error
        if text is None:
            raise JudgeError(
                f"judge {self.name} gave {_kind(said)}; wanted the model's reply as text"
            )
        return text

    def close(self) -> None:
        """Stop the event loop, where there is one."""
        self._loop.close()


class _Loop:
    """An event loop in a thread of its own, begun with the first that is awaited."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def result(self, awaitable: Awaitable[object]) -> object:
        """Await something from another thread."""
        return asyncio.run_coroutine_threadsafe(_ended(awaitable), self._running()).result()

    def close(self) -> None:
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                thread = threading.Thread(
                    target=_run, args=(self._loop,), name="fairtrial-judge-loop", daemon=True
                )
                thread.start()
            return self._loop


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


async def _ended(awaitable: Awaitable[object]) -> object:
    try:
        return await awaitable
    except Exception:  # not what follows: these end no loop
        raise
    except BaseException as error:  # would end the loop, and who else waits would wait for ever
        raise JudgeError(_told(error)) from error


def _told(error: BaseException) -> str:
    if isinstance(error, JudgeError):
        return str(error)
    try:
        return f"{type(error).__name__}: {cut(str(error), 300)}"
    except Exception:  # noqa: BLE001 - the user's own `__str__`
        return type(error).__name__


def _kind(value: object) -> str:
    return "nothing (None)" if value is None else f"an object of type {type(value).__name__}"
