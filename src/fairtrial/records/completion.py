"""What a model was asked and what it replied, whatever the provider's wire format."""

from typing import Literal, TypeAlias

from msgspec import Struct

from fairtrial.records.json import Json
from fairtrial.records.trajectory import Tokens

Api: TypeAlias = Literal["openai-chat", "openai-responses", "anthropic"]
"""Which wire format a request came in."""


class ModelRequest(Struct, frozen=True, kw_only=True):
    """One request for a completion."""

    api: Api
    model: str | None = None
    """The name asked for."""
    tools: tuple[str, ...] = ()
    """Names of the tools offered."""
    characters: int = 0
    """Length of all text sent, for estimates of tokens."""
    body: Json = None
    """The request as it came."""


class ModelCall(Struct, frozen=True, kw_only=True):
    """A call as the model writes it."""

    name: str
    arguments: str
    """Raw text: JSON, or malformed."""


class Completion(Struct, frozen=True, kw_only=True):
    """One reply of a model. Either a status, or words and calls."""

    text: str | None = None
    calls: tuple[ModelCall, ...] = ()
    refusal: str | None = None
    """The words of a refusal, instead of text and calls."""
    tokens: Tokens | None = None
    status: int | None = None
    """An HTTP status (400 and up) instead of a reply."""
    message: str | None = None
    """What the provider says beside the status."""
