"""How a provider's model is asked, whoever the provider is."""

from collections.abc import Callable
from typing import TypeAlias
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct

from fairtrial.records import Tokens

Price: TypeAlias = Callable[[Tokens], float | None]
"""What tokens of a model cost; None: not known."""


class ModelSettings(Struct, frozen=True, kw_only=True):
    """A judge's model at a provider. The key is no part of it, so that it can be shown.

    >>> ModelSettings(model="gpt-5-mini").described("openai", "https://api.openai.com/v1/")
    'openai gpt-5-mini at https://api.openai.com/v1, temperature 0'
    """

    model: str
    base_url: str | None = None
    """None: the provider's own, or what its SDK's environment variable says."""
    key_variable: str | None = None
    """The environment variable that the key was read from, for messages; None: the SDK's own."""
    temperature: float | None = 0.0
    """None: not sent. A model that refuses one is asked without."""
    max_tokens: int | None = None
    """Tokens of a reply at most; None: the provider's bound, or 8,192 where one must be named."""
    timeout: float = 120.0
    """Seconds that a request may take."""
    retries: int = 4
    """Times that a request is sent again where the provider is overloaded, down or out of reach."""

    def described(self, provider: str, address: str) -> str:
        """Give all that could change a reply, as a text without secrets."""
        parts = [f"{provider} {self.model} at {shown_address(address)}"]
        if self.temperature is not None:
            parts.append(f"temperature {self.temperature:g}")
        if self.max_tokens is not None:
            parts.append(f"at most {self.max_tokens} tokens")
        return ", ".join(parts)


def shown_address(url: str) -> str:
    """Give an address without what may be secret: user, password and query.

    >>> shown_address("https://me:secret@host:8080/v1/?key=secret")
    'https://host:8080/v1'
    """
    parts = urlsplit(url)
    return urlunsplit(
        (parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", "")
    )


def is_address(url: str) -> bool:
    """Say whether this could be a base URL.

    >>> is_address("https://host/v1"), is_address("host/v1"), is_address("http://[x")
    (True, False, False)
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
