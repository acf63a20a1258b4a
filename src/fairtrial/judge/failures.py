"""What a provider's SDK raises, in one line with the way out. No key is ever in it."""

from types import ModuleType
from typing import NamedTuple

from fairtrial.judge.model_settings import shown_address
from fairtrial.text import cut

_SHOWN = 300  # characters of what a provider says


class Reached(NamedTuple):
    """Who was asked, for messages."""

    sdk: ModuleType
    model: str
    address: str
    key: str
    key_variable: str
    timeout: float


def explain(error: Exception, at: Reached) -> str:
    """Say what the SDK's error means."""
    return f"judge {at.model}: {_told(error, at)}"


def _told(error: Exception, at: Reached) -> str:
    status = getattr(error, "status_code", None)
    where = shown_address(at.address)
    if status == 401:  # what it says may hold a part of the key, and is not shown
        return f"{where} refuses the key (401); set {at.key_variable} to one that is valid there"
    said = _said(error, at)
    if isinstance(status, int):
        return f"{where} says {status}{_way_out(status, at)}: {said}"
    if isinstance(error, at.sdk.APITimeoutError):
        return (
            f"{where} gave no reply within {at.timeout:g} seconds; allow more, or ask less at once"
        )
    if isinstance(error, at.sdk.APIConnectionError):
        cause = error.__cause__
        why = f" ({_clean(str(cause), at)})" if cause is not None and str(cause) else ""
        return f"no connection to {where}{why}; is that the base URL, and does it run?"
    return f"{type(error).__name__}: {said}"


def _way_out(status: int, at: Reached) -> str:
    if status == 403:
        return f", the key in {at.key_variable} may not do this"
    if status == 404:
        return ", it knows no such model or path"
    if status == 429:
        return ", too many requests or no money left"
    if status >= 500:
        return ", the provider failed"
    return ""


def _said(error: Exception, at: Reached) -> str:
    body = getattr(error, "body", None)
    # OpenAI's SDK takes the body's `error` out, Anthropic's leaves it in.
    inner = body.get("error", body) if isinstance(body, dict) else None
    message = inner.get("message") if isinstance(inner, dict) else None
    return _clean(message if isinstance(message, str) else str(error), at)


def _clean(text: str, at: Reached) -> str:
    if at.key:
        text = text.replace(at.key, "[key]")
    return cut(" ".join(text.split()), _SHOWN)
