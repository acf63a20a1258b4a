"""The listener: bound at once, served from the first connection on, gone when it is closed."""

import os
import selectors
import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from fairtrial.errors import UsageError
from fairtrial.records import Addresses
from fairtrial.serve.guard import Guard, is_loopback
from fairtrial.serve.mounts import Mounted, Mounts

if TYPE_CHECKING:
    from fairtrial.serve.serving import Serving

_BACKLOG = 1024  # connections that wait to be accepted
_PATIENCE = 5.0  # seconds that `close` waits for the thread; past that it dies with the process
_WILDCARDS = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - read, not bound


class Listener:
    """Serves trials to their agents over HTTP, each under an address of its own.

    It costs a socket and a sleeping thread until something connects; only then is the web server
    loaded.

    Attributes:
        host: As given.
        port: The port in use.

    >>> with Listener() as listener:
    ...     addresses = listener.mount(Mounted())
    ...     addresses.openai == f"http://127.0.0.1:{listener.port}/t/{addresses.token}/openai/v1"
    True
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        token: str | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Bind and listen.

        Args:
            host: A host of this machine.
            port: 0: any that is free.
            token: What every request must bring as `Authorization: Bearer` or `x-api-key`; needed
                where others than this machine can connect.
            clock: Tells the seconds of steps.

        Raises:
            UsageError: It cannot be bound, or lacks a token.
        """
        if not token and not is_loopback(host):
            raise UsageError(
                f"host {host!r}: others than this machine could connect; give a token that every"
                " request must bring, or listen on 127.0.0.1"
            )
        self._socket = _bound(host, port)
        self.host = host
        self.port: int = self._socket.getsockname()[1]
        name = _WILDCARDS.get(host, host)
        name = f"[{name}]" if ":" in name else name
        self._mounts = Mounts(f"http://{name}:{self.port}")
        self._guard = Guard(host, token)
        self._clock = clock
        self._lock = threading.Lock()
        self._closed = False
        self._serving: Serving | None = None
        self._waker, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="fairtrial-listener", daemon=True)
        self._thread.start()

    @property
    def refused(self) -> int:
        """How many requests belonged to no trial."""
        return self._mounts.refused

    @property
    def nowhere(self) -> Addresses:
        """Addresses that lead to no trial, and say so to whoever asks."""
        return self._mounts.nowhere

    def mount(self, mounted: Mounted) -> Addresses:
        """Serve a trial, and give its addresses."""
        return self._mounts.mount(mounted)

    def unmount(self, token: str) -> None:
        """Serve a trial no more; later requests are told that it has ended."""
        self._mounts.unmount(token)

    def point(self, alias: str, token: str | None) -> Addresses:
        """Let addresses under `alias` lead to the trial of `token` from now on; None: to none.

        For a process whose environment is set once and which serves many trials. An alias is as
        good as a token, so make it as hard to guess.

        Raises:
            ValueError: The alias cannot stand in an address.
        """
        return self._mounts.point(alias, token)

    def close(self) -> None:
        """Stop at once, requests in flight included; a second time changes nothing."""
        with self._lock:
            if not self._closed:
                self._closed = True
                if self._serving is None:
                    self._waker.close()  # which the thread sees at its other end
                else:
                    self._serving.stop()
        if threading.current_thread() is not self._thread:
            self._thread.join(_PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _serve(self) -> None:
        """Wait for a connection, then serve: the whole life of the thread."""
        try:
            serving = self._begun() if self._connected() else None
            if serving is not None:
                serving.run(self._socket)
        finally:
            for one in (self._socket, self._waker, self._woken):
                one.close()

    def _connected(self) -> bool:
        """Wait for the first connection; False: closed before there was one."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            return all(key.fileobj is not self._woken for key, _ in selector.select())

    def _begun(self) -> "Serving | None":
        # Not at the top: a run whose agent asks nothing never pays for a web server.
        from fairtrial.serve.application import Application  # noqa: PLC0415 - see above
        from fairtrial.serve.serving import Serving  # noqa: PLC0415 - see above

        with self._lock:
            if self._closed:
                return None
            self._serving = Serving(Application(self._mounts, self._guard, self._clock))
            return self._serving


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns the waiting for acknowledgements off (40 ms a request) only where TCP is named.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let two listeners share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except (OSError, OverflowError, TypeError, ValueError) as error:
        listening.close()
        raise UsageError(
            f"cannot listen on {host!r}, port {port}: {error}; give a host of this machine, such as"
            " 127.0.0.1, and a port that is free, or 0 for any"
        ) from error
    return listening
