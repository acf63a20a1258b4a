"""The web server behind the listener. Imported when the first connection comes, and not before."""

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn

from fairtrial.serve.application import Application

_LOGGERS = ("uvicorn.error", "uvicorn.access", "uvicorn.asgi", "asyncio")
_KEEP_ALIVE = 15  # seconds; the SDKs use no connection again that was idle for 5
_ROUNDS = 6  # of the event loop, in which what was just accepted begins, and is ended too
_BACKLOG = 1024  # connections that wait to be accepted


class Serving:
    """Serves an application on a socket until it is stopped. Made and run in one thread."""

    def __init__(self, application: Application) -> None:
        """Make the event loop, so that `stop` works from now on."""
        self._runner = asyncio.Runner()
        with _silence():
            self._loop = self._runner.get_loop()
        self._closing = asyncio.Event()
        self._application = application

    def run(self, listening: socket.socket) -> None:
        """Serve until `stop`, then close the socket and every connection."""
        config = uvicorn.Config(
            self._application,
            interface="asgi3",
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_config=None,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=_KEEP_ALIVE,
            backlog=_BACKLOG,
        )
        server = _Server(config, self._closing)
        with _silence(), self._runner:
            self._runner.run(server.serve(sockets=[listening]))

    def stop(self) -> None:
        """Let `run` end soon; from any thread, any number of times."""
        with suppress(RuntimeError):  # it has ended, and its loop is closed
            self._loop.call_soon_threadsafe(self._closing.set)


class _Server(uvicorn.Server):
    """Ends at an event instead of at a signal, and waits for nobody when it does."""

    def __init__(self, config: uvicorn.Config, closing: asyncio.Event) -> None:
        super().__init__(config)
        self._closing = closing

    async def main_loop(self) -> None:
        await self._closing.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        for listening in sockets or ():
            with suppress(NotImplementedError):  # Windows' own loop accepts in another way
                loop.remove_reader(listening)
        for task in list(self.server_state.tasks):
            task.cancel()
        # The server is closed last: what was accepted just before would break on a closed one, and
        # its sockets would stay open.
        for _ in range(_ROUNDS):
            for connection in list(self.server_state.connections):
                connection.transport.abort()
            await asyncio.sleep(0)
        for server in self.servers:
            server.close()  # its sockets too


@contextmanager
def _silence() -> Iterator[None]:
    """Keep what this thread's server would log from the user; other threads log as before."""
    own = threading.get_ident()

    def is_other(_: logging.LogRecord) -> bool:
        return threading.get_ident() != own

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(is_other)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_other)
