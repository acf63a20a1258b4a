"""An agent at an address: the task is posted, the reply is its answer or a trajectory."""

from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

from fairtrial.agents.in_flight import InFlight
from fairtrial.agents.posting import Poster, Reply, shown_url
from fairtrial.agents.raised import AgentFailedError
from fairtrial.agents.wire import read_output, task_json
from fairtrial.errors import PluginError
from fairtrial.records import Json, Task
from fairtrial.text import cut


class UrlAgent:
    """A server that answers tasks: `POST url` with the task as JSON.

    A reply of type JSON is a trajectory, messages, or a text; any other reply is the answer.

    >>> agent = UrlAgent("http://127.0.0.1:8000/agent", headers={}, timeout=120)
    >>> agent.name, agent.blocking
    ('http://127.0.0.1:8000/agent', True)
    """

    blocking = True

    def __init__(self, url: str, *, headers: Mapping[str, str], timeout: float) -> None:
        """Keep the address; nothing is opened yet.

        Args:
            url: Begins with `http://` or `https://`.
            headers: Sent with every task, for keys and the like.
            timeout: Seconds that the server may say nothing: those of a trial.

        Raises:
            PluginError: No such address, or a header that HTTP cannot hold.
        """
        if not _is_address(url):
            raise PluginError(
                f"agent url: wanted an address such as http://127.0.0.1:8000/agent, "
                f"got {cut(repr(url))}"
            )
        for name, value in headers.items():
            if not _fits_a_header(name) or not _fits_a_header(value):
                raise PluginError(
                    f"agent url: the header {cut(name)!r} wants one line of Latin characters"
                )
        self._url = url
        self._headers = dict(headers)
        self._in_flight = InFlight()
        self._poster = Poster(timeout)
        self.name = shown_url(url)

    def __call__(self, task: Task) -> Json:
        """Post one task.

        Returns:
            A trajectory or messages as decoded JSON, else the text of the reply.

        Raises:
            ProviderFailedError: No connection, or a status of 408, 429 or 5xx.
            AgentFailedError: Another status than 2xx, or a reply that is not what it says.
            TrialOverError: The task was abandoned.
        """
        with self._in_flight.attempt(task) as attempt:
            reply = self._poster.post(self._url, task_json(task), self._headers, attempt)
            return self._answer(reply)

    def warm(self, count: int) -> None:
        """Need nothing."""

    def abandon(self, task: Task) -> None:
        """Hang up; a server that has not begun to reply is left to its own timeout."""
        self._in_flight.abandon(task)

    def close(self) -> None:
        """Hang up everywhere."""
        self._in_flight.close()
        self._poster.close()

    def _answer(self, reply: Reply) -> Json:
        text = reply.body.decode(errors="replace")
        kind = reply.content_type.partition(";")[0].strip().lower()
        if not (kind == "application/json" or kind.endswith("+json")):
            return text.removesuffix("\n").removesuffix("\r")
        try:
            value = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
            raise AgentFailedError(
                f"{self.name}: the reply says {kind} and is not JSON: {error}; "
                "send JSON, or text/plain"
            ) from error
        return value if isinstance(value, str) else read_output(text)


def _is_address(url: object) -> bool:
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
        return parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _fits_a_header(text: object) -> bool:
    if not isinstance(text, str) or any(char in text for char in "\r\n\0"):
        return False
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True
