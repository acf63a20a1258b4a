"""Who may speak to the listener: this machine's own programs, or those that know its token."""

import hmac
import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from fairtrial.serve.wire import RefusedError


class Guard:
    """Looks at the headers of every request.

    >>> Guard("127.0.0.1", None).check({b"host": b"localhost:8000"})
    >>> Guard("127.0.0.1", None).check({b"host": b"attacker.example"})
    Traceback (most recent call last):
    fairtrial.serve.wire.RefusedError: this listener does not answer to the host ...
    """

    def __init__(self, host: str, token: str | None) -> None:
        """Take the host that the listener is bound to, and the token that it asks for, if any."""
        self._host = host.lower()
        self._token = None if token is None else token.encode()
        # Bound to every address it is reached by names that we cannot know. What this check keeps
        # out, a page of a browser under a name that leads here, does not know the token.
        self._any_name = not is_loopback(host) and _is_wildcard(host)

    def check(self, headers: Mapping[bytes, bytes]) -> None:
        """Let a request by.

        Raises:
            RefusedError: Its `Host` is none of ours, or it lacks the token.
        """
        if not self._any_name:
            name = _host_name(headers.get(b"host", b""))
            if name != self._host and not is_loopback(name):
                raise RefusedError(
                    f"this listener does not answer to the host {name[:80]!r}: ask"
                    " http://127.0.0.1, or the host that it was bound to",
                    status=403,
                    code="fairtrial_host",
                )
        if self._token is not None and not self._knows(headers, self._token):
            raise RefusedError(
                "this listener is bound with a token: send it as `Authorization: Bearer TOKEN` or"
                " `x-api-key: TOKEN`",
                status=401,
                code="fairtrial_token",
            )

    def _knows(self, headers: Mapping[bytes, bytes], token: bytes) -> bool:
        bearer = headers.get(b"authorization", b"")
        given = bearer[7:].strip() if bearer[:7].lower() == b"bearer " else b""
        given = given or headers.get(b"x-api-key", b"")
        return hmac.compare_digest(given, token)


def is_loopback(host: str) -> bool:
    """Say whether a host's name or address means this machine alone.

    >>> is_loopback("localhost"), is_loopback("127.0.0.9"), is_loopback("::1"), is_loopback("")
    (True, True, True, False)
    """
    if host in {"127.0.0.1", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_wildcard(host: str) -> bool:
    return host in {"", "0.0.0.0", "::"}  # noqa: S104 - told from the others, not bound to


def _host_name(header: bytes) -> str:
    """Give the name of a `Host` header without its port; "" when it is none."""
    text = header.decode("latin-1").strip().lower()
    name, colon, port = text.rpartition(":")
    if colon and port.isdigit() and ":" not in name:
        return name
    try:
        return urlsplit(f"//{text}").hostname or ""
    except ValueError:
        return ""
