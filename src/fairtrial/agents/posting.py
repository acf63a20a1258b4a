"""JSON sent by HTTP and the reply read within bounds."""

import socket
from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, NoReturn
from urllib.parse import urlsplit

from fairtrial.agents.in_flight import Attempt
from fairtrial.agents.raised import AgentFailedError, ProviderFailedError
from fairtrial.agents.waits import retry_after_in
from fairtrial.agents.wire import LONGEST_OUTPUT
from fairtrial.text import cut

if TYPE_CHECKING:
    import httpx2

_SHOWN = 500  # characters of a body in a message


class Reply(NamedTuple):
    """What came back with a status of 2xx."""

    content_type: str
    body: bytes


class Poster:
    """Clients for many threads, made when first used: one for this machine, one for all others."""

    def __init__(self, timeout: float) -> None:
        """Keep how many seconds a server may say nothing."""
        self._timeout = timeout
        self._lock = Lock()
        self._clients: dict[bool, httpx2.Client] = {}

    def post(self, url: str, body: bytes, headers: Mapping[str, str], attempt: Attempt) -> Reply:
        """Send a body and give the reply.

        Raises:
            ProviderFailedError: No connection, or a status of 408, 429 or 5xx.
            AgentFailedError: Another status than 2xx, too much, or nothing for too long.
            TrialOverError: The attempt was stopped.
        """
        import httpx2  # noqa: PLC0415 - heavy, and only for agents reached by HTTP

        shown = shown_url(url)
        sent = {"content-type": "application/json", **headers}
        try:
            client = self._client(url)
            with client.stream("POST", url, content=body, headers=sent) as response:
                attempt.on_stop(_hang_up(response))
                try:
                    content = _read(response, attempt, shown)
                finally:
                    attempt.on_stop(None)
        except httpx2.TimeoutException as error:
            attempt.go_on()
            raise AgentFailedError(f"{shown}: no answer for {self._timeout:g} seconds") from error
        except httpx2.TransportError as error:
            attempt.go_on()
            what = f"{type(error).__name__}: {error}"
            raise ProviderFailedError(f"{shown}: no connection: {what}") from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise AgentFailedError(f"{shown}: {type(error).__name__}: {error}") from error
        except RuntimeError as error:  # the client was closed under our hands
            attempt.go_on()
            raise AgentFailedError(f"{shown}: {error}") from error
        attempt.go_on()
        if not response.is_success:
            _refuse(response, content, shown)
        return Reply(response.headers.get("content-type", ""), content)

    def close(self) -> None:
        """Let go of all connections."""
        with self._lock:
            clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            client.close()

    def _client(self, url: str) -> "httpx2.Client":
        import httpx2  # noqa: PLC0415 - see above

        here = _is_loopback(url)
        with self._lock:
            if here not in self._clients:
                # A proxy cannot reach this machine's own addresses, and may be the only way to
                # all others. Limits are the engine's.
                self._clients[here] = httpx2.Client(
                    trust_env=not here, timeout=self._timeout, limits=httpx2.Limits()
                )
            return self._clients[here]


def shown_url(url: str) -> str:
    """Give an address for people: without a password, a query or a fragment.

    >>> shown_url("https://me:secret@example.org:8443/agent?key=1")
    'https://example.org:8443/agent'
    """
    parts = urlsplit(url)
    return cut(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}", 200)


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def _read(response: "httpx2.Response", attempt: Attempt, shown: str) -> bytes:
    content = bytearray()
    for chunk in response.iter_bytes():
        attempt.go_on()
        content += chunk
        if len(content) > LONGEST_OUTPUT:
            raise AgentFailedError(f"{shown}: sent more than {LONGEST_OUTPUT >> 20} MB")
    return bytes(content)


def _hang_up(response: "httpx2.Response") -> Callable[[], None]:
    """Give what ends a reply from another thread: closing a socket does not wake its reader."""

    def hang_up() -> None:
        stream = response.extensions.get("network_stream")
        connection = stream.get_extra_info("socket") if stream is not None else None
        if connection is not None:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # the other side was quicker

    return hang_up


def _refuse(response: "httpx2.Response", content: bytes, shown: str) -> NoReturn:
    status = response.status_code
    said = content[: 4 * _SHOWN].decode(errors="replace").strip()
    message = f"{shown}: HTTP {status}" + (f": {cut(said, _SHOWN)}" if said else "")
    if status in (408, 429) or status >= 500:
        wait = retry_after_in(lambda name: response.headers.get(name))
        raise ProviderFailedError(message, retry_after=wait)
    if 300 <= status < 400:
        message += f" (to {shown_url(response.headers.get('location', ''))}; give that address)"
    raise AgentFailedError(message)
